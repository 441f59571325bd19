"""Bayesian model of symptoms and history: a table of general knowledge, sharpened by the rest of the cohort.

The table (data/conditions.yaml, data/general_rates.yaml) is written by hand and knows nothing of the cohort; the
cohort's cases are added as counts. Naive Bayes with the table as its Dirichlet prior (strength `PRIOR_STRENGTH`):
P(c | d) = (m p0 + present) / (m + present + absent + SILENCE * silent).
"""

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from etl.caserecord import Assertion, CaseRecord, MedicationRole, MentionKind
from terminology import concepts, diagnoses

PRIOR_STRENGTH = 5.0
HISTORY_STRENGTH = 40.0
"""Past history is learnt slowly: a handful of cases says little about what hundreds of conditions go with."""
FLOOR = 0.02
"""No finding is rarer than this in any disease, since records and memories err."""
SILENCE = 0.3
PRIOR_COUNT = 0.5
"""What a case of the cohort adds to how common a disease is (the table says 1 to 5)."""
_HISTORY = (MentionKind.MEDICAL_HISTORY, MentionKind.SURGICAL_HISTORY, MentionKind.SOCIAL_HISTORY)
Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Disease:
    """A disease that a clinician may conclude: from the table, or from the cohort alone (`drugs` empty then)."""

    key: str
    name: str
    icd10: tuple[str, ...]
    common: float
    age: tuple[int, int]
    sex: str
    rates: dict[str, float]
    drugs: tuple[str, ...]


@dataclass(frozen=True)
class Lesson:
    """What one case teaches: its disease's key, concepts present and absent, ingredients given at discharge."""

    subject_id: str
    disease: str
    present: frozenset[str]
    absent: frozenset[str]
    drugs: frozenset[str]


@cache
def document(name: str) -> dict[str, Any]:
    """A data file of the clinicians, parsed."""
    content: dict[str, Any] = yaml.safe_load(files("simulator.doctors").joinpath("data", name).read_text("utf-8"))
    return content


@cache
def is_symptom(key: str) -> bool:
    """Whether a concept is a symptom, not a condition, procedure or habit."""
    concept = concepts.get(key)
    return concept is not None and concept.kind == "symptom"


def general_rate(key: str) -> float:
    """How often a concept is present whatever the disease."""
    rates = document("general_rates.yaml")
    if key in rates["rates"]:
        return float(rates["rates"][key])
    concept = concepts.get(key)
    if concept and concept.kind == "symptom":
        return float(rates["default"])
    return float(rates["history"].get(key, rates["history_default"]))


@cache
def known_diseases() -> tuple[Disease, ...]:
    """The hand-written table."""
    return tuple(_disease(key, row) for key, row in document("conditions.yaml").items())


def _disease(key: str, row: dict[str, Any]) -> Disease:
    history = {name: min(0.9, ratio * general_rate(name)) for name, ratio in row.get("history", {}).items()}
    low, high = row.get("age", (18, 100))
    return Disease(
        key,
        row["name"],
        tuple(row["icd10"]),
        row["common"],
        (low, high),
        row.get("sex", ""),
        row["symptoms"] | history,
        tuple(row["drugs"]),
    )


def lesson(case: CaseRecord) -> Lesson | None:
    """What `case` teaches; None where it has no coded main diagnosis."""
    main = min((d for d in case.diagnoses if d.code and d.version), key=lambda d: d.rank, default=None)
    if main is None:
        return None
    present: set[str] = set()
    absent: set[str] = set()
    for mention in case.mentions:
        own = mention.experiencer == "patient" and mention.concept
        wanted = mention.kind in _HISTORY or (mention.kind is MentionKind.SYMPTOM and not mention.historical)
        if own and wanted and mention.concept:
            (absent if mention.assertion is Assertion.ABSENT else present).add(mention.concept)
    given = [m for m in case.medications if m.role is MedicationRole.DISCHARGE and not m.carrier_fluid]
    at_home = {i for m in case.medications if m.role is MedicationRole.HOME for i in m.ingredients}
    category = diagnoses.category(main.code, int(main.version))
    key = _key_for(category, frozenset(present)) or f"cohort:{category}:{main.name}"
    return Lesson(
        case.subject_id,
        key,
        frozenset(present),
        frozenset(absent - present),
        frozenset(i for m in given for i in m.ingredients) - at_home,
    )


def _key_for(category: str, present: frozenset[str]) -> str | None:
    """The table's disease of an ICD-10 category; where there are several, the one that the symptoms fit best."""
    fitting = [disease for disease in known_diseases() if category in disease.icd10]
    return (
        max(fitting, key=lambda d: sum(d.rates.get(key, 0) for key in present), default=fitting[0]).key
        if fitting
        else None
    )


class Model:
    """Diseases by concepts, with the counts of all lessons; `fitted` gives the model that never saw a subject."""

    def __init__(self, lessons: Sequence[Lesson]) -> None:
        self.lessons = tuple(lessons)
        extra = sorted({item.disease for item in lessons} - {disease.key for disease in known_diseases()})
        self.diseases = (*known_diseases(), *(_from_cohort(key) for key in extra))
        self._row = {disease.key: index for index, disease in enumerate(self.diseases)}
        named = {key for disease in self.diseases for key in disease.rates}
        self.concepts = tuple(sorted(named | {key for item in lessons for key in item.present}))
        self.column = {key: index for index, key in enumerate(self.concepts)}
        self._base = np.array([general_rate(key) for key in self.concepts])
        self._strength = np.array([PRIOR_STRENGTH if is_symptom(key) else HISTORY_STRENGTH for key in self.concepts])
        self._table = np.array([[d.rates.get(key, -1.0) for key in self.concepts] for d in self.diseases])
        self._table = np.where(self._table < 0, self._base, self._table)
        shape = (len(self.diseases), len(self.concepts))
        self._present, self._absent, self._cases = np.zeros(shape), np.zeros(shape), np.zeros(len(self.diseases))
        for item in lessons:
            self._count(item, 1.0, self._present, self._absent, self._cases)

    def fitted(self, exclude_subject: str) -> "Fitted":
        """The model as it would be had `exclude_subject` never been seen."""
        present, absent, cases = self._present.copy(), self._absent.copy(), self._cases.copy()
        kept: list[Lesson] = []
        for item in self.lessons:
            if item.subject_id == exclude_subject:
                self._count(item, -1.0, present, absent, cases)
            else:
                kept.append(item)
        silent = np.maximum(cases[:, None] - present - absent, 0)
        rates = (self._strength * self._table + present) / (self._strength + present + absent + SILENCE * silent)
        in_table = np.array([not disease.key.startswith("cohort:") for disease in self.diseases])
        prior = np.where(in_table, [disease.common for disease in self.diseases], 0.0) + PRIOR_COUNT * cases
        return Fitted(self, np.clip(rates, FLOOR, 0.97), prior, tuple(kept))

    def _count(self, item: Lesson, by: float, present: Vector, absent: Vector, cases: Vector) -> None:
        row = self._row[item.disease]
        cases[row] += by
        present[row, [self.column[key] for key in item.present]] += by
        absent[row, [self.column[key] for key in item.absent if key in self.column]] += by


def _from_cohort(key: str) -> Disease:
    _, category, name = key.split(":", 2)
    return Disease(key, name.lower(), (category,), 0.0, (18, 100), "", {}, ())


class Fitted:
    """The likelihoods without one subject: `rates` (diseases, concepts), unnormalised `prior`, the lessons left."""

    def __init__(self, model: Model, rates: Vector, prior: Vector, lessons: tuple[Lesson, ...]) -> None:
        self.diseases, self.concepts, self.column = model.diseases, model.concepts, model.column
        self.lessons = lessons
        self.prior = prior
        self.rates = _with_relatives(rates, self.concepts, self.column)

    def log_prior(self, age: int | None, sex: str) -> Vector:
        """Log prior for a person; a disease that the person cannot have gets -50, one of other ages loses."""
        logs = np.log(np.maximum(self.prior, 1e-9))
        for index, disease in enumerate(self.diseases):
            if sex and disease.sex and sex != disease.sex:
                logs[index] = -50.0
            if age is not None:
                outside = max(disease.age[0] - age, age - disease.age[1], 0)
                logs[index] -= min(4.0, 0.25 * outside + (1.0 if outside else 0.0))
        return logs

    def treatments(self, key: str) -> Counter[str]:
        """New discharge drugs of the cohort's other patients with disease `key`, by number of patients."""
        return Counter(drug for item in self.lessons if item.disease == key for drug in sorted(item.drugs))

    def seen(self, key: str) -> int:
        """How many of the cohort's other cases had disease `key`."""
        return sum(item.disease == key for item in self.lessons)


def _with_relatives(rates: Vector, names: tuple[str, ...], column: dict[str, int]) -> Vector:
    """A wider concept is at least nearly as likely as its narrower ones, and a narrower one shares in its wider one."""
    widened = rates.copy()
    for name in names:
        for wider in concepts.ancestors(name):
            if wider in column:
                child, parent = column[name], column[wider]
                widened[:, parent] = np.maximum(widened[:, parent], 0.8 * rates[:, child])
                widened[:, child] = np.maximum(widened[:, child], 0.35 * rates[:, parent])
    return np.clip(widened, FLOOR, 0.97)


_MODELS: list[tuple[Sequence[CaseRecord], Model]] = []
_LOCK = threading.Lock()


def model_of(cases: Sequence[CaseRecord]) -> Model:
    """The model of a cohort, fitted once for each sequence of cases; safe to call from several threads."""
    with _LOCK:
        for known, model in _MODELS:
            if known is cases:
                return model
        model = Model([item for case in cases if (item := lesson(case))])
        _MODELS.append((cases, model))
        del _MODELS[:-4]
        return model

"""What is known of the patient that bears on drugs: age, conditions, allergies, home drugs, measured values."""

import re
from dataclasses import dataclass
from functools import cache

from etl.caserecord import Assertion, MedicationRole
from evaluator.evidence import EvaluationInput
from kg.facts import Domain, Fact
from simulator.consultation.transcript import Turn
from simulator.patient.asks import AskStatus
from terminology import drug_conditions, drugs
from terminology.drug_table import DATA, read_rows

_GRADES = ("severity", "stage", "value")  # details that make a condition another for a drug
_CONDITION_DOMAINS = frozenset(
    {Domain.PAST_HISTORY, Domain.SURGICAL_HISTORY, Domain.SYMPTOM, Domain.CHIEF_COMPLAINT, Domain.RISK_FACTOR}
)
_MEASURED_DOMAINS = frozenset({Domain.TEST_RESULT, Domain.EXAMINATION})
_AGE = re.compile(r"\b(\d{1,3})[- ]?(?:years?|yrs?|yo|y/o|y\.o\.)\b[- ]?(?:old)?", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ALLERGIC_TO = re.compile(r"\b(?<!not )allerg(?:ic to|y to)\s+([^.;!?]{2,60})", re.IGNORECASE)
_NO_ALLERGY = re.compile(
    r"\b(?:no|none|not|denies|nkda|nka|nil|unknown|without|negative|intoleran\w+ only)\b", re.IGNORECASE
)
_DENIED = (AskStatus.DENIED, AskStatus.ASSUMED_DENIED)
_OF_MEDICINES = re.compile(r"\b(?:medic\w+|drugs?|tablets?|pills?|antibiotics?|anything|allergies)\b", re.IGNORECASE)
_SHOWN_BY_TESTS = frozenset(
    {"pregnancy_known", "long_qt", "heart_block", "intracranial_hemorrhage", "bowel_obstruction", "aortic_aneurysm"}
)
_WHILE_PRESENT_IN_HISTORY = frozenset({"pregnancy", "pregnancy_known", "breastfeeding"})


OWN_DIAGNOSIS = "the plan's own diagnosis"


@dataclass(frozen=True, slots=True)
class KnownCondition:
    """A condition key with what says so, for the reason's words; `past` where it is history and may be over."""

    key: str
    source: str
    past: bool


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the patient. `age` in years (90 for over 89), None where unknown."""

    age: int | None
    conditions: tuple[KnownCondition, ...]
    complaints: frozenset[str]
    allergens: tuple[str, ...]
    home: frozenset[str]


def known(evidence: EvaluationInput) -> Known:
    """From the patient's facts (undisclosed ones too), the dialogue where there are none, and the diagnoses."""
    facts = [fact for fact in evidence.facts if fact.experiencer == "patient"]
    present = [fact for fact in facts if fact.assertion is Assertion.PRESENT]
    conditions = tuple(found for fact in present for found in _conditions(fact))
    own = (turn.patient.words for turn in evidence.transcript.turns if not _of_others(turn))
    said = frozenset(key for words in own for key in drug_conditions.in_text(words))
    return Known(
        age=_age(present, evidence.transcript.opening),
        conditions=conditions + _diagnosed(evidence),
        complaints=said | drug_conditions.in_text(evidence.transcript.opening),
        allergens=_allergens(present, evidence),
        home=_home(present, evidence),
    )


def _of_others(turn: Turn) -> bool:
    """Whether an answer tells only of relatives, or of what a drug or a food did."""
    told = {fact.domain for fact in turn.patient.disclosed}
    return bool(told) and told <= {Domain.ALLERGY, Domain.FAMILY_HISTORY}


def _conditions(fact: Fact) -> list[KnownCondition]:
    if fact.domain in _MEASURED_DOMAINS:
        shown = {*measured(fact), *(drug_conditions.named_in(fact.text) & _SHOWN_BY_TESTS)}
        return [KnownCondition(key, fact.text, False) for key in sorted(shown)]
    if fact.domain not in _CONDITION_DOMAINS:
        return []
    graded = " ".join((fact.text, *(fact.attributes[name] for name in _GRADES if name in fact.attributes)))
    keys = drug_conditions.in_text(graded) | (drug_conditions.of_concept(fact.concept) if fact.concept else set())
    history = fact.domain in {Domain.PAST_HISTORY, Domain.SURGICAL_HISTORY}
    return [
        KnownCondition(key, fact.text, fact.historical or (history and key not in _WHILE_PRESENT_IN_HISTORY))
        for key in sorted(keys)
    ]


def _diagnosed(evidence: EvaluationInput) -> tuple[KnownCondition, ...]:
    """Conditions of the plan's own diagnosis and of the recorded ones, asked for or not."""
    plan, key = evidence.transcript.plan, evidence.answer_key
    own = [(name, OWN_DIAGNOSIS) for name in drug_conditions.in_text(plan.diagnosis)] if plan else []
    recorded = [
        (condition, f"recorded diagnosis: {item.name}")
        for item in (key.diagnoses if key else ())
        for condition in drug_conditions.in_text(item.name)
    ]
    return tuple(KnownCondition(condition, source, False) for condition, source in sorted({*own, *recorded}))


@dataclass(frozen=True, slots=True)
class _Threshold:
    pattern: re.Pattern[str]
    lowest: float
    at_least: bool
    threshold: float
    condition: str

    def shown_by(self, text: str) -> bool:
        """Whether the text has the measurement's name and right after it a plausible value beyond the threshold."""
        values = (float(match[1]) for match in self.pattern.finditer(text))
        return any(
            value >= self.lowest and (value >= self.threshold if self.at_least else value < self.threshold)
            for value in values
        )


@cache
def _thresholds() -> tuple[_Threshold, ...]:
    columns = ("measurement", "lowest", "comparison", "threshold", "condition", "source")
    return tuple(
        _Threshold(
            re.compile(rf"(?<![a-z])(?:{row['measurement']})(?![a-z])\D{{0,15}}?(\d+(?:\.\d+)?)"),
            float(row["lowest"]),
            row["comparison"] == ">=",
            float(row["threshold"]),
            row["condition"],
        )
        for row in read_rows(DATA / "safety_measured_conditions.csv", columns)
    )


def measured(fact: Fact) -> tuple[str, ...]:
    """Conditions that a measured value shows ("creatinine 3.1": severe_renal_impairment); urine values are left out."""
    text = fact.text.lower()
    value = fact.attributes.get("value", "")
    if "urine" in text or "urinary" in text:
        return ()
    if value and value not in text:
        text = f"{text} {value}"
    return tuple(dict.fromkeys(item.condition for item in _thresholds() if item.shown_by(text)))


def _age(facts: list[Fact], opening: str) -> int | None:
    stated = next((fact.text for fact in facts if fact.fact_id == "demographics/age"), "")
    if ">" in stated:
        return 90
    found = _NUMBER.search(stated) or next(iter(_AGE.finditer(opening)), None)
    if found is None:
        return None
    return int(float(found.group(1) if found.re is _AGE else found.group()))


def _denied_when_asked(evidence: EvaluationInput) -> bool:
    """Whether the patient denied allergies to medicines when asked, and told of none: the doctor could not know."""
    if any(fact.domain is Domain.ALLERGY and fact.assertion is Assertion.PRESENT for fact in evidence.disclosed):
        return False
    return any(
        outcome.ask.domain is Domain.ALLERGY and outcome.status in _DENIED and _OF_MEDICINES.search(turn.doctor_words)
        for turn in evidence.transcript.turns
        for outcome in turn.patient.outcomes
    )


def _allergens(facts: list[Fact], evidence: EvaluationInput) -> tuple[str, ...]:
    """The record's allergies, unless denied when asked; what the patient says where the record has none; what the
    plan's summary states."""
    own = [fact for fact in facts if fact.domain is Domain.ALLERGY and not _denied_when_asked(evidence)]
    recorded = [fact.text for fact in own] + [fact.concept for fact in own if fact.concept]
    spoken = [match[1] for turn in evidence.transcript.turns for match in _ALLERGIC_TO.finditer(turn.patient.words)]
    plan = evidence.transcript.plan
    summary = plan.category_summaries.get("allergies", "") if plan else ""
    written = [] if not summary or _NO_ALLERGY.search(summary) else [summary]
    stated = recorded or [text for text in spoken if not _NO_ALLERGY.search(text)]
    return tuple(dict.fromkeys(text for text in (*stated, *written) if not _NO_ALLERGY.match(text)))


def _home(facts: list[Fact], evidence: EvaluationInput) -> frozenset[str]:
    """Ingredients of what the patient takes at home."""
    taken = [fact.text for fact in facts if fact.domain is Domain.MEDICATION and not fact.historical]
    key = evidence.answer_key
    taken += [drug.name for drug in (key.medications if key else ()) if drug.role is MedicationRole.HOME]
    return frozenset(name for text in taken for name in drugs.normalise(text).ingredients)

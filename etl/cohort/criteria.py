"""Inclusion and exclusion as a YAML file: steps that are taken one after the other, each with a label for the flow."""

from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import ConfigDict, Field, ValidationError

from etl.caserecord import Assertion, CaseRecord, MedicationRole, MentionKind
from foundation.errors import UserError
from foundation.invalid import explained
from foundation.records import Frozen
from terminology import diagnoses

Outcome = bool | None
"""True: fulfilled. False: not. None: the record does not say, which is not the same and is counted apart."""

CriterionName = Literal[
    "age_at_least",
    "age_at_most",
    "sex",
    "note_present",
    "medications_at_least",
    "diagnoses_at_least",
    "diagnosis_in",
    "elements_present",
    "died_in_hospital",
    "language",
    "speaks_for_self",
    "admissions_at_most",
    "screening",
]


class Step(Frozen):
    """One step. With `exclude: true` those who fulfil the criterion are left out; else those who do not.

    A case whose record does not say is left out either way, unless `keep_unknown`. The remaining fields belong to the
    criterion: `years`, `count`, `roles`, `elements`, `categories` (ICD-10 categories or their beginnings), `values`,
    `decision`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    label: str
    criterion: CriterionName
    exclude: bool = False
    keep_unknown: bool = False
    years: int | None = Field(default=None, ge=0)
    count: int | None = Field(default=None, ge=1)
    roles: tuple[MedicationRole, ...] = ()
    elements: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    decision: Literal["include"] = "include"


class CohortDefinition(Frozen):
    """A cohort. `deidentified` declares that the records hold no identifiers, which is then checked."""

    name: str
    description: str = ""
    deidentified: bool = False
    steps: tuple[Step, ...]


class Progressing:
    """What steps need to know beyond the case: admissions taken so far by patient, and screening decisions."""

    def __init__(self, decisions: Mapping[str, str]) -> None:
        self.decisions = decisions
        self.admissions: dict[tuple[int, str], int] = {}


def load_definition(name_or_path: str | Path) -> CohortDefinition:
    """A preset by name (ccqa, case_reports, adults) or a YAML file. Raises UserError saying which field is wrong."""
    path = Path(name_or_path)
    preset = resources.files(__package__).joinpath("presets", f"{name_or_path}.yaml")
    if not path.is_file() and not preset.is_file():
        raise UserError(f"{name_or_path}: no such cohort file or preset.", f"Use one of {', '.join(presets())}.")
    text = path.read_text("utf-8") if path.is_file() else preset.read_text("utf-8")
    try:
        definition = CohortDefinition.model_validate(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise UserError(f"{name_or_path}: not YAML.", "See etl/cohort/presets/ccqa.yaml for an example.") from error
    except ValidationError as error:
        wrong = explained(error, CohortDefinition)
        raise UserError(f"{name_or_path}: {wrong}", "See etl/cohort/presets for examples.") from None
    for step in definition.steps:
        _check_fields(step, str(name_or_path))
    return definition


def presets() -> list[str]:
    """The names of the cohorts that come with the project."""
    folder = resources.files(__package__).joinpath("presets")
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))


_NEEDED = {
    "age_at_least": "years",
    "age_at_most": "years",
    "sex": "values",
    "medications_at_least": "count",
    "diagnoses_at_least": "count",
    "diagnosis_in": "categories",
    "elements_present": "elements",
    "language": "values",
    "admissions_at_most": "count",
}


def _check_fields(step: Step, where: str) -> None:
    needed = _NEEDED.get(step.criterion)
    if needed and not getattr(step, needed):
        raise UserError(f"{where}: step “{step.label}” needs the field {needed}.", f"Add {needed}: to the step.")
    unknown = sorted(set(step.elements) - set(ELEMENTS))
    if unknown:
        raise UserError(
            f"{where}: step “{step.label}” asks for the element {unknown[0]}, which does not exist.",
            f"Use some of: {', '.join(sorted(ELEMENTS))}.",
        )


def fulfils(case: CaseRecord, step: Step, progress: Progressing, number: int) -> Outcome:
    """Whether the case fulfils the criterion of the step, which is the `number`-th of its cohort."""
    if step.criterion == "admissions_at_most":
        slot = (number, case.subject_id)
        progress.admissions[slot] = progress.admissions.get(slot, 0) + 1
        return progress.admissions[slot] <= (step.count or 1)
    if step.criterion == "screening":
        decision = progress.decisions.get(case.case_id)
        return None if decision is None else decision == step.decision
    return _CRITERIA[step.criterion](case, step)


def _age(case: CaseRecord) -> int | None:
    return 90 if case.demographics.age_over_89 else case.demographics.age


def _age_at_least(case: CaseRecord, step: Step) -> Outcome:
    age = _age(case)
    return None if age is None else age >= (step.years or 0)


def _age_at_most(case: CaseRecord, step: Step) -> Outcome:
    age = _age(case)
    return None if age is None else age <= (step.years or 0)


def treatment_drugs(case: CaseRecord, roles: tuple[MedicationRole, ...] = ()) -> set[str]:
    """Distinct drugs by active ingredients (by name where unresolved), carrier fluids left out; no roles: all roles."""
    return {
        "+".join(medication.ingredients) or medication.name.lower()
        for medication in case.medications
        if not medication.carrier_fluid and (not roles or medication.role in roles)
    }


def _about_patient(case: CaseRecord, *kinds: MentionKind) -> bool:
    return any(
        mention.kind in kinds and mention.assertion is not Assertion.ABSENT and mention.experiencer == "patient"
        for mention in case.mentions
    )


def _mentions_of(kind: MentionKind) -> Callable[[CaseRecord], bool]:
    return lambda case: any(mention.kind is kind for mention in case.mentions)


_TREATING = (MedicationRole.INPATIENT, MedicationRole.DISCHARGE)
ELEMENTS: dict[str, Callable[[CaseRecord], bool]] = {
    **{kind.value: _mentions_of(kind) for kind in MentionKind},
    "symptom": lambda case: _about_patient(case, MentionKind.SYMPTOM),
    "history": lambda case: _about_patient(case, MentionKind.SYMPTOM, MentionKind.MEDICAL_HISTORY),
    "diagnosis": lambda case: bool(case.diagnoses),
    "treatment": lambda case: bool(treatment_drugs(case, _TREATING)),
    "chief_complaint": lambda case: bool(case.chief_complaint),
}
"""What a record can hold. "history" is a complaint or a past illness of the patient's own."""


def _diagnosis_in(case: CaseRecord, step: Step) -> Outcome:
    coded = [d for d in case.diagnoses if d.code and d.version]
    if not coded:
        return None
    return any(diagnoses.category(d.code, int(d.version)).startswith(step.categories) for d in coded)


_CRITERIA: dict[str, Callable[[CaseRecord, Any], Outcome]] = {
    "age_at_least": _age_at_least,
    "age_at_most": _age_at_most,
    "sex": lambda case, step: case.demographics.sex in step.values if case.demographics.sex else None,
    "note_present": lambda case, step: bool(case.note_ids),
    "medications_at_least": lambda case, step: len(treatment_drugs(case, step.roles)) >= step.count,
    "diagnoses_at_least": lambda case, step: len(case.diagnoses) >= step.count,
    "diagnosis_in": _diagnosis_in,
    "elements_present": lambda case, step: all(ELEMENTS[element](case) for element in step.elements),
    "died_in_hospital": lambda case, step: case.admission.died_in_hospital,
    "language": lambda case, step: case.demographics.language in step.values if case.demographics.language else None,
    "speaks_for_self": lambda case, step: case.spokesperson is None,
}

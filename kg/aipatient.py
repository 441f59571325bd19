"""AIPatient's plain layout in our terms: labels, property names, demographics, diagnoses and drugs."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Literal

from etl.caserecord import Admission, Demographics, Diagnosis, Medication, MedicationRole, MentionKind, TableEvidence
from etl.structured.demographics import group_of
from terminology import drugs

ANSWERS = frozenset({"Diagnosis", "Medication"})
_KINDS: dict[tuple[str, str], MentionKind] = {
    ("HAS_SYMPTOM", "Symptom"): MentionKind.SYMPTOM,
    ("HAS_NOSYMPTOM", "Symptom"): MentionKind.SYMPTOM,
    ("HAS_MEDICAL_HISTORY", "History"): MentionKind.MEDICAL_HISTORY,
    ("HAS_SOCIAL_HISTORY", "SocialHistory"): MentionKind.SOCIAL_HISTORY,
    ("HAS_ALLERGY", "Allergy"): MentionKind.ALLERGY,
    ("HAS_VITAL", "Vital"): MentionKind.VITAL,
}
_TEXTS = ("name", "description", "LABEL", "LONG_TITLE", "SHORT_TITLE", "DRUG", "ICD9_CODE", "ICD_CODE")
_SHARED = {"Patient", "Admission", "FamilyMember", "FamilyMedicalHistory", "Duration", "Frequency", "Intensity"}
LABELS = frozenset({label for _, label in _KINDS} | ANSWERS | _SHARED)


def key(properties: Mapping[str, Any], name: str) -> str | None:
    """A key as text whether the graph holds a number or text, in either case of its name; None where absent."""
    value = properties.get(name, properties.get(name.lower()))
    text = "" if value is None else str(value).strip()
    return text or None


def kind_of(relationship: str, label: str) -> MentionKind | None:
    """The kind of mention that this relationship to this label means; None for all else."""
    return _KINDS.get((relationship, label))


def text_of(properties: Mapping[str, Any]) -> str | None:
    """The node's statement, by whichever of the known names it is stored under."""
    values = (key(properties, name) for name in _TEXTS)
    return next((value for value in values if value), None)


def attributes_of(kind: MentionKind, properties: Mapping[str, Any]) -> dict[str, str]:
    """A vital sign's value and unit."""
    if kind is not MentionKind.VITAL:
        return {}
    found = {"value": key(properties, "VALUE"), "unit": key(properties, "UNIT") or key(properties, "VALUEUOM")}
    return {name: value for name, value in found.items() if value}


def demographics(patient: Mapping[str, Any], admission: Mapping[str, Any]) -> Demographics:
    """Who the patient is; an age over 89 is its own value, a text that is no age is none."""
    age, over = _age(key(patient, "AGE"))
    race, religion = key(patient, "ETHNICITY"), key(patient, "RELIGION") or key(admission, "RELIGION")
    marital = key(patient, "MARITAL_STATUS") or key(admission, "MARITAL_STATUS")
    return Demographics(
        age=age,
        age_over_89=over,
        sex=_sex(key(patient, "GENDER")),
        race=race,
        race_group=group_of("race", race),
        religion=religion,
        religion_group=group_of("religion", religion),
        marital_status=marital,
        marital_group=group_of("marital", marital),
        language=key(patient, "LANGUAGE") or key(admission, "LANGUAGE"),
        insurance=key(admission, "INSURANCE") or key(patient, "INSURANCE"),
    )


def admission(properties: Mapping[str, Any]) -> Admission:
    """The stay, as far as it is stored."""
    return Admission(
        admitted=key(properties, "ADMITTIME") or "",
        discharged=key(properties, "DISCHTIME") or "",
        admission_type=key(properties, "ADMISSION_TYPE") or "",
    )


class Answers:
    """Diagnoses and drugs of each admission, in the order of their texts."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = defaultdict(dict)

    def add(self, hadm: str, label: str, text: str, properties: Mapping[str, Any]) -> None:
        """Keep one node of the answer key; the same text twice is one."""
        self._found[hadm, label][text] = properties

    def diagnoses(self, hadm: str) -> tuple[Diagnosis, ...]:
        """Diagnoses; ranked by the graph's SEQ_NUM where it has one."""
        found = self._found[hadm, "Diagnosis"]
        ranked = sorted(found, key=lambda text: (_sequence(key(found[text], "SEQ_NUM")), text))
        return tuple(
            Diagnosis(
                code=key(found[text], "ICD9_CODE") or key(found[text], "ICD_CODE") or "",
                version="9" if key(found[text], "ICD9_CODE") else "",
                rank=rank,
                name=text,
                name_source="graph",
                evidence=(_evidence("Diagnosis", hadm, text),),
            )
            for rank, text in enumerate(ranked, start=1)
        )

    def medications(self, hadm: str) -> tuple[Medication, ...]:
        """Drugs, all as inpatient ones: the layout does not say when they were taken."""
        return tuple(
            Medication(
                name=text,
                ingredients=drugs.normalise(text).ingredients,
                carrier_fluid=drugs.normalise(text).carrier_fluid,
                role=MedicationRole.INPATIENT,
                evidence=(_evidence("Medication", hadm, text),),
            )
            for text in sorted(self._found[hadm, "Medication"])
        )


def _evidence(label: str, hadm: str, text: str) -> TableEvidence:
    return TableEvidence(table=f"AIPatient graph, {label}", row_key=f"HADM_ID={hadm}, name={text}")


def _sequence(text: str | None) -> float:
    try:
        return float(text or "inf")
    except ValueError:
        return float("inf")


def _age(text: str | None) -> tuple[int | None, bool]:
    try:
        years = int(float((text or "").lstrip(">")))
    except (ValueError, OverflowError):
        return None, False
    if years < 0:
        return None, False
    return (None, True) if years > 89 or (text or "").startswith(">") else (years, False)


def _sex(text: str | None) -> Literal["F", "M", ""]:
    first = (text or "")[:1].upper()
    return "F" if first == "F" else "M" if first == "M" else ""

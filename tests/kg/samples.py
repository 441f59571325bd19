"""Small cases for the graph's tests, and the graph as plain values that two builds can be compared by."""

from typing import Any

from etl.caserecord import (
    Assertion,
    CaseRecord,
    Demographics,
    Diagnosis,
    Medication,
    MedicationRole,
    Mention,
    MentionKind,
    NoteEvidence,
    TableEvidence,
)
from kg.exports import nodes, relationships
from kg.store import Reader

NOTE = (NoteEvidence(note_id="n1", start=4, end=14, quote="chest pain"),)
TABLE = (TableEvidence(table="PRESCRIPTIONS", row_key="ROW_ID=7"),)
Graph = tuple[list[tuple[str, str, str]], list[tuple[str, tuple[str, str], tuple[str, str]]]]


def mention(identifier: str, kind: MentionKind, text: str, **fields: Any) -> Mention:
    """A mention with note evidence."""
    return Mention(mention_id=identifier, kind=kind, text=text, evidence=fields.pop("evidence", NOTE), **fields)


def rich_case(case_id: str = "test:1", subject: str = "1", **changes: Any) -> CaseRecord:
    """A case with every kind of mention, an absent symptom, a relative, and an answer key."""
    kind = MentionKind
    mentions = (
        mention(
            "m1",
            kind.SYMPTOM,
            "chest pain",
            concept="chest_pain",
            attributes={"duration": "for 3 days", "frequency": "every night", "severity": "8/10"},
        ),
        mention("m2", kind.SYMPTOM, "fever", concept="fever", assertion=Assertion.ABSENT),
        mention("m3", kind.MEDICAL_HISTORY, "hypertension", concept="hypertension", historical=True),
        mention("m4", kind.SURGICAL_HISTORY, "appendectomy", concept="appendectomy"),
        mention("m5", kind.SOCIAL_HISTORY, "works as a welder"),
        mention("m6", kind.SOCIAL_HISTORY, "smokes 1 pack per day", attributes={"amount": "1 pack per day"}),
        mention("m7", kind.FAMILY_HISTORY, "diabetes", concept="diabetes_mellitus", experiencer="mother"),
        mention("m8", kind.FAMILY_HISTORY, "stroke", concept="stroke", experiencer="mother"),
        mention("m9", kind.ALLERGY, "penicillin", concept="penicillin", attributes={"reaction": "rash"}),
        mention("m10", kind.VITAL, "heart rate", concept="heart_rate", attributes={"value": "90", "unit": "bpm"}),
        mention("m11", kind.EXAMINATION, "lungs clear"),
        mention("m12", kind.LABORATORY, "potassium 3.1 mmol/L", attributes={"value": "3.1"}, evidence=TABLE),
        mention("m13", kind.HOME_MEDICATION, "lisinopril 10 mg daily", concept="lisinopril"),
    )
    medications = (
        Medication(name="Lisinopril", ingredients=("lisinopril",), role=MedicationRole.HOME, evidence=TABLE),
        Medication(name="Metformin", ingredients=("metformin",), role=MedicationRole.HOME, dose="500 mg"),
        Medication(name="Heparin", ingredients=("heparin",), role=MedicationRole.INPATIENT, evidence=TABLE),
        Medication(name="Clopidogrel", ingredients=("clopidogrel",), role=MedicationRole.DISCHARGE),
    )
    diagnoses = (
        Diagnosis(code="41071", version="9", rank=1, name="Subendocardial infarction", name_source="dictionary"),
        Diagnosis(code="4019", version="9", rank=2, name="Hypertension NOS", name_source="dictionary"),
    )
    fields: dict[str, Any] = {
        "case_id": case_id,
        "source": case_id.partition(":")[0],
        "subject_id": subject,
        "hadm_id": case_id.partition(":")[2],
        "demographics": Demographics(age=64, sex="F", marital_status="WIDOWED", insurance="Medicare"),
        "chief_complaint": "chest pain",
        "mentions": mentions,
        "diagnoses": diagnoses,
        "medications": medications,
    }
    return CaseRecord(**(fields | changes))


def plain_case(number: int, mentions: int = 20, source: str = "plain") -> CaseRecord:
    """A case with `mentions` symptoms over a handful of shared concepts."""
    entries = tuple(
        mention(f"m{position}", MentionKind.SYMPTOM, f"symptom {position}", concept=f"concept_{position % 7}")
        for position in range(mentions)
    )
    return CaseRecord(
        case_id=f"{source}:{number}",
        source=source,
        subject_id=str(number),
        hadm_id=str(number),
        mentions=entries,
        diagnoses=(Diagnosis(code="4019", version="9", rank=1, name="Hypertension", name_source="dictionary"),),
    )


def whole_graph(store: Reader) -> Graph:
    """Every node with its properties and every relationship, sorted: equal for equal graphs."""
    found = [(label, key, repr(sorted(properties.items()))) for label, key, properties in nodes(store)]
    return sorted(found), sorted(relationships(store))

"""The patient graph: labels, relationship types and the key of each label.

    (Patient)-[:HAS_ADMISSION]->(Admission)
    (Admission)-[:HAS_SYMPTOM | HAS_NOSYMPTOM]->(Symptom)-[:HAS_DURATION | HAS_FREQUENCY | HAS_INTENSITY]->(…)
    (Admission)-[:HAS_MEDICAL_HISTORY]->(History), and one such pair for each kind of mention below
    (Admission)-[:HAS_FAMILY_MEMBER]->(FamilyMember)-[:HAS_MEDICAL_HISTORY]->(FamilyMedicalHistory)
    (mention)-[:OF_CONCEPT]->(Concept)
    (Admission)-[:HAS_DIAGNOSIS]->(Diagnosis), (Admission)-[:HAS_MEDICATION]->(Medication): the answer key

Names follow existing AIPatient graphs where the two mean the same. Every node but Patient and Concept belongs to one
admission and carries its `case_id`, so that no attribute of one patient can answer for another. Label names and
relationship types are disjoint, since one of the servers keeps both in one name space.
"""

from dataclasses import dataclass

from etl.caserecord import Assertion, Mention, MentionKind

PATIENT = "Patient"
ADMISSION = "Admission"
CONCEPT = "Concept"
FAMILY_MEMBER = "FamilyMember"
HAS_ADMISSION = "HAS_ADMISSION"
HAS_FAMILY_MEMBER = "HAS_FAMILY_MEMBER"
HAS_MEDICAL_HISTORY = "HAS_MEDICAL_HISTORY"
HAS_NOSYMPTOM = "HAS_NOSYMPTOM"
OF_CONCEPT = "OF_CONCEPT"

DIAGNOSIS = "Diagnosis"
MEDICATION = "Medication"
HAS_DIAGNOSIS = "HAS_DIAGNOSIS"
HAS_MEDICATION = "HAS_MEDICATION"
ANSWER_KEY = {DIAGNOSIS: HAS_DIAGNOSIS, MEDICATION: HAS_MEDICATION}
"""Labels of the answer key, with the relationship type from the admission; no patient query may name any of them."""


@dataclass(frozen=True)
class Stored:
    """How one kind of mention is stored: the node's label and the relationship type that leads to it."""

    label: str
    relationship: str


MENTIONS: dict[MentionKind, Stored] = {
    MentionKind.SYMPTOM: Stored("Symptom", "HAS_SYMPTOM"),
    MentionKind.MEDICAL_HISTORY: Stored("History", HAS_MEDICAL_HISTORY),
    MentionKind.SURGICAL_HISTORY: Stored("SurgicalHistory", "HAS_SURGICAL_HISTORY"),
    MentionKind.SOCIAL_HISTORY: Stored("SocialHistory", "HAS_SOCIAL_HISTORY"),
    MentionKind.FAMILY_HISTORY: Stored("FamilyMedicalHistory", HAS_MEDICAL_HISTORY),
    MentionKind.ALLERGY: Stored("Allergy", "HAS_ALLERGY"),
    MentionKind.VITAL: Stored("Vital", "HAS_VITAL"),
    MentionKind.EXAMINATION: Stored("Examination", "HAS_EXAMINATION"),
    MentionKind.LABORATORY: Stored("Laboratory", "HAS_LABORATORY"),
    MentionKind.HOME_MEDICATION: Stored("HomeMedication", "HAS_HOME_MEDICATION"),
}

SYMPTOM_DETAILS: dict[str, Stored] = {
    "duration": Stored("Duration", "HAS_DURATION"),
    "frequency": Stored("Frequency", "HAS_FREQUENCY"),
    "severity": Stored("Intensity", "HAS_INTENSITY"),
}
"""A symptom's attributes that are nodes of their own, as in existing AIPatient graphs; each belongs to one mention."""


def relationship_of(mention: Mention) -> str:
    """The type that leads to this mention: a symptom that the record denies hangs on HAS_NOSYMPTOM."""
    if mention.kind is MentionKind.SYMPTOM and mention.assertion is Assertion.ABSENT:
        return HAS_NOSYMPTOM
    return MENTIONS[mention.kind].relationship


def mention_labels() -> tuple[str, ...]:
    """Labels of mention nodes, in the order of `MentionKind`."""
    return tuple(stored.label for stored in MENTIONS.values())


def detail_labels() -> tuple[str, ...]:
    """Labels of nodes that hang on a mention or group mentions."""
    return (FAMILY_MEMBER, *(stored.label for stored in SYMPTOM_DETAILS.values()))


def labels() -> dict[str, str]:
    """Every label with its unique key property."""
    keyed = {ADMISSION: "case_id", PATIENT: "key", CONCEPT: "key"}
    return keyed | dict.fromkeys((*mention_labels(), *detail_labels(), *ANSWER_KEY), "key")


def relationship_types() -> tuple[str, ...]:
    """Every relationship type, once each."""
    types = [HAS_ADMISSION, HAS_NOSYMPTOM, HAS_FAMILY_MEMBER, OF_CONCEPT, *ANSWER_KEY.values()]
    types += [stored.relationship for stored in (*MENTIONS.values(), *SYMPTOM_DETAILS.values())]
    return tuple(dict.fromkeys(types))


def leaving(label: str) -> tuple[str, ...]:
    """Relationship types that start at nodes of this label."""
    if label == PATIENT:
        return (HAS_ADMISSION,)
    if label == FAMILY_MEMBER:
        return (HAS_MEDICAL_HISTORY,)
    if label == ADMISSION:
        ours = [stored.relationship for stored in MENTIONS.values()]
        return tuple(dict.fromkeys((*ours, HAS_NOSYMPTOM, HAS_FAMILY_MEMBER, *ANSWER_KEY.values())))
    details = tuple(stored.relationship for stored in SYMPTOM_DETAILS.values())
    concept = (OF_CONCEPT,) if label in mention_labels() else ()
    return (*details, *concept) if label == MENTIONS[MentionKind.SYMPTOM].label else concept

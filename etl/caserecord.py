"""CaseRecord: one admission or case report, as every later stage sees it."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from foundation.records import Frozen


class Assertion(StrEnum):
    """Whether the record says that it is so (i2b2 2010 assertion classes, without the hypothetical ones)."""

    PRESENT = "present"
    ABSENT = "absent"
    POSSIBLE = "possible"


class MentionKind(StrEnum):
    """What part of the record a mention belongs to."""

    SYMPTOM = "symptom"
    MEDICAL_HISTORY = "medical_history"
    SURGICAL_HISTORY = "surgical_history"
    SOCIAL_HISTORY = "social_history"
    FAMILY_HISTORY = "family_history"
    ALLERGY = "allergy"
    VITAL = "vital"
    EXAMINATION = "examination"
    LABORATORY = "laboratory"
    HOME_MEDICATION = "home_medication"


class MedicationRole(StrEnum):
    """When a drug was taken. HOME is known to the patient; INPATIENT and DISCHARGE are the answer key."""

    HOME = "home"
    INPATIENT = "inpatient"
    DISCHARGE = "discharge"


class TableEvidence(Frozen):
    """A row of a source table: the table's name, and `column=value` pairs (parted by "; ") that find the row.

    `rows` counts the rows that say the same and were merged into one statement; `row_key` then finds the earliest.
    """

    kind: Literal["table"] = "table"
    table: str
    row_key: str
    rows: int = Field(default=1, ge=1)


class NoteEvidence(Frozen):
    """Characters [start, end) of a note, and the words that stand there."""

    kind: Literal["note"] = "note"
    note_id: str
    start: int = Field(ge=0)
    end: int = Field(gt=0)
    quote: str


Evidence = Annotated[TableEvidence | NoteEvidence, Field(discriminator="kind")]


class Mention(Frozen):
    """One statement of the record about the patient or a relative; belongs to this admission alone.

    `text` is the statement as a short clinical phrase ("chest pain", "smokes 1 pack per day"); `concept` is the
    terminology key (`terminology.concepts`) or None where nothing matched. `experiencer` is "patient" or a relative
    ("mother"). Strings of time and amount keep the record's words and units ("for 3 days", "40 mg").
    `attributes` holds what one kind alone has: symptom onset, duration, frequency, severity, character, location,
    aggravating, relieving; home medication dose, route, frequency; allergy reaction; vital and laboratory value,
    unit, flag; social history amount, status.
    """

    mention_id: str
    kind: MentionKind
    text: str
    concept: str | None = None
    assertion: Assertion = Assertion.PRESENT
    historical: bool = False
    experiencer: str = "patient"
    attributes: dict[str, str] = Field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()


class Diagnosis(Frozen):
    """A recorded diagnosis (answer key). `version` is "9", "10" or "" where the record gives only a name.

    `rank` 1 is the main one. `name_source`: dictionary, parent, terminology, note; never an empty name.
    """

    code: str
    version: Literal["9", "10", ""]
    rank: int = Field(ge=1)
    name: str
    name_source: str
    evidence: tuple[Evidence, ...] = ()


class Medication(Frozen):
    """A drug with its role. `ingredients` are sorted active ingredients, lower case; empty where unresolved.

    `carrier_fluid` marks saline, dextrose, flushes and the like, which count in no score.
    """

    name: str
    ingredients: tuple[str, ...] = ()
    role: MedicationRole
    dose: str = ""
    route: str = ""
    frequency: str = ""
    carrier_fluid: bool = False
    evidence: tuple[Evidence, ...] = ()


class Demographics(Frozen):
    """Who the patient is. `age` in whole years at admission; over 89 is `age_over_89` with age None, shown ">89".

    Raw values as recorded; groups as in the paper's Table 6 and Supplementary Table 2. None where not recorded.
    """

    age: int | None = Field(default=None, ge=0, le=89)
    age_over_89: bool = False
    sex: Literal["F", "M", ""] = ""
    race: str | None = None
    race_group: str | None = None
    religion: str | None = None
    religion_group: str | None = None
    marital_status: str | None = None
    marital_group: str | None = None
    language: str | None = None
    insurance: str | None = None
    occupation: str | None = None
    living_situation: str | None = None

    @property
    def age_shown(self) -> str:
        """The age as text: "64", ">89", or "" where unknown."""
        return ">89" if self.age_over_89 else "" if self.age is None else str(self.age)


class Admission(Frozen):
    """The stay: ISO 8601 times as recorded (shifted by de-identification), "" where absent."""

    admitted: str = ""
    discharged: str = ""
    admission_type: str = ""
    died_in_hospital: bool | None = None


class Spokesperson(Frozen):
    """Who answers where the patient cannot: `relation` ("daughter"), and why ("dementia", "ventilated", "infant")."""

    relation: str
    reason: str


class CaseRecord(Frozen):
    """One admission or case report, complete: what etl hands to kg.

    `case_id` is "<source>:<hadm_id>" and unique in a cohort. `mentions` is what was said, found or known;
    `diagnoses` and `medications` other than home are the answer key. `assessment` holds the diagnosis names that
    notes assert, also answer key. `note_ids` are the notes read; their text stays in the source.
    """

    case_id: str
    source: str
    subject_id: str
    hadm_id: str
    demographics: Demographics = Demographics()
    admission: Admission = Admission()
    chief_complaint: str = ""
    mentions: tuple[Mention, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    medications: tuple[Medication, ...] = ()
    note_ids: tuple[str, ...] = ()
    spokesperson: Spokesperson | None = None

"""Facts: what a patient's own graph says, as the patient, the doctor's summary and the detectors see it."""

from enum import StrEnum

from pydantic import Field

from etl.caserecord import Assertion, Diagnosis, Evidence, Medication
from foundation.records import Frozen


class Domain(StrEnum):
    """Parts of a medical history, as questions ask for them and as information coverage counts them."""

    CHIEF_COMPLAINT = "chief_complaint"
    SYMPTOM = "symptom"
    SYMPTOM_DETAIL = "symptom_detail"
    PAST_HISTORY = "past_history"
    SURGICAL_HISTORY = "surgical_history"
    MEDICATION = "medication"
    ALLERGY = "allergy"
    FAMILY_HISTORY = "family_history"
    SOCIAL_HISTORY = "social_history"
    LIFESTYLE = "lifestyle"
    REVIEW_OF_SYSTEMS = "review_of_systems"
    MENTAL_STATUS = "mental_status"
    RISK_FACTOR = "risk_factor"
    EXAMINATION = "examination"
    TEST_RESULT = "test_result"
    DEMOGRAPHICS = "demographics"
    IDEAS_CONCERNS = "ideas_concerns"
    OTHER = "other"


class Fact(Frozen):
    """One statement that the patient may know; `fact_id` is its mention's id ("demographics/age" for a person's own).

    `domain` is where it is stored: chief_complaint, symptom, past_history, surgical_history, medication (home only),
    allergy, family_history, social_history (work, home, family status), lifestyle (tobacco, alcohol, drugs, diet,
    exercise, sex), examination (vitals too), test_result, demographics. `attributes` as in `etl.caserecord.Mention`.
    """

    fact_id: str
    domain: Domain
    text: str
    concept: str | None = None
    assertion: Assertion = Assertion.PRESENT
    historical: bool = False
    experiencer: str = "patient"
    attributes: dict[str, str] = Field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()


class AnswerKey(Frozen):
    """What the evaluator compares with: out of reach of every query that a patient can cause."""

    case_id: str
    diagnoses: tuple[Diagnosis, ...] = ()
    medications: tuple[Medication, ...] = ()

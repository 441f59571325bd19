"""What a note says of one thing is not read as another: names cut in two, binges, drugs of this stay, shorthand."""

import pytest

from etl.caserecord import Assertion, MedicationRole, MentionKind
from etl.notes.note import Note, NoteExtraction
from etl.notes.pipeline import NotePipeline
from etl.notes.rules.frequencies import spelt_out


def _read(text: str) -> NoteExtraction:
    return NotePipeline().extract(Note(note_id="n", case_id="c", text=text + "\n"))


def _symptoms(text: str) -> dict[str | None, Assertion]:
    found = _read(f"History of Present Illness: {text}")
    return {m.concept: m.assertion for m in found.mentions if m.kind is MentionKind.SYMPTOM}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "A 58-year-old woman presented with acute right ventricular (RV) failure. She had a swelling.",
            "swelling",
        ),
        ("A 70-year-old man was admitted for renal failure. He was tired. He was referred for dialysis.", "tired"),
        ("A 31-year-old man was admitted for diabetic keto (DKA) acidosis.", "diabetic keto acidosis"),
        ("A 44-year-old man was admitted with meningitis. He complained of headache.", "headache"),
    ],
)
def test_a_complaint_is_a_symptom_or_a_whole_name(text: str, complaint: str) -> None:
    assert _read(text).chief_complaint.endswith(complaint)


def test_a_story_in_brackets_still_ends_the_complaint() -> None:
    told = _read("A 31-year-old man was admitted with chest tightness (see below) for two days.").chief_complaint
    assert told == "chest tightness"


@pytest.mark.parametrize("words", ["a vodka binge", "a binge of heavy drinking", "a cocaine binge", "an alcohol binge"])
def test_a_binge_of_drinking_is_no_eating(words: str) -> None:
    assert "binge_eating" not in _symptoms(f"She came in after {words} and was vomiting.")


def test_a_binge_of_food_stays_one() -> None:
    assert _symptoms("She reports a binge every evening.")["binge_eating"] is Assertion.PRESENT


@pytest.mark.parametrize("words", ["has not been eating", "had not been eating", "was not eating", "is not eating"])
def test_not_eating_is_a_loss_of_appetite(words: str) -> None:
    assert _symptoms(f"The patient {words} since Sunday.")["loss_of_appetite"] is Assertion.PRESENT


def test_a_denied_loss_of_appetite_stays_denied() -> None:
    assert _symptoms("The patient denies loss of appetite.")["loss_of_appetite"] is Assertion.ABSENT


def _role(text: str, drug: str) -> MedicationRole:
    return next(m.role for m in _read(text).medications if drug in m.name.lower())


@pytest.mark.parametrize(
    "list_of_drugs",
    [
        "Home medications are lisinopril 10 mg daily. Hospital medications include heparin 5000 units q8h and insulin.",
        "Lisinopril 10 mg daily. In the emergency department he received heparin.",
        "Lisinopril 10 mg daily. Medications in the ICU: heparin drip.",
    ],
)
def test_a_list_in_two_parts_tells_home_from_ward(list_of_drugs: str) -> None:
    text = f"Medications: {list_of_drugs}"
    assert _role(text, "lisinopril") is MedicationRole.HOME
    assert _role(text, "heparin") is MedicationRole.INPATIENT


def test_the_home_part_may_stand_last() -> None:
    text = "Medications: Inpatient medications are heparin. Home medications are lisinopril 10 mg daily."
    assert _role(text, "heparin") is MedicationRole.INPATIENT
    assert _role(text, "lisinopril") is MedicationRole.HOME


@pytest.mark.parametrize(
    "words", ["He was placed on a furosemide drip", "She was put on furosemide", "He was loaded with furosemide"]
)
def test_put_on_in_the_story_is_given_here(words: str) -> None:
    assert _role(f"History of Present Illness: Short of breath. {words}.", "furosemide") is MedicationRole.INPATIENT


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("q.6h", "every 6 hours"),
        ("q.4-6h p.r.n.", "every 4 to 6 hours as needed"),
        ("q12 hrs", "every 12 hours"),
        ("q.1h", "every hour"),
        ("3x/day", "3 times a day"),
        ("1/week", "once a week"),
        ("h.s.", "at bedtime"),
        ("twice a day", "twice a day"),
        ("b.i.d.", "b.i.d."),
    ],
)
def test_times_are_spelt_out(written: str, said: str) -> None:
    assert spelt_out(written) == said


def test_the_patients_drug_has_times_in_words() -> None:
    found = _read("Medications: Lactulose 20 mL q.8h., Nystatin 5 mL q.6-8h.")
    told = [m.attributes["frequency"] for m in found.mentions if m.kind is MentionKind.HOME_MEDICATION]
    assert told == ["every 8 hours", "every 6 to 8 hours"]


@pytest.mark.parametrize(
    ("words", "age"),
    [("A forty-two-year-old gentleman", 42), ("This is a sixty year old male", 60), ("A nineteen-year-old man", 19)],
)
def test_ages_in_words(words: str, age: int) -> None:
    hints = _read(f"{words} came with a cough.").demographics_hints
    assert (hints.age, hints.sex) == (age, "M")


def test_the_sex_may_be_told_late() -> None:
    text = "Operative Report: " + "The wound was closed in layers. " * 120 + "She went to the ward in good condition."
    assert _read(text).demographics_hints.sex == "F"

"""Faults seen in patients built from case reports: denials, habits, whose illness, and when it was diagnosed."""

import pytest

from etl.notes.note import Note, NoteExtraction
from etl.notes.pipeline import NotePipeline


def _read(text: str) -> NoteExtraction:
    return NotePipeline().extract(Note(note_id="n", case_id="c", category="case report", text=text))


def _assertions(text: str) -> dict[str, str]:
    return {mention.text: mention.assertion.value for mention in _read(text).mentions}


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("A 30-year-old man with gout had no recurrence of fever.", "recurrence"),
        ("A woman of 40 had palpitations. She has never noticed blood in the stool.", "blood in the stool"),
        ("He had cough. He had no reported rash.", "rash"),
        ("He was not pale, nor had any fever.", "fever"),
        ("A man of 50 came with cough. Rash, edema, and fever were not observed.", "fever"),
        ("A man of 50 came with cough. She presented with neither fever nor vomiting.", "fever"),
        ("A man of 50 came with cough and denies fever, chills, (night sweats), and weight loss.", "night sweats"),
    ],
)
def test_what_is_denied_is_absent(text: str, finding: str) -> None:
    assert _assertions(text)[finding] == "absent"


@pytest.mark.parametrize(
    ("text", "finding", "assertion"),
    [
        ("No medical history other than asthma was known.", "asthma", "present"),
        ("He does not know if he has asthma.", "asthma", "possible"),
        ("There was no improvement in his dyspnea.", "dyspnea", "present"),
    ],
)
def test_what_only_stands_near_a_denial_is_not_absent(text: str, finding: str, assertion: str) -> None:
    assert _assertions(f"A 50-year-old man came with cough. {text}")[finding] == assertion


def test_an_examined_organ_without_a_finding_lacks_it() -> None:
    found = _assertions("Physical Exam: The pharynx is without exudate or erythema. She has no calf tenderness.\n")
    assert found == {"exudate": "absent", "erythema": "absent", "calf tenderness": "absent"}


def test_a_finding_beside_a_denied_one_is_not_denied_with_it() -> None:
    found = _assertions("Physical Exam: Inspection of the mouth reveals no lesions and tissues moist and pink.\n")
    assert "absent" not in found.values()


@pytest.mark.parametrize(
    ("text", "habit", "assertion"),
    [
        ("He does not smoke and drinks occasionally.", "drinks occasionally", "present"),
        ("She denies drug use, drinks wine socially.", "drinks wine socially", "present"),
        ("Denies any drug use, retired, lives with her husband and two sons", "retired", "present"),
        ("Denies any drug use, works as a baker, lives with her husband and two sons", "works as a baker", "present"),
        ("She denies that she drinks alcohol.", "drinks alcohol", "absent"),
        ("She denies tobacco, alcohol, and illicit drugs.", "alcohol", "absent"),
    ],
)
def test_a_habit_that_stands_on_its_own_is_not_denied(text: str, habit: str, assertion: str) -> None:
    assert _assertions(f"Social History: {text}\n")[habit] == assertion


@pytest.mark.parametrize(
    ("text", "experiencer"),
    [
        ("A 7-year-old boy is brought in. His mother noticed that her son had vomiting.", "patient"),
        ("A mother brings her 17-year-old daughter because of vomiting.", "patient"),
        ("A 40-year-old woman came with cough. Her son had vomiting.", "son"),
        ("A 40-year-old woman came with cough. Her child had vomiting.", "child"),
    ],
)
def test_a_child_is_the_patient_where_the_patient_is_a_child(text: str, experiencer: str) -> None:
    assert {mention.experiencer for mention in _read(text).mentions if "vomiting" in mention.text} == {experiencer}


def test_each_relative_of_a_list_has_an_illness_of_their_own() -> None:
    found = _read(
        "A 50-year-old man came with cough. Family history is notable for gout in his uncle, stroke in his father, and "
        "asthma in his mother."
    )
    whose = {mention.concept: mention.experiencer for mention in found.mentions if mention.kind == "family_history"}
    assert whose == {"gout": "uncle", "stroke": "father", "asthma": "mother"}


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("He had been diagnosed with gout and took allopurinol.", "gout"),
        ("Two years ago he was diagnosed with gout.", "gout"),
        ("He was first diagnosed with gout at age 31.", "gout"),
    ],
)
def test_an_illness_diagnosed_before_is_history_and_no_diagnosis_of_this_stay(text: str, concept: str) -> None:
    found = _read(f"A 60-year-old man came with cough. {text} A chest film led to the diagnosis of pneumonia.")
    assert [diagnosis.name for diagnosis in found.diagnoses] == ["pneumonia"]
    assert {mention.concept for mention in found.mentions if mention.kind == "medical_history"} == {concept}


def test_an_earlier_beginning_makes_no_earlier_diagnosis() -> None:
    found = _read("Two weeks ago a 60-year-old man developed cough and on admission was diagnosed with pneumonia.")
    assert [diagnosis.name for diagnosis in found.diagnoses] == ["pneumonia"]


def test_a_relatives_diagnosis_is_not_the_patients() -> None:
    found = _read("A 60-year-old man came with cough. He had a brother who had been diagnosed with hepatitis C.")
    assert not found.diagnoses
    assert "brother" in {mention.experiencer for mention in found.mentions}

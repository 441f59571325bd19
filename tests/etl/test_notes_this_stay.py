"""What this stay found or gave is no history and no home drug: the patient could otherwise name the answer."""

import pytest

from etl.caserecord import MedicationRole, MentionKind
from etl.notes.note import Note, NoteExtraction
from etl.notes.pipeline import NotePipeline


def _read(text: str) -> NoteExtraction:
    note = Note(note_id="n", case_id="c", category="discharge summary", text=f"History of Present Illness: {text}\n")
    return NotePipeline().extract(note)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("Fell on the ice and had hip pain. Films showed an intertrochanteric fracture.", "hip_fracture"),
        ("Belly pain since last night. CT abdomen with an inflamed appendix.", "appendicitis"),
        ("In the ED the patient was found to have atrial fibrillation.", "atrial_fibrillation"),
        ("Cough for a week. CXR was consistent with pneumonia.", "pneumonia"),
        ("She was diagnosed with pneumonia in the emergency department.", "pneumonia"),
    ],
)
def test_found_now_is_a_diagnosis_and_no_history(text: str, concept: str) -> None:
    found = _read(text)
    history = {m.concept for m in found.mentions if m.kind is MentionKind.MEDICAL_HISTORY}
    assert concept not in history
    assert found.diagnoses, "it belongs to the answer key"


@pytest.mark.parametrize(
    "text",
    [
        "She has a history of atrial fibrillation and takes warfarin at home.",
        "He was diagnosed with atrial fibrillation in 2009.",
        "Known atrial fibrillation, presents with leg swelling.",
    ],
)
def test_what_the_patient_brings_along_stays_history(text: str) -> None:
    kinds = {m.concept: m.kind for m in _read(text).mentions}
    assert kinds["atrial_fibrillation"] is MentionKind.MEDICAL_HISTORY


@pytest.mark.parametrize(
    "text",
    [
        "Chest pain at rest. A heparin bolus was given and the cath lab was called.",
        "Chest pain at rest. Heparin was started.",
        "Chest pain at rest. She received heparin in the ED.",
    ],
)
def test_given_now_is_no_home_drug(text: str) -> None:
    roles = {m.role for m in _read(text).medications if "heparin" in m.ingredients}
    assert roles == {MedicationRole.INPATIENT}


def test_taken_at_home_stays_a_home_drug() -> None:
    roles = {m.role for m in _read("Takes aspirin at home. Was on metoprolol.").medications}
    assert roles == {MedicationRole.HOME}


@pytest.mark.parametrize(
    "text",
    [
        "Weak right arm on waking. She came outside the window for tPA.",
        "Slurred speech since noon. He takes lisinopril and was beyond the window for thrombolysis with tPA.",
        "Weak left leg. tPA was not given because of a recent bleed.",
        "Chest pain and melena. Heparin was held.",
        "Chest pain. Enoxaparin is contraindicated given a recent bleed.",
        "Chest pain. On aspirin, and felt to be a poor candidate for apixaban.",
        "Leg swelling. Takes aspirin, but warfarin was deferred.",
    ],
)
def test_what_was_not_given_is_no_drug_of_the_patient(text: str) -> None:
    named = {one for drug in _read(text).medications for one in drug.ingredients}
    assert not named & {"alteplase", "heparin", "enoxaparin", "apixaban", "warfarin"}
    assert {word.strip(",.") for word in text.split()} & {"lisinopril", "aspirin"} <= named


@pytest.mark.parametrize(
    "text",
    [
        "He takes warfarin at home, which was held for the operation.",
        "Her home dose of warfarin was held.",
        "She takes warfarin and was outside the window for tPA.",
    ],
)
def test_a_home_drug_that_was_paused_or_stands_beside_one_not_given_stays(text: str) -> None:
    found = {one: drug.role for drug in _read(text).medications for one in drug.ingredients}
    assert found == {"warfarin": MedicationRole.HOME}

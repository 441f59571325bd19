"""What looks like an identifier, and what must not."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from etl.cases import write_cases
from etl.cohort import CohortDefinition, build_cohort
from etl.cohort.criteria import Step
from etl.deidentification import check_notes, check_source, find_identifiers
from etl.notes.note import Note
from etl.sources import extract_cases
from foundation.errors import UserError


def kinds(text: str) -> list[str]:
    return [kind for kind, _, _ in find_identifiers(text)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Dictated by: Amos Burton, M.D.", "name"),
        ("Mr. Nagata was admitted", "name"),
        ("James Holden reports pain", "name"),
        ("Jim O'Neil, RN", "name"),
        ("seen on 03/12/2014", "date"),
        ("on 2014-03-12 she", "date"),
        ("on March 3rd, 2014", "date"),
        ("12 March 2014", "date"),
        ("in June 2012", "date"),
        ("last seen 3/14/09", "date"),
        ("call (617) 555-0123", "telephone number"),
        ("call 617-555-0123 at night", "telephone number"),
        ("Pager: 34512", "telephone number"),
        ("MRN: 4481923", "record number"),
        ("Medical Record Number 448-19-23", "record number"),
        ("SSN 123-45-6789", "social security number"),
        ("write to a.b@hospital.org", "email"),
        ("lives at 42 Harbor View Road", "street"),
        ("Boston, MA 02115", "postal code"),
        ("a 93-year-old woman", "age over 89"),
    ],
)
def test_found(text: str, kind: str) -> None:
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "Admission Date: [**2151-7-16**]  Discharge: [**Last Name (un) 1234**]",
        "Name: ___   Unit No: ___",
        "seen on 2151-07-16 10:00:00",
        "BP 120/80, HR 72, 98/55 after fluids, strength 5/5",
        "Crohn disease, Foley catheter, Babinski sign, Parkinson disease",
        "potassium 4.1, WBC 12.3, platelets 210",
        "an 89-year-old man with pain 10/10",
        "Warfarin 5 mg, Coumadin clinic; May follow up; will be seen in March",
        "**NAME[AAA] is a **AGE[in 60s]-year-old",
        "The patient was given 1000 mg at 12-14 hours",
        "ICD 250.00, CPT 99254",
        "WBC 12.3 Plt Ct-277, moderate MR; MS Contin 15 mg",
        "severe MR.\nValvular disease",
    ],
)
def test_not_found(text: str) -> None:
    assert kinds(text) == []


def test_the_report_holds_places_and_no_words() -> None:
    note = Note(note_id="n1", case_id="c1", text="Pt of Dr. Naomi Nagata, MRN: 1234567, phone 617-555-0123")
    report = check_notes([note, Note(note_id="n2", case_id="c1", text="cough")])
    assert report.texts == 2
    assert report.counts == {"name": 1, "record number": 1, "telephone number": 1}
    assert "Nagata" not in report.model_dump_json()
    first = report.suspicions[0]
    assert note.text[first.start : first.end] == "Dr. Naomi Nagata"


@given(st.text(max_size=300))
def test_places_lie_in_the_text_and_do_not_overlap(text: str) -> None:
    last = 0
    for _, start, end in find_identifiers(text):
        assert last <= start < end <= len(text)
        last = end


def test_the_notes_of_a_source_are_looked_through(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Seen by Dr. Nagata.\n")
    (tmp_path / "b.txt").write_text("A 50-year-old man with cough.\n")
    report = check_source("text_folder", tmp_path)
    assert report.texts == 2
    assert [(entry.case_id, entry.where, entry.kind) for entry in report.suspicions] == [("text:a", "text:a", "name")]


def test_a_declared_cohort_is_blocked_by_its_notes_too(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Seen by Dr. Nagata. The patient takes aspirin.\n")
    write_cases(tmp_path / "cases.jsonl", extract_cases("text_folder", tmp_path))
    step = Step(label="Note", criterion="note_present")
    definition = CohortDefinition(name="mine", deidentified=True, steps=(step,))
    notes = check_source("text_folder", tmp_path)
    assert build_cohort(tmp_path / "cases.jsonl", definition, tmp_path / "out").cases == 1
    with pytest.raises(UserError, match="1 name"):
        build_cohort(tmp_path / "cases.jsonl", definition, tmp_path / "out", notes=notes)

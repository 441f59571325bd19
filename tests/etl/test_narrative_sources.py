"""Case reports, OSCE cases and atomic facts: each layout in, CaseRecords out."""

import csv
import gzip
import json
from pathlib import Path

import pytest

from etl.caserecord import Assertion, CaseRecord, MentionKind, NoteEvidence
from etl.notes.pipeline import NotePipeline
from etl.sources import SOURCES, extract_cases, tabular_text
from etl.sources.pmc_patients import age_in_years
from foundation.errors import UserError

READ = NotePipeline().extract
REPORT = "A 54-year-old man presented with severe chest pain for two hours. He denied cough. He was given aspirin.\n"


def all_quotes_stand(case: CaseRecord, text: str) -> bool:
    places = [place for mention in case.mentions for place in mention.evidence if isinstance(place, NoteEvidence)]
    return bool(places) and all(text[place.start : place.end] == place.quote for place in places)


def test_a_folder_of_texts(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b2.txt").write_text(REPORT, "utf-8")
    (tmp_path / "b2.ann").write_text("T1\tX 0 1\tA\n")
    (tmp_path / "a1.txt").write_bytes("Ménière's disease and vertigo.\n".encode("latin-1"))
    (tmp_path / "c3.txt").write_text(" \n")
    (tmp_path / "d4.txt").write_text(REPORT, "utf-8")
    extraction = extract_cases("text_folder", tmp_path, READ, source="mine")
    cases = list(extraction)
    assert [case.case_id for case in cases] == ["mine:a1", "mine:b2"]
    assert cases[1].demographics.age == 54
    assert cases[1].note_ids == ("mine:b2",)
    assert all_quotes_stand(cases[1], REPORT)
    (books,) = extraction.report.tables
    assert books.balanced
    assert books.rejected == {"a second copy of an earlier text": 1, "empty or blank": 1}


def test_folders_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no \.txt file"):
        list(extract_cases("text_folder", tmp_path))
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.txt").write_text("word")
    with pytest.raises(UserError, match="Two text files are called same"):
        list(extract_cases("text_folder", tmp_path))


def test_mtsamples_by_title(tmp_path: Path) -> None:
    path = tmp_path / "test.csv"
    path.write_text(f'label,description,text\n2, Asthma - Discharge Summary ,"{REPORT}"\n1, Surgery ,"Operation."\n')
    extraction = extract_cases("mtsamples", path, READ, titled="discharge summary")
    assert [case.case_id for case in extraction] == ["mtsamples:0001"]
    assert extraction.report.tables[0].rejected == {"of another title than asked for": 1}


PMC = {
    "patient_id": "0",
    "patient_uid": "7665777-1",
    "PMID": "33492400",
    "file_path": "comm/PMC007xxxxxx/PMC7665777.xml",
    "title": "A case",
    "patient": REPORT,
    "age": "[[60.0, 'year']]",
    "gender": "M",
}


@pytest.mark.parametrize("layout", ["csv", "csv.gz", "json"])
def test_pmc_patients_in_its_layouts(tmp_path: Path, layout: str) -> None:
    path = tmp_path / f"PMC-Patients.{layout}"
    rows = [PMC, {**PMC, "patient_uid": "7665777-2", "patient": "A girl with fever.", "age": "[[9.0, 'month']]"}]
    if layout == "json":
        whole = [{**row, "age": [[60.0, "year"]]} if row is PMC else row for row in rows]
        path.write_text(json.dumps(whole, indent=1, ensure_ascii=False))
    else:
        opener = gzip.open if layout == "csv.gz" else open
        with opener(path, "wt", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(PMC))
            writer.writeheader()
            writer.writerows(rows)
    cases = list(extract_cases("pmc_patients", path, READ))
    assert [case.case_id for case in cases] == ["pmc:7665777-1", "pmc:7665777-2"]
    assert (cases[0].demographics.age, cases[0].demographics.sex) == (60, "M")  # the layout overrules the text
    assert cases[1].demographics.age == 0


@pytest.mark.parametrize(
    ("raw", "age"),
    [
        ("[[1.0, 'year'], [6.0, 'month']]", (1, False)),
        ([[18, "months"]], (1, False)),
        ("[[92.0, 'year']]", (None, True)),
        ("[]", (None, False)),
        ("unknown", (None, False)),
        (None, (None, False)),
    ],
)
def test_ages_of_pmc_patients(raw: object, age: tuple[int | None, bool]) -> None:
    assert age_in_years(raw) == age


OSCE = {
    "OSCE_Examination": {
        "Objective_for_Doctor": "Assess the patient.",
        "Patient_Actor": {
            "Demographics": "35-year-old female",
            "History": "She reports two weeks of joint pain.",
            "Symptoms": {"Primary_Symptom": "Joint pain", "Secondary_Symptoms": ["No fever", "Rash"]},
            "Past_Medical_History": {"Asthma": "since childhood"},
            "Social_History": "Smokes 10 cigarettes a day.",
        },
        "Physical_Examination_Findings": {
            "Vital_Signs": {"Heart_Rate": "72 bpm"},
            "Skin_Examination": {"Inspection": "Red patches."},
        },
        "Test_Results": {"Blood_Tests": {"ESR": "elevated"}, "Chest_X-ray": {"Findings": "normal"}},
        "Correct_Diagnosis": "Lupus",
    }
}


def test_osce_cases_keep_their_structure(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(OSCE) + "\n\n" + json.dumps({"other": 1}) + "\n")
    extraction = extract_cases("agentclinic", path, READ)
    (case,) = extraction
    assert case.chief_complaint == "Joint pain"
    assert (case.demographics.age, case.demographics.sex) == (35, "F")
    assert case.diagnoses[0].name == "Lupus"
    said = {mention.text: mention for mention in case.mentions}
    assert said["fever"].assertion is Assertion.ABSENT
    assert said["Heart Rate: 72 bpm"].kind is MentionKind.VITAL
    assert said["Blood Tests, ESR: elevated"].kind is MentionKind.LABORATORY
    assert said["Chest X-ray: normal"].kind is MentionKind.LABORATORY
    assert said["Skin Examination, Inspection: Red patches"].kind is MentionKind.EXAMINATION
    assert "Lupus" not in " ".join(said)
    assert extraction.report.tables[0].rejected == {"without OSCE_Examination and Patient_Actor": 1}


def fact_line(**changed: object) -> str:
    line = {
        "id": 7,
        "question": "A vignette. What is the most likely diagnosis?",
        "context": ["A man has a cough."],
        "answer": "Pneumonia",
        "facts": ["1. Patient is 42 years old.", "2. Patient has had a cough for 3 days."],
        "patient": {"gender": "Male", "age": "42 years old"},
    }
    return json.dumps({**line, **changed})


def test_atomic_facts_and_what_the_question_asks(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    lines = [
        fact_line(),
        fact_line(id=8, question="Which is the best treatment?", answer="Ceftriaxone", facts=[]),
        fact_line(id=9, patient={"gender": "study", "age": "study"}),
        fact_line(id=10, question="Which enzyme is lacking?", answer="Lactase", facts=["1. Patient has diarrhea."]),
    ]
    path.write_text("\n".join(lines) + "\n")
    extraction = extract_cases("mediq", path, READ)
    first, second, third = extraction
    assert first.diagnoses[0].name == "Pneumonia"
    assert first.demographics.age == 42
    assert any(mention.concept == "cough" for mention in first.mentions)
    assert second.medications[-1].ingredients == ("ceftriaxone",)
    assert not second.diagnoses
    assert not third.diagnoses
    assert extraction.report.tables[0].rejected == {"about a study, not a patient": 1}


def test_lines_that_are_no_json_are_named(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text(fact_line() + "\nno json\n")
    with pytest.raises(UserError, match=r"facts\.jsonl, line 2: not JSON"):
        list(extract_cases("mediq", path))


def test_unknown_sources_are_refused_with_the_list() -> None:
    with pytest.raises(UserError) as error:
        extract_cases("excel", "x")
    assert all(name in error.value.fix for name in SOURCES)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "address", "options", "cases"),
    [
        ("text_folder", "maccrobat2020", {"source": "maccrobat"}, 100),
        ("mtsamples", "mtsamples/test.csv", {"titled": "discharge summary"}, 14),
        ("agentclinic", "agentclinic/agentclinic_medqa_extended.jsonl", {}, 107),
        ("mediq", "mediq/all_dev_good.jsonl", {}, 592),
    ],
)
def test_the_shared_sets_come_in(
    shared_data: Path, name: str, address: str, options: dict[str, str], cases: int
) -> None:
    extraction = extract_cases(name, shared_data / address, READ, **options)
    found = list(extraction)
    assert len(found) == cases
    assert all(entry.balanced for entry in extraction.report.tables)
    assert sum(bool(case.mentions) for case in found) >= 0.6 * cases


@pytest.mark.shared
def test_synthea_is_a_third_shape(shared_data: Path) -> None:
    extraction = extract_cases("synthea", shared_data / "synthea_sample")
    cases = list(extraction)
    assert len(cases) == 356
    assert all(entry.balanced for entry in extraction.report.tables)
    assert all(case.diagnoses for case in cases)
    for case in cases:
        ids = [mention.mention_id for mention in case.mentions]
        assert len(ids) == len(set(ids))
    assert any(mention.kind is MentionKind.SYMPTOM for case in cases for mention in case.mentions)
    text = "".join(case.model_dump_json() for case in cases)
    assert "Vela532" not in text


def test_synthea_history_is_what_came_before(tmp_path: Path) -> None:
    tables = {
        "patients": "Id,BIRTHDATE,GENDER,RACE,ETHNICITY,MARITAL\np,1980-01-01,F,white,nonhispanic,M\n",
        "encounters": (
            "Id,START,STOP,PATIENT,ENCOUNTERCLASS\ne1,2010-01-01T08:00:00Z,2010-01-01T09:00:00Z,p,wellness\n"
            "e2,2020-05-01T08:00:00Z,2020-05-03T08:00:00Z,p,inpatient\n"
        ),
        "conditions": (
            "START,STOP,PATIENT,ENCOUNTER,CODE,DESCRIPTION\n2010-01-01,,p,e1,1,Full-time employment (finding)\n"
            "2020-05-01,,p,e2,2,Pneumonia (disorder)\n2020-05-01,,p,e2,3,Cough (finding)\n"
        ),
        "medications": (
            "START,STOP,PATIENT,ENCOUNTER,CODE,DESCRIPTION\n2010-01-01T08:00:00Z,,p,e1,4,Lisinopril 10 MG Oral Tablet\n"
            "2020-05-01T08:00:00Z,2020-05-03T08:00:00Z,p,e2,5,Azithromycin 250 MG Oral Tablet\n"
        ),
        "allergies": "START,PATIENT,ENCOUNTER,CODE,DESCRIPTION,DESCRIPTION1\n2021-01-01,p,e2,6,Latex,Rash\n",
        "observations": (
            "DATE,PATIENT,ENCOUNTER,CATEGORY,CODE,DESCRIPTION,VALUE,UNITS\n"
            "2020-05-01T08:00:00Z,p,e2,vital-signs,8480-6,Systolic,120.0,mm[Hg]\n"
            "2020-05-01T08:00:00Z,p,e2,vital-signs,8462-4,Diastolic,80.0,mm[Hg]\n"
        ),
    }
    for name, content in tables.items():
        (tmp_path / f"{name}.csv").write_text(content)
    extraction = extract_cases("synthea", tmp_path)
    (case,) = extraction
    assert (case.demographics.age, case.demographics.race_group) == (40, "WHITE")
    assert [diagnosis.name for diagnosis in case.diagnoses] == ["Pneumonia"]
    assert case.chief_complaint == "Cough"
    assert [mention.text for mention in case.mentions] == [
        "blood pressure 120/80 mmHg",
        "Full-time employment",
        "Cough",
    ]
    assert [(drug.ingredients[0], drug.role.value) for drug in case.medications] == [
        ("lisinopril", "home"),
        ("azithromycin", "inpatient"),
    ]
    with pytest.raises(UserError, match=r"no patients\.csv"):
        list(extract_cases("synthea", tmp_path / "nowhere"))


@pytest.mark.parametrize("piece", [1, 7, 1 << 22])
def test_json_arrays_are_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    monkeypatch.setattr(tabular_text, "_PIECE", piece)
    rows = [{"a": "[1, {é]}", "b": [n, {"c": "\n,痛"}]} for n in range(20)]
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=2), "utf-8")
    assert list(tabular_text.json_array(path)) == rows
    path.write_text(json.dumps(rows)[:-5])
    with pytest.raises(UserError, match="not a JSON array"):
        list(tabular_text.json_array(path))

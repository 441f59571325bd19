"""From tables to CaseRecords: the right value of every fact kind, the same on three engines, every row accounted."""

import uuid
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from etl.caserecord import CaseRecord, Diagnosis, MedicationRole, Mention, MentionKind, NoteEvidence, TableEvidence
from etl.notes.note import DemographicsHints, Note, NoteExtraction
from etl.sources import Extraction, extract_cases
from etl.structured import extraction as extraction_module
from etl.structured.account import ExtractionReport
from etl.structured.reading import patient_ranges
from etl.tables import COMMUNITY_SCHEMAS, load
from tests.etl.hospital import MIMIC3, MIMIC4, Table, with_rows, write_tables


def read(note: Note) -> NoteExtraction:
    """A reader that finds one symptom, one diagnosis and an occupation in any note."""
    evidence = (NoteEvidence(note_id=note.note_id, start=0, end=5, quote=note.text[:5]),)
    return NoteExtraction(
        chief_complaint="fever",
        mentions=(Mention(mention_id="m1", kind=MentionKind.SYMPTOM, text="fever", evidence=evidence),),
        diagnoses=(Diagnosis(code="", version="", rank=1, name="Pneumonia", name_source="note", evidence=evidence),),
        demographics_hints=DemographicsHints(age=20, occupation="teacher"),
        dropped=2,
    )


def extracted(
    tmp_path: Path, database: str, tables: dict[str, Table] = MIMIC3, **changed: Table
) -> tuple[dict[str, CaseRecord], ExtractionReport]:
    release = "mimic3" if tables is MIMIC3 else "mimic4"
    load(write_tables(tmp_path / "csv", tables, **changed), database)
    extraction = extract_cases(release, database, read)
    cases = {case.case_id: case for case in extraction}
    check_books(extraction, cases)
    return cases, extraction.report


def check_books(extraction: Extraction, cases: dict[str, CaseRecord]) -> None:
    """Every row is used or refused, and the rows that evidence stands for are those that were used."""
    report = extraction.report
    assert all(entry.balanced for entry in report.tables), report.lines
    used = {entry.table: entry.used for entry in report.tables}
    for table in ("diagnoses_icd", "prescriptions", "chartevents", "labevents", "omr"):
        assert sum(rows_of(case, table) for case in cases.values()) == used.get(table, 0), table
    assert used["admissions"] == len(cases)


def rows_of(case: CaseRecord, table: str) -> int:
    holders = (*case.mentions, *case.diagnoses, *case.medications)
    return sum(
        place.rows
        for holder in holders
        for place in holder.evidence
        if isinstance(place, TableEvidence) and place.table == table
    )


def mention(case: CaseRecord, words: str) -> Mention:
    return next(found for found in case.mentions if words in found.text)


def test_demographics(tmp_path: Path, database: str) -> None:
    cases, _ = extracted(tmp_path, database)
    first = cases["mimic3:100"].demographics
    assert (first.age, first.sex) == (59, "F")  # the 60th birthday is a day after admission
    assert (first.race, first.race_group) == ("WHITE - RUSSIAN", "WHITE")
    assert (first.religion_group, first.marital_group) == ("Christian", "Divorced/Separated")
    over = cases["mimic3:101"].demographics
    assert (over.age, over.age_over_89, over.age_shown) == (None, True, ">89")
    assert (over.race_group, over.religion_group, over.language) == ("BLACK", "Non-Christian", None)
    assert cases["mimic3:101"].admission.died_in_hospital is True
    assert cases["mimic3:102"].demographics.age == 60


def test_no_code_is_lost_and_none_is_nameless(tmp_path: Path, database: str) -> None:
    cases, _ = extracted(tmp_path, database)
    first, second, told = cases["mimic3:100"].diagnoses
    assert (first.code, first.version, first.rank, first.name_source) == ("0389", "9", 1, "dictionary")
    assert second.name == "Unspecified essential hypertension"
    assert (told.name, told.version, told.rank, told.name_source) == ("Pneumonia", "", 3, "note")
    lacking = cases["mimic3:101"].diagnoses[0]  # 0414 is a retired code that no dictionary of 2008 or later has
    assert lacking.code == "0414"
    assert lacking.name != "0414"
    assert lacking.name_source in ("parent", "terminology")


def test_orders_of_one_drug_are_one_medication(tmp_path: Path, database: str) -> None:
    cases, _ = extracted(tmp_path, database)
    drugs = {entry.name: entry for entry in cases["mimic3:100"].medications}
    assert set(drugs) == {"Lasix", "D5W"}
    lasix = drugs["Lasix"]
    assert lasix.ingredients == ("furosemide",)
    assert (lasix.role, lasix.dose, lasix.route) == (MedicationRole.INPATIENT, "20 mg", "PO")
    assert lasix.evidence == (TableEvidence(table="prescriptions", row_key="row_id=2", rows=3),)
    assert drugs["D5W"].carrier_fluid
    assert not lasix.carrier_fluid


def test_vital_signs_are_the_first_plausible_ones_of_the_stay(tmp_path: Path, database: str) -> None:
    cases, report = extracted(tmp_path, database)
    case = cases["mimic3:100"]
    assert mention(case, "heart rate").text == "heart rate 112 bpm"
    pressure = mention(case, "blood pressure")
    assert pressure.text == "blood pressure 95/55 mmHg"
    assert [place.row_key for place in pressure.evidence if isinstance(place, TableEvidence)] == [
        "row_id=4",
        "row_id=5",
    ]
    assert mention(case, "temperature").text == "temperature 101.3 °F"
    assert not any("saturation" in found.text for found in case.mentions)  # marked as an error
    assert not any(found.kind is MentionKind.VITAL for found in cases["mimic3:101"].mentions)  # on the third day
    chart = next(entry for entry in report.tables if entry.table == "chartevents")
    assert chart.rejected == {
        "charted after presentation": 1,
        "later values of a vital sign": 1,
        "marked as an error": 1,
        "not plausible, or not a number": 1,
        "of another item than a vital sign": 1,
    }


def test_abnormal_results_carry_first_value_flag_and_extremes(tmp_path: Path, database: str) -> None:
    cases, report = extracted(tmp_path, database)
    result = mention(cases["mimic3:100"], "White Blood Cells")
    assert result.kind is MentionKind.LABORATORY
    assert result.attributes["value"] == "18.2"
    assert result.attributes["flag"] == "abnormal"
    assert (result.attributes["abnormal_results"], result.attributes["highest"]) == ("2", "21")
    laboratory = next(entry for entry in report.tables if entry.table == "labevents")
    assert laboratory.rejected == {"not flagged abnormal": 1, "without an admission id": 1}


def test_notes_are_read_and_others_counted(tmp_path: Path, database: str) -> None:
    cases, report = extracted(tmp_path, database)
    case = cases["mimic3:100"]
    assert case.note_ids == ("mimic3:1",)
    assert case.chief_complaint == "fever"
    assert (case.demographics.age, case.demographics.occupation) == (59, "teacher")  # tables overrule hints
    assert report.notes_read == 1
    assert report.notes_dropped == 2
    notes = next(entry for entry in report.tables if entry.table == "noteevents")
    assert notes.rejected == {
        "empty or blank": 1,
        "marked as an error": 1,
        "of another category than discharge summary": 1,
    }


def test_the_admission_diagnosis_is_no_chief_complaint(tmp_path: Path) -> None:
    """ADMISSIONS.DIAGNOSIS is a physician's guess at the answer; a patient must not open with it."""
    load(write_tables(tmp_path / "csv", MIMIC3), tmp_path / "h.duckdb")
    case = next(iter(extract_cases("mimic3", tmp_path / "h.duckdb")))
    assert "PNEUMONIA" not in case.model_dump_json()


def test_unsound_admissions_are_refused_with_all_that_hangs_on_them(tmp_path: Path, database: str) -> None:
    stay = MIMIC3["ADMISSIONS"][1]
    cases, report = extracted(
        tmp_path,
        database,
        ADMISSIONS=with_rows(
            MIMIC3["ADMISSIONS"],
            ["4", *stay[1:]],
            ["5", "77", "103", *stay[3:]],
            ["6", "12", "104", "2150-06-14 10:00:00", "2150-06-13 10:00:00", *stay[5:]],
        ),
        DIAGNOSES_ICD=with_rows(
            MIMIC3["DIAGNOSES_ICD"],
            ["5", "12", "104", "1", "4019"],
            ["6", "12", "555", "1", "4019"],
            ["7", "12", "100", "1", "4019"],
            ["8", "", "100", "1", "4019"],
            ["9", "10", "100", "3", ""],
        ),
    )
    assert set(cases) == {"mimic3:100", "mimic3:101", "mimic3:102"}
    books = {entry.table: entry.rejected for entry in report.tables}
    assert books["admissions"] == {
        "of a patient who is not in the patients table": 1,
        "second row of one admission": 1,
        "with discharge before admission": 1,
    }
    assert books["diagnoses_icd"] == {
        "of an admission that was refused": 1,
        "of an unknown admission": 1,
        "of another patient than its admission's": 1,
        "without a code": 1,
        "without a patient id": 1,
    }
    assert books["patients"] == {"without an admission": 1}


def test_mimic4(tmp_path: Path, database: str) -> None:
    cases, report = extracted(tmp_path, database, MIMIC4)
    case = cases["mimic4:200"]
    assert case.demographics.age == 62
    assert case.demographics.race_group == "HISPANIC/LATINO"
    assert cases["mimic4:201"].demographics.age_over_89
    assert [(entry.code, entry.version) for entry in case.diagnoses[:2]] == [("A419", "10"), ("0389", "9")]
    assert len(case.diagnoses[1].evidence) == 2
    drug = case.medications[0]
    assert (drug.ingredients, drug.frequency) == (("metoprolol",), "2 doses in 24 h")
    low = mention(case, "Hemoglobin")
    assert (low.attributes["flag"], low.attributes["lowest"]) == ("low", "7.2")
    assert mention(case, "heart rate").attributes["value"] == "120"  # triage comes before the bedside chart
    assert mention(case, "blood pressure").text == "blood pressure 90/60 mmHg"
    assert mention(case, "weight").text == "weight 150 lb"
    assert case.note_ids == ("mimic4:10-DS-1",)
    books = {entry.table: entry.rejected for entry in report.tables}
    assert books["triage"] == {"without an admission id": 1}
    assert books["omr"] == {
        "not plausible": 1,
        "of another kind than a vital sign": 1,
        "of no admission within 30 days": 1,
        "repeats of a vital sign": 1,
    }


@pytest.mark.postgresql
def test_three_engines_give_the_same_bytes(tmp_path: Path, postgresql: str) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC3)
    texts = []
    for url in (postgresql, f"sqlite:///{tmp_path / 'h.db'}", f"duckdb:///{tmp_path / 'h.duckdb'}"):
        load(folder, url)
        texts.append([case.model_dump_json() for case in extract_cases("mimic3", url, read)])
    assert texts[0] == texts[1] == texts[2]


@pytest.mark.postgresql
def test_a_database_of_the_community_scripts(postgresql: str) -> None:
    """Other types (CHAR(7) codes, SMALLINT, DATE), a schema a module, and columns that are never read."""
    hosp, icu = (f"community_{uuid.uuid4().hex}_{name}" for name in ("hosp", "icu"))
    server = create_engine(postgresql)
    statements = f"""
        CREATE SCHEMA {hosp}; CREATE SCHEMA {icu};
        CREATE TABLE {hosp}.patients (subject_id INTEGER, gender CHAR(1), anchor_age SMALLINT, anchor_year SMALLINT,
            dod DATE);
        CREATE TABLE {hosp}.admissions (subject_id INTEGER, hadm_id INTEGER, admittime TIMESTAMP, dischtime TIMESTAMP,
            race VARCHAR(80), hospital_expire_flag SMALLINT);
        CREATE TABLE {hosp}.diagnoses_icd (subject_id INTEGER, hadm_id INTEGER, seq_num INTEGER, icd_code CHAR(7),
            icd_version SMALLINT);
        CREATE TABLE {hosp}.d_icd_diagnoses (icd_code CHAR(7), icd_version SMALLINT, long_title VARCHAR(255));
        CREATE TABLE {icu}.chartevents (subject_id INTEGER, hadm_id INTEGER, stay_id INTEGER, charttime TIMESTAMP,
            itemid INTEGER, value VARCHAR(200), valuenum DOUBLE PRECISION, warning SMALLINT);
        INSERT INTO {hosp}.patients VALUES (1, 'F', 50, 2150, NULL);
        INSERT INTO {hosp}.admissions VALUES (1, 9, '2151-01-01', '2151-01-03', 'ASIAN', 0);
        INSERT INTO {hosp}.diagnoses_icd VALUES (1, 9, 1, 'I10', 10);
        INSERT INTO {hosp}.d_icd_diagnoses VALUES ('I10', 10, 'Essential (primary) hypertension');
        INSERT INTO {icu}.chartevents VALUES (1, 9, 3, '2151-01-01 02:00:00', 220045, '88', 88, 0);
    """
    with server.begin() as connection:
        connection.execute(text(statements))
    try:
        schemas = {"hosp": hosp, "icu": icu}
        assert set(schemas) <= set(COMMUNITY_SCHEMAS["mimic4"])
        case = next(iter(extract_cases("mimic4", postgresql, schemas=schemas)))
        assert (case.diagnoses[0].code, case.diagnoses[0].name_source) == ("I10", "dictionary")
        assert case.demographics.age == 51
        assert mention(case, "heart rate").attributes["value"] == "88"
    finally:
        with server.begin() as connection:
            connection.execute(text(f"DROP SCHEMA {hosp} CASCADE; DROP SCHEMA {icu} CASCADE"))
        server.dispose()


@pytest.mark.postgresql
def test_notes_of_a_community_database(postgresql: str) -> None:
    """NOTEEVENTS.ISERROR is CHAR(1) there."""
    schema = f"community_{uuid.uuid4().hex}"
    server = create_engine(postgresql)
    statements = f"""
        CREATE SCHEMA {schema};
        CREATE TABLE {schema}.patients (row_id INT, subject_id INT, gender VARCHAR(5), dob TIMESTAMP(0));
        CREATE TABLE {schema}.admissions (row_id INT, subject_id INT, hadm_id INT, admittime TIMESTAMP(0));
        CREATE TABLE {schema}.noteevents (row_id INT, subject_id INT, hadm_id INT, chartdate TIMESTAMP(0),
            category VARCHAR(50), iserror CHAR(1), text TEXT);
        INSERT INTO {schema}.patients VALUES (1, 1, 'F', '2100-01-01');
        INSERT INTO {schema}.admissions VALUES (1, 1, 9, '2151-01-01');
        INSERT INTO {schema}.noteevents VALUES (1, 1, 9, '2151-01-02', 'Discharge summary', NULL, 'Cough and fever.');
        INSERT INTO {schema}.noteevents VALUES (2, 1, 9, '2151-01-02', 'Discharge summary', '1', 'Wrong patient.');
    """
    with server.begin() as connection:
        connection.execute(text(statements))
    try:
        case = next(iter(extract_cases("mimic3", postgresql, read, schemas={"": schema})))
        assert case.note_ids == ("mimic3:1",)
    finally:
        with server.begin() as connection:
            connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
        server.dispose()


@pytest.mark.shared
@pytest.mark.parametrize(("release", "cases", "codes"), [("mimic3", 129, 1761), ("mimic4", 275, 4506)])
def test_the_demos_come_over_without_loss(
    shared_data: Path, tmp_path: Path, release: str, cases: int, codes: int
) -> None:
    load(shared_data / f"{release}_demo", tmp_path / "demo.duckdb")
    extraction = extract_cases(release, tmp_path / "demo.duckdb")
    found = {case.case_id: case for case in extraction}
    check_books(extraction, found)
    assert len(found) == cases
    assert sum(rows_of(case, "diagnoses_icd") for case in found.values()) == codes
    assert all(diagnosis.name for case in found.values() for diagnosis in case.diagnoses)
    assert sum(case.demographics.age_over_89 for case in found.values()) == {"mimic3": 9, "mimic4": 8}[release]


@pytest.mark.parametrize("size", [1, 2])
def test_the_size_of_patient_ranges_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    load(write_tables(tmp_path / "csv", MIMIC3), tmp_path / "h.duckdb")
    whole = extract_cases("mimic3", tmp_path / "h.duckdb", read)
    at_once = list(whole)
    monkeypatch.setattr(extraction_module, "patient_ranges", partial(patient_ranges, size=size))
    parts = extract_cases("mimic3", tmp_path / "h.duckdb", read)
    assert list(parts) == at_once
    assert parts.report == whole.report

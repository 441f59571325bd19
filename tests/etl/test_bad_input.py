"""What people's files look like when they go wrong: one clear line each, and nothing else is lost."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from etl.caserecord import CaseRecord
from etl.notes.note import Note, NoteExtraction
from etl.notes.pipeline import NotePipeline
from etl.scale import generate_tables
from etl.sources import extract_cases
from etl.structured.account import ExtractionReport
from etl.tables import load, open_engine
from foundation.errors import UserError
from tests.etl.hospital import MIMIC3, MIMIC4, Table, csv_text, with_rows, write_tables


@pytest.fixture(params=["duckdb", "sqlite"])
def hospital(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of either reader: DuckDB's own, and the one that goes row by row."""
    return f"{request.param}:///{tmp_path / 'h.db'}"


def refused(folder: Path, hospital: str) -> str:
    """The one line that the load ends with; every other table must be there."""
    with pytest.raises(UserError) as error:
        load(folder, hospital)
    problem, fix = error.value.problem, error.value.fix
    assert problem
    assert fix
    assert "\n" not in problem
    return problem


def tables_in(hospital: str) -> set[str]:
    engine = open_engine(hospital)
    with engine.connect() as connection:
        names = {str(row[0]) for row in connection.execute(text("SELECT table_name FROM load_state"))}
    engine.dispose()
    return names


ALL = {name.lower() for name in MIMIC3}


def test_another_delimiter(tmp_path: Path, hospital: str) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC3)
    (folder / "PRESCRIPTIONS.csv").write_text(csv_text(MIMIC3["PRESCRIPTIONS"], delimiter=";"))
    assert refused(folder, hospital) == "PRESCRIPTIONS.csv: columns are separated by ';'; a comma was expected."
    assert tables_in(hospital) == ALL - {"prescriptions"}


def test_a_missing_column(tmp_path: Path, hospital: str) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC3, DIAGNOSES_ICD=[row[:4] for row in MIMIC3["DIAGNOSES_ICD"]])
    assert refused(folder, hospital) == "DIAGNOSES_ICD.csv: column icd9_code is missing from the header."
    assert tables_in(hospital) == ALL - {"diagnoses_icd"}


def test_a_truncated_archive(tmp_path: Path, hospital: str) -> None:
    many: Table = [MIMIC3["CHARTEVENTS"][0], *[[str(n), *MIMIC3["CHARTEVENTS"][2][1:]] for n in range(5000)]]
    folder = write_tables(tmp_path / "csv", MIMIC3, without=["CHARTEVENTS"])
    packed = gzip.compress(csv_text(many).encode())
    (folder / "CHARTEVENTS.csv.gz").write_bytes(packed[: len(packed) // 2])
    assert "CHARTEVENTS.csv.gz: the gzip file is damaged or was cut short" in refused(folder, hospital)
    assert tables_in(hospital) == ALL - {"chartevents"}
    (folder / "CHARTEVENTS.csv.gz").write_bytes(packed)
    assert load(folder, hospital).table("chartevents").rows_out == 5000


def test_mixed_encodings(tmp_path: Path, hospital: str) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC3)
    drugs = [["7", "11", "101", "2150-01-01", "", "MAIN", "Curaçao é", "1", "mg", "PO"]]
    lines = csv_text(MIMIC3["PRESCRIPTIONS"]).encode() + csv_text(drugs).encode("latin-1")
    drugs[0][0], drugs[0][6] = "8", "Ménière ü"
    (folder / "PRESCRIPTIONS.csv").write_bytes(b"\xef\xbb\xbf" + lines + csv_text(drugs).encode("utf-8"))
    report = load(folder, hospital).table("prescriptions")
    assert report.rows_out == len(MIMIC3["PRESCRIPTIONS"]) + 1
    assert report.notes == ("1 lines are not UTF-8 and were read as Windows-1252",)
    engine = open_engine(hospital)
    with engine.connect() as connection:
        names = {str(row[0]) for row in connection.execute(text("SELECT drug FROM prescriptions WHERE row_id > 6"))}
    engine.dispose()
    assert names == {"Curaçao é", "Ménière ü"}


@pytest.mark.parametrize("eaten", [["389", "85", "4019"], ["389.0", "4019.0", "414.0"], ["3.89E+02", "4019", "V5861"]])
def test_codes_that_a_spreadsheet_has_eaten(tmp_path: Path, hospital: str, eaten: list[str]) -> None:
    table = [MIMIC3["DIAGNOSES_ICD"][0], *[[str(n), "10", "100", str(n), code] for n, code in enumerate(eaten, 1)]]
    problem = refused(write_tables(tmp_path / "csv", MIMIC3, DIAGNOSES_ICD=table), hospital)
    assert "DIAGNOSES_ICD.csv" in problem
    assert "a spreadsheet has saved this file" in problem
    assert tables_in(hospital) == ALL - {"diagnoses_icd"}


def test_one_bad_code_costs_one_row(tmp_path: Path, hospital: str) -> None:
    table = with_rows(MIMIC3["DIAGNOSES_ICD"], ["5", "10", "100", "3", "250.0"])
    report = load(write_tables(tmp_path / "csv", MIMIC3, DIAGNOSES_ICD=table), hospital).table("diagnoses_icd")
    assert (report.rows_out, report.rows_rejected) == (4, 1)


def test_a_quotation_mark_that_is_never_closed(tmp_path: Path, hospital: str) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC3)
    with (folder / "NOTEEVENTS.csv").open("a", encoding="utf-8") as file:
        file.write('5,10,100,2150-06-20,Discharge summary,,,"never closed\nand more\n')
    problem = refused(folder, hospital)
    assert "NOTEEVENTS.csv: a quotation mark opened at line 12 is never closed" in problem
    assert tables_in(hospital) == ALL - {"noteevents"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the first line is empty"),
        ("ROW_ID,SUBJECT_ID\n".encode("utf-16"), "the file is UTF-16"),
        (b"row_id,subject_id,SUBJECT_ID,gender,dob\n", "column subject_id stands twice"),
    ],
)
def test_headers_that_are_none(tmp_path: Path, hospital: str, content: bytes, problem: str) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC3)
    (folder / "PATIENTS.csv").write_bytes(content)
    with pytest.raises(UserError) as error:
        load(folder, hospital, release="mimic3")
    assert problem in error.value.problem
    assert tables_in(hospital) == ALL - {"patients"}


def test_a_required_file_is_missing(tmp_path: Path, hospital: str) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC3, without=["ADMISSIONS"])
    assert "admissions: no file admissions.csv" in refused(folder, hospital)
    assert tables_in(hospital) == ALL - {"admissions"}
    with pytest.raises(UserError, match="no table admissions"):
        list(extract_cases("mimic3", hospital))


def test_a_folder_that_is_no_mimic(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="neither MIMIC-III nor MIMIC-IV"):
        load(tmp_path, tmp_path / "h.duckdb")
    with pytest.raises(UserError, match="no such folder"):
        load(tmp_path / "nowhere", tmp_path / "h.duckdb")


def extracted(tmp_path: Path, **changed: Table) -> tuple[list[CaseRecord], ExtractionReport]:
    load(write_tables(tmp_path / "csv", MIMIC3, **changed), tmp_path / "h.duckdb")
    extraction = extract_cases("mimic3", tmp_path / "h.duckdb", lambda note: NoteExtraction())
    return list(extraction), extraction.report


def only_reason(report: ExtractionReport, table: str) -> dict[str, int]:
    return next(entry.rejected for entry in report.tables if entry.table == table)


def test_discharge_before_admission(tmp_path: Path) -> None:
    table = [list(row) for row in MIMIC3["ADMISSIONS"]]
    table[3][4] = "2151-01-01 00:00:00"
    cases, report = extracted(tmp_path, ADMISSIONS=table)
    assert {case.hadm_id for case in cases} == {"100", "101"}
    assert only_reason(report, "admissions") == {"with discharge before admission": 1}
    assert any("1 with discharge before admission" in line for line in report.lines)


def test_two_rows_for_one_admission(tmp_path: Path) -> None:
    again = ["9", *MIMIC3["ADMISSIONS"][1][1:]]
    cases, report = extracted(tmp_path, ADMISSIONS=with_rows(MIMIC3["ADMISSIONS"], again))
    assert [case.hadm_id for case in cases] == ["100", "102", "101"]
    assert len(cases[0].diagnoses) == 2
    assert only_reason(report, "admissions") == {"second row of one admission": 1}


def test_orphan_admissions(tmp_path: Path) -> None:
    orphan = ["9", "99", "900", *MIMIC3["ADMISSIONS"][1][3:]]
    cases, report = extracted(tmp_path, ADMISSIONS=with_rows(MIMIC3["ADMISSIONS"], orphan))
    assert len(cases) == 3
    assert only_reason(report, "admissions") == {"of a patient who is not in the patients table": 1}


@pytest.mark.parametrize("words", ["", "  \n\t \n"])
def test_empty_and_blank_notes(tmp_path: Path, words: str) -> None:
    note = ["9", "11", "101", "2150-01-05", "Discharge summary", "Report", "", words]
    cases, report = extracted(tmp_path, NOTEEVENTS=with_rows(MIMIC3["NOTEEVENTS"], note))
    assert len(cases) == 3
    assert [case.note_ids for case in cases if case.hadm_id == "101"] == [()]
    assert only_reason(report, "noteevents")["empty or blank"] == 2  # one is the hospital's own


@pytest.mark.slow
def test_a_note_of_two_megabytes(tmp_path: Path, hospital: str) -> None:
    sentence = 'He denies chest pain and reports a cough for 3 days, "worse" at night.\n'
    words = "Chief Complaint:\ncough\n\nHistory of Present Illness:\n" + sentence * (2_000_000 // len(sentence))
    note = ["9", "11", "101", "2150-01-05", "Discharge summary", "Report", "", words]
    load(write_tables(tmp_path / "csv", MIMIC3, NOTEEVENTS=with_rows(MIMIC3["NOTEEVENTS"], note)), hospital)
    read = NotePipeline().extract

    def first_part(note: Note) -> NoteExtraction:
        return read(note.model_copy(update={"text": note.text[:20_000]}))

    cases = {case.hadm_id: case for case in extract_cases("mimic3", hospital, first_part)}
    assert any(mention.concept == "cough" for mention in cases["101"].mentions)
    engine = open_engine(hospital)
    with engine.connect() as connection:
        length = connection.execute(text("SELECT max(length(text)) FROM noteevents")).scalar_one()
    engine.dispose()
    assert length == len(words)


def test_mimic4_folder_without_its_hosp_files(tmp_path: Path, hospital: str) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC4, without=["hosp/prescriptions", "ed/triage", "note/discharge"])
    report = load(folder, hospital)
    assert {entry.table for entry in report.tables if entry.state == "absent"} == {
        "prescriptions",
        "triage",
        "discharge",
        "d_items",
    }
    extraction = extract_cases("mimic4", hospital)
    assert len(list(extraction)) == 2
    assert extraction.report.absent_tables == ("prescriptions", "triage", "discharge")


@pytest.mark.parametrize("name", ["h.duckdb", "h.db"])
def test_a_file_that_is_no_database(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("this is a letter, not a database. " * 300)
    with pytest.raises(UserError, match="cannot be opened"):
        load(write_tables(tmp_path / "csv", MIMIC3), tmp_path / name)
    with pytest.raises(UserError, match="cannot be opened"):
        extract_cases("mimic3", tmp_path / name)


@pytest.mark.parametrize("address", ["mysql://u@h/d", "postgresql://secret:word@127.0.0.1:1/none"])
def test_databases_that_cannot_be_reached(tmp_path: Path, address: str) -> None:
    with pytest.raises(UserError) as error:
        load(write_tables(tmp_path / "csv", MIMIC3), address)
    assert "word" not in str(error.value)


def test_a_table_of_which_no_row_can_be_read(tmp_path: Path, hospital: str) -> None:
    table = [MIMIC3["PATIENTS"][0], ["1", "10", "F", "15/06/2090", ""], ["2", "11", "M", "01/01/1850", ""]]
    problem = refused(write_tables(tmp_path / "csv", MIMIC3, PATIENTS=table), hospital)
    assert problem.startswith("PATIENTS.csv: not one of its 2 rows can be read; line 2, dob: expected a time")
    assert tables_in(hospital) == ALL - {"patients"}


def test_a_number_of_five_thousand_digits_costs_one_row(tmp_path: Path, hospital: str) -> None:
    bad = [["3", digits, "F", "2090-06-15 00:00:00", ""] for digits in ("9" * 5_000, "9" * 20, str(2**63))]
    folder = write_tables(tmp_path / "csv", MIMIC3, PATIENTS=[*MIMIC3["PATIENTS"], *bad])
    entry = load(folder, hospital).table("patients")
    assert (entry.rows_rejected, entry.rows_out) == (3, len(MIMIC3["PATIENTS"]) - 1)


def _cut(content: bytes) -> bytes:
    return content[:300_000]


def _written_over(content: bytes) -> bytes:
    return content[:12_288] + bytes(len(content) - 12_288)


@pytest.mark.parametrize("damage", [_cut, _written_over])
def test_a_damaged_database_is_named(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    database = tmp_path / "h.duckdb"
    generate_tables(tmp_path / "csv", 30, seed=5)
    load(tmp_path / "csv", database, "mimic3")
    database.write_bytes(damage(database.read_bytes()))
    with pytest.raises(UserError, match=r"h\.duckdb (failed|cannot be opened)"):
        list(extract_cases("mimic3", database))
    with pytest.raises(UserError, match=r"h\.duckdb (failed|cannot be opened)") as error:
        load(tmp_path / "csv", database, "mimic3")
    assert "SELECT" not in str(error.value)


@pytest.mark.parametrize("table", ["load_state", "rejected_rows"])
def test_another_programs_table_is_named_and_kept(tmp_path: Path, hospital: str, table: str) -> None:
    engine = open_engine(hospital)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE TABLE {table} (foo integer)"))
    engine.dispose()
    with pytest.raises(UserError, match=f"{table} of another program"):
        load(write_tables(tmp_path / "csv", MIMIC3), hospital)


@pytest.mark.parametrize("address", ["nodir/typo.duckdb", "nodir/typo.db", "sqlite:///nodir/typo.db"])
def test_reading_creates_nothing(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="no such database file"):
        extract_cases("mimic3", address)
    assert list(tmp_path.iterdir()) == []

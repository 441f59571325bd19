"""Loading: three engines, every row counted, interruptions, odd files."""

from pathlib import Path

import pytest
from sqlalchemy import text

from etl.tables import load, open_engine
from etl.tables import loading as loading_module
from foundation.errors import UserError
from tests.etl.hospital import MIMIC3, MIMIC4, csv_text, with_rows, write_tables


def count(database: str, query: str) -> int:
    engine = open_engine(database)
    with engine.connect() as connection:
        found = connection.execute(text(query)).scalar_one()
    engine.dispose()
    return int(found)


def test_loads_every_row_of_both_releases(tmp_path: Path, database: str) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC3, packed=["CHARTEVENTS", "NOTEEVENTS"])
    report = load(folder, database)
    assert report.release == "mimic3"
    for entry in report.tables:
        if entry.state == "loaded":
            assert entry.rows_in == len(MIMIC3[entry.table.upper()]) - 1 == entry.rows_out
            assert count(database, f"SELECT count(*) FROM {entry.table}") == entry.rows_out
    assert {entry.table for entry in report.tables if entry.state == "absent"} == {"d_items"}


def test_mimic4_lies_in_module_folders(tmp_path: Path, database: str) -> None:
    report = load(write_tables(tmp_path / "csv", MIMIC4, packed=["icu/chartevents"]), database)
    assert report.release == "mimic4"
    assert report.table("triage").rows_out == 2
    assert report.table("chartevents").file == "chartevents.csv.gz"


def test_header_case_and_order_do_not_matter(tmp_path: Path, database: str) -> None:
    lower = [[name.lower() for name in MIMIC3["PATIENTS"][0]], *MIMIC3["PATIENTS"][1:]]
    turned = [list(reversed(row)) for row in lower]
    load(write_tables(tmp_path / "csv", MIMIC3, PATIENTS=turned), database)
    assert count(database, "SELECT count(*) FROM patients WHERE gender = 'F'") == 2


def test_codes_stay_text_with_their_zeros(tmp_path: Path, database: str) -> None:
    load(write_tables(tmp_path / "csv", MIMIC3), database)
    assert count(database, "SELECT count(*) FROM diagnoses_icd WHERE icd9_code = '0389'") == 1


def test_bad_rows_are_refused_with_line_and_reason(tmp_path: Path, database: str) -> None:
    table = with_rows(
        MIMIC3["PATIENTS"],
        ["4", "1.2E+04", "F", "2100-01-01 00:00:00", ""],
        ["5", "14.0", "F", "2100-01-01 00:00:00", ""],
        ["6", "15", "M", "01/02/2100", ""],
        ["7", "16", "M"],
    )
    report = load(write_tables(tmp_path / "csv", MIMIC3, PATIENTS=table), database).table("patients")
    assert (report.rows_in, report.rows_out, report.rows_rejected) == (7, 4, 3)
    assert count(database, "SELECT count(*) FROM patients WHERE subject_id = 14") == 1
    engine = open_engine(database)
    with engine.connect() as connection:
        refused = connection.execute(text("SELECT line, field, reason FROM rejected_rows ORDER BY line")).all()
    engine.dispose()
    assert [(row.line, row.field) for row in refused] == [(5, "subject_id"), (7, "dob"), (8, "")]
    assert "whole number" in refused[0].reason
    assert refused[2].reason == "expected 5 fields, found 3"


def test_reasons_hold_no_record_text(tmp_path: Path) -> None:
    table = with_rows(MIMIC3["NOTEEVENTS"], ["x5", "10", "100", "", "Discharge summary", "", "", "SECRET WORDS"])
    database = f"duckdb:///{tmp_path / 'h.duckdb'}"
    load(write_tables(tmp_path / "csv", MIMIC3, NOTEEVENTS=table), database)
    engine = open_engine(database)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT * FROM rejected_rows")).all()
    engine.dispose()
    assert len(rows) == 1
    assert "SECRET" not in str(rows)


def test_a_second_load_keeps_what_is_unchanged(tmp_path: Path, database: str) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC3)
    load(folder, database)
    (folder / "PATIENTS.csv").write_text(csv_text(with_rows(MIMIC3["PATIENTS"], ["9", "19", "F", "2100-01-01", ""])))
    again = load(folder, database)
    assert again.table("patients").state == "loaded"
    assert count(database, "SELECT count(*) FROM patients") == 4
    assert {entry.state for entry in again.tables if entry.table != "patients"} == {"kept", "absent"}


def test_an_interrupted_table_leaves_the_former_one_and_restarts(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC3)
    load(folder, database)
    (folder / "ADMISSIONS.csv").write_text(csv_text(MIMIC3["ADMISSIONS"][:3]))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(loading_module.state, "record_load", killed)
        with pytest.raises(KeyboardInterrupt):
            load(folder, database)
    assert count(database, "SELECT count(*) FROM admissions") == 3
    assert load(folder, database).table("admissions").state == "loaded"
    assert count(database, "SELECT count(*) FROM admissions") == 2


def test_longer_file_names_are_recognised(tmp_path: Path) -> None:
    folder = write_tables(tmp_path / "csv", MIMIC3, without=["LABEVENTS"])
    (folder / "LABEVENTS_inpatient_partial.csv").write_text(csv_text(MIMIC3["LABEVENTS"]))
    (folder / "DRGCODES.csv").write_text("row_id\n1\n")
    report = load(folder, tmp_path / "h.duckdb")
    assert report.table("labevents").file == "LABEVENTS_inpatient_partial.csv"


def test_optional_columns_may_be_missing_and_it_is_said(tmp_path: Path, database: str) -> None:
    without_number = [row[:6] + row[7:] for row in MIMIC3["LABEVENTS"]]
    report = load(write_tables(tmp_path / "csv", MIMIC3, LABEVENTS=without_number), database)
    assert report.table("labevents").missing_columns == ("valuenum",)
    assert "without valuenum" in "\n".join(report.lines)


def test_one_database_holds_one_release(tmp_path: Path, database: str) -> None:
    load(write_tables(tmp_path / "three", MIMIC3), database)
    with pytest.raises(UserError, match="already holds mimic3"):
        load(write_tables(tmp_path / "four", MIMIC4), database)


def test_progress_counts_tables(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    load(
        write_tables(tmp_path / "csv", MIMIC3),
        tmp_path / "h.duckdb",
        progress=lambda name, done, total: seen.append((name, done, total)),
    )
    assert seen[0][:2] == ("patients", 0)
    assert seen[-1][1] == seen[-1][2]


@pytest.mark.shared
@pytest.mark.parametrize(("name", "rows"), [("mimic3_demo", 61812), ("mimic4_demo", 107727)])
def test_the_demos_load_whole(shared_data: Path, tmp_path: Path, name: str, rows: int) -> None:
    report = load(shared_data / name, tmp_path / "demo.duckdb")
    assert report.table("labevents").rows_out == rows
    assert not any(entry.rows_rejected for entry in report.tables)


def test_modules_that_come_one_after_the_other(tmp_path: Path, database: str) -> None:
    """MIMIC-IV-Note is a download of its own."""
    without_notes = [name for name in MIMIC4 if name != "note/discharge"]
    load(write_tables(tmp_path / "first", {name: MIMIC4[name] for name in without_notes}), database)
    second = write_tables(tmp_path / "second", {"note/discharge": MIMIC4["note/discharge"]})
    report = load(second, database)
    assert report.table("discharge").state == "loaded"
    assert report.table("patients").state == "kept"
    assert count(database, "SELECT count(*) FROM discharge") == 1


def test_refused_rows_are_all_counted_and_the_first_listed(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading_module, "LISTED_REJECTS", 2)
    bad = [[str(n), "x", "F", "", ""] for n in range(5)]
    report = load(write_tables(tmp_path / "csv", MIMIC3, PATIENTS=with_rows(MIMIC3["PATIENTS"], *bad)), database)
    entry = report.table("patients")
    assert (entry.rows_in, entry.rows_rejected) == (8, 5)
    assert entry.notes == ("the first 2 refused rows are listed in rejected_rows",)
    assert count(database, "SELECT count(*) FROM rejected_rows") == 2

"""Reading csv rows: whatever the bytes, every row is kept or refused, and both readers agree."""

import csv
import io
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from etl.tables import load
from etl.tables.files import source_file
from etl.tables.layout import layout
from etl.tables.rows import ReadingNotes, Reject, looks_rewritten, read_rows
from foundation.errors import UserError
from tests.etl.hospital import MIMIC3, write_tables

TABLE = layout("mimic3").table("d_labitems")
ANYTHING = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
IDS = st.one_of(st.integers(0, 99999).map(str), st.sampled_from(["", "12.0", "1E+05", "x", " 7 ", "-3"]))
ROWS = st.lists(st.tuples(IDS, IDS, ANYTHING, ANYTHING).map(list), max_size=8)


def written(folder: Path, rows: list[list[str]]) -> Path:
    output = io.StringIO()
    csv.writer(output).writerows([["ROW_ID", "ITEMID", "LABEL", "FLUID"], *rows])
    path = folder / "D_LABITEMS.csv"
    path.write_bytes(output.getvalue().encode("utf-8"))
    return path


QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUICK
@given(rows=ROWS)
def test_every_row_is_kept_or_refused(tmp_path: Path, rows: list[list[str]]) -> None:
    source = source_file(written(tmp_path, rows), TABLE)
    found = list(read_rows(source, TABLE, ReadingNotes()))
    assert len(found) == len(rows)
    for row, result in zip(rows, found, strict=True):
        if isinstance(result, Reject):
            assert result.field == "itemid"
        else:
            assert result[1] == (row[2] or None)


@QUICK
@given(data=st.binary(max_size=200))
def test_no_bytes_can_crash_the_reader(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "D_LABITEMS.csv"
    path.write_bytes(b"ROW_ID,ITEMID,LABEL,FLUID\n" + data)
    try:
        list(read_rows(source_file(path, TABLE), TABLE, ReadingNotes()))
    except UserError as error:
        assert "\n" not in error.problem


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS)
def test_both_readers_count_the_same(tmp_path: Path, rows: list[list[str]]) -> None:
    folder = write_tables(tmp_path / "csv", {name: MIMIC3[name] for name in ("PATIENTS", "ADMISSIONS")})
    written(folder, rows)
    counts: list[tuple[int, int, int] | None] = []
    for name in ("h.duckdb", "h.db"):
        (tmp_path / name).unlink(missing_ok=True)
        try:
            entry = load(folder, tmp_path / name).table("d_labitems")
        except UserError as error:  # a table of which no row can be read is refused, by both readers alike
            assert "not one of its" in error.problem
            counts.append(None)
            continue
        counts.append((entry.rows_in, entry.rows_out, entry.rows_rejected))
    assert counts[0] == counts[1]
    assert counts[0] is None or counts[0][0] == len(rows)


def test_codes_that_no_dictionary_can_have() -> None:
    assert all(map(looks_rewritten, ["85", "7", "250.0", "3.89E+02", "4.019E+3", "V1"]))
    assert not any(
        map(looks_rewritten, ["0389", "042", "V5861", "E8786", "250", "E11", "I10", "A419", "E1165", "E119"])
    )

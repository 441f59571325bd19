"""A load that is killed outright: what was whole stays, and the same command ends as if nothing had happened."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from etl.scale import generate_tables
from etl.tables import load, open_engine
from foundation.errors import UserError

LOAD = "import sys; from etl.tables import load; load(sys.argv[1], sys.argv[2], 'mimic3')"


@pytest.mark.parametrize("name", ["h.duckdb", "h.db"])
def test_kill_minus_nine_and_again(tmp_path: Path, name: str) -> None:
    generate_tables(tmp_path / "csv", 300, seed=5)
    database = tmp_path / name
    for seconds in (0.0, 0.25):
        process = subprocess.Popen([sys.executable, "-c", LOAD, str(tmp_path / "csv"), str(database)])
        deadline = time.monotonic() + 60
        while not database.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
    report = load(tmp_path / "csv", database)
    assert report.table("chartevents").rows_out == 300 * 200
    engine = open_engine(database)
    with engine.connect() as connection:
        for table in ("patients", "admissions", "diagnoses_icd", "prescriptions", "chartevents"):
            found = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
            assert found == report.table(table).rows_in
        noted = connection.execute(text("SELECT table_name FROM load_state")).scalars().all()
    engine.dispose()
    assert len(noted) == len(set(noted)) == 5


@pytest.mark.parametrize("size", [0, 124, 1000, 4096, 8192, 12287])
def test_a_file_that_was_killed_at_birth_is_born_again(tmp_path: Path, size: int) -> None:
    database = tmp_path / "h.duckdb"
    open_engine(database).dispose()
    database.write_bytes(database.read_bytes()[:size])
    generate_tables(tmp_path / "csv", 5, seed=5)
    assert load(tmp_path / "csv", database, "mimic3").table("admissions").rows_out == 5
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    "content",
    [
        b"my shopping list, by mistake named like a database",
        b"xxxxxxxxDUCK mine",
        b"xxxxxxxxDUCK",
        b"xxxxxxxxDUCK" + bytes(4_000),
        b"xxxxxxxxDUCK\x43" + b"feathers " * 1_000,
    ],
)
def test_another_programs_small_file_is_left_alone(tmp_path: Path, content: bytes) -> None:
    notes = tmp_path / "notes.duckdb"
    notes.write_bytes(content)
    with pytest.raises(UserError, match=r"cannot be opened"):
        load(tmp_path, notes, "mimic3")
    assert notes.read_bytes() == content


@pytest.mark.parametrize("size", [1000, 6000, 10_000])
def test_a_beginning_with_something_written_after_it_is_left_alone(tmp_path: Path, size: int) -> None:
    notes = tmp_path / "notes.duckdb"
    open_engine(notes).dispose()
    content = notes.read_bytes()[:size] + b"and my own words"
    notes.write_bytes(content)
    with pytest.raises(UserError, match=r"cannot be opened"):
        load(tmp_path, notes, "mimic3")
    assert notes.read_bytes() == content

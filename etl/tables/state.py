"""What is already loaded and what was refused: the tables `load_state` and `rejected_rows`."""

from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import BigInteger, Column, Connection, Engine, MetaData, Table, Text, delete, insert, select

from etl.tables.database import table_columns
from etl.tables.report import TableLoad
from etl.tables.rows import Reject

metadata = MetaData()
load_state = Table(
    "load_state",
    metadata,
    Column("table_name", Text, nullable=False),
    Column("release", Text),
    Column("file", Text),
    Column("bytes", BigInteger),
    Column("modified_ns", BigInteger),
    Column("report", Text),
)
rejected_rows = Table(
    "rejected_rows",
    metadata,
    Column("table_name", Text, nullable=False),
    Column("file", Text),
    Column("line", BigInteger),
    Column("field", Text),
    Column("reason", Text),
)


def prepare(engine: Engine) -> None:
    """Create both tables where they are missing."""
    with engine.begin() as connection:
        for table in (load_state, rejected_rows):
            if not table_columns(connection, table.name, None):
                table.create(connection, checkfirst=False)


def earlier_load(connection: Connection, release: str, table: str, path: Path) -> TableLoad | None:
    """The report of an earlier load of the same, unchanged file; None where there is none."""
    row = connection.execute(select(load_state).where(load_state.c.table_name == table)).first()
    if row is None:
        return None
    stat = path.stat()
    same = (row.release, row.file, row.bytes, row.modified_ns) == (release, path.name, stat.st_size, stat.st_mtime_ns)
    return TableLoad.model_validate_json(row.report).model_copy(update={"state": "kept"}) if same else None


def held_table(connection: Connection, table: str) -> TableLoad | None:
    """The report of the load that gave the table; None where it was not loaded."""
    report = connection.execute(select(load_state.c.report).where(load_state.c.table_name == table)).scalar()
    return None if report is None else TableLoad.model_validate_json(report).model_copy(update={"state": "kept"})


def loaded_release(connection: Connection) -> str | None:
    """The release of the tables in the database; None where nothing is loaded."""
    release = connection.execute(select(load_state.c.release).limit(1)).scalar()
    return None if release is None else str(release)


def record_load(connection: Connection, release: str, path: Path, report: TableLoad, rejects: Iterable[Reject]) -> None:
    """Note a finished load and its refused rows, in place of what an earlier load of the table noted."""
    forget_load(connection, report.table)
    stat = path.stat()
    values = {
        "table_name": report.table,
        "release": release,
        "file": path.name,
        "bytes": stat.st_size,
        "modified_ns": stat.st_mtime_ns,
        "report": report.model_dump_json(),
    }
    connection.execute(insert(load_state).values(values))
    rows = [{"table_name": report.table, "file": path.name, **reject.model_dump()} for reject in rejects]
    for start in range(0, len(rows), 10_000):
        connection.execute(insert(rejected_rows), rows[start : start + 10_000])


def forget_load(connection: Connection, table: str) -> None:
    """Remove what an earlier load of the table noted."""
    for noted in (load_state, rejected_rows):
        connection.execute(delete(noted).where(noted.c.table_name == table))

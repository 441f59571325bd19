"""What is already loaded and what was refused: the tables `load_state` and `rejected_rows`."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import BigInteger, Column, Connection, Engine, MetaData, Table, Text, delete, insert, select

from etl.tables.database import table_columns
from etl.tables.report import TableLoad
from etl.tables.rows import Reject
from foundation.errors import UserError

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
    """Create both tables where they are missing. Raises UserError where another program has tables of these names."""
    with engine.begin() as connection:
        for table in (load_state, rejected_rows):
            found = table_columns(connection, table.name, None)
            if not found:
                table.create(connection, checkfirst=False)
            elif missing := sorted(set(table.columns.keys()) - found):
                raise UserError(
                    f"The database has a table {table.name} of another program: it lacks {', '.join(missing)}.",
                    "Load into a database (or a file) of its own.",
                )


def earlier_load(connection: Connection, release: str, table: str, path: Path) -> TableLoad | None:
    """The report of an earlier load of the same, unchanged file; None where there is none."""
    row = connection.execute(select(load_state).where(load_state.c.table_name == table)).first()
    if row is None:
        return None
    stat = path.stat()
    same = (row.release, row.file, row.bytes, row.modified_ns) == (release, path.name, stat.st_size, stat.st_mtime_ns)
    return _kept(row.report, table) if same else None


def held_table(connection: Connection, table: str) -> TableLoad | None:
    """The report of the load that gave the table; None where it was not loaded."""
    report = connection.execute(select(load_state.c.report).where(load_state.c.table_name == table)).scalar()
    return None if report is None else _kept(report, table)


def _kept(report: str, table: str) -> TableLoad:
    try:
        return TableLoad.model_validate_json(report).model_copy(update={"state": "kept"})
    except ValidationError:
        raise UserError(
            f"The database's load_state holds no report of a load for {table}.",
            "Load into a database (or a file) of its own.",
        ) from None


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

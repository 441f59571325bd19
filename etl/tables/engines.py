"""Databases by URL: DuckDB (a file, the default), SQLite, PostgreSQL; all through SQLAlchemy."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from etl.tables.birth import ensure_born
from etl.tables.database import table_columns
from foundation.errors import UserError

DIALECTS = ("duckdb", "sqlite", "postgresql")
_DUCKDB_MEMORY = "2GB"  # DuckDB would else keep most of the machine's memory as a cache
_SUFFIXES = {".duckdb": "duckdb", ".ddb": "duckdb", ".db": "sqlite", ".sqlite": "sqlite", ".sqlite3": "sqlite"}


def database_url(address: str | Path) -> URL:
    """A SQLAlchemy URL from a URL or a file path; a path's ending chooses DuckDB (.duckdb) or SQLite (.db, .sqlite).

    `postgresql://` means the psycopg 3 driver. Raises UserError for anything else.
    """
    text = str(address)
    if "://" not in text:
        dialect = _SUFFIXES.get(Path(text).suffix.lower(), "duckdb")
        return URL.create(dialect, database=text)
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise UserError("The database address is not a URL.", "Write duckdb:///cohort.duckdb, for example.") from error
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in DIALECTS:
        raise UserError(
            f"The database address begins with {url.drivername}://, which is not supported.",
            "Use duckdb:///file.duckdb, sqlite:///file.db or postgresql://user@host/database.",
        )
    return url


def open_engine(address: str | Path | Engine, *, reading: bool = False) -> Engine:
    """An engine for a URL, a path or (unchanged) an engine; a file that is not there is made, unless for `reading`.

    Raises UserError where the driver is not installed, and where there is no file to read.
    """
    if isinstance(address, Engine):
        return address
    url = database_url(address)
    dialect = url.get_backend_name()
    if dialect != "postgresql" and url.database and url.database != ":memory:":
        _see_to_file(Path(url.database), dialect, reading)
    options: dict[str, Any] = {}
    if dialect == "duckdb":
        options["connect_args"] = {"config": {"memory_limit": _DUCKDB_MEMORY}}
    try:
        return create_engine(url, **options)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        extra = "pip install 'anamnesis[postgresql]'" if dialect == "postgresql" else f"pip install {dialect}_engine"
        raise UserError(f"The driver for {url.drivername} is not installed.", extra) from error


def _see_to_file(path: Path, dialect: str, reading: bool) -> None:
    if reading:
        if not path.exists():
            raise UserError(f"{path}: no such database file.", "Load the csv files first (anamnesis etl load).")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if dialect == "duckdb":
        ensure_born(path)


@contextmanager
def explaining(engine: Engine) -> Iterator[None]:
    """Errors of the database as a UserError, without the statement and its values, which may be record text."""
    try:
        yield
    except DBAPIError as error:
        raise UserError(
            f"The database {engine.url.render_as_string(hide_password=True)} failed while it was in use "
            f"({type(error.orig).__name__}).",
            "Where its file is damaged (copied in part, written over), put it aside and load the csv files again; "
            "else check the disk's space, and that no other program uses or made its tables.",
        ) from error


def check_connection(engine: Engine) -> None:
    """Connect once. Raises UserError (without the password) where the database cannot be reached."""
    try:
        with engine.connect() as connection:
            table_columns(connection, "load_state", None)  # SQLite looks at the file only when asked for something
            return
    except DBAPIError as error:
        shown = engine.url.render_as_string(hide_password=True)
        raise UserError(
            f"The database {shown} cannot be opened.",
            "Check that the server runs, that the file is not in use by another program, and that you may open it.",
        ) from error

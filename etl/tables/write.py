"""Writing rows into SQLite (streamed inserts) and PostgreSQL (COPY), and the typed tables of every engine."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, cast

from sqlalchemy import Column, Connection, DateTime, MetaData, Table

from etl.tables.database import SQL_TYPES
from etl.tables.layout import TableLayout
from etl.tables.rows import Row

STAGING = "__loading"
_INDEXED = ("subject_id", "hadm_id", "stay_id")


def staging_table(plan: TableLayout, present: Iterable[str]) -> Table:
    """The typed table into which a load writes before it takes the real name; only columns that the file has."""
    names = set(present)
    columns = [Column(c.name, SQL_TYPES[c.type]()) for c in plan.columns if c.name in names]
    return Table(plan.name + STAGING, MetaData(), *columns)


def drop_if_exists(connection: Connection, name: str) -> None:
    """Drop a table that may not be there."""
    connection.exec_driver_sql(f'DROP TABLE IF EXISTS "{name}"')


def take_name(connection: Connection, plan: TableLayout) -> None:
    """Put the staging table in the place of the real one."""
    drop_if_exists(connection, plan.name)
    connection.exec_driver_sql(f'ALTER TABLE "{plan.name}{STAGING}" RENAME TO "{plan.name}"')


def index(connection: Connection, plan: TableLayout, present: Iterable[str]) -> None:
    """Index the ids by which extraction reads; DuckDB needs none (its blocks carry minimum and maximum)."""
    if connection.dialect.name == "duckdb":
        return
    for name in _INDEXED:
        if name in set(present):
            connection.exec_driver_sql(f'CREATE INDEX "{plan.name}_{name}" ON "{plan.name}" ("{name}")')


def insert_rows(connection: Connection, table: Table, rows: Iterator[Row]) -> None:
    """Write rows by the fastest means of the engine: COPY on PostgreSQL, prepared inserts on SQLite."""
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    if connection.dialect.name == "postgresql":
        cursor = cast(Any, connection.connection.cursor())
        with cursor.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:
            for row in rows:
                copy.write_row(row)
        return
    places = ", ".join("?" for _ in table.columns)
    times = [place for place, column in enumerate(table.columns) if isinstance(column.type, DateTime)]
    statement = f'INSERT INTO "{table.name}" ({names}) VALUES ({places})'
    while batch := list(islice(rows, 10_000)):
        connection.exec_driver_sql(statement, [_as_text(row, times) for row in batch])


def _as_text(row: Row, times: list[int]) -> tuple[Any, ...]:
    """SQLite has no time type: ISO 8601 text, which sorts as time does."""
    values = list(row)
    for place in times:
        value = values[place]
        values[place] = None if value is None else str(value)
    return tuple(values)

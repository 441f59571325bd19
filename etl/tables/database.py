"""A loaded database as extraction sees it: the same names on every engine, missing tables and columns included.

Databases built by the MIMIC community's own scripts are read through a map of modules to schemas, such as
{"hosp": "mimiciv_hosp", "icu": "mimiciv_icu"} or {"": "mimiciii"}.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    DateTime,
    Double,
    Engine,
    TableClause,
    Text,
    cast,
    column,
    null,
    table,
    text,
)
from sqlalchemy.types import TypeEngine

from etl.tables.layout import Layout, TableLayout, layout
from foundation.errors import UserError

SQL_TYPES: dict[str, type[TypeEngine[Any]]] = {
    "integer": BigInteger,
    "number": Double,
    "time": DateTime,
    "text": Text,
    "code": Text,
}
COMMUNITY_SCHEMAS: dict[str, dict[str, str]] = {
    "mimic3": {"": "mimiciii"},
    "mimic4": {"hosp": "mimiciv_hosp", "icu": "mimiciv_icu", "note": "mimiciv_note", "ed": "mimiciv_ed"},
}


def table_columns(connection: Connection, name: str, schema: str | None) -> frozenset[str]:
    """The column names, in lower case, of a table (name in any case); empty where there is no such table."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql("SELECT name FROM pragma_table_info(?)", (name,)).all()
        return frozenset(str(row[0]).lower() for row in rows)
    where = "lower(table_name) = :name AND table_schema = " + (":schema" if schema else "current_schema()")
    query = text(f"SELECT column_name FROM information_schema.columns WHERE {where}")
    rows = connection.execute(query, {"name": name, "schema": schema} if schema else {"name": name}).all()
    return frozenset(str(row[0]).lower() for row in rows)


class SourceTable:
    """A table of the database; `present` is False where the database lacks it."""

    def __init__(self, plan: TableLayout, clause: TableClause, columns: frozenset[str]) -> None:
        self.plan = plan
        self.clause = clause
        self.columns = columns

    @property
    def present(self) -> bool:
        """Whether the database has the table."""
        return bool(self.columns)

    def __getitem__(self, name: str) -> ColumnElement[Any]:
        """The column, or a NULL of its type where the table lacks it."""
        if name in self.columns:
            return self.clause.c[name]
        kind = next(entry.type for entry in self.plan.columns if entry.name == name)
        return cast(null(), SQL_TYPES[kind])

    def named(self, *names: str) -> list[ColumnElement[Any]]:
        """The columns under their own names, for a SELECT."""
        return [self[name].label(name) for name in names]

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that name a row in evidence: the first group of the layout that is there."""
        for group in self.plan.keys:
            if all(name in self.columns for name in group):
                return group
        return ()


class Database:
    """An engine, a release, and where each module's tables are."""

    def __init__(self, engine: Engine, release: str, schemas: Mapping[str, str] | None = None) -> None:
        """Looks up which tables and columns exist. Raises UserError where patients or admissions are missing."""
        self.engine = engine
        self.plan: Layout = layout(release)
        self._tables: dict[str, SourceTable] = {}
        with engine.connect() as connection:
            for entry in self.plan.tables:
                schema = (schemas or {}).get(entry.module)
                found = table_columns(connection, entry.name, schema)
                known = {item.name for item in entry.columns}
                clause = table(entry.name, *(column(name) for name in known), schema=schema)
                self._tables[entry.name] = SourceTable(entry, clause, found & known)
        self._check(schemas)

    def _check(self, schemas: Mapping[str, str] | None) -> None:
        for source in self._tables.values():
            if source.plan.required and not source.present:
                where = f" in schema {schemas.get(source.plan.module)}" if schemas else ""
                raise UserError(
                    f"The database has no table {source.plan.name}{where}.",
                    "Load the csv files first (anamnesis etl load), or name the schemas of an existing database.",
                )
            missing = [c.name for c in source.plan.columns if c.required and c.name not in source.columns]
            if source.present and missing:
                raise UserError(
                    f"Table {source.plan.name} lacks column {', '.join(missing)}.",
                    "Build the database with the release's own scripts, or load the csv files (anamnesis etl load).",
                )

    def table(self, name: str) -> SourceTable:
        """The table of that name, present or not."""
        return self._tables[name]

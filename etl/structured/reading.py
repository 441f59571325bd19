"""Reading a database in ranges of patients, so that memory and the cost of an admission stay the same at any size."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, func, select

from etl.structured.account import Account
from etl.tables.database import Database, SourceTable

BATCH_PATIENTS = 1000
_FIRST, _LAST = -(2**62), 2**62

Range = tuple[int, int]
"""Patients by subject_id, both ends included."""


def patient_ranges(database: Database, connection: Connection, size: int = BATCH_PATIENTS) -> Iterator[Range]:
    """Ranges of subject_id that together hold every number there is, each with at most `size` admitted patients."""
    subject = database.table("admissions")["subject_id"]
    ids = connection.execute(select(subject).where(subject.is_not(None)).distinct().order_by(subject)).scalars().all()
    starts = [int(subject_id) for subject_id in ids[size::size]]
    lows, highs = [_FIRST, *starts], [*(start - 1 for start in starts), _LAST]
    yield from zip(lows, highs, strict=True)


def within(table: SourceTable, patients: Range) -> ColumnElement[bool]:
    """The rows of these patients."""
    return table["subject_id"].between(*patients)


def first_alike(
    columns: Sequence[ColumnElement[Any]],
    where: ColumnElement[bool],
    alike: Sequence[ColumnElement[Any]],
    order: Sequence[ColumnElement[Any]],
) -> Select[Any]:
    """The first row (by `order`) of each group of rows that agree in `alike`, with the group's size as `alike`."""
    sorting = [column.nulls_last() for column in order]
    numbered = (
        select(
            *columns,
            func.count().over(partition_by=alike).label("alike"),
            func.row_number().over(partition_by=alike, order_by=sorting).label("place"),
        )
        .where(where)
        .subquery()
    )
    return select(numbered).where(numbered.c.place == 1)


def fetch(connection: Connection, query: Select[Any]) -> Sequence[Row[Any]]:
    """All rows of a query."""
    return connection.execute(query).all()


def count_rows(database: Database, connection: Connection, names: Sequence[str], account: Account) -> None:
    """Enter how many rows each table holds, and refuse those without a patient, which no range holds."""
    for name in names:
        table = database.table(name)
        if not table.present:
            continue
        total = connection.execute(select(func.count()).select_from(table.clause)).scalar_one()
        orphans = connection.execute(
            select(func.count()).select_from(table.clause).where(table["subject_id"].is_(None))
        ).scalar_one()
        account.rows(name, int(total))
        account.rejected(name, "without a patient id", int(orphans))


def key_columns(table: SourceTable) -> list[ColumnElement[Any]]:
    """The columns that name a row in evidence."""
    return [table[name] for name in table.key]

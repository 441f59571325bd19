"""The queries on bedside charts, which MIMIC-III and MIMIC-IV share: both use MetaVision's item ids."""

from typing import Any

from sqlalchemy import ColumnElement, Integer, Select, and_, case, cast, func, null, or_, select

from etl.structured.reading import Range, first_alike, within
from etl.structured.vitals import vital_items
from etl.tables.database import Database, SourceTable

TABLE = "chartevents"


def _plausible(chart: SourceTable) -> ColumnElement[bool]:
    """The value lies within the limits that `vitals.csv` gives for its item."""
    limits: dict[tuple[float, float], list[int]] = {}
    for item in vital_items(TABLE).values():
        limits.setdefault((item.low, item.high), []).append(int(item.item))
    return or_(
        *(
            and_(chart["itemid"].in_(items), chart["valuenum"].between(low, high))
            for (low, high), items in sorted(limits.items())
        )
    )


def _sign(chart: SourceTable) -> ColumnElement[Any]:
    """Which vital sign, or which part of it, a row is about, whatever its item."""
    signs: dict[str, list[int]] = {}
    for item in vital_items(TABLE).values():
        signs.setdefault(f"{item.part} {item.name}".strip(), []).append(int(item.item))
    return case(*((chart["itemid"].in_(items), sign) for sign, items in sorted(signs.items())))


def _reason(chart: SourceTable) -> ColumnElement[Any]:
    """Why a row is not a vital sign that can be used; NULL where it is one."""
    items = [int(item) for item in vital_items(TABLE)]
    faults: list[tuple[ColumnElement[bool], str]] = [
        (chart["itemid"].not_in(items), "of another item than a vital sign")
    ]
    if "error" in chart.columns:
        faults.append((cast(chart["error"], Integer) == 1, "marked as an error"))
    return case(*faults, (_plausible(chart), null()), else_="not plausible, or not a number")


def first_vitals(database: Database, patients: Range) -> Select[Any]:
    """The first plausible value of each vital sign in each stay."""
    chart = database.table(TABLE)
    names = ("subject_id", "hadm_id", "itemid", "charttime", "valuenum")
    return first_alike(
        columns=chart.named(*dict.fromkeys((*names, *chart.key))),
        where=and_(within(chart, patients), _reason(chart).is_(None)),
        alike=[chart["subject_id"], chart["hadm_id"], _sign(chart)],
        order=[chart["charttime"], *(chart[name] for name in chart.key), chart["valuenum"]],
    )


def unused_rows(database: Database, patients: Range) -> Select[Any]:
    """How many rows of each stay are no usable vital sign, by reason."""
    chart = database.table(TABLE)
    reasons = (
        select(*chart.named("subject_id", "hadm_id"), _reason(chart).label("reason"))
        .where(within(chart, patients))
        .subquery()
    )
    columns = (reasons.c.subject_id, reasons.c.hadm_id, reasons.c.reason)
    return select(*columns, func.count().label("alike")).where(reasons.c.reason.is_not(None)).group_by(*columns)

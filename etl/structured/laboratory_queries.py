"""Laboratory results by SQL, the same on DuckDB, SQLite and PostgreSQL and for both MIMIC releases."""

from typing import Any

from sqlalchemy import Select, and_, func, literal, null, select

from etl.structured.reading import Range, first_alike, within
from etl.tables.database import Database, SourceTable

_NAMES = ("subject_id", "hadm_id", "itemid", "charttime", "value", "valuenum", "flag")
_REFERENCE_RANGE = "ref_range_lower"


def abnormal_results(database: Database, patients: Range) -> Select[Any]:
    """The first abnormal result of each test in each stay, the extremes, and how many were abnormal.

    `low` and `high` are the reference range, which MIMIC-IV has and MIMIC-III has not.
    """
    result = database.table("labevents")
    same = [result[name] for name in ("subject_id", "hadm_id", "itemid")]
    ranged = any(planned.name == _REFERENCE_RANGE for planned in result.plan.columns)
    return first_alike(
        columns=[
            *result.named(*dict.fromkeys((*_NAMES, *result.key))),
            result["valueuom"].label("unit"),
            (result["ref_range_lower"] if ranged else null()).label("low"),
            (result["ref_range_upper"] if ranged else null()).label("high"),
            func.min(result["valuenum"]).over(partition_by=same).label("lowest"),
            func.max(result["valuenum"]).over(partition_by=same).label("highest"),
        ],
        where=and_(within(result, patients), _abnormal(result)),
        alike=same,
        order=[result["charttime"], *(result[name] for name in result.key), result["value"]],
    )


def unflagged_results(database: Database, patients: Range) -> Select[Any]:
    """How many results of each stay carry no flag."""
    result = database.table("labevents")
    return (
        select(
            *result.named("subject_id", "hadm_id"),
            literal("not flagged abnormal").label("reason"),
            func.count().label("alike"),
        )
        .where(and_(within(result, patients), ~_abnormal(result)))
        .group_by(result["subject_id"], result["hadm_id"])
    )


def _abnormal(result: SourceTable) -> Any:
    return func.coalesce(result["flag"], "") != ""

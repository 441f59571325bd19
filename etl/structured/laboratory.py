"""Abnormal laboratory results: one statement a test, its first abnormal value, and how far it went."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Select, select

from etl.caserecord import Mention, MentionKind, TableEvidence
from etl.structured.draft import Context, Drafts
from etl.structured.naming import concept_key
from etl.structured.values import iso, number_text, row_key, text_of
from etl.tables.database import Database

TABLE = "labevents"
_WITHHELD = "___"  # what de-identification leaves in the place of a value


def test_names_query(database: Database) -> Select[Any]:
    """The dictionary of laboratory tests, the same in both releases."""
    items = database.table("d_labitems")
    return select(*items.named("itemid", "label", "fluid")).order_by(items["itemid"])


def test_names(rows: Iterable[Any]) -> dict[int, str]:
    """Names of tests by item id, with the fluid where it is not blood; rows have itemid, label, fluid."""
    names = {}
    for row in rows:
        label, fluid = text_of(row.label), text_of(row.fluid)
        if label:
            names[int(row.itemid)] = label if fluid.lower() in ("", "blood") else f"{label} ({fluid.lower()})"
    return names


def add_abnormal_results(drafts: Drafts, rows: Iterable[Any], context: Context) -> None:
    """Give each draft one mention a test.

    Rows are the first abnormal result of each test in the stay, with subject_id, hadm_id, itemid, charttime, value,
    valuenum, unit, flag, low, high (reference range), lowest, highest (over the abnormal results) and `alike`.
    """
    ordered = sorted(rows, key=lambda row: (row.hadm_id is None, row.hadm_id, iso(row.charttime), row.itemid or 0))
    for row in ordered:
        alike = int(row.alike)
        draft = drafts.place(TABLE, row, alike)
        if draft is None:
            continue
        if row.itemid is None:
            drafts.account.rejected(TABLE, "without a test", alike)
            continue
        drafts.account.used(TABLE, alike)
        name = context.tests.get(int(row.itemid), f"test {row.itemid}")
        evidence = TableEvidence(table=TABLE, row_key=row_key(row, context.key), rows=alike)
        draft.mentions.append(_mention(draft.case_id, name, row, evidence))


def _mention(case_id: str, name: str, row: Any, evidence: TableEvidence) -> Mention:
    value, unit, flag = _value(row), text_of(row.unit), _flag(row)
    attributes = {"value": value, "unit": unit, "flag": flag, "time": iso(row.charttime)}
    if evidence.rows > 1:
        attributes["abnormal_results"] = str(evidence.rows)
        if row.lowest is not None and row.highest is not None:
            attributes["lowest"], attributes["highest"] = number_text(row.lowest), number_text(row.highest)
    shown = " ".join(part for part in (name, value, unit) if part)
    return Mention(
        mention_id=f"{case_id}/laboratory/{row.itemid}",
        kind=MentionKind.LABORATORY,
        text=f"{shown} ({flag})",
        concept=concept_key(name, "test"),
        attributes={key: text for key, text in attributes.items() if text},
        evidence=(evidence,),
    )


def _value(row: Any) -> str:
    value = text_of(row.value)
    if value and value != _WITHHELD:
        return value
    return number_text(row.valuenum) if row.valuenum is not None else ""


def _flag(row: Any) -> str:
    """low or high where the row has its reference range, else the flag as recorded (abnormal, delta)."""
    if row.valuenum is not None:
        if row.low is not None and row.valuenum < row.low:
            return "low"
        if row.high is not None and row.valuenum > row.high:
            return "high"
    return text_of(row.flag).lower()

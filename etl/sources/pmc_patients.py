"""PMC-Patients (Zhao et al., Scientific Data 2023): summaries of patients from case reports, as csv or JSON.

Columns patient_id, patient_uid ("<PMID>-<n>"), PMID, title, patient (the text), age ([[63.0, 'year']]), gender (M, F).
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from etl.caserecord import CaseRecord, Demographics
from etl.sources.narrative import Document, cases_of
from etl.sources.tabular_text import json_array, open_csv
from etl.structured.account import Account
from etl.structured.demographics import capped
from etl.structured.draft import Extractor

SOURCE = "pmc"
_YEARS = {"year": 1.0, "month": 1 / 12, "week": 7 / 365.25, "day": 1 / 365.25, "hour": 1 / 8766}


def cases(path: Path | str, extractor: Extractor | None = None, account: Account | None = None) -> Iterator[CaseRecord]:
    """One case a row, by its patient_uid. Raises UserError where the layout is another."""
    return cases_of(SOURCE, "patients", _documents(Path(path)), extractor, account)


def _documents(path: Path) -> Iterator[Document | str]:
    if path.name.lower().removesuffix(".gz").endswith(".json"):
        yield from map(_document, json_array(path))
    else:
        with open_csv(path, required=("patient_uid", "patient", "age", "gender")) as rows:
            yield from map(_document, rows)


def _document(row: Mapping[str, Any]) -> Document | str:
    uid, text = row.get("patient_uid"), row.get("patient")
    if not uid:
        return "without a patient_uid"
    age, over_89 = age_in_years(row.get("age"))
    gender = str(row.get("gender") or "")
    sex: Literal["F", "M", ""] = "F" if gender == "F" else "M" if gender == "M" else ""
    demographics = Demographics(age=age, age_over_89=over_89, sex=sex)
    return Document(
        record_id=str(uid),
        text=str(text or ""),
        subject_id=str(row.get("patient_id") or uid),
        demographics=demographics,
    )


def age_in_years(raw: object) -> tuple[int | None, bool]:
    """(completed years, over 89) from [[1.0, 'year'], [6.0, 'month']], a list or its text; (None, False) if unclear."""
    try:
        parts: Any = ast.literal_eval(raw) if isinstance(raw, str) else raw
        years = sum(float(amount) * _YEARS[str(unit).rstrip("s")] for amount, unit in parts)
    except (ValueError, SyntaxError, TypeError, KeyError):
        return None, False
    return capped(int(years + 1e-9)) if parts else (None, False)

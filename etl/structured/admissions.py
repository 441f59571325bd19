"""Admissions: which are sound, and the first part of their records."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Literal

from etl.caserecord import Admission, Demographics
from etl.structured.demographics import group_of
from etl.structured.draft import Draft, Drafts
from etl.structured.values import iso, text_of, time_of

TABLE = "admissions"
PATIENTS = "patients"
AgeOf = Callable[[Any, datetime], tuple[int | None, bool]]


def open_drafts(drafts: Drafts, rows: Iterable[Any], source: str, age_of: AgeOf, seen: set[int]) -> None:
    """A draft for every sound admission, patient by patient, in the order of hadm_id.

    Rows have the admission's columns, those of its patient, and `known` (the patient's subject_id, NULL where the
    patients table lacks it). `seen` holds the admissions of earlier batches.
    """
    for row in sorted(rows, key=lambda row: (row.subject_id, row.hadm_id is None, row.hadm_id, iso(row.admitted))):
        reason = _fault(row, seen)
        if reason:
            drafts.account.rejected(TABLE, reason)
            if row.hadm_id is not None and int(row.hadm_id) not in seen:
                drafts.refused[int(row.hadm_id)] = reason
            continue
        hadm_id = int(row.hadm_id)
        seen.add(hadm_id)
        drafts.refused.pop(hadm_id, None)
        draft = Draft(source, str(row.subject_id), str(hadm_id))
        admitted = time_of(row.admitted)
        assert admitted is not None
        draft.demographics = _demographics(row, *age_of(row, admitted))
        draft.admission = Admission(
            admitted=iso(row.admitted),
            discharged=iso(row.discharged),
            admission_type=text_of(row.admission_type),
            died_in_hospital=None if row.died is None else bool(int(row.died)),
        )
        drafts.by_hadm[hadm_id] = draft
        drafts.account.used(TABLE)


def _fault(row: Any, seen: set[int]) -> str:
    if row.hadm_id is None:
        return "without an admission id"
    if int(row.hadm_id) in seen:
        return "second row of one admission"
    if row.known is None:
        return "of a patient who is not in the patients table"
    admitted, discharged = time_of(row.admitted), time_of(row.discharged)
    if admitted is None:
        return "without a time of admission"
    if discharged is not None and discharged < admitted:
        return "with discharge before admission"
    return ""


def _demographics(row: Any, age: int | None, over_89: bool) -> Demographics:
    sex: Literal["F", "M", ""] = "F" if row.gender == "F" else "M" if row.gender == "M" else ""
    race, religion, marital = text_of(row.race), text_of(row.religion), text_of(row.marital_status)
    return Demographics(
        age=age,
        age_over_89=over_89,
        sex=sex,
        race=race or None,
        race_group=group_of("race", race),
        religion=religion or None,
        religion_group=group_of("religion", religion),
        marital_status=marital or None,
        marital_group=group_of("marital", marital),
        language=text_of(row.language) or None,
        insurance=text_of(row.insurance) or None,
    )


def count_patients(drafts: Drafts, rows: Iterable[Any]) -> None:
    """Count the patients of a range as used where one of their admissions is; rows have subject_id."""
    admitted = {draft.subject_id for draft in drafts.by_hadm.values()}
    counted: set[str] = set()
    for row in rows:
        subject_id = str(row.subject_id)
        if subject_id in counted:
            drafts.account.rejected(PATIENTS, "second row of one patient")
        elif subject_id in admitted:
            drafts.account.used(PATIENTS)
        else:
            drafts.account.rejected(PATIENTS, "without an admission")
        counted.add(subject_id)

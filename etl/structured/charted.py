"""Rows of vital signs brought to the drafts: bedside charts, triage and outpatient measurements."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from etl.caserecord import TableEvidence
from etl.structured.draft import Context, Draft, Drafts
from etl.structured.values import iso, number_text, row_key, text_of, time_of
from etl.structured.vitals import PRESENTATION_HOURS, reading_of, vital_items, vital_mentions

CHART, TRIAGE, OMR = "chartevents", "triage", "omr"
OMR_DAYS_BEFORE = 30
"""An outpatient measurement describes the patient at presentation for so many days."""


def add_charted(drafts: Drafts, rows: Iterable[Any], context: Context) -> None:
    """Rows are the first plausible value of each vital sign in the stay: subject_id, hadm_id, itemid, charttime,
    valuenum, and `alike`, the number of plausible values of the sign."""
    for row in rows:
        draft = drafts.place(CHART, row, int(row.alike))
        if draft is None:
            continue
        drafts.account.rejected(CHART, "later values of a vital sign", int(row.alike) - 1)
        admitted, charted = datetime.fromisoformat(draft.admission.admitted), time_of(row.charttime)
        if charted is None or charted > admitted + timedelta(hours=PRESENTATION_HOURS):
            drafts.account.rejected(CHART, "charted after presentation")
            continue
        evidence = TableEvidence(table=CHART, row_key=row_key(row, context.key))
        reading = reading_of(CHART, str(row.itemid), number_text(row.valuenum), iso(charted), evidence)
        assert reading is not None, "the query and the table of vital signs disagree"
        draft.readings.append(reading)


def add_triage(drafts: Drafts, rows: Iterable[Any], context: Context) -> None:
    """Rows have subject_id, hadm_id, chiefcomplaint and one column a vital sign; the chief complaint is taken too."""
    for row in sorted(rows, key=lambda row: row.stay_id):
        draft = drafts.place(TRIAGE, row)
        if draft is None:
            continue
        drafts.account.used(TRIAGE)
        complaint = text_of(row.chiefcomplaint)
        draft.chief_complaint = draft.chief_complaint or complaint
        for column in vital_items(TRIAGE):
            raw, evidence = (
                text_of(getattr(row, column)),
                TableEvidence(table=TRIAGE, row_key=row_key(row, context.key)),
            )
            reading = reading_of(TRIAGE, column, raw, "", evidence)
            if reading is not None:
                draft.readings.append(reading)


def add_outpatient(drafts: Drafts, rows: Iterable[Any], context: Context) -> None:
    """Give each measurement (subject_id, chartdate, result_name, result_value) to the first admission of the patient
    that begins within 30 days after it, or during which it was taken."""
    stays: dict[str, list[Draft]] = {}
    for draft in drafts.by_hadm.values():
        stays.setdefault(draft.subject_id, []).append(draft)
    for row in rows:
        evidence = TableEvidence(table=OMR, row_key=row_key(row, context.key))
        reading = reading_of(OMR, text_of(row.result_name), text_of(row.result_value), iso(row.chartdate), evidence)
        if reading is None:
            known = text_of(row.result_name) in vital_items(OMR)
            drafts.account.rejected(OMR, "not plausible" if known else "of another kind than a vital sign")
            continue
        stay = _stay_of(stays.get(str(row.subject_id), []), time_of(row.chartdate))
        if stay is None:
            drafts.account.rejected(OMR, "of no admission within 30 days")
        else:
            stay.readings.append(reading)


def _stay_of(stays: list[Draft], day: datetime | None) -> Draft | None:
    if day is None:
        return None
    for draft in sorted(stays, key=lambda draft: draft.admission.admitted):
        admitted = datetime.fromisoformat(draft.admission.admitted)
        if day <= admitted and admitted - day <= timedelta(days=OMR_DAYS_BEFORE + 1):
            return draft
        if admitted < day and draft.admission.discharged and iso(day) <= draft.admission.discharged:
            return draft
    return None


def close_readings(drafts: Drafts) -> None:
    """Turn the readings of every draft into its vital signs, first among its mentions, and count what was used."""
    for draft in drafts.by_hadm.values():
        mentions, spare = vital_mentions(draft.case_id, draft.readings)
        draft.mentions[:0] = mentions
        for reading in draft.readings:
            if reading.item.source == TRIAGE:
                continue  # a triage row is used as a whole
            if any(reading is other for other in spare):
                drafts.account.rejected(reading.item.source, "repeats of a vital sign")
            else:
                drafts.account.used(reading.item.source)

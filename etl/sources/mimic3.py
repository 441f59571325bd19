"""MIMIC-III 1.4: one query a fact kind, the same on DuckDB, SQLite and PostgreSQL.

Vital signs are recognised by CareVue and MetaVision item ids. Prescriptions are inpatient orders; what the patient
took at home stands in the discharge summary alone. Times are those of the de-identified record.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Select, String, and_, case, cast, func, literal, null, or_, select

from etl.caserecord import CaseRecord
from etl.structured import chart_queries, charted, diagnoses, laboratory, laboratory_queries, medications, notes
from etl.structured.account import Account
from etl.structured.demographics import age_from_birth
from etl.structured.draft import Extractor
from etl.structured.extraction import FactKind, TabularSource, extract
from etl.structured.reading import Range, first_alike, within
from etl.structured.values import time_of
from etl.tables.database import Database, SourceTable

TABLES = ("patients", "admissions", "diagnoses_icd", "prescriptions", "chartevents", "labevents", "noteevents")
DISCHARGE_SUMMARY = "discharge summary"


def cases(
    engine: Engine,
    extractor: Extractor | None = None,
    schemas: Mapping[str, str] | None = None,
    account: Account | None = None,
    prefix: str = "",
) -> Iterator[CaseRecord]:
    """Every sound admission as a CaseRecord; see `etl.structured.extraction.extract`."""
    return extract(MIMIC3, engine, extractor, schemas, account, prefix)


def _age(row: Any, admitted: datetime) -> tuple[int | None, bool]:
    return age_from_birth(time_of(row.dob), admitted)


def admissions_query(database: Database, patients: Range) -> Select[Any]:
    """Admissions with their patients; `known` is NULL where the patient is missing."""
    stay, patient = database.table("admissions"), database.table("patients")
    return (
        select(
            *stay.named("subject_id", "hadm_id", "admission_type", "insurance", "language", "religion"),
            *stay.named("marital_status"),
            stay["admittime"].label("admitted"),
            stay["dischtime"].label("discharged"),
            stay["ethnicity"].label("race"),
            stay["hospital_expire_flag"].label("died"),
            patient["subject_id"].label("known"),
            *patient.named("gender", "dob"),
        )
        .select_from(stay.clause.outerjoin(patient.clause, stay["subject_id"] == patient["subject_id"]))
        .where(within(stay, patients))
    )


def diagnosis_names_query(database: Database) -> Select[Any]:
    """The dictionary of diagnosis codes."""
    names = database.table("d_icd_diagnoses")
    return select(
        names["icd9_code"].label("code"), literal("9").label("version"), names["long_title"].label("name")
    ).order_by(names["icd9_code"], names["long_title"])


def diagnoses_query(database: Database, patients: Range) -> Select[Any]:
    """Coded diagnoses with their rank."""
    given = database.table("diagnoses_icd")
    return select(
        *given.named(*dict.fromkeys(("subject_id", "hadm_id", "seq_num", *given.key))),
        given["icd9_code"].label("code"),
        literal("9").label("version"),
    ).where(within(given, patients))


def prescriptions_query(database: Database, patients: Range) -> Select[Any]:
    """The first order of each drug in each stay, and how many orders there were."""
    order = database.table("prescriptions")
    return first_alike(
        columns=[
            *order.named(*dict.fromkeys(("subject_id", "hadm_id", "drug", "drug_type", "route", *order.key))),
            order["startdate"].label("start"),
            order["dose_val_rx"].label("dose"),
            order["dose_unit_rx"].label("dose_unit"),
            null().label("per_day"),
        ],
        where=within(order, patients),
        alike=[order[name] for name in ("subject_id", "hadm_id", "drug", "drug_type")],
        order=[order["startdate"], *(order[name] for name in order.key), order["dose_val_rx"]],
    )


def _is_summary(note: SourceTable) -> Any:
    return and_(func.lower(func.trim(note["category"])) == DISCHARGE_SUMMARY, ~_is_error(note))


def _is_error(note: SourceTable) -> Any:
    # A number in our own tables, CHAR(1) in those of the community's scripts.
    return func.coalesce(cast(note["iserror"], String), "") == "1"


def notes_query(database: Database, patients: Range) -> Select[Any]:
    """Discharge summaries (reports and addenda) that are not marked as errors."""
    note = database.table("noteevents")
    return select(
        *note.named("subject_id", "hadm_id", "category", "text"),
        note["row_id"].label("note_id"),
        note["chartdate"].label("written"),
        literal("noteevents").label("table"),
    ).where(and_(within(note, patients), _is_summary(note)))


def unread_notes_query(database: Database, patients: Range) -> Select[Any]:
    """How many other notes each stay has, by reason."""
    note = database.table("noteevents")
    other = func.lower(func.trim(func.coalesce(note["category"], ""))) != DISCHARGE_SUMMARY
    reason = case((other, "of another category than discharge summary"), else_="marked as an error")
    unread = (
        select(*note.named("subject_id", "hadm_id"), reason.label("reason"))
        .where(and_(within(note, patients), or_(other, _is_error(note))))
        .subquery()
    )
    columns = (unread.c.subject_id, unread.c.hadm_id, unread.c.reason)
    return select(*columns, func.count().label("alike")).group_by(*columns)


MIMIC3 = TabularSource(
    name="mimic3",
    tables=TABLES,
    admissions=admissions_query,
    age_of=_age,
    facts=(
        FactKind("diagnoses_icd", diagnoses_query, diagnoses.add_diagnoses),
        FactKind("prescriptions", prescriptions_query, medications.add_prescriptions),
        FactKind("chartevents", chart_queries.first_vitals, charted.add_charted),
        FactKind("chartevents", chart_queries.unused_rows),
        FactKind("labevents", laboratory_queries.abnormal_results, laboratory.add_abnormal_results),
        FactKind("labevents", laboratory_queries.unflagged_results),
        FactKind("noteevents", notes_query, notes.add_notes),
        FactKind("noteevents", unread_notes_query),
    ),
    diagnosis_names=diagnosis_names_query,
    test_names=laboratory.test_names_query,
)

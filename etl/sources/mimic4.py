"""MIMIC-IV 2.2 and 3.1 (modules hosp, icu, note, ed): one query a fact kind, the same on DuckDB, SQLite, PostgreSQL.

Prescriptions are inpatient orders; what the patient took at home stands in the discharge summary alone. Triage of the
emergency department, where the module is there, gives the chief complaint and the vital signs at presentation.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Select, literal, null, select

from etl.caserecord import CaseRecord
from etl.structured import chart_queries, charted, diagnoses, laboratory, laboratory_queries, medications, notes
from etl.structured.account import Account
from etl.structured.demographics import age_from_anchor
from etl.structured.draft import Extractor
from etl.structured.extraction import FactKind, TabularSource, extract
from etl.structured.reading import Range, first_alike, within
from etl.structured.vitals import vital_items
from etl.tables.database import Database

TABLES = (
    "patients",
    "admissions",
    "diagnoses_icd",
    "prescriptions",
    "triage",
    "chartevents",
    "omr",
    "labevents",
    "discharge",
)


def cases(
    engine: Engine,
    extractor: Extractor | None = None,
    schemas: Mapping[str, str] | None = None,
    account: Account | None = None,
    prefix: str = "",
) -> Iterator[CaseRecord]:
    """Every sound admission as a CaseRecord; see `etl.structured.extraction.extract`."""
    return extract(MIMIC4, engine, extractor, schemas, account, prefix)


def _age(row: Any, admitted: datetime) -> tuple[int | None, bool]:
    return age_from_anchor(row.anchor_age, row.anchor_year, admitted)


def admissions_query(database: Database, patients: Range) -> Select[Any]:
    """Admissions with their patients; `known` is NULL where the patient is missing."""
    stay, patient = database.table("admissions"), database.table("patients")
    return (
        select(
            *stay.named("subject_id", "hadm_id", "admission_type", "insurance", "language", "marital_status", "race"),
            stay["admittime"].label("admitted"),
            stay["dischtime"].label("discharged"),
            null().label("religion"),
            stay["hospital_expire_flag"].label("died"),
            patient["subject_id"].label("known"),
            *patient.named("gender", "anchor_age", "anchor_year"),
        )
        .select_from(stay.clause.outerjoin(patient.clause, stay["subject_id"] == patient["subject_id"]))
        .where(within(stay, patients))
    )


def diagnosis_names_query(database: Database) -> Select[Any]:
    """The dictionary of diagnosis codes of both versions."""
    names = database.table("d_icd_diagnoses")
    return select(
        names["icd_code"].label("code"), names["icd_version"].label("version"), names["long_title"].label("name")
    ).order_by(names["icd_version"], names["icd_code"], names["long_title"])


def diagnoses_query(database: Database, patients: Range) -> Select[Any]:
    """Coded diagnoses, ICD-9 and ICD-10, with their rank."""
    given = database.table("diagnoses_icd")
    return select(
        *given.named(*dict.fromkeys(("subject_id", "hadm_id", "seq_num", *given.key))),
        given["icd_code"].label("code"),
        given["icd_version"].label("version"),
    ).where(within(given, patients))


def prescriptions_query(database: Database, patients: Range) -> Select[Any]:
    """The first order of each drug in each stay, and how many orders there were."""
    order = database.table("prescriptions")
    return first_alike(
        columns=[
            *order.named(*dict.fromkeys(("subject_id", "hadm_id", "drug", "drug_type", "route", *order.key))),
            order["starttime"].label("start"),
            order["dose_val_rx"].label("dose"),
            order["dose_unit_rx"].label("dose_unit"),
            order["doses_per_24_hrs"].label("per_day"),
        ],
        where=within(order, patients),
        alike=[order[name] for name in ("subject_id", "hadm_id", "drug", "drug_type")],
        order=[order["starttime"], *(order[name] for name in order.key), order["dose_val_rx"]],
    )


def triage_query(database: Database, patients: Range) -> Select[Any]:
    """Triage of the emergency stays that led to an admission."""
    triage, stay = database.table("triage"), database.table("edstays")
    return (
        select(
            *triage.named("subject_id", "stay_id", "chiefcomplaint", *vital_items("triage")),
            stay["hadm_id"].label("hadm_id"),
        )
        .select_from(triage.clause.outerjoin(stay.clause, triage["stay_id"] == stay["stay_id"]))
        .where(within(triage, patients))
    )


def outpatient_query(database: Database, patients: Range) -> Select[Any]:
    """Weight, height and blood pressure from the online medical record."""
    omr = database.table("omr")
    return select(*omr.named("subject_id", "chartdate", "seq_num", "result_name", "result_value")).where(
        within(omr, patients)
    )


def notes_query(database: Database, patients: Range) -> Select[Any]:
    """Discharge summaries and their addenda, in the order of their sequence numbers."""
    note = database.table("discharge")
    return select(
        *note.named("subject_id", "hadm_id", "note_id", "text"),
        note["note_seq"].label("written"),
        literal("discharge").label("table"),
        literal("Discharge summary").label("category"),
    ).where(within(note, patients))


MIMIC4 = TabularSource(
    name="mimic4",
    tables=TABLES,
    admissions=admissions_query,
    age_of=_age,
    facts=(
        FactKind("diagnoses_icd", diagnoses_query, diagnoses.add_diagnoses),
        FactKind("prescriptions", prescriptions_query, medications.add_prescriptions),
        FactKind("triage", triage_query, charted.add_triage, needs=("edstays",)),
        FactKind("chartevents", chart_queries.first_vitals, charted.add_charted),
        FactKind("chartevents", chart_queries.unused_rows),
        FactKind("omr", outpatient_query, charted.add_outpatient),
        FactKind("labevents", laboratory_queries.abnormal_results, laboratory.add_abnormal_results),
        FactKind("labevents", laboratory_queries.unflagged_results),
        FactKind("discharge", notes_query, notes.add_notes),
    ),
    diagnosis_names=diagnosis_names_query,
    test_names=laboratory.test_names_query,
)

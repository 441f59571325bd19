"""From a database to CaseRecords: what every source of tables has in common.

A source file names its queries; this module runs them patient range by patient range and keeps the books.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Engine, Select, select

from etl.caserecord import CaseRecord
from etl.structured import admissions, charted, diagnoses, laboratory
from etl.structured.account import Account
from etl.structured.admissions import AgeOf
from etl.structured.draft import Context, Drafts, Extractor
from etl.structured.reading import Range, count_rows, patient_ranges, within
from etl.tables.database import Database

Query = Callable[[Database, Range], Select[Any]]


@dataclass(frozen=True)
class FactKind:
    """One kind of fact: the table it is read from, the query, and what makes facts of the rows.

    Without `add` the query's rows are counted under their `reason` and go into no record. `needs` names further
    tables that the query reads.
    """

    table: str
    query: Query
    add: Callable[[Drafts, Sequence[Any], Context], None] | None = None
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class TabularSource:
    """A release of tables: its queries, and how age is found in a row of the admissions query."""

    name: str
    tables: tuple[str, ...]
    admissions: Query
    age_of: AgeOf
    facts: tuple[FactKind, ...]
    diagnosis_names: Callable[[Database], Select[Any]]
    test_names: Callable[[Database], Select[Any]]


def extract(
    source: TabularSource,
    engine: Engine,
    extractor: Extractor | None = None,
    schemas: Mapping[str, str] | None = None,
    account: Account | None = None,
    prefix: str = "",
) -> Iterator[CaseRecord]:
    """Every sound admission as a CaseRecord, by patient and hadm_id; `account` is told where every row went.

    `prefix` stands before the hadm_id in case ids (default: the source's name): two hospitals that share a release
    need two. `schemas` maps the modules to the schemas of an existing database. Raises UserError where the tables of
    patients or admissions are missing.
    """
    account = account or Account()
    account.source = prefix or source.name
    database = Database(engine, source.name, schemas)
    account.absent_tables = tuple(name for name in source.tables if not database.table(name).present)
    seen: set[int] = set()
    with engine.connect() as connection:
        count_rows(database, connection, source.tables, account)
        context = _context(source, database, connection, extractor)
        for patients in patient_ranges(database, connection):
            drafts = Drafts(account)
            rows = connection.execute(source.admissions(database, patients)).all()
            admissions.open_drafts(drafts, rows, prefix or source.name, source.age_of, seen)
            admissions.count_patients(drafts, connection.execute(_patients(database, patients)).all())
            _add_facts(source, database, connection, patients, drafts, context)
            for draft in drafts.by_hadm.values():
                account.cases += 1
                yield draft.case_record()


def _context(source: TabularSource, database: Database, connection: Connection, extractor: Extractor | None) -> Context:
    names, tests = database.table("d_icd_diagnoses"), database.table("d_labitems")
    return Context(
        dictionary=diagnoses.dictionary_of(connection.execute(source.diagnosis_names(database)).all())
        if names.present
        else {},
        tests=laboratory.test_names(connection.execute(source.test_names(database)).all()) if tests.present else {},
        extractor=extractor,
    )


def _patients(database: Database, patients: Range) -> Select[Any]:
    table = database.table("patients")
    return select(*table.named("subject_id")).where(within(table, patients)).order_by(table["subject_id"])


def _add_facts(
    source: TabularSource,
    database: Database,
    connection: Connection,
    patients: Range,
    drafts: Drafts,
    context: Context,
) -> None:
    for kind in source.facts:
        if not all(database.table(name).present for name in (kind.table, *kind.needs)):
            continue
        rows = connection.execute(kind.query(database, patients)).all()
        if kind.add is None:
            drafts.count_unused(kind.table, rows)
        else:
            kind.add(drafts, rows, replace(context, key=database.table(kind.table).key))
    charted.close_readings(drafts)

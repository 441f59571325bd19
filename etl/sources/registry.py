"""The sources by name. A new source is one file with `cases(...)`, and one line here."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from etl.caserecord import CaseRecord
from etl.sources import agentclinic, mediq, mimic3, mimic4, mtsamples, pmc_patients, synthea, text_folder
from etl.structured.account import Account, ExtractionReport
from etl.structured.draft import Extractor
from etl.tables.engines import check_connection, explaining, open_engine
from foundation.errors import UserError

_DATABASES: dict[str, Callable[..., Iterator[CaseRecord]]] = {"mimic3": mimic3.cases, "mimic4": mimic4.cases}
_FILES: dict[str, Callable[..., Iterator[CaseRecord]]] = {
    "text_folder": text_folder.cases,
    "mtsamples": mtsamples.cases,
    "pmc_patients": pmc_patients.cases,
    "agentclinic": agentclinic.cases,
    "mediq": mediq.cases,
    "synthea": synthea.cases,
}
SOURCES = (*_DATABASES, *_FILES)


class Extraction:
    """The cases of a source, to be iterated once; `report` says where every row went so far."""

    def __init__(self, cases: Iterator[CaseRecord], account: Account) -> None:
        self._cases = cases
        self._account = account

    def __iter__(self) -> Iterator[CaseRecord]:
        return self._cases

    @property
    def report(self) -> ExtractionReport:
        """Counts up to the case that was handed out last; complete once the iteration has ended."""
        return self._account.report()


def _closing(engine: Engine, cases: Iterator[CaseRecord]) -> Iterator[CaseRecord]:
    """The cases; the database is let go at their end, so that other programs can open a DuckDB file."""
    try:
        with explaining(engine):
            yield from cases
    finally:
        engine.dispose()


def extract_cases(
    name: str,
    address: str | Path,
    extractor: Extractor | None = None,
    schemas: Mapping[str, str] | None = None,
    **options: Any,
) -> Extraction:
    """The cases of a source: for mimic3 and mimic4 `address` is a database (URL or file), else a file or folder.

    `extractor` reads notes (`etl.notes.pipeline.NotePipeline(...).extract`); without one, notes give nothing.
    `schemas` is for databases that the MIMIC community's scripts built; `options` are the source's own (`titled`
    of mtsamples, `source` and `category` of text_folder). Raises UserError for an unknown name, and for whatever the
    source cannot read.
    """
    account = Account(name)
    if name in _DATABASES:
        engine = open_engine(address, reading=True)
        check_connection(engine)
        with explaining(engine):
            cases = _DATABASES[name](engine, extractor, schemas, account, **options)
        return Extraction(_closing(engine, cases), account)
    if name in _FILES:
        return Extraction(_FILES[name](address, extractor, account, **options), account)
    raise UserError(f"There is no source called {name!r}.", f"Use one of: {', '.join(SOURCES)}.")

"""Tables of health records: loading csv files into a database, and reading it on any engine."""

from etl.tables.database import COMMUNITY_SCHEMAS, Database, SourceTable
from etl.tables.engines import open_engine
from etl.tables.loading import load
from etl.tables.report import LoadReport, Progress, TableLoad

__all__ = [
    "COMMUNITY_SCHEMAS",
    "Database",
    "LoadReport",
    "Progress",
    "SourceTable",
    "TableLoad",
    "load",
    "open_engine",
]

"""DuckDB's own csv reader for files without fault: many times faster than row by row, with the same result."""

import csv
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Table
from sqlalchemy.exc import DBAPIError

from etl.tables.files import SourceFile
from etl.tables.layout import TableLayout
from etl.tables.rows import Row

_CASTS = {
    "integer": "CASE WHEN regexp_full_match({0}, '-?[0-9]+') THEN TRY_CAST({0} AS BIGINT) END",
    "number": "TRY_CAST({0} AS DOUBLE)",
    "time": "TRY_CAST({0} AS TIMESTAMP)",
    "text": "{0}",
    "code": "nullif(trim({0}), '')",
}
_BAD_CODE = "regexp_full_match({0}, '[0-9]+[.]0+|[0-9]+([.][0-9]+)?[eE][+][0-9]+|[0-9EV][0-9]?')"


_LONGEST_LINE = 4 * 1024 * 1024  # DuckDB sets aside sixteen times as much for each buffer


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _reader(path: Path, header: tuple[str, ...]) -> str:
    columns = ", ".join(f"{_literal(f'c{place}')}: 'VARCHAR'" for place in range(len(header)))
    return (
        f"read_csv({_literal(str(path))}, auto_detect=false, header=true, delim=',', quote='\"', escape='\"', "
        f"strict_mode=true, max_line_size={_LONGEST_LINE}, columns={{{columns}}})"
    )


def read_clean_file(connection: Connection, source: SourceFile, plan: TableLayout, staging: Table) -> int | None:
    """Fill the staging table from the file; the number of rows, or None where a row is not as it should be.

    The staging table is then to be dropped and the file read row by row, which says what is wrong with which row.
    """
    present = [column for column in plan.columns if column.name in source.columns]
    values, faults = [], ["false"]
    for column in present:
        field = f"c{source.columns[column.name]}"
        value = _CASTS[column.type].format(field)
        values.append(f"{value} AS {_name(column.name)}")
        if column.type in ("integer", "number", "time"):
            faults.append(f"(trim({field}) <> '' AND {_name(column.name)} IS NULL)")
        elif column.type == "code":
            faults.append(_BAD_CODE.format(_name(column.name)))
    query = f"SELECT {', '.join(values)}, ({' OR '.join(faults)}) AS fault FROM {_reader(source.path, source.header)}"
    try:
        connection.exec_driver_sql(f"CREATE TABLE {_name(staging.name)} AS {query}")
    except DBAPIError:
        # The reader names neither line nor column reliably; the row-by-row reader does.
        return None
    count = f"SELECT count(*), count(*) FILTER (WHERE fault) FROM {_name(staging.name)}"
    rows, faulty = connection.exec_driver_sql(count).one()
    if faulty:
        return None
    connection.exec_driver_sql(f"ALTER TABLE {_name(staging.name)} DROP COLUMN fault")
    return int(rows)


def insert_checked_rows(connection: Connection, staging: Table, rows: Iterator[Row]) -> None:
    """Write checked rows through a temporary csv file, which DuckDB reads far faster than it takes inserts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([column.name for column in staging.columns])
            # Characters take up to four bytes.
            longest = 4 * max((writer.writerow(row) for row in rows), default=0)
        types = ", ".join(
            f"{_literal(column.name)}: {_literal(str(column.type.compile(connection.dialect)))}"
            for column in staging.columns
        )
        connection.exec_driver_sql(
            f"CREATE TABLE {_name(staging.name)} AS SELECT * FROM read_csv({_literal(str(path))}, auto_detect=false, "
            f"header=true, delim=',', quote='\"', escape='\"', max_line_size={max(longest, _LONGEST_LINE)}, "
            f"columns={{{types}}})"
        )

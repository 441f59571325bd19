"""Loading a folder of MIMIC csv files into a database."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine

from etl.tables import duck, state, write
from etl.tables.engines import check_connection, explaining, open_engine
from etl.tables.files import SourceFile, detect_release, find_file, source_file
from etl.tables.layout import Layout, TableLayout, layout
from etl.tables.report import LoadReport, Progress, TableLoad
from etl.tables.rows import ReadingNotes, Reject, Row, read_rows
from foundation.errors import UserError

LISTED_REJECTS = 100_000
"""So many refused rows of a table are listed in `rejected_rows`; all are counted."""


def load(
    folder: Path | str,
    url: str | Path | Engine,
    release: str | None = None,
    progress: Progress | None = None,
) -> LoadReport:
    """Load the tables and columns that extraction reads from csv or csv.gz files into a database.

    `release` is "mimic3" or "mimic4", found from the files (or the database) where None. Tables that are unchanged
    since an earlier load, or that have no file in this folder, are kept; an interrupted table starts afresh, and the
    former one stands until the new one is whole.
    Raises UserError after all tables were tried where one failed, so that a bad file costs nothing but itself.
    """
    folder = Path(folder)
    engine = open_engine(url)
    try:
        check_connection(engine)
        with explaining(engine):
            report = _load_folder(folder, engine, release, progress)
    finally:
        if engine is not url:  # else a DuckDB file would stay locked for other programs
            engine.dispose()
    _raise_first_failure(report)
    return report


def _load_folder(folder: Path, engine: Engine, release: str | None, progress: Progress | None) -> LoadReport:
    state.prepare(engine)
    with engine.connect() as connection:
        held = state.loaded_release(connection)
    plan = layout(release or detect_release(folder, otherwise=held))
    _refuse_another_release(held, plan.release)
    return _load_tables(folder, engine, plan, progress)


def _load_tables(folder: Path, engine: Engine, plan: Layout, progress: Progress | None) -> LoadReport:
    reports: list[TableLoad] = []
    for done, table in enumerate(plan.tables):
        if progress is not None:
            progress(table.name, done, len(plan.tables))
        path, ignored = find_file(folder, plan, table)
        reports.append(_load_or_explain(engine, plan.release, table, path, ignored))
    if progress is not None:
        progress("", len(plan.tables), len(plan.tables))
    return LoadReport(release=plan.release, tables=tuple(reports))


def _refuse_another_release(held: str | None, release: str) -> None:
    if held not in (None, release):
        raise UserError(
            f"The database already holds {held}; {release} has tables of the same names.",
            "Load it into a database (or a file) of its own.",
        )


def _load_or_explain(
    engine: Engine, release: str, table: TableLayout, path: Path | None, ignored: tuple[str, ...]
) -> TableLoad:
    if path is None:
        with engine.connect() as connection:
            held = state.held_table(connection, table.name)
        if held is not None:  # modules come as separate downloads and are loaded one after the other
            return held
        if table.required:
            problem = f"{table.name}: no file {table.name}.csv or {table.name}.csv.gz in the folder."
            return TableLoad(table=table.name, state="failed", problem=problem, fix="Add the file as published.")
        return TableLoad(table=table.name, state="absent")
    try:
        return _load_table(engine, release, table, source_file(path, table, ignored))
    except UserError as error:
        return TableLoad(table=table.name, file=path.name, state="failed", problem=error.problem, fix=error.fix)


def _raise_first_failure(report: LoadReport) -> None:
    failed = [entry for entry in report.tables if entry.state == "failed"]
    if failed:
        more = f" ({len(failed) - 1} more: {', '.join(e.table for e in failed[1:])})" if failed[1:] else ""
        raise UserError(failed[0].problem + more, failed[0].fix)


class _Tally:
    """What became of a file's rows; the first refused ones are listed."""

    def __init__(self, kept: int = 0) -> None:
        self.kept = kept
        self.refused = 0
        self.rejects: list[Reject] = []

    def sift(self, rows: Iterable[Row | Reject]) -> Iterator[Row]:
        """The rows that were not refused, counted as they pass."""
        for row in rows:
            if isinstance(row, Reject):
                self.refused += 1
                if self.refused <= LISTED_REJECTS:
                    self.rejects.append(row)
            else:
                self.kept += 1
                yield row


def _load_table(engine: Engine, release: str, table: TableLayout, source: SourceFile) -> TableLoad:
    with engine.connect() as connection:
        kept = state.earlier_load(connection, release, table.name, source.path)
    if kept is not None:
        return kept
    notes = ReadingNotes()
    with engine.connect() as connection:
        tally = _fill(connection, source, table, notes)
        _refuse_rewritten_codes(source, notes)
        _refuse_unreadable(source, tally)
        report = _report(table, source, tally, notes)
        write.take_name(connection, table)
        write.index(connection, table, source.columns)
        state.record_load(connection, release, source.path, report, tally.rejects)
        connection.commit()
    return report


def _fill(connection: Connection, source: SourceFile, table: TableLayout, notes: ReadingNotes) -> _Tally:
    """Fill the staging table."""
    staging = write.staging_table(table, source.columns)
    duckdb = connection.dialect.name == "duckdb"
    write.drop_if_exists(connection, staging.name)
    if duckdb:
        rows = duck.read_clean_file(connection, source, table, staging)
        if rows is not None:
            return _Tally(kept=rows)
        connection.rollback()
        write.drop_if_exists(connection, staging.name)
    tally = _Tally()
    rows_kept = tally.sift(read_rows(source, table, notes))
    if duckdb:
        duck.insert_checked_rows(connection, staging, rows_kept)
    else:
        staging.create(connection, checkfirst=False)
        write.insert_rows(connection, staging, rows_kept)
    return tally


def _refuse_rewritten_codes(source: SourceFile, notes: ReadingNotes) -> None:
    """Impossible codes and not one leading zero: a spreadsheet saved the file, and its other codes are wrong too."""
    if notes.rewritten_codes and not notes.leading_zeros:
        raise UserError(
            f"{source.path.name}: {notes.rewritten_codes} ICD codes were rewritten as numbers (first at line "
            f"{notes.first_rewritten}) and no code has its leading zero: a spreadsheet has saved this file.",
            "Use the file as published; opening it in a spreadsheet and saving it destroys codes.",
        )


def _refuse_unreadable(source: SourceFile, tally: _Tally) -> None:
    """Not one row in its columns' form: the file is of another layout, and an empty table would hide that."""
    if tally.refused and not tally.kept:
        first = tally.rejects[0]
        raise UserError(
            f"{source.path.name}: not one of its {tally.refused} rows can be read; line {first.line}, "
            f"{first.field or 'the row'}: {first.reason}.",
            "Use the file as published, with times as 2150-01-31 13:45:00.",
        )


def _report(table: TableLayout, source: SourceFile, tally: _Tally, notes: ReadingNotes) -> TableLoad:
    remarks = []
    if notes.recoded_lines:
        remarks.append(f"{notes.recoded_lines} lines are not UTF-8 and were read as Windows-1252")
    if source.ignored:
        remarks.append(f"also found and not read: {', '.join(source.ignored)}")
    if tally.refused > len(tally.rejects):
        remarks.append(f"the first {len(tally.rejects)} refused rows are listed in rejected_rows")
    return TableLoad(
        table=table.name,
        file=source.path.name,
        state="loaded",
        rows_in=tally.kept + tally.refused,
        rows_out=tally.kept,
        rows_rejected=tally.refused,
        missing_columns=tuple(c.name for c in table.columns if c.name not in source.columns),
        notes=tuple(remarks),
    )

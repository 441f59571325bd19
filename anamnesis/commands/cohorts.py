"""`anamnesis etl …`: records in, cohorts of CaseRecords out."""

from pathlib import Path
from typing import Annotated

import typer

from anamnesis.console import counted, emit, out, progress, say
from anamnesis.options import Home, Json
from anamnesis.workspace import workspace

group = typer.Typer(no_args_is_help=True, help="Load tables, extract CaseRecords, select cohorts.")


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(group, name="etl")


@group.command()
def load(
    folder: Annotated[Path, typer.Argument(help="Folder with MIMIC csv or csv.gz files.")],
    to: Annotated[str | None, typer.Option(help="Database URL (default: a DuckDB file in the workspace).")] = None,
    release: Annotated[str | None, typer.Option(help="mimic3 or mimic4 (default: found from the files).")] = None,
    home: Home = None,
    json: Json = False,
) -> None:
    """Load the tables and columns that are needed; every row is in or counted as rejected, with its reason.

    Example: anamnesis etl load ../shared/data/mimic3_demo
    """
    from etl.tables import load as load_tables

    target = to or workspace(home).database(folder.resolve().name)
    if isinstance(target, Path):
        target.parent.mkdir(parents=True, exist_ok=True)
    with progress("tables", None) as step:
        report = load_tables(folder, target, release, lambda _, done, total: step(done))
    emit(report, json, lambda: out.print("\n".join(report.lines)))
    say(f"database: {target}\nnext: anamnesis etl extract {report.release} {target}")


@group.command()
def extract(
    source: Annotated[str, typer.Argument(help="Which kind of source; `anamnesis etl sources` names them.")],
    where: Annotated[str, typer.Argument(help="Database file or URL, csv file, or folder of texts.")],
    name: Annotated[
        str | None, typer.Option(help="Name of the cohort in the workspace (default: the source's).")
    ] = None,
    target: Annotated[Path | None, typer.Option("--out", help="Write here instead of the workspace.")] = None,
    extractor: Annotated[str, typer.Option(help="How notes are read: rules, transformer or llm.")] = "rules",
    prefix: Annotated[str, typer.Option(help="Before case ids of tables, so that two hospitals never mix.")] = "",
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many cases, for a first look.")] = None,
    home: Home = None,
    json: Json = False,
) -> None:
    """Turn a source into CaseRecords: demographics, diagnoses, drugs, findings, and what the notes say.

    Example: anamnesis etl extract text_folder ../shared/data/maccrobat2020/brat --name maccrobat
    """
    from itertools import islice

    from etl.cases import write_cases
    from etl.notes.pipeline import NotePipeline
    from etl.sources import extract_cases

    path = target or workspace(home).cohort(name or source)
    options = {"prefix": prefix} if prefix else {}
    found = extract_cases(source, where, NotePipeline(extractor).extract, **options)
    with progress("case records", None) as step:
        write_cases(path, counted(islice(iter(found), limit), step))
    report = found.report
    emit(report, json, lambda: out.print("\n".join(report.lines)))
    say(f"cohort: {path}\nnext: anamnesis graph build {path}")


@group.command()
def sources(json: Json = False) -> None:
    """Name the kinds of source that `extract` reads.

    Example: anamnesis etl sources
    """
    from etl.sources import SOURCES

    emit(list(SOURCES), json, lambda: out.print("\n".join(SOURCES)))


@group.command()
def cohort(
    cases: Annotated[Path, typer.Argument(help="CaseRecords to select from (.jsonl).")],
    criteria: Annotated[str, typer.Argument(help="A preset (ccqa, case_reports) or the path of a criteria.yaml.")],
    folder: Annotated[Path, typer.Argument(help="Where cohort, flow diagram and Table 1 are written.")],
    json: Json = False,
) -> None:
    """Select a cohort: counts at every step as table and picture, and a Table 1.

    Example: anamnesis etl cohort .anamnesis/cohorts/sample.jsonl ccqa my-cohort
    """
    from etl.cohort import select_cohort

    report = select_cohort(cases, criteria, folder)
    emit(report, json, lambda: out.print("\n".join(report.lines)))
    say(f"written to {folder}: cases.jsonl, flow.csv, flow.png, table1.csv")

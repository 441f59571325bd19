"""`anamnesis etl …`: records in, cohorts of CaseRecords out."""

from pathlib import Path
from typing import Annotated

import typer

from anamnesis.console import counted, emit, out, progress, say
from anamnesis.options import Home, Json, Seed
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
    translations: Annotated[
        Path | None, typer.Option(help="Reviewed translations of notes in another language (csv that came back).")
    ] = None,
    prefix: Annotated[str, typer.Option(help="Before case ids of tables, so that two hospitals never mix.")] = "",
    titled: Annotated[str, typer.Option(help="mtsamples: only texts whose title has these words.")] = "",
    community: Annotated[
        bool, typer.Option("--community-schemas", help="A database that the MIMIC community's scripts built.")
    ] = False,
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
    from etl.tables import COMMUNITY_SCHEMAS
    from etl.translation import read_review, reading_translations

    path = target or workspace(home).cohort(name or source)
    plain = NotePipeline(extractor).extract
    read = reading_translations(plain, read_review(translations)) if translations else plain
    options = {key: value for key, value in {"prefix": prefix, "titled": titled}.items() if value}
    schemas = COMMUNITY_SCHEMAS.get(source) if community else None
    found = extract_cases(source, where, read, schemas, **options)
    with progress("case records", None) as step:
        write_cases(path, counted(islice(iter(found), limit), step))
    report = found.report
    emit(report, json, lambda: out.print("\n".join(report.lines)))
    say(f"cohort: {path}\nnext: anamnesis graph build {path}")


@group.command()
def translate(
    folder: Annotated[Path, typer.Argument(help="Folder of text files in another language.")],
    review: Annotated[Path, typer.Argument(help="Where the list for the reviewer is written (.csv).")],
    model: Annotated[str, typer.Option(help="The translating model: model@http://host:port/v1.")],
    fit_for_records: Annotated[
        bool, typer.Option("--fit-for-records", help="The endpoint may receive record text.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--every", help="Translate every note: for languages in Latin letters.")
    ] = False,
    seed: Seed = 0,
) -> None:
    """Draft translations and write the list that a person reviews; `extract --translations` takes it back.

    Example: anamnesis etl translate notes-zh review.csv --model qwen@http://127.0.0.1:8000/v1
    """
    from chatmodels.endpoint import endpoint_from
    from chatmodels.openai_compatible import OpenAICompatible
    from etl.sources import text_folder
    from etl.translation import draft_translations, write_review

    endpoint = endpoint_from(model).model_copy(update={"fit_for_records": fit_for_records})
    drafts, failed = draft_translations(text_folder.notes(folder), OpenAICompatible(endpoint), seed, every)
    write_review(review, drafts)
    say(f"{len(drafts)} drafts in {review}: correct them, write `yes` under reviewed and your name, then")
    say(f"  anamnesis etl extract text_folder {folder} --translations {review}")
    if failed:
        say(f"the model failed on {len(failed)}: {', '.join(failed)}")
        raise typer.Exit(1)


@group.command("check-notes")
def check_notes(
    source: Annotated[str, typer.Argument(help="Which kind of source; `anamnesis etl sources` names them.")],
    where: Annotated[str, typer.Argument(help="Database file or URL, csv file, or folder of texts.")],
    report: Annotated[Path, typer.Argument(help="Where the places are listed (.csv; never the words).")],
) -> None:
    """Look for what still seems a name, date, phone or record number; exit code 1 where anything does.

    Example: anamnesis etl check-notes text_folder my-notes suspicions.csv
    """
    from etl.deidentification import check_source, write_report

    found = check_source(source, where)
    write_report(report, found)
    say(f"{len(found.suspicions)} suspicions, listed in {report}")
    if found.suspicions:
        raise typer.Exit(1)


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
    screening: Annotated[
        Path | None, typer.Option(help="The screening list as a person sent it back (screening.csv with decisions).")
    ] = None,
    json: Json = False,
) -> None:
    """Select a cohort: counts at every step as table and picture, and a Table 1.

    Example: anamnesis etl cohort .anamnesis/cohorts/sample.jsonl ccqa my-cohort
    """
    from etl.cohort import select_cohort

    report = select_cohort(cases, criteria, folder, screening)
    emit(report, json, lambda: out.print("\n".join(report.lines)))
    say("\n".join(f"{what}: {path}" for what, path in report.files.items()))

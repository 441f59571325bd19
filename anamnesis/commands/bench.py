"""`anamnesis bench …`: the measurements that docs/measurements.md reports, repeatable on your own data."""

from pathlib import Path
from typing import Annotated

import typer

from anamnesis.console import emit, out, progress
from anamnesis.options import Home, Json, Seed
from anamnesis.workspace import workspace
from chatmodels.interface import ChatModel

group = typer.Typer(no_args_is_help=True, help="Measure extraction, understanding, the patient and the evaluator.")


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(group, name="bench")


@group.command()
def extract(
    data: Annotated[Path, typer.Option(help="Folder of annotated sets: brat, NegEx, the sample's gold, MTS-Dialog.")],
    extractor: Annotated[str, typer.Option(help="rules, transformer or llm.")] = "rules",
    json: Json = False,
) -> None:
    """Measure note extraction: overlap F1 (brat), exact F1 (gold), assertion, experiencer and section accuracy.

    Example: anamnesis bench extract --data ../shared/data
    """
    from rich.table import Table

    from etl.notes.bench import bench_extract

    report = bench_extract(data, extractor)

    def table() -> None:
        shown = Table("set", "what", "figure", "of")
        for row in report.rows():
            shown.add_row(*row)
        out.print(shown)
        out.print(f"{report.words:,} words in {report.cpu_seconds:.1f} s of processor time")

    emit(report, json, table)


@group.command()
def understand(
    questions: Annotated[
        Path | None, typer.Option(help="Labelled utterances (JSONL: context, utterance, asks, acts); default: ours.")
    ] = None,
    part: Annotated[str, typer.Option(help="Only this part of our labels: final_held_out was never learned.")] = "",
    embeddings: Annotated[bool, typer.Option(help="Use sentence embeddings where the rules are unsure.")] = True,
    learned: Annotated[bool, typer.Option(help="Let the learned part edit what the rules read.")] = True,
    model: Annotated[str, typer.Option(help="A chat model where even those only guess: model@base_url.")] = "",
    fit_for_records: Annotated[
        bool, typer.Option("--fit-for-records", help="The model may receive what doctors said.")
    ] = False,
    json: Json = False,
) -> None:
    """Measure how well doctors' questions are understood: domain, concept, attribute, experiencer, speech acts, time.

    Example: anamnesis bench understand --questions my-questions.jsonl
    """
    from simulator.patient.bench_understand import OWN_LABELS, bench_understand

    reader = _chat_model(model, fit_for_records) if model else None
    report = bench_understand(
        questions or OWN_LABELS, part=part, embeddings=embeddings, chat_model=reader, learned=learned
    )
    emit(report, json, lambda: out.print(report.text()))


@group.command()
def patient(
    cohort: Annotated[Path | None, typer.Option(help="A cohort's cases.jsonl (default: the demo's sample).")] = None,
    persona: Annotated[list[str] | None, typer.Option(help="Personas to measure; may be given again.")] = None,
    protocol: Annotated[str, typer.Option(help="realistic or paper.")] = "realistic",
    wordings: Annotated[
        Path | None, typer.Option(help="Other people's wordings (JSONL), or `shared` for real ones.")
    ] = None,
    attacks: Annotated[Path | None, typer.Option(help="Other people's attacks (JSONL: kind, words).")] = None,
    skip: Annotated[int, typer.Option(min=0, help="Leave out so many cases at the beginning.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many cases.")] = None,
    each: Annotated[int, typer.Option(min=1, help="Wordings a fact.")] = 3,
    learned: Annotated[bool, typer.Option(help="Let the learned part edit what the rules read.")] = True,
    graph: Annotated[bool, typer.Option("--graph", help="Read the facts from the graph, and so time it.")] = False,
    seed: Seed = 0,
    home: Home = None,
    json: Json = False,
) -> None:
    """Ask a cohort's patients every fact, every silence and every attack; print what was answered wrongly and why.

    Wrong answers are printed with their facts: that is record text. Example: anamnesis bench patient --limit 10
    """
    from contextlib import ExitStack

    from anamnesis.running import cohort_of
    from kg.build import build
    from kg.store import connect
    from simulator.patient.bench import bench_patient
    from simulator.patient.proof.cohort import from_graph, from_records
    from simulator.patient.understand import Understander

    place = workspace(home)
    cases = cohort_of(cohort or place.cohort("sample"))[skip:][:limit]
    names = tuple(persona or ("cooperative",))
    with ExitStack() as stack:
        proofs = from_records(cases)
        if graph:
            store = stack.enter_context(connect(place.graph))
            build(store, cases)
            proofs = from_graph(store, [case.case_id for case in cases])
        step = stack.enter_context(progress("patients", len(cases) * len(names), quiet=json))
        count = iter(range(1, len(cases) * len(names) + 1))
        report = bench_patient(
            proofs,
            names,
            protocol,
            seed,
            wordings,
            attacks,
            each,
            progress=lambda case, name: step(next(count, 0)),
            understander=None if learned else Understander(learned=False).understand,
        )
    emit(report, json, lambda: out.print(report.text(), markup=False))


@group.command()
def dialogues(
    data: Annotated[
        Path, typer.Option(help="Folder of dialogues: PriMock57, ACI-Bench, OSCE interviews, or your own text files.")
    ],
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many of each source.")] = None,
    processes: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 1,
    json: Json = False,
) -> None:
    """Score real consultations with the detectors: scores, findings and opportunities per source, with intervals.

    Example: anamnesis bench dialogues --data ../shared/data --processes 2
    """
    from rich.table import Table

    from evaluator.imported.proof import prove
    from evaluator.imported.sources import read_dialogues
    from evaluator.realworld import first_of_each, score_all

    chosen = first_of_each(read_dialogues(data), limit)
    with progress("consultations", len(chosen), quiet=json) as step:
        report = score_all(chosen, processes, on_progress=step)
    proof = prove(data, report)

    def tables() -> None:
        for title, heads, rows in proof.tables():
            shown = Table(*heads, title=title, title_justify="left")
            for row in rows:
                shown.add_row(*row)
            out.print(shown)

    emit(proof, json, tables)


@group.command()
def judges(
    run: Annotated[str, typer.Argument(help="A run whose transcripts are judged again.")],
    judge: Annotated[list[str], typer.Option(help="A judge, model@http://host:port/v1; may be given again.")],
    repeats: Annotated[int, typer.Option(min=1, help="Judge everything so often (test-retest needs 2 or more).")] = 2,
    cases: Annotated[int | None, typer.Option(min=1, help="Only the first so many consultations.")] = None,
    compact: Annotated[bool, typer.Option("--compact", help="One call a consultation instead of at most 8.")] = False,
    fit_for_records: Annotated[
        bool, typer.Option("--fit-for-records", help="The endpoints may receive record text.")
    ] = False,
    home: Home = None,
    json: Json = False,
) -> None:
    """Measure judges: each against itself (test-retest) and against the others. Replies are kept; a repeat asks anew.

    Example: anamnesis bench judges demo --judge qwen@http://127.0.0.1:8000/v1 --repeats 3 --compact
    """
    from rich.table import Table

    from anamnesis.judging import measure_judges

    found = measure_judges(workspace(home), run, judge, repeats, cases, compact, fit_for_records)

    def table() -> None:
        shown = Table("what", "dimension", "weighted kappa", "mean difference", "cases")
        for what, rows in found.items():
            for row in rows:
                kappa = "n/a" if row.kappa is None else f"{row.kappa:.2f}"
                apart = "n/a" if row.mean_absolute_difference is None else f"{row.mean_absolute_difference:.2f}"
                shown.add_row(what, row.dimension.value, kappa, apart, str(row.cases))
        out.print(shown)

    emit({what: [row.model_dump(mode="json") for row in rows] for what, rows in found.items()}, json, table)


@group.command()
def drift(
    before: Annotated[
        Path, typer.Argument(help="Scorecards of an earlier day, as `anamnesis score --out` wrote them.")
    ],
    after: Annotated[Path, typer.Argument(help="Scorecards of today, of the same consultations.")],
    json: Json = False,
) -> None:
    """Show how an evaluator's scores moved on the same consultations since a stored set.

    Example: anamnesis bench drift march.jsonl today.jsonl
    """
    from rich.table import Table

    from anamnesis.judging import read_scorecards
    from evaluator.judges.reliability import drift as moved

    found = moved(read_scorecards(before), read_scorecards(after))

    def table() -> None:
        shown = Table("dimension", "change of the mean (95% interval)", "consultations")
        for row in found:
            shown.add_row(row.dimension.value, row.change.shown(3), str(row.change.n))
        out.print(shown)

    emit([row.model_dump(mode="json") for row in found], json, table)


@group.command()
def evaluator(
    folder: Annotated[
        Path | None,
        typer.Option(help="Your own labelled consultations (docs/evaluator.md has the form); default: planted."),
    ] = None,
    judge: Annotated[list[str] | None, typer.Option(help="Judges beside the detectors: model@base_url.")] = None,
    compact: Annotated[bool, typer.Option("--compact", help="One call a judge and consultation.")] = False,
    each: Annotated[int, typer.Option(min=1, help="Planted instances an operator and style.")] = 9,
    fit_for_records: Annotated[bool, typer.Option("--fit-for-records", help="Judges may receive record text.")] = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Plant known failures into clean consultations and count what the evaluator finds, misses and invents.

    Example: anamnesis bench evaluator --folder my-labelled-consultations
    """
    from evaluator.panel import Panel
    from evaluator.planted.bench import bench_evaluator
    from evaluator.planted.handwritten import read_folder
    from evaluator.planted.instances import instances

    judges = [_chat_model(text, fit_for_records) for text in judge or []]
    panel = Panel(judges, mode="compact" if compact else "dimension")
    labelled = read_folder(folder) if folder else instances(seed, each)
    report = bench_evaluator(panel, labelled)
    emit(report, json, lambda: out.print(report.text(), markup=False))


def _chat_model(written: str, fit_for_records: bool) -> ChatModel:
    from chatmodels.endpoint import endpoint_from
    from chatmodels.openai_compatible import OpenAICompatible

    return OpenAICompatible(endpoint_from(written).model_copy(update={"fit_for_records": fit_for_records}))

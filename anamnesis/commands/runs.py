"""`anamnesis run | score | report`: experiments, their scores and their reports."""

from pathlib import Path
from typing import Annotated

import typer

from anamnesis.console import emit, out, say
from anamnesis.options import Home, Json
from anamnesis.workspace import workspace

RunName = Annotated[str, typer.Argument(help="Name of a run, as its experiment file gives it.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(run)
    app.command()(score)
    app.command()(report)
    app.command("runs")(list_runs)


def run(
    experiment: Annotated[Path, typer.Argument(help="experiment.yaml (docs/experiments.md has every field).")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would run and what it may cost, call nobody.")
    ] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Consultations at once (default: the file's).")] = None,
    home: Home = None,
    json: Json = False,
) -> None:
    """Run an experiment, or go on with it: nothing that is done is repeated.

    Exit code 1 where consultations failed or are left undone; 0 where another process is at work on the rest.
    Example: anamnesis run experiment.yaml --dry-run
    """
    from anamnesis.running import estimate, run_experiment
    from anamnesis.tables import leaderboard
    from batch.experiment import read_experiment
    from batch.store import open_store
    from batch.summary import results, summarise

    place = workspace(home)
    settings = read_experiment(experiment)
    if workers:
        settings = settings.model_copy(update={"workers": workers})
    if dry_run:
        forecast = estimate(settings)
        emit(forecast, json, lambda: out.print(forecast.sentence))
        return
    summary = run_experiment(settings, place)
    found = summarise(results(open_store(place.runs), settings.name))
    emit(summary, json, lambda: out.print(leaderboard(found)))
    if summary.elsewhere:
        say(f"another process holds {summary.elsewhere} consultations of this run and goes on with them")
    if summary.failed or summary.left:
        say(f"{summary.failed} failed and {summary.left} left {summary.stopped_by}; the same command goes on from here")
        raise typer.Exit(1)
    say(f"next: anamnesis report {settings.name}")


def score(
    name: RunName,
    target: Annotated[
        Path | None, typer.Option("--out", help="Keep the scorecards in a file, for `bench drift`.")
    ] = None,
    home: Home = None,
    json: Json = False,
) -> None:
    """Score a run's transcripts again with this version's rubric and detectors, without consulting anew.

    Example: anamnesis score demo
    """
    from anamnesis.judging import write_scorecards
    from anamnesis.running import rescore
    from anamnesis.tables import leaderboard
    from batch.store import open_store
    from batch.summary import results, summarise

    place = workspace(home)
    count = rescore(name, place)
    found = results(open_store(place.runs), name)
    summaries = summarise(found)
    if target:
        write_scorecards(target, [result.scorecard for result in found])
    emit([s.model_dump(mode="json") for s in summaries], json, lambda: out.print(leaderboard(summaries)))
    say(f"{count} consultations scored")


def report(
    name: RunName,
    target: Annotated[Path | None, typer.Option("--out", help="Where to write the page.")] = None,
    home: Home = None,
) -> None:
    """Write the HTML report of a run. It holds record text: keep it as you keep the records.

    Example: anamnesis report demo --out demo.html
    """
    from anamnesis.running import write_report

    say(f"report: {write_report(name, workspace(home), target)}")


def list_runs(home: Home = None, json: Json = False) -> None:
    """List the runs of this workspace, oldest first: state, counts of consultations, and when each was begun.

    Example: anamnesis runs --json
    """
    from anamnesis.listing import listed_runs
    from anamnesis.tables import run_table

    found = listed_runs(workspace(home))
    emit(
        [each.model_dump(mode="json") for each in found],
        json,
        lambda: out.print(run_table(found) if found else "no runs yet: anamnesis demo"),
    )

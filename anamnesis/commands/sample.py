"""`anamnesis sample` and `anamnesis demo`: the synthetic cohort, and the whole path over it."""

from pathlib import Path
from typing import Annotated

import typer

from anamnesis.console import emit, out, say
from anamnesis.options import Home, Json, Seed
from anamnesis.workspace import workspace


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(demo)
    app.command()(sample)


def sample(
    folder: Annotated[Path, typer.Argument(help="Where to write the MIMIC-III-shaped csv files and the gold.")],
    patients: Annotated[int, typer.Option(min=1, help="How many patients.")] = 60,
    admissions: Annotated[int, typer.Option(min=1, help="How many admissions in all.")] = 65,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Write a synthetic cohort: tables, discharge summaries, and the gold annotation of every note.

    Example: anamnesis sample my-sample --patients 200 --admissions 220 --seed 7
    """
    from etl.synthetic import generate

    report = generate(folder, patients=patients, admissions=admissions, seed=seed)
    emit(report, json, lambda: out.print(f"{patients} patients, {admissions} admissions in {folder}"))


def demo(
    patients: Annotated[int, typer.Option(min=2, help="Patients in the sample cohort.")] = 60,
    cases: Annotated[int, typer.Option(min=1, help="How many admissions each clinician meets.")] = 24,
    seed: Seed = 0,
    workers: Annotated[int, typer.Option(min=1, help="Consultations at once.")] = 2,
    home: Home = None,
    json: Json = False,
) -> None:
    """The whole path on a sample: tables → records → graph → consultations → scores → report.

    A second call reuses what is done. Example: anamnesis demo --cases 10 --seed 1
    """
    from anamnesis.demo import Demo
    from anamnesis.tables import leaderboard

    finished = Demo(workspace(home), patients=patients, cases=cases, seed=seed, workers=workers).run()
    emit(finished.as_json(), json, lambda: out.print(leaderboard(finished.summaries)))
    say(f"\nreport: {finished.report}")
    say(
        "next: open the report in a browser\n"
        "      anamnesis app                 watch every consultation in the web page\n"
        "      anamnesis talk                be the doctor yourself\n"
        "      anamnesis consult --doctor model@http://127.0.0.1:8000/v1   let your model consult\n"
        "      README.md                     the same on MIMIC, on case reports and on your own notes"
    )

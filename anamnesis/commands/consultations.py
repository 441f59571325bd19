"""`anamnesis consult | talk`: one consultation, in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from anamnesis.console import emit
from anamnesis.options import Home, Json, Seed
from anamnesis.workspace import workspace

Cohort = Annotated[
    Path | None,
    typer.Option(help="A cohort's cases.jsonl (default: the demo's sample).", show_default=False),
]
Case = Annotated[str | None, typer.Option(help="Case id; without it the seed picks one.", show_default=False)]
Persona = Annotated[str, typer.Option(help="How the patient behaves; see `anamnesis personas`.")]
Protocol = Annotated[str, typer.Option(help="`realistic`, or `paper` for comparable numbers.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(consult)
    app.command()(talk)
    app.command()(personas)


def consult(
    doctor: Annotated[str, typer.Option(help="checklist, statistical, or model@http://host:port/v1.")] = "statistical",
    cohort: Cohort = None,
    case: Case = None,
    persona: Persona = "cooperative",
    protocol: Protocol = "realistic",
    fit_for_records: Annotated[
        bool, typer.Option("--fit-for-records", help="The endpoint may receive record text.")
    ] = False,
    max_turns: Annotated[int, typer.Option(min=1, max=15, help="Questions at most.")] = 15,
    max_tokens: Annotated[int, typer.Option(min=16, help="Length of each of a chat model's replies at most.")] = 2000,
    seed: Seed = 0,
    home: Home = None,
    json: Json = False,
) -> None:
    """Hold one consultation, streamed to the terminal, and score it.

    Exit code 1 where it could not be scored (the model or its endpoint failed).
    Example: anamnesis consult --doctor checklist --persona anxious
    """
    from anamnesis.single import Single

    single = Single(workspace(home), cohort, case, persona, protocol, seed, max_turns=max_turns)
    transcript, card = single.hold(doctor, fit_for_records=fit_for_records, max_tokens=max_tokens, quiet=json)
    emit(
        {"transcript": transcript.model_dump(mode="json"), "scorecard": card.model_dump(mode="json")},
        json,
        lambda: single.show(transcript, card),
    )
    if card.not_scored:
        raise typer.Exit(1)


def talk(
    cohort: Cohort = None,
    case: Case = None,
    persona: Persona = "cooperative",
    protocol: Protocol = "realistic",
    seed: Seed = 0,
    home: Home = None,
) -> None:
    """Be the doctor: ask up to 15 questions, then give your diagnosis and drugs; you get a model's score sheet.

    An empty line, /done, or the 15th answer ends the questions; Ctrl-C leaves. Example: anamnesis talk --seed 3
    """
    from anamnesis.single import Single

    single = Single(workspace(home), cohort, case, persona, protocol, seed)
    transcript, card = single.talk()
    single.show(transcript, card)


def personas(json: Json = False) -> None:
    """Show the personas that a patient may have, and the traits of each.

    Example: anamnesis personas --json
    """
    from anamnesis.console import out
    from anamnesis.tables import persona_table
    from simulator.patient.persona import personas as all_personas

    known = all_personas()
    emit(list(known), json, lambda: out.print(persona_table(list(known.values()))))

"""Tables for the terminal."""

from collections.abc import Sequence
from datetime import datetime

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from anamnesis.listing import ListedRun
from batch.summary import DoctorSummary, notes
from evaluator.findings import Dimension
from evaluator.rubric import load
from simulator.patient.persona import Level, Persona


def leaderboard(summaries: Sequence[DoctorSummary]) -> Group:
    """A row a measure, a column a clinician: fits a narrow terminal, however many dimensions; notes stand below."""
    table = Table("measure", *(s.doctor for s in summaries), title="scores (0 to 5) and outcomes, with 95% intervals")
    names = load().dimensions
    for dimension in Dimension:
        table.add_row(
            f"{dimension.value} {names[dimension].name}", *(s.shown(s.dimensions[dimension]) for s in summaries)
        )
    table.add_section()
    table.add_row("weighted average", *(f"[bold]{s.shown(s.weighted_average)}[/]" for s in summaries))
    table.add_row("  over so many dimensions", *(str(len(s.dimensions_in_average)) for s in summaries))
    table.add_section()
    table.add_row("diagnosis right", *(s.shown(s.accuracy) for s in summaries))
    table.add_row("medication F1 (paper's formula)", *(s.shown(s.medication_f1) for s in summaries))
    table.add_row("medication F1 (ingredients matched)", *(s.shown(s.matched_f1) for s in summaries))
    table.add_row("unsafe rate", *(s.shown(s.unsafe_rate) for s in summaries))
    table.add_row("drug mismatch rate", *(s.shown(s.mismatch_rate) for s in summaries))
    table.add_row("turns", *(s.shown(s.turns, 1) for s in summaries))
    table.add_row("consultations", *(str(s.consultations) for s in summaries))
    for summary in summaries:
        for reason, count in summary.not_scored.items():
            table.add_row(f"not scored: {reason}", *(str(count) if s is summary else "" for s in summaries))
    return Group(table, Text("\n".join(notes(summaries))))


TRAITS = {
    "cooperation": "coop",
    "anxiety": "anx",
    "health_literacy": "lit",
    "patience": "pat",
    "symptom_clarity": "clar",
    "urgency": "urg",
    "communication": "comm",
}
"""Heads of the trait columns, short enough for 80 characters a line."""


def persona_table(personas: Sequence[Persona]) -> Group:
    """A row a persona, a column a trait; what the signs and heads mean stands below."""
    table = Table("persona", "manner", box=box.SIMPLE_HEAD, pad_edge=False)
    for head in TRAITS.values():
        table.add_column(head, justify="center", no_wrap=True)
    sign = {Level.HIGH: "+", Level.MEDIUM: "", Level.LOW: "-"}
    for persona in personas:
        manner = (
            "" if persona.source.endswith("Big Five") else persona.description
        )  # a Big-Five name says all of its description
        table.add_row(persona.name, manner, *(sign[getattr(persona.traits, trait)] for trait in TRAITS))
    heads = ", ".join(f"{head} {trait.replace('_', ' ')}" for trait, head in TRAITS.items())
    return Group(
        table,
        Text(
            f"+ high, - low, blank between; {heads}.\n"
            "O C E A N with signs: openness, conscientiousness, extraversion, agreeableness, neuroticism (Big Five).\n"
            "A persona changes how a patient talks, never a fact."
        ),
    )


def run_table(runs: Sequence[ListedRun]) -> Table:
    """A row a run, oldest first; dates in this machine's time."""
    table = Table("run", "state", "done", "failed", "begun")
    for run in runs:
        begun = datetime.fromisoformat(run.begun).astimezone()
        table.add_row(run.name, run.state, f"{run.done} of {run.planned}", str(run.failed), f"{begun:%Y-%m-%d %H:%M}")
    return table

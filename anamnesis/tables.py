"""Tables for the terminal."""

from collections.abc import Sequence

from rich.table import Table

from batch.summary import DoctorSummary
from evaluator.findings import Dimension
from evaluator.rubric import load


def leaderboard(summaries: Sequence[DoctorSummary]) -> Table:
    """A row a measure, a column a clinician: fits a narrow terminal, however many dimensions."""
    table = Table("measure", *(s.doctor for s in summaries), title="scores (0 to 5) and outcomes, with 95% intervals")
    names = load().dimensions
    for dimension in Dimension:
        table.add_row(
            f"{dimension.value} {names[dimension].name}", *(s.dimensions[dimension].shown() for s in summaries)
        )
    table.add_section()
    table.add_row("weighted average", *(f"[bold]{s.weighted_average.shown()}[/]" for s in summaries))
    table.add_row("  over so many dimensions", *(str(len(s.dimensions_in_average)) for s in summaries))
    table.add_section()
    table.add_row("diagnosis right", *(s.accuracy.shown() for s in summaries))
    table.add_row("medication F1 (paper's formula)", *(s.medication_f1.shown() for s in summaries))
    table.add_row("medication F1 (ingredients matched)", *(s.matched_f1.shown() for s in summaries))
    table.add_row("unsafe rate", *(s.unsafe_rate.shown() for s in summaries))
    table.add_row("drug mismatch rate", *(s.mismatch_rate.shown() for s in summaries))
    table.add_row("turns", *(s.turns.shown(1) for s in summaries))
    table.add_row("consultations", *(str(s.consultations) for s in summaries))
    for summary in summaries:
        for reason, count in summary.not_scored.items():
            table.add_row(f"not scored: {reason}", *(str(count) if s is summary else "" for s in summaries))
    return table

"""The flow of a cohort: how many admissions and patients stand before and after every step (STROBE item 13)."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from foundation.files import write_atomically
from foundation.records import Frozen


class FlowStep(Frozen):
    """One step: `left_out` did not pass, `unknown` of them because the record does not say."""

    label: str
    admissions_before: int
    patients_before: int
    left_out: int
    unknown: int
    admissions_after: int
    patients_after: int


def flow_csv(steps: Iterable[FlowStep]) -> str:
    """The flow as a csv table."""
    output = io.StringIO()
    writer = csv.DictWriter(output, fieldnames=list(FlowStep.model_fields), lineterminator="\n")
    writer.writeheader()
    for step in steps:
        writer.writerow(step.model_dump())
    return output.getvalue()


_BOX = {"boxstyle": "round,pad=0.5", "facecolor": "#eef3f8", "edgecolor": "#2f5d8a"}
_ASIDE = {"boxstyle": "round,pad=0.4", "facecolor": "#f7f2ea", "edgecolor": "#a9793a"}


def draw_flow(path: Path, title: str, steps: Sequence[FlowStep]) -> None:
    """Draw the flow as a picture (png): a box a step, and beside it who was left out and why."""
    figure = Figure(figsize=(9, 1.6 + 1.35 * len(steps)), dpi=150)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.02, 0.02, 0.96, 0.96))
    axes.set_xlim(0, 10)
    axes.set_ylim(-len(steps) - 0.5, 1.1)
    axes.axis("off")
    axes.text(0.3, 0.85, fill(title, 80), fontsize=11, weight="bold", va="center")
    first = steps[0] if steps else None
    if first is not None:
        _box(axes, 0, f"All cases\n{_count(first.admissions_before, first.patients_before)}")
    for number, step in enumerate(steps, start=1):
        level = -number
        axes.annotate("", (2.9, level + 0.36), (2.9, level + 0.64), arrowprops={"arrowstyle": "->", "color": "#2f5d8a"})
        axes.annotate("", (6.3, level + 0.5), (2.9, level + 0.5), arrowprops={"arrowstyle": "->", "color": "#a9793a"})
        aside = f"left out: {step.left_out}" + (f" ({step.unknown} undecided or not recorded)" if step.unknown else "")
        axes.text(6.4, level + 0.5, aside, fontsize=9, va="center", bbox=_ASIDE)
        _box(axes, level, f"{fill(step.label, 48)}\n{_count(step.admissions_after, step.patients_after)}")
    picture = io.BytesIO()
    # No software or date in the file, so that the same flow gives the same bytes.
    canvas.print_figure(picture, format="png", metadata={"Software": None})
    write_atomically(path, picture.getvalue())


def _count(admissions: int, patients: int) -> str:
    return f"{admissions} admission{'s' * (admissions != 1)} of {patients} patient{'s' * (patients != 1)}"


def _box(axes: Axes, level: float, text: str) -> None:
    axes.text(2.9, level, text, fontsize=9.5, ha="center", va="center", bbox=_BOX)

"""Figures of a run, by matplotlib: the same for the report, the web page and a paper. Equal input, equal bytes."""

import io
import itertools
import math
from collections.abc import Sequence
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from batch.summary import DoctorSummary
from evaluator.findings import Dimension
from evaluator.rubric import load
from evaluator.statistics import Estimate

# Okabe-Ito colours, told apart by most colour-blind readers; black last.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#6B6B00", "#000000")
DASHES = ("-", (0, (4, 2)), (0, (1, 1.5)))  # two lines on one path stay visible
INK, GRID = "#22303c", "#d5dce2"
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "anamnesis",
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


def radar(summaries: Sequence[DoctorSummary]) -> Figure:
    """Mean score of each dimension, 0 to 5, a line a doctor; a dimension not assessed is a gap in the line."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(5.6, 5.2), layout="constrained")
        axes = figure.add_subplot(projection="polar")
        angles = [2 * math.pi * i / len(Dimension) for i in range(len(Dimension))]
        for summary, colour, dashes in zip(summaries, COLOURS, itertools.cycle(DASHES), strict=False):
            values = [summary.dimensions[d].value for d in Dimension]
            closed = [math.nan if v is None else v for v in [*values, values[0]]]
            style: dict[str, Any] = {
                "color": colour,
                "linestyle": dashes,
                "linewidth": 2.2,
                "marker": "o",
                "markersize": 4,
            }
            axes.plot([*angles, angles[0]], closed, label=summary.doctor, **style)
        axes.set_xticks(angles, [d.value for d in Dimension], fontweight="bold")
        axes.set_ylim(0, 5)
        axes.set_yticks([1, 2, 3, 4, 5], ["1", "2", "3", "4", "5"], color="#75828d", fontsize=8)
        axes.grid(color=GRID)
        axes.spines["polar"].set_color(GRID)
        figure.legend(loc="outside lower center", ncols=min(3, len(summaries)), frameon=False)
        return figure


def pattern_rates(summaries: Sequence[DoctorSummary], most: int = 14) -> Figure:
    """Share of consultations with each failure pattern, commonest first, with Wilson 95% intervals."""
    rates = {s.doctor: {(r.dimension, r.pattern): r.rate for r in s.patterns} for s in summaries}
    keys = list(next(iter(rates.values()), {}))
    commonest = sorted(keys, key=lambda key: -max((table[key].value or 0.0) for table in rates.values()))[:most]
    shown = [key for key in commonest if any(table[key].value for table in rates.values()) and key[1] != "match_exact"]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.4, 1.2 + 0.36 * max(1, len(shown))), layout="constrained")
        axes = figure.add_subplot()
        width = 0.8 / max(1, len(summaries))
        for index, (summary, colour) in enumerate(zip(summaries, COLOURS, strict=False)):
            for row, key in enumerate(shown):
                _bar(axes, row + (index - (len(summaries) - 1) / 2) * width, rates[summary.doctor][key], colour, width)
        axes.set_yticks(range(len(shown)), [_label(*key) for key in shown])
        axes.invert_yaxis()
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
        axes.set_xlabel("consultations with the pattern (95% interval)")
        axes.grid(axis="x", color=GRID)
        axes.set_axisbelow(True)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        return figure


def _bar(axes: Axes, y: float, rate: Estimate, colour: str, width: float) -> None:
    if rate.value is None:
        return
    low, high = rate.low or 0.0, rate.high or 0.0
    error = [[max(0.0, rate.value - low)], [max(0.0, high - rate.value)]]
    axes.barh(
        y,
        rate.value,
        height=width * 0.9,
        color=colour,
        xerr=error,
        error_kw={"ecolor": "#111820", "elinewidth": 0.9, "capsize": 2},
    )


def _label(dimension: Dimension, pattern: str) -> str:
    return f"{pattern.replace('_', ' ')} ({dimension.value})"


def legend_names() -> dict[Dimension, str]:
    """Full names of the dimensions."""
    return {dimension: content.name for dimension, content in load().dimensions.items()}


def svg(figure: Figure) -> str:
    """The figure as an SVG element without XML prologue, date or random ids."""
    buffer = io.StringIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = buffer.getvalue()
    return text[text.index("<svg") :]

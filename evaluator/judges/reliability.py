"""How far a judge can be relied on: against itself, against others, against an earlier day."""

from collections.abc import Mapping, Sequence

import krippendorff
import numpy as np
from numpy.typing import NDArray

from evaluator import statistics
from evaluator.findings import Dimension, Scorecard
from evaluator.statistics import Estimate
from foundation.records import Frozen

Scores = Mapping[str, Sequence[float | None]]
"""Rater → its score of each case, in the same order of cases; None where it gave none."""


class Agreement(Frozen):
    """Agreement of raters on one dimension. `alpha` is Krippendorff's, interval metric (Krippendorff 2011).

    None where it is undefined: fewer than two raters or cases, or no variation at all.
    """

    dimension: Dimension
    alpha: float | None
    mean_absolute_difference: float | None
    raters: int
    cases: int


class Drift(Frozen):
    """Change of a dimension's score against a stored set: mean of new less old over the same cases."""

    dimension: Dimension
    change: Estimate


def agreement(scores: Mapping[Dimension, Scores]) -> tuple[Agreement, ...]:
    """Agreement between raters (judges, or repeats of one judge) on every dimension."""
    return tuple(_agreement(dimension, by_rater) for dimension, by_rater in scores.items())


def _agreement(dimension: Dimension, by_rater: Scores) -> Agreement:
    table = np.array([[np.nan if v is None else v for v in values] for values in by_rater.values()], dtype=float)
    shape = table.shape if table.ndim == 2 else (len(by_rater), 0)
    paired = table[:, (~np.isnan(table)).sum(axis=0) >= 2] if table.size else np.empty((0, 0))
    return Agreement(
        dimension=dimension,
        alpha=_alpha(paired),
        mean_absolute_difference=_difference(paired),
        raters=shape[0],
        cases=paired.shape[1] if paired.ndim == 2 else 0,
    )


def _alpha(table: NDArray[np.float64]) -> float | None:
    known = table[~np.isnan(table)] if table.size else table
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 2 or np.unique(known).size < 2:
        return None
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement="interval"))


def _difference(table: NDArray[np.float64]) -> float | None:
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] == 0:
        return None
    pairs = [np.abs(table[i] - table[j]) for i in range(len(table)) for j in range(i + 1, len(table))]
    return float(np.nanmean(np.concatenate(pairs)))


def by_repeat(cards: Sequence[Sequence[Scorecard]]) -> dict[Dimension, dict[str, list[float | None]]]:
    """Scores of k repeats over the same cases, as `agreement` takes them: test–retest."""
    return {
        dimension: {
            f"repeat {number}": [_score(card, dimension) for card in repeat] for number, repeat in enumerate(cards, 1)
        }
        for dimension in Dimension
    }


def by_judge(cards: Sequence[Scorecard]) -> dict[Dimension, dict[str, list[float | None]]]:
    """Each judge's own scores over the cases of a panel run, as `agreement` takes them."""
    names = sorted({name for card in cards for name in card.judges})
    return {
        dimension: {name: [card.judges.get(name, {}).get(dimension) for card in cards] for name in names}
        for dimension in Dimension
    }


def drift(before: Sequence[Scorecard], after: Sequence[Scorecard], seed: int = 0) -> tuple[Drift, ...]:
    """Change by dimension over consultations that both sets hold (same case and doctor), with a bootstrap interval."""
    old = {(card.case_id, card.doctor): card for card in before}
    pairs = [(old[key], card) for card in after if (key := (card.case_id, card.doctor)) in old]
    return tuple(
        Drift(dimension=d, change=statistics.mean([_change(one, other, d) for one, other in pairs], seed))
        for d in Dimension
    )


def _change(before: Scorecard, after: Scorecard, dimension: Dimension) -> float | None:
    old, new = _score(before, dimension), _score(after, dimension)
    return None if old is None or new is None else new - old


def _score(card: Scorecard, dimension: Dimension) -> float | None:
    return next((score.score for score in card.scores if score.dimension is dimension), None)

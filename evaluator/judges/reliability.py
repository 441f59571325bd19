"""How far a judge can be relied on: against itself, against others, against an earlier day."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from sklearn.metrics import cohen_kappa_score

from evaluator import statistics
from evaluator.findings import Dimension, Scorecard
from evaluator.statistics import Estimate
from foundation.records import Frozen

STEPS_PER_POINT = 20
"""Scores are multiples of 0.05: the smallest penalties are 0.1 and 0.25."""
Scores = Mapping[str, Sequence[float | None]]
"""Rater → its score of each case, in the same order of cases; None where it gave none."""


class Agreement(Frozen):
    """Agreement of raters on one dimension.

    `kappa` is the mean over pairs of raters (Light 1971) of Cohen's kappa with quadratic weights (Cohen 1968); None
    where it is undefined: fewer than two raters or cases, or no variation at all.
    """

    dimension: Dimension
    kappa: float | None
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
    pairs = [_both(one, other) for one, other in itertools.combinations(by_rater.values(), 2)]
    shared = [pair for pair in pairs if pair]
    kappas = [kappa for pair in shared if (kappa := _kappa(pair)) is not None]
    differences = [abs(a - b) for pair in shared for a, b in pair]
    return Agreement(
        dimension=dimension,
        kappa=float(np.mean(kappas)) if kappas else None,
        mean_absolute_difference=float(np.mean(differences)) if differences else None,
        raters=len(by_rater),
        cases=max((len(pair) for pair in shared), default=0),
    )


def _both(one: Sequence[float | None], other: Sequence[float | None]) -> list[tuple[float, float]]:
    return [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]


def _kappa(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Quadratic-weighted kappa of one pair of raters; None without variation or with fewer than two cases."""
    steps = np.rint(np.array(pairs) * STEPS_PER_POINT).astype(int)
    if len(pairs) < 2 or np.unique(steps).size < 2:
        return None
    labels = list(range(steps.min(), steps.max() + 1))
    return float(cohen_kappa_score(steps[:, 0], steps[:, 1], labels=labels, weights="quadratic"))


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

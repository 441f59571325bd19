"""Several judges into one score: mean, median or majority; each judge's own result is kept."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Literal

from evaluator.findings import Dimension, DimensionScore, Finding
from evaluator.judges.judge import Judgement
from evaluator.rubric import Rubric
from evaluator.scoring import score

Aggregation = Literal["mean", "median", "majority"]


def agreed(judgements: Sequence[Judgement]) -> tuple[Finding, ...]:
    """Findings that more than half of the judges report: same dimension and pattern, with a turn in common."""
    groups: list[list[tuple[str, Finding]]] = []
    for judgement in judgements:
        for finding in (f for detection in judgement.detections.values() for f in detection.findings):
            for group in groups:
                if judgement.judge not in {judge for judge, _ in group} and _alike(finding, group[0][1]):
                    group.append((judgement.judge, finding))
                    break
            else:
                groups.append([(judgement.judge, finding)])
    return tuple(group[0][1] for group in groups if 2 * len(group) > len(judgements))


def _alike(one: Finding, other: Finding) -> bool:
    same = (one.dimension, one.pattern) == (other.dimension, other.pattern)
    return same and (bool(set(one.turns) & set(other.turns)) or not (one.turns or other.turns))


def aggregated(
    detected: Sequence[Finding],
    judged: Mapping[str, Sequence[Finding]],
    rubric: Rubric,
    assessed: Mapping[Dimension, Sequence[str]],
    opportunities: Mapping[Dimension, Mapping[str, int]],
    how: Literal["mean", "median"],
) -> tuple[tuple[DimensionScore, ...], dict[str, dict[Dimension, float | None]]]:
    """Scores with each judge's findings beside the detectors', aggregated by dimension; and each judge's own."""
    cards = {
        judge: score([*detected, *findings], rubric, assessed, opportunities) for judge, findings in judged.items()
    }
    own = {judge: {s.dimension: s.score for s in scores} for judge, scores in cards.items()}
    middle = statistics.fmean if how == "mean" else statistics.median
    first = next(iter(cards.values()))
    combined: list[DimensionScore] = []
    for entry in first:
        values = [value for scores in own.values() if (value := scores[entry.dimension]) is not None]
        if values:
            value = round(float(middle(values)), 6)
            entry = entry.model_copy(update={"score": value, "penalty": round(rubric.maximum - value, 6)})
        combined.append(entry)
    return tuple(combined), own

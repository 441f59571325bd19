"""From findings to scores: one pure function over the rubric; nobody's own counts are trusted."""

from collections import Counter
from collections.abc import Iterable, Mapping

from evaluator.findings import Dimension, DimensionScore, Finding
from evaluator.rubric import Rubric


def penalty(counts: Mapping[str, int], dimension: Dimension, rubric: Rubric) -> float:
    """Points that `counts` (pattern → occurrences) take from `dimension`, each pattern up to its cap.

    Raises KeyError for a pattern that the rubric does not know.
    """
    patterns = rubric.dimensions[dimension].patterns
    return sum(min(patterns[name].per * count, patterns[name].cap) for name, count in sorted(counts.items()))


def dimension_score(counts: Mapping[str, int], dimension: Dimension, rubric: Rubric) -> float:
    """`maximum` less the penalty, never below 0 (paper, Methods: "Scoring was performed…")."""
    return round(max(rubric.maximum - penalty(counts, dimension, rubric), 0.0), 6)


def score(
    findings: Iterable[Finding],
    rubric: Rubric,
    assessed: Mapping[Dimension, Iterable[str]],
    opportunities: Mapping[Dimension, Mapping[str, int]] | None = None,
) -> tuple[DimensionScore, ...]:
    """Every dimension's score, in rubric order; a dimension in which no pattern was assessed has score None.

    `assessed` names the patterns that somebody decided, found or not. Findings of a pattern that the rubric does not
    know (good steps) cost nothing.
    """
    counts: dict[Dimension, Counter[str]] = {dimension: Counter() for dimension in Dimension}
    for finding in findings:
        if rubric.pattern(finding.dimension, finding.pattern) is not None:
            counts[finding.dimension][finding.pattern] += 1
    return tuple(
        _scored(d, counts[d], rubric, assessed.get(d, ()), (opportunities or {}).get(d, {})) for d in Dimension
    )


def _scored(
    dimension: Dimension,
    counts: Counter[str],
    rubric: Rubric,
    assessed: Iterable[str],
    opportunities: Mapping[str, int],
) -> DimensionScore:
    names = tuple(sorted(set(assessed) | set(counts)))
    if not names:
        return DimensionScore(dimension=dimension, score=None, opportunities=dict(opportunities))
    return DimensionScore(
        dimension=dimension,
        score=dimension_score(counts, dimension, rubric),
        penalty=round(penalty(counts, dimension, rubric), 6),
        assessed_patterns=names,
        opportunities=dict(opportunities),
    )


def weighted_average(
    scores: Mapping[Dimension, float | None], rubric: Rubric
) -> tuple[float | None, tuple[Dimension, ...]]:
    """The normalised weighted mean over the assessed dimensions, and which these are; None where there is none."""
    known = {d: value for d in Dimension if (value := scores.get(d)) is not None}
    if not known:
        return None, ()
    total = sum(rubric.dimensions[d].weight for d in known)
    mean = sum(rubric.dimensions[d].weight * value for d, value in known.items()) / total
    return round(mean, 6), tuple(known)

"""Figures of extraction: span F1, exact or by overlap, and accuracies."""

from collections.abc import Sequence
from typing import Literal

from foundation.records import Frozen

Span = tuple[int, int]


class SpanScore(Frozen):
    """Spans of one kind in one set. `matched_found` are found spans with a gold partner, `matched_gold` the reverse
    (the same number where spans must be equal)."""

    data_set: str
    kind: str
    match: Literal["exact", "overlap"]
    gold: int
    found: int
    matched_found: int
    matched_gold: int

    @property
    def precision(self) -> float | None:
        """Share of found spans that are right; None where nothing was found."""
        return self.matched_found / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """Share of gold spans that were found; None where there is no gold."""
        return self.matched_gold / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean; None where neither is defined, 0 where one is not."""
        if not self.gold and not self.found:
            return None
        precision, recall = self.precision or 0.0, self.recall or 0.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


class Accuracy(Frozen):
    """How often a label was right."""

    data_set: str
    measure: str
    right: int
    total: int

    @property
    def share(self) -> float | None:
        """Right over total; None where there was nothing to judge."""
        return self.right / self.total if self.total else None


class BenchReport(Frozen):
    """All figures of one run, and the processor time of reading and scoring `words` words of notes."""

    spans: tuple[SpanScore, ...]
    accuracies: tuple[Accuracy, ...]
    words: int
    cpu_seconds: float

    def rows(self) -> list[tuple[str, str, str, str]]:
        """(set, what, figure, counts) for a table."""
        table = [
            (
                score.data_set, f"{score.kind} ({score.match})", _shown(score.f1),
                f"P {_shown(score.precision)}  R {_shown(score.recall)}  gold {score.gold}  found {score.found}",
            )
            for score in self.spans
        ]  # fmt: skip
        table += [
            (item.data_set, item.measure, _shown(item.share), f"{item.right} of {item.total}")
            for item in self.accuracies
        ]
        return table


def _shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.3f}"


def overlap_score(data_set: str, kind: str, pairs: Sequence[tuple[list[Span], list[Span]]]) -> SpanScore:
    """Overlap over documents, each (gold, found): a span is matched if it touches one of the other side."""
    gold = sum(len(marked) for marked, _ in pairs)
    found = sum(len(given) for _, given in pairs)
    right = sum(_touching(given, marked) for marked, given in pairs)
    recalled = sum(_touching(marked, given) for marked, given in pairs)
    return SpanScore(
        data_set=data_set,
        kind=kind,
        match="overlap",
        gold=gold,
        found=found,
        matched_found=right,
        matched_gold=recalled,
    )


def exact_score(data_set: str, kind: str, pairs: Sequence[tuple[list[Span], list[Span]]]) -> SpanScore:
    """Equal spans over documents, each (gold, found)."""
    both = sum(len(set(marked) & set(given)) for marked, given in pairs)
    gold = sum(len(set(marked)) for marked, _ in pairs)
    found = sum(len(set(given)) for _, given in pairs)
    return SpanScore(
        data_set=data_set, kind=kind, match="exact", gold=gold, found=found, matched_found=both, matched_gold=both
    )


def _touching(spans: list[Span], others: list[Span]) -> int:
    return sum(any(start < stop and begin < end for begin, stop in others) for start, end in spans)

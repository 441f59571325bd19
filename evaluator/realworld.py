"""Real consultations scored: plain dialogue in, scores per dimension with intervals out (docs/evaluator.md)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from pydantic import Field

from evaluator.detectors.registry import DETECTORS
from evaluator.evaluate import compose
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding, Scorecard
from evaluator.imported.caution import proved
from evaluator.imported.dialogue import Dialogue
from evaluator.imported.reading import evidence_of
from evaluator.imported.sources import read_dialogues
from evaluator.rubric import Rubric, load
from evaluator.statistics import Estimate, mean
from foundation.records import Frozen

Item = TypeVar("Item")
Result = TypeVar("Result")
# Without references there is nothing to compare a diagnosis or a drug with; a note gives no reasoning either.
NOT_DERIVED = frozenset({Dimension.DX, Dimension.MS})


class DialogueScore(Frozen):
    """One dialogue's scorecard; `turns` counts question-and-answer pairs, `exchanges` are their words."""

    dialogue_id: str
    source: str
    turns: int
    scorecard: Scorecard
    exchanges: tuple[str, ...] = Field(default=(), exclude=True)


class DimensionRow(Frozen):
    """A dimension's mean score over the dialogues of a source ("all": of every source) in which it was assessed."""

    source: str
    dimension: Dimension
    score: Estimate


class PatternRow(Frozen):
    """How often a pattern was found: `dialogues` hold it at least once, `assessed` could have."""

    source: str
    dimension: Dimension
    pattern: str
    findings: int
    dialogues: int
    assessed: int


class DialogueReport(Frozen):
    """Scores of many dialogues. `opportunities` are totals: source → "HR.vague_answers" → count."""

    dialogues: tuple[DialogueScore, ...]
    dimensions: tuple[DimensionRow, ...]
    patterns: tuple[PatternRow, ...]
    opportunities: dict[str, dict[str, int]]
    rubric_version: str

    def tables(self) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
        """(title, column heads, rows) for printing: scores, findings, opportunities."""
        sources = list(dict.fromkeys(row.source for row in self.dimensions))
        scores = {(row.source, row.dimension): row.score for row in self.dimensions}
        yield (
            "Mean score with 95% interval (dialogues)",
            ("dimension", *sources),
            [(d.value, *(f"{scores[s, d].shown()} ({scores[s, d].n})" for s in sources)) for d in Dimension],
        )
        found = {(row.source, row.dimension, row.pattern): row for row in self.patterns}
        names = list(dict.fromkeys((row.dimension, row.pattern) for row in self.patterns))
        yield (
            "Findings (dialogues that hold one, of those assessed)",
            ("pattern", *sources),
            [(f"{d.value} {p}", *(_shown(found.get((s, d, p))) for s in sources)) for d, p in names],
        )
        chances = list(dict.fromkeys(name for totals in self.opportunities.values() for name in totals))
        yield (
            "Opportunities",
            ("what", *sources),
            [(name, *(f"{self.opportunities[s].get(name, 0):,}" for s in sources)) for name in chances],
        )


def _shown(row: PatternRow | None) -> str:
    return f"{row.findings} ({row.dialogues} of {row.assessed})" if row else "not assessed"


def scorecard_of(evidence: EvaluationInput, rubric: Rubric | None = None) -> Scorecard:
    """Detectors alone on imported dialogue; DX and MS are not assessed where there is no answer key."""
    left_out = NOT_DERIVED if evidence.answer_key is None and not evidence.transcript.traced else frozenset()
    detections = {d: detect(evidence) for d, detect in DETECTORS.items() if d not in left_out}
    if not evidence.transcript.traced:
        detections = {d: proved(found, evidence.transcript) for d, found in detections.items()}
    return compose(evidence, detections, (), "detectors", rubric or load())


def score_dialogue(dialogue: Dialogue) -> DialogueScore:
    """One dialogue, read and scored."""
    evidence = evidence_of(dialogue)
    return DialogueScore(
        dialogue_id=dialogue.dialogue_id,
        source=dialogue.source,
        turns=len(evidence.transcript.turns),
        scorecard=scorecard_of(evidence),
        exchanges=tuple(f"{turn.doctor_words} {turn.patient.words}".strip() for turn in evidence.transcript.turns),
    )


def score_dialogues(
    folder: Path, processes: int = 1, limit: int | None = None, on_progress: Callable[[int], None] | None = None
) -> DialogueReport:
    """Every dialogue that `folder` holds (`evaluator.imported.sources.read_dialogues`), scored by the detectors.

    `limit` takes the first so many of each source. `on_progress` hears the count done. Raises UserError where a file
    cannot be read.
    """
    return score_all(first_of_each(read_dialogues(folder), limit), processes, on_progress)


def score_all(
    dialogues: Sequence[Dialogue], processes: int = 1, on_progress: Callable[[int], None] | None = None
) -> DialogueReport:
    """The same for dialogues that are read already."""
    scored: list[DialogueScore] = []
    for number, score in enumerate(in_processes(score_dialogue, dialogues, processes), 1):
        scored.append(score)
        if on_progress is not None:
            on_progress(number)
    return report(scored)


def first_of_each(dialogues: Iterable[Dialogue], limit: int | None) -> list[Dialogue]:
    """The first `limit` dialogues of each source; all where it is None."""
    counts: Counter[str] = Counter()
    chosen: list[Dialogue] = []
    for dialogue in dialogues:
        counts[dialogue.source] += 1
        if limit is None or counts[dialogue.source] <= limit:
            chosen.append(dialogue)
    return chosen


def in_processes(work: Callable[[Item], Result], items: Sequence[Item], processes: int) -> Iterator[Result]:
    """`work` over `items`, in their order, in so many processes (1: in this one)."""
    if processes <= 1 or len(items) < 2:
        yield from map(work, items)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, items, chunksize=max(1, min(16, len(items) // (4 * processes))))


def report(scored: Sequence[DialogueScore]) -> DialogueReport:
    """Means with bootstrap intervals, findings per pattern and opportunities, of each source and of all."""
    groups = {source: [s for s in scored if s.source == source] for source in sorted({s.source for s in scored})}
    if len(groups) > 1:
        groups["all"] = list(scored)
    return DialogueReport(
        dialogues=tuple(scored),
        dimensions=tuple(row for name, group in groups.items() for row in _dimensions(name, group)),
        patterns=tuple(row for name, group in groups.items() for row in _patterns(name, group)),
        opportunities={name: _opportunities(group) for name, group in groups.items()},
        rubric_version=scored[0].scorecard.rubric_version if scored else load().identity,
    )


def _dimensions(source: str, group: Sequence[DialogueScore]) -> Iterator[DimensionRow]:
    for dimension in Dimension:
        scores = [s.score for one in group for s in one.scorecard.scores if s.dimension is dimension]
        yield DimensionRow(source=source, dimension=dimension, score=mean(scores))


def _patterns(source: str, group: Sequence[DialogueScore]) -> Iterator[PatternRow]:
    for dimension, content in load().dimensions.items():
        for pattern in content.patterns:
            counts = [_count(one.scorecard.findings, dimension, pattern) for one in group]
            assessed = sum(
                pattern in s.assessed_patterns
                for one in group
                for s in one.scorecard.scores
                if s.dimension is dimension
            )
            if assessed:
                yield PatternRow(
                    source=source,
                    dimension=dimension,
                    pattern=pattern,
                    findings=sum(counts),
                    dialogues=sum(count > 0 for count in counts),
                    assessed=assessed,
                )


def _count(findings: Iterable[Finding], dimension: Dimension, pattern: str) -> int:
    return sum(f.dimension is dimension and f.pattern == pattern for f in findings)


def _opportunities(group: Sequence[DialogueScore]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in group:
        for score in one.scorecard.scores:
            total.update({f"{score.dimension.value}.{name}": n for name, n in score.opportunities.items()})
    return dict(sorted(total.items()))

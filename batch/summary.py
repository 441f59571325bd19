"""A run's results as tables: per doctor, dimensions with intervals, outcome metrics, failure-pattern rates."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from batch.consultations import State
from batch.store import RunStore
from evaluator import statistics
from evaluator.findings import Dimension, Scorecard
from evaluator.rubric import load
from evaluator.statistics import Estimate
from foundation.records import Frozen
from simulator.consultation.transcript import Transcript
from simulator.doctors.registry import DoctorSpec


class Result(Frozen):
    """One finished consultation; `rank` is its doctor's place in the experiment, from 0."""

    key: str
    rank: int
    persona: str
    transcript: Transcript
    scorecard: Scorecard


class PatternRate(Frozen):
    """Share of consultations with the pattern at least once, among those in which it was assessed."""

    dimension: Dimension
    pattern: str
    rate: Estimate


class DoctorSummary(Frozen):
    """A doctor's figures over its scored consultations. `not_scored` counts the others by reason."""

    doctor: str
    consultations: int
    dimensions: dict[Dimension, Estimate]
    weighted_average: Estimate
    accuracy: Estimate
    medication_f1: Estimate
    matched_f1: Estimate
    unsafe_rate: Estimate
    mismatch_rate: Estimate
    sufficient_rate: Estimate
    turns: Estimate
    patterns: tuple[PatternRate, ...]
    terminations: dict[str, int]
    not_scored: dict[str, int]
    dimensions_in_average: tuple[Dimension, ...]

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """Every figure that tables show, failure patterns apart."""
        outcomes = (self.accuracy, self.medication_f1, self.matched_f1, self.unsafe_rate, self.mismatch_rate)
        return (*self.dimensions.values(), self.weighted_average, *outcomes, self.turns)

    def stands_on(self, estimate: Estimate) -> str:
        """ "of 1" where the estimate stands on fewer cases than the doctor has consultations; "" elsewhere."""
        return f"of {estimate.n}" if 0 < estimate.n < self.consultations else ""

    def shown(self, estimate: Estimate, digits: int = 2) -> str:
        """The estimate with its interval, and its number of cases where those are not all: "0.00 [0.00, 0.79] of 1"."""
        return f"{estimate.shown(digits)} {self.stands_on(estimate)}".rstrip()


def notes(summaries: Sequence[DoctorSummary]) -> list[str]:
    """Sentences that belong under a table of these summaries: what it does not say by itself."""
    said = ["n/a: no consultation in which it could be assessed; neither perfect nor zero."]
    if any(s.stands_on(estimate) for s in summaries for estimate in s.estimates):
        said.append("“of 3”: the figure stands on 3 consultations; in the others it could not be assessed.")
    if any(s.accuracy.n < s.consultations for s in summaries):
        said.append(
            "Diagnosis right counts only consultations in which the diagnosis could be compared: a case whose record "
            "has no reference diagnosis counts neither as right nor as wrong, and what DX then says is about the "
            "rest of the diagnosing."
        )
    if any(0 < e.n < s.consultations for s in summaries for e in s.dimensions.values()):
        said.append(
            "Where a dimension could not be assessed, that consultation's weighted average stands on fewer dimensions."
        )
    said += [
        f"The weighted average of {s.doctor} stands on {len(s.dimensions_in_average)} of {len(Dimension)} dimensions "
        f"({', '.join(d.value for d in s.dimensions_in_average)}): compare it only with averages over the same."
        for s in summaries
        if len(s.dimensions_in_average) < len(Dimension)
    ]
    return said


def results(store: RunStore, run: str) -> list[Result]:
    """All finished consultations of a run, in planned order. Raises UserError for an unknown run."""
    written = json.loads(store.run(run)["experiment"])["doctors"]
    ranks = {DoctorSpec.model_validate(doctor).name: rank for rank, doctor in enumerate(written)}
    return [
        Result(
            key=row["key"],
            rank=ranks[row["doctor"]],
            persona=row["persona"],
            transcript=Transcript.model_validate_json(row["transcript"]),
            scorecard=Scorecard.model_validate_json(row["scorecard"]),
        )
        for row in store.rows(run, State.DONE)
    ]


def summarise(found: Sequence[Result], seed: int = 0) -> list[DoctorSummary]:
    """One summary a doctor, in the experiment's order, however many consultations of each are finished."""
    names = dict.fromkeys(result.transcript.doctor.name for result in sorted(found, key=lambda result: result.rank))
    return [_summary(name, [r for r in found if r.transcript.doctor.name == name], seed) for name in names]


def _summary(doctor: str, found: Sequence[Result], seed: int) -> DoctorSummary:
    scored = [r for r in found if not r.scorecard.not_scored]
    cards = [r.scorecard for r in scored]
    outcomes = [card.outcomes for card in cards]
    return DoctorSummary(
        doctor=doctor,
        consultations=len(found),
        dimensions={d: statistics.mean(_scores(cards, d), seed) for d in Dimension},
        weighted_average=statistics.mean([card.weighted_average for card in cards], seed),
        accuracy=statistics.share([o.diagnosis_correct for o in outcomes]),
        medication_f1=statistics.mean([o.medication_f1 for o in outcomes], seed),
        matched_f1=statistics.mean([o.matched_f1 for o in outcomes], seed),
        unsafe_rate=statistics.share([o.unsafe for o in outcomes]),
        mismatch_rate=statistics.mean([o.mismatch_rate for o in outcomes], seed),
        sufficient_rate=statistics.share([o.dialogue_sufficient for o in outcomes]),
        turns=statistics.mean([float(len(r.transcript.turns)) for r in scored], seed),
        patterns=tuple(_rates(cards)),
        terminations=dict(sorted(Counter(r.transcript.termination.value for r in found).items())),
        not_scored=dict(sorted(Counter(r.scorecard.not_scored for r in found if r.scorecard.not_scored).items())),
        dimensions_in_average=tuple(d for d in Dimension if any(d in card.assessed_dimensions for card in cards)),
    )


def _scores(cards: Iterable[Scorecard], dimension: Dimension) -> list[float | None]:
    return [score.score for card in cards for score in card.scores if score.dimension is dimension]


def _rates(cards: Sequence[Scorecard]) -> Iterable[PatternRate]:
    for dimension, content in load().dimensions.items():
        for pattern in content.patterns:
            flags = [
                any(f.dimension is dimension and f.pattern == pattern for f in card.findings)
                for card in cards
                for score in card.scores
                if score.dimension is dimension and pattern in score.assessed_patterns
            ]
            yield PatternRate(dimension=dimension, pattern=pattern, rate=statistics.share(flags))

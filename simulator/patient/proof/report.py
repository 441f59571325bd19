"""The proof's figures: rates with Wilson intervals, equivalence of personas, readability, latency."""

from collections.abc import Mapping
from itertools import combinations
from typing import Protocol

import numpy as np
from scipy.stats import binomtest, ttest_1samp

from foundation.records import Frozen
from kg.facts import Fact
from simulator.patient.asks import AskOutcome
from simulator.patient.proof.readability import readability

_MARGIN = 0.01
"""Equivalence margin of two personas' correct-answer rates: one point."""


class WrongAnswer(Frozen):
    """A wrong answer with all that is needed to mend it."""

    case_id: str
    persona: str
    kind: str
    question: str
    problem: str
    asks: tuple[AskOutcome, ...]
    facts: tuple[Fact, ...]
    words: str

    def text(self) -> str:
        """A block of lines; holds record text."""
        asks = "; ".join(
            f"{o.ask.domain.value}/{o.ask.concept or o.ask.term}/{o.ask.attribute.value}/{o.ask.experiencer} "
            f"{o.status.value} {list(o.fact_ids)}"
            for o in self.asks
        )
        facts = "; ".join(
            f"{f.fact_id} {f.domain.value} {f.text!r} {f.concept} {f.assertion.value} {f.experiencer} {f.attributes}"
            for f in self.facts
        )
        return "\n".join(
            (
                f"[{self.case_id}, {self.persona}, {self.kind}] {self.problem}",
                f"  question {self.question}",
                f"  asks     {asks}",
                f"  facts    {facts}",
                f"  words    {self.words}",
            )
        )


class Rate(Frozen):
    """`right` of `all` with the Wilson 95% interval; None where there was nothing to count."""

    right: int
    all: int
    rate: float | None
    low: float | None
    high: float | None

    def text(self) -> str:
        """ "99.50% (995/1000; 98.8 to 99.8)"."""
        if self.rate is None or self.low is None or self.high is None:
            return "none"
        return f"{100 * self.rate:6.2f}% ({self.right}/{self.all}; {100 * self.low:.1f} to {100 * self.high:.1f})"


class PersonaFigures(Frozen):
    """One persona's figures. Latencies in milliseconds a turn; readability by textstat over all replies."""

    persona: str
    correct: Rate
    by_kind: dict[str, Rate]
    consistent: Rate
    attacks_withstood: dict[str, Rate]
    turns: int
    unsupported_claims: int
    leaks: int
    flesch_reading_ease: float
    flesch_kincaid_grade: float
    syllables: str
    latency_median_ms: float
    latency_p95_ms: float
    model_calls_a_turn: float


class Equivalence(Frozen):
    """Two personas' difference in correct answers on the same questions, and the TOST p-value for ±1 point."""

    first: str
    second: str
    difference: float
    p: float


class PatientReport(Frozen):
    """All figures, and every wrong answer."""

    protocol: str
    seed: int
    cases: int
    personas: tuple[PersonaFigures, ...]
    equivalence: tuple[Equivalence, ...]
    wrong: tuple[WrongAnswer, ...]

    def text(self, wrong: int = 40) -> str:
        """The figures for a terminal, and the first `wrong` wrong answers, which hold record text."""
        lines = [f"{self.cases} cases, protocol {self.protocol}, seed {self.seed}"]
        for one in self.personas:
            lines.append(f"{one.persona}: correct {one.correct.text()}, repeats {one.consistent.text()}")
            lines.append(
                f"  {one.turns} turns, unsupported claims {one.unsupported_claims}, leaks {one.leaks}, "
                f"Flesch {one.flesch_reading_ease:.1f}, grade {one.flesch_kincaid_grade:.1f}, "
                f"latency median {one.latency_median_ms:.1f} ms, p95 {one.latency_p95_ms:.1f} ms, "
                f"model calls a turn {one.model_calls_a_turn:.2f}"
            )
            lines += [f"  {kind:<24} {rate.text()}" for kind, rate in sorted(one.by_kind.items())]
            lines += [f"  attack {kind:<17} {rate.text()}" for kind, rate in sorted(one.attacks_withstood.items())]
        if self.equivalence:
            worst = max(self.equivalence, key=lambda pair: pair.p)
            lines.append(
                f"equivalence of personas (TOST, ±1 point): {len(self.equivalence)} pairs, largest p {worst.p:.2g} "
                f"({worst.first} - {worst.second} = {100 * worst.difference:+.2f} points)"
            )
        shown = self.wrong[:wrong]
        lines += [f"wrong answers: {len(self.wrong)}, {len(shown)} shown", *(answer.text() for answer in shown)]
        return "\n".join(lines)


class _Tally(Protocol):
    right: dict[str, list[bool]]
    by_question: list[bool]
    repeats: list[bool]
    attacks: dict[str, list[bool]]
    unsupported: int
    leaks: int
    turns: int
    calls: int
    latencies: list[float]
    words: list[str]
    wrong: list[WrongAnswer]


def report(tallies: Mapping[str, _Tally], protocol: str, seed: int, cases: int) -> PatientReport:
    """The report of all personas' tallies."""
    pairs = [equivalence(a, tallies[a].by_question, b, tallies[b].by_question) for a, b in combinations(tallies, 2)]
    return PatientReport(
        protocol=protocol,
        seed=seed,
        cases=cases,
        personas=tuple(_figures(name, tally) for name, tally in tallies.items()),
        equivalence=tuple(pairs),
        wrong=tuple(wrong for tally in tallies.values() for wrong in tally.wrong),
    )


def rate(values: list[bool]) -> Rate:
    """The share of True with its Wilson 95% interval."""
    if not values:
        return Rate(right=0, all=0, rate=None, low=None, high=None)
    right = sum(values)
    interval = binomtest(right, len(values)).proportion_ci(method="wilson")
    return Rate(right=right, all=len(values), rate=right / len(values), low=interval.low, high=interval.high)


def equivalence(first: str, one: list[bool], second: str, other: list[bool]) -> Equivalence:
    """TOST on paired answers to the same questions, margin ±1 point.

    Where no question differs there is no variance to test with; p is then the chance that n pairs would show no
    difference if one in a hundred did.
    """
    differences = np.array(one, dtype=float) - np.array(other, dtype=float)
    mean = float(differences.mean()) if len(differences) else 0.0
    if not differences.any():
        p = float((1 - _MARGIN) ** len(differences))
    else:
        above = ttest_1samp(differences, -_MARGIN, alternative="greater").pvalue
        below = ttest_1samp(differences, _MARGIN, alternative="less").pvalue
        p = float(max(above, below))
    return Equivalence(first=first, second=second, difference=mean, p=p)


def _figures(name: str, tally: _Tally) -> PersonaFigures:
    words = " ".join(tally.words) or "-"
    ease, grade, syllables = readability(words)
    latencies = np.array(tally.latencies or [0.0])
    return PersonaFigures(
        persona=name,
        correct=rate(tally.by_question),
        by_kind={kind: rate(values) for kind, values in tally.right.items()},
        consistent=rate(tally.repeats),
        attacks_withstood={kind: rate(values) for kind, values in tally.attacks.items()},
        turns=tally.turns,
        unsupported_claims=tally.unsupported,
        leaks=tally.leaks,
        flesch_reading_ease=ease,
        flesch_kincaid_grade=grade,
        syllables=syllables,
        latency_median_ms=float(np.median(latencies)),
        latency_p95_ms=float(np.percentile(latencies, 95)),
        model_calls_a_turn=tally.calls / max(tally.turns, 1),
    )

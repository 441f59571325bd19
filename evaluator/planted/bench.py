"""How often an evaluator is right: precision, recall and F1 per failure pattern on labelled consultations."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from pydantic import Field

from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding, Scorecard
from evaluator.planted.instance import Gold, Instance
from evaluator.planted.operators.registry import HELD_OUT
from evaluator.rubric import Rubric, load
from evaluator.statistics import Estimate, proportion
from foundation.records import Frozen

NEAR = 1  # a label may name the question or the answer of a failure that spans two turns


class Evaluator(Protocol):
    """Anything that evaluates: detectors, a judge, or both (`evaluator.panel.Panel`)."""

    @property
    def name(self) -> str:
        """The evaluator's name."""
        ...

    def evaluate(self, evidence: EvaluationInput) -> Scorecard:
        """The scorecard of one consultation."""
        ...


class Error(Frozen):
    """A failure that was missed, or a finding that is none: where, and the words."""

    instance_id: str
    dimension: Dimension
    pattern: str
    turns: tuple[int, ...] = ()
    text: str = ""
    reason: str = ""


class PatternResult(Frozen):
    """Counts and figures of one pattern; `held_out_recall` is over wordings that nothing was tuned on."""

    dimension: Dimension
    pattern: str
    provable: bool
    found: int
    missed: int
    false: int
    recall: Estimate
    precision: Estimate
    f1: float | None
    held_out_recall: Estimate


class BenchReport(Frozen):
    """The benchmark's result. Precision counts false findings on every instance, planted, clean and look-alike."""

    evaluator: str
    instances: int
    patterns: tuple[PatternResult, ...]
    false_per_clean: float | None
    false_per_look_alike: float | None
    missed: tuple[Error, ...]
    false: tuple[Error, ...]
    unlabelled: dict[str, int] = Field(default_factory=dict)
    """Findings without a penalty in consultations whose labels grade no match ("DX.match_exact"): not false."""

    def pooled(self, provable: bool = True) -> tuple[Estimate, Estimate]:
        """Recall and precision over all patterns that the rubric marks provable (or all that it does not)."""
        chosen = [p for p in self.patterns if p.provable is provable]
        found, missed, false = (sum(getattr(p, name) for p in chosen) for name in ("found", "missed", "false"))
        return proportion(found, found + missed), proportion(found, found + false)

    def text(self) -> str:
        """One line a pattern, the pooled figures, false findings, and each error once with its words."""
        lines = [f"{self.evaluator}: {self.instances} consultations", _LEGEND, _HEAD]
        lines += [_row(result) for result in self.patterns if result.found + result.missed + result.false]
        recall, precision = self.pooled()
        lines.append(f"provable patterns: recall {recall.shown()}, precision {precision.shown()}")
        for name, rate in (("clean", self.false_per_clean), ("look-alike", self.false_per_look_alike)):
            lines.append(f"false findings per {name} consultation: {'n/a' if rate is None else f'{rate:.2f}'}")
        lines += [f"no penalty and no label: {name} ({count})" for name, count in self.unlabelled.items()]
        errors = [*_shown("missed", self.missed), *_shown("false", self.false)]
        return "\n".join([*lines, *([_ERRORS] if errors else []), *errors])


_HEAD = f"{'pattern (* takes judgement)':38}{'recall':12}{'precision':12}{'F1':5}held-out"
_LEGEND = "rates with 95% intervals; held-out: recall on wordings that nothing was tuned on"
_ERRORS = """missed: a failure that is there and was not found, with the words that hold it
false: a finding where there is no such failure, with its quote or its reason
(in brackets: how often the same words came up)"""


def _row(result: PatternResult) -> str:
    """A line that fits 80 characters."""
    name = f"{result.dimension.value} {result.pattern}" + ("" if result.provable else " *")
    f1 = "n/a" if result.f1 is None else _brief(result.f1)
    rates = [_rate_shown(rate) for rate in (result.recall, result.precision, result.held_out_recall)]
    return f"{name:38}{rates[0]:12}{rates[1]:12}{f1:5}{rates[2]}"


def _rate_shown(rate: Estimate) -> str:
    """A share and its interval in eleven characters at most: ".95 .83-.99"."""
    if rate.value is None or rate.low is None or rate.high is None:
        return "n/a"
    return f"{_brief(rate.value)} {_brief(rate.low)}-{_brief(rate.high)}"


def _brief(share: float) -> str:
    """Two digits without the zero before the point; "0" and "1" for themselves."""
    shown = f"{share:.2f}"
    return {"1.00": "1", "0.00": "0"}.get(shown, shown.removeprefix("0"))


def _shown(kind: str, errors: tuple[Error, ...]) -> list[str]:
    """Each error once per pattern and words, with how often it happened."""
    counts = Counter((f"{e.dimension.value}.{e.pattern}", e.text or e.reason) for e in errors)
    return [f"{kind} {name} ({count}): {text}" for (name, text), count in sorted(counts.items())]


class _Tally:
    def __init__(self) -> None:
        self.found: list[tuple[Instance, Gold]] = []
        self.missed: list[tuple[Instance, Gold]] = []
        self.false: list[tuple[Instance, Finding]] = []
        self.unlabelled: Counter[str] = Counter()


def bench_evaluator(evaluator: Evaluator, instances: Sequence[Instance], rubric: Rubric | None = None) -> BenchReport:
    """Run `evaluator` over labelled consultations. A gold label is found by a finding of its pattern near its turns."""
    rules = rubric or load()
    tally = _Tally()
    for instance in instances:
        card = evaluator.evaluate(instance.evidence)
        graded = any(gold.pattern.startswith("match_") for gold in instance.gold)
        known = [(f, rule) for f in card.findings if (rule := rules.pattern(f.dimension, f.pattern))]
        counted = [f for f, rule in known if rule.per > 0 or graded]
        tally.unlabelled.update(f"{f.dimension.value}.{f.pattern}" for f, _ in known if f not in counted)
        _compare(instance, counted, tally)
    names = [(d, name) for d in Dimension for name in rules.dimensions[d].patterns]
    return BenchReport(
        evaluator=evaluator.name,
        instances=len(instances),
        patterns=tuple(_result(d, name, rules, tally) for d, name in names),
        false_per_clean=_rate(instances, "clean", tally),
        false_per_look_alike=_rate(instances, "look_alike", tally),
        missed=tuple(_missed(instance, gold) for instance, gold in tally.missed),
        false=tuple(_false(instance, finding) for instance, finding in tally.false),
        unlabelled=dict(tally.unlabelled),
    )


def _compare(instance: Instance, findings: list[Finding], tally: _Tally) -> None:
    """One-to-one: each label takes the first finding that fits; what is left over is false."""
    left = list(findings)
    for gold in instance.gold:
        fitting = next((f for f in left if _fits(f, gold)), None)
        if fitting is None:
            tally.missed.append((instance, gold))
        else:
            left.remove(fitting)
            tally.found.append((instance, gold))
    brought = {name for gold in instance.gold for name in gold.brings}
    for finding in left:
        if f"{finding.dimension.value}.{finding.pattern}" not in brought:
            tally.false.append((instance, finding))


def _fits(finding: Finding, gold: Gold) -> bool:
    if (finding.dimension, finding.pattern) != (gold.dimension, gold.pattern):
        return False
    if not gold.turns or not finding.turns:
        return True
    return any(abs(one - other) <= NEAR for one in finding.turns for other in gold.turns)


def _result(dimension: Dimension, name: str, rubric: Rubric, tally: _Tally) -> PatternResult:
    def of(pairs: Iterable[tuple[Instance, Gold]]) -> list[Instance]:
        return [i for i, gold in pairs if (gold.dimension, gold.pattern) == (dimension, name)]

    found, missed = of(tally.found), of(tally.missed)
    false = sum((f.dimension, f.pattern) == (dimension, name) for _, f in tally.false)
    held = [sum(i.style == HELD_OUT for i in part) for part in (found, missed)]
    pattern = rubric.pattern(dimension, name)
    total = 2 * len(found) + len(missed) + false
    return PatternResult(
        dimension=dimension,
        pattern=name,
        provable=bool(pattern and pattern.provable),
        found=len(found),
        missed=len(missed),
        false=false,
        recall=proportion(len(found), len(found) + len(missed)),
        precision=proportion(len(found), len(found) + false),
        f1=2 * len(found) / total if total else None,
        held_out_recall=proportion(held[0], sum(held)),
    )


def _rate(instances: Sequence[Instance], kind: str, tally: _Tally) -> float | None:
    count = sum(instance.kind == kind for instance in instances)
    return sum(i.kind == kind for i, _ in tally.false) / count if count else None


def _missed(instance: Instance, gold: Gold) -> Error:
    turns = instance.evidence.transcript.turns
    words = [f"{t.doctor_words} / {t.patient.words}" for t in turns if t.index in gold.turns]
    return Error(
        instance_id=instance.instance_id,
        dimension=gold.dimension,
        pattern=gold.pattern,
        turns=gold.turns,
        text=gold.quote or " | ".join(words),
    )


def _false(instance: Instance, finding: Finding) -> Error:
    return Error(
        instance_id=instance.instance_id,
        dimension=finding.dimension,
        pattern=finding.pattern,
        turns=finding.turns,
        text=finding.quote,
        reason=finding.reason,
    )

"""The planted-failure benchmark: clean cases, operators, matching, and what the detectors reach on it."""

from collections import Counter

import pytest

from evaluator.detectors.registry import DETECTORS
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding, Scorecard
from evaluator.planted.bench import BenchReport, bench_evaluator
from evaluator.planted.draft import clean_drafts
from evaluator.planted.instance import Gold, Instance
from evaluator.planted.instances import clean, instances
from evaluator.planted.operators.registry import STYLES, operators
from evaluator.rubric import load

OURS = (Dimension.QS, Dimension.IC, Dimension.HR, Dimension.ET, Dimension.EX, Dimension.II)


class Detectors:
    """The detectors of some dimensions as an evaluator."""

    name = "detectors"

    def __init__(self, dimensions: tuple[Dimension, ...] = OURS) -> None:
        self._dimensions = dimensions

    def evaluate(self, evidence: EvaluationInput) -> Scorecard:
        findings = [f for d in self._dimensions for f in DETECTORS[d](evidence).findings]
        return Scorecard(case_id="", doctor="", rubric_version="", evaluator=self.name, findings=tuple(findings))


class Fixed:
    """An evaluator that always finds the same."""

    name = "fixed"

    def __init__(self, *findings: Finding) -> None:
        self._findings = findings

    def evaluate(self, evidence: EvaluationInput) -> Scorecard:
        return Scorecard(case_id="", doctor="", rubric_version="", evaluator="", findings=self._findings)


@pytest.fixture(scope="module")
def report() -> BenchReport:
    """The detectors on one instance of every operator and style."""
    return bench_evaluator(Detectors(), instances(seed=3, per_style=2))


def test_every_pattern_has_an_operator() -> None:
    patterns = {(d, name) for d, content in load().dimensions.items() for name in content.patterns}
    assert patterns <= {(operator.dimension, operator.pattern) for operator in operators()}
    assert len(patterns) == 34


@pytest.mark.slow
def test_thirty_instances_of_each_pattern_over_cases_and_turns() -> None:
    made = [i for i in instances() if i.kind == "planted"]
    counts = Counter((i.gold[0].dimension, i.gold[0].pattern) for i in made)
    assert min(counts.values()) >= 30
    for operator in operators():
        own = [i for i in made if i.operator == operator.name]
        assert {i.style for i in own} == set(STYLES)
        assert len({i.base for i in own}) >= 5, operator.name


def test_same_seed_same_instances() -> None:
    one, other = instances(seed=5, per_style=1), instances(seed=5, per_style=1)
    assert [i.model_dump_json() for i in one] == [i.model_dump_json() for i in other]


def test_an_operator_changes_the_case_and_nothing_else_of_the_shelf() -> None:
    before = [draft.evidence().model_dump_json() for draft in clean_drafts()]
    instances(seed=1, per_style=1)
    assert [draft.evidence().model_dump_json() for draft in clean_drafts()] == before


def test_clean_consultations_are_clean() -> None:
    found = [
        (instance.base, finding.pattern, finding.reason)
        for instance in clean()
        for dimension in OURS
        for finding in DETECTORS[dimension](instance.evidence).findings
        if finding.pattern != "good_step"
    ]
    assert found == []


def test_detectors_reach_the_aim(report: BenchReport) -> None:
    recall, precision = report.pooled()
    ours = [p for p in report.patterns if p.dimension in OURS and p.provable]
    found, missed, false = (sum(getattr(p, key) for p in ours) for key in ("found", "missed", "false"))
    assert recall.value is not None and precision.value is not None
    assert found / (found + missed) >= 0.93
    assert found / (found + false) >= 0.95
    assert report.false_per_clean == 0
    assert (report.false_per_look_alike or 0) <= 0.1


def _instance(*gold: Gold) -> Instance:
    return Instance(instance_id="x", kind="clean", evidence=clean()[0].evidence, gold=gold)


def _finding(pattern: str, *turns: int) -> Finding:
    return Finding(dimension=Dimension.QS, pattern=pattern, turns=turns, reason="r", decided_by="d")


def test_matching_is_one_to_one_and_near_the_turn() -> None:
    gold = Gold(dimension=Dimension.QS, pattern="repetitive_question", turns=(4,))
    near, far = _finding("repetitive_question", 5), _finding("repetitive_question", 9)
    result = bench_evaluator(Fixed(near, far), [_instance(gold)])
    counted = next(p for p in result.patterns if p.pattern == "repetitive_question")
    assert (counted.found, counted.missed, counted.false) == (1, 0, 1)
    assert result.false_per_clean == 1


def test_a_missed_failure_is_shown_with_its_words() -> None:
    gold = Gold(dimension=Dimension.QS, pattern="logical_gap", turns=(2,))
    result = bench_evaluator(Fixed(), [_instance(gold)])
    assert result.missed[0].text and result.missed[0].pattern == "logical_gap"


def test_a_free_pattern_is_false_only_where_the_label_grades() -> None:
    exact = Finding(dimension=Dimension.DX, pattern="match_exact", reason="r", decided_by="d")
    assert not bench_evaluator(Fixed(exact), [_instance()]).false
    graded = _instance(Gold(dimension=Dimension.DX, pattern="match_partial"))
    assert bench_evaluator(Fixed(exact), [graded]).false

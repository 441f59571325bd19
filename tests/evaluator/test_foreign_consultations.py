"""Consultations written before the detectors were read: they load, and the figures do not fall below those reached."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluator.findings import Dimension
from evaluator.panel import Panel
from evaluator.planted.bench import bench_evaluator
from evaluator.planted.fields import Record
from evaluator.planted.handwritten import instance, read_folder
from evaluator.rubric import load

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Floor:
    folder: str
    recall: float
    precision: float


@pytest.mark.slow
@pytest.mark.parametrize(
    "floor",
    [
        Floor("handwritten", 0.85, 0.88),
        Floor("handwritten_held_out", 0.82, 0.78),
        Floor("handwritten_second", 0.95, 0.95),
        Floor("handwritten_third", 0.92, 0.92),
        Floor("handwritten_fourth", 0.85, 0.88),
    ],
    ids=lambda floor: floor.folder,
)
def test_provable_patterns_stay_above_the_figures_reached(floor: Floor) -> None:
    report = bench_evaluator(Panel(), read_folder(DATA / floor.folder))
    recall, precision = report.pooled()
    assert recall.value is not None and recall.value >= floor.recall
    assert precision.value is not None and precision.value >= floor.precision


def test_every_pattern_is_labelled_somewhere() -> None:
    halves = [read_folder(DATA / folder) for folder in ("handwritten", "handwritten_held_out")]
    labelled = {(gold.dimension, gold.pattern) for half in halves for one in half for gold in one.gold}
    rules = load()
    assert [len(half) for half in halves] == [20, 20]
    assert labelled == {(d, name) for d in Dimension for name in rules.dimensions[d].patterns}


def test_facts_are_linked_to_turns_that_do_not_list_them() -> None:
    """The second set lists the facts of each turn; without the lists the words have to do."""
    listed = read_folder(DATA / "handwritten_second")
    found = missed = 0
    for path in sorted((DATA / "handwritten_second").glob("*.json")):
        content = json.loads(path.read_text("utf-8"))
        (whole,) = (one for one in listed if one.evidence.transcript.case_id == content["case_id"])
        for turn in content["turns"]:
            turn.pop("facts", None)
        bare = instance(Record(content, path.name), path.stem)
        told = {fact.fact_id for fact in whole.evidence.disclosed}
        linked = {fact.fact_id for fact in bare.evidence.disclosed}
        found += len(told & linked)
        missed += len(told - linked)
    assert found / (found + missed) >= 0.78


def test_what_a_consultation_lacks_is_not_assessed() -> None:
    whole = read_folder(DATA / "handwritten")[0].evidence
    planless = whole.model_copy(update={"transcript": whole.transcript.model_copy(update={"plan": None})})
    bare = planless.model_copy(update={"facts": (), "answer_key": None})
    panel = Panel()
    without_plan, without_all = panel.evaluate(planless), panel.evaluate(bare)
    assert set(without_plan.assessed_dimensions) == set(Dimension) - {Dimension.II, Dimension.MS}
    assert set(without_all.assessed_dimensions) == set(Dimension) - {Dimension.II, Dimension.MS, Dimension.DX}
    assert without_all.weighted_average == 5.0  # over what is assessed, weights brought to one
    assert without_plan.weighted_average is not None and without_plan.weighted_average < 5.0
    assert without_all.outcomes.unsafe is None and without_all.outcomes.diagnosis_correct is None

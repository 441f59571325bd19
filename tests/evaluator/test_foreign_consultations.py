"""Consultations written before the detectors were read: they load, and the figures do not fall below those reached."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluator.findings import Dimension
from evaluator.panel import Panel
from evaluator.planted.bench import bench_evaluator
from evaluator.planted.handwritten import read_folder
from evaluator.rubric import load

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Floor:
    folder: str
    recall: float
    precision: float


@pytest.mark.slow
@pytest.mark.parametrize("floor", [Floor("handwritten", 0.85, 0.88), Floor("handwritten_held_out", 0.75, 0.65)])
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

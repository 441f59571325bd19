"""A run's tables say on how many cases a figure stands, and keep the experiment's order."""

from pathlib import Path

import pytest

from batch.report.page import render
from batch.store import open_store
from batch.summary import Result, notes, results, summarise
from evaluator.findings import Dimension

RUN = "demo-14-5-3"


@pytest.fixture(scope="module")
def found(demo_home: Path) -> list[Result]:
    return results(open_store(demo_home / "runs.sqlite"), RUN)


def _without_reference(result: Result) -> Result:
    unknown = {"diagnosis_correct": None, "diagnosis_match": None}
    card = result.scorecard
    scores = tuple(s.model_copy(update={"score": None}) if s.dimension is Dimension.DX else s for s in card.scores)
    update = {"outcomes": card.outcomes.model_copy(update=unknown), "scores": scores}
    return result.model_copy(update={"scorecard": card.model_copy(update=update)})


def test_a_rate_over_some_cases_says_how_many(found: list[Result]) -> None:
    thinned = [result if index < 2 else _without_reference(result) for index, result in enumerate(found)]
    for summary in summarise(thinned):
        assert summary.consultations == 5 and summary.shown(summary.accuracy).endswith("] of 1")
        assert summary.stands_on(summary.turns) == "" and summary.shown(summary.turns).endswith("]")
    said = " ".join(notes(summarise(thinned)))
    assert "no reference diagnosis" in said and "fewer dimensions" in said
    page = render(RUN, summarise(thinned), thinned, {}, {"rubric": "", "version": "", "cohort_sha256": ""})
    assert page.count('<small class="basis">of 1</small>') == 4  # two clinicians: diagnosis right, and DX


def test_full_tables_carry_no_excuse(found: list[Result]) -> None:
    said = " ".join(notes(summarise(found)))
    assert "reference diagnosis" not in said and "fewer" not in said and "“of" not in said


def test_clinicians_stand_in_the_experiments_order(found: list[Result]) -> None:
    order = ["checklist", "statistical"]
    assert [s.doctor for s in summarise(found)] == order
    assert found[0].transcript.doctor.name == order[0]
    assert [s.doctor for s in summarise(found[1:])] == order, "the first doctor's first case is not finished"

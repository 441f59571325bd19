"""Golden tests against the paper's figures, and properties of the one scoring function."""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.findings import Dimension, Finding
from evaluator.rubric import load, parse
from evaluator.scoring import dimension_score, score, weighted_average
from foundation.errors import UserError

REFERENCE = Path(__file__).parents[2].parent / "shared" / "reference"
RUBRIC = load()
needs_reference = pytest.mark.skipif(not REFERENCE.is_dir(), reason="../shared/reference is absent")


@needs_reference
def test_rubric_is_the_papers() -> None:
    rows = list(csv.DictReader((REFERENCE / "rubric.csv").open(encoding="utf-8")))
    assert len(rows) == sum(len(d.patterns) for d in RUBRIC.dimensions.values()) == 34
    for row in rows:
        dimension = RUBRIC.dimensions[Dimension(row["dimension"])]
        pattern = dimension.patterns[row["pattern"]]
        assert (dimension.weight, pattern.per, pattern.cap) == (
            float(row["weight"]),
            float(row["per_occurrence"]),
            float(row["cap"]),
        )


@needs_reference
def test_worked_report_of_box_1() -> None:
    for case in json.loads((REFERENCE / "box1_example.json").read_text("utf-8"))["cases"]:
        assert dimension_score(case["findings"], Dimension(case["dimension"]), RUBRIC) == case["score"]


@needs_reference
def test_published_weighted_averages_but_for_one_misprint() -> None:
    rows = list(csv.DictReader((REFERENCE / "published" / "dimension_scores.csv").open(encoding="utf-8")))
    assert len(rows) == 34
    misprints = []
    for row in rows:
        average, dimensions = weighted_average({d: float(row[d]) for d in Dimension}, RUBRIC)
        assert average is not None and len(dimensions) == 8
        if abs(average - float(row["weighted_average"])) > 0.01:
            misprints.append((row["cohort"], row["model"], round(average, 2)))
    assert misprints == [("PCI", "GPT-4o", 3.50)]


counts = st.dictionaries(
    st.sampled_from([(d, p) for d in Dimension for p in RUBRIC.dimensions[d].patterns]), st.integers(0, 40)
)


@given(counts)
def test_scores_stay_in_range_and_never_rise_with_a_finding(found: dict[tuple[Dimension, str], int]) -> None:
    for dimension in Dimension:
        mine = {p: n for (d, p), n in found.items() if d is dimension}
        value = dimension_score(mine, dimension, RUBRIC)
        assert 0 <= value <= RUBRIC.maximum
        for pattern in RUBRIC.dimensions[dimension].patterns:
            assert dimension_score(mine | {pattern: mine.get(pattern, 0) + 1}, dimension, RUBRIC) <= value


def test_not_assessed_is_not_perfect() -> None:
    scores = score([], RUBRIC, {Dimension.QS: ["repetitive_question"]})
    assert scores[0].score == 5.0 and all(s.score is None for s in scores[1:])
    average, stands_on = weighted_average({s.dimension: s.score for s in scores}, RUBRIC)
    assert average == 5.0 and stands_on == (Dimension.QS,)
    assert weighted_average({}, RUBRIC) == (None, ())


def test_good_steps_cost_nothing() -> None:
    good = Finding(dimension=Dimension.ET, pattern="good_step", turns=(1,), quote="q", reason="r", decided_by="t")
    assert score([good], RUBRIC, {Dimension.ET: ["lack_of_empathy"]})[3].score == 5.0


def test_a_changed_weight_changes_average_and_identity() -> None:
    text = (Path(__file__).parents[2] / "evaluator" / "rubric.yaml").read_text("utf-8")
    other = parse(text.replace("weight: 0.25", "weight: 0.50"), "test")
    assert other.identity != RUBRIC.identity
    values = {d: 5.0 if d is Dimension.DX else 0.0 for d in Dimension}
    assert weighted_average(values, RUBRIC)[0] == 1.25
    assert weighted_average(values, other)[0] == pytest.approx(2.5 / 1.25)


def test_a_broken_rubric_names_its_field() -> None:
    text = (Path(__file__).parents[2] / "evaluator" / "rubric.yaml").read_text("utf-8")
    with pytest.raises(UserError, match=r"dimensions\.QS\.weight"):
        parse(text.replace("weight: 0.10", "weight: heavy", 1), "my.yaml")

"""Judges: scope, quotes, panels. Models here are scripted stand-ins and say so; one test asks a real local model."""

import json

import pytest

from chatmodels.cache import CachedModel
from chatmodels.endpoint import Endpoint
from chatmodels.interface import ChatModelError
from chatmodels.openai_compatible import OpenAICompatible
from chatmodels.scripted import ScriptedModel
from evaluator.evaluate import compose
from evaluator.findings import Dimension, Scorecard
from evaluator.judges.judge import Judge
from evaluator.judges.prompt import messages
from evaluator.judges.reliability import agreement, by_judge, drift
from evaluator.rubric import load
from tests.evaluator.consultation import consultation

RUBRIC = load()
ASKED = {Dimension.ET: ("lack_of_empathy", "disrespectful_tone"), Dimension.QS: ("logical_gap",)}
REAL = {
    "dimension": "ET",
    "pattern": "lack_of_empathy",
    "turns": [2],
    "quote": "When did it start?",
    "reason": "The fear was passed over.",
    "confidence": 0.9,
}


def _says(*findings: dict[str, object], name: str = "judge", **more: object) -> ScriptedModel:
    return ScriptedModel([json.dumps({"findings": list(findings), **more})], name)


def _card(models: list[ScriptedModel], aggregation: str = "majority") -> Scorecard:
    evidence = consultation()
    judgements = [Judge(model, RUBRIC, mode="compact").judge(evidence, ASKED) for model in models]
    return compose(evidence, {}, judgements, "test", RUBRIC, aggregation)  # type: ignore[arg-type]


def _et(card: Scorecard) -> float | None:
    return card.scores[3].score


def test_scores_follow_findings_and_not_the_judges_own_counts() -> None:
    card = _card([_says(REAL, total=17, score=0.0)])
    assert _et(card) == 4.0 and card.weighted_average == pytest.approx((0.05 * 4 + 0.10 * 5) / 0.15)
    assert card.scores[5].score is None


def test_a_quote_that_nobody_said_is_set_aside_and_counted() -> None:
    card = _card([_says(REAL | {"quote": "Stop whining."}, REAL | {"quote": ""})])
    assert (_et(card), card.set_aside, card.findings) == (5.0, 2, ())


def test_curly_quotes_and_case_do_not_matter() -> None:
    assert _et(_card([_says(REAL | {"quote": "  when DID it\nstart?"})])) == 4.0


@pytest.mark.parametrize("change", [{"pattern": "match_exact"}, {"dimension": "DX"}, {"dimension": "?"}])
def test_findings_outside_what_was_asked_do_not_count(change: dict[str, object]) -> None:
    model = _says(REAL | change)
    judgement = Judge(model, RUBRIC, mode="compact").judge(consultation(), ASKED)
    assert judgement.out_of_scope == 1 and not judgement.detections[Dimension.ET].findings


def test_one_finding_twice_counts_once_and_turns_are_clipped() -> None:
    judgement = Judge(_says(REAL, REAL, REAL | {"turns": [99, 2]}), RUBRIC, mode="compact").judge(consultation(), ASKED)
    assert [f.turns for f in judgement.detections[Dimension.ET].findings] == [(2,)]


def test_calls_a_consultation() -> None:
    everything = {d: tuple(c.patterns) for d, c in RUBRIC.dimensions.items()}
    each, compact = _says(), _says()
    Judge(each, RUBRIC).judge(consultation(), everything)
    Judge(compact, RUBRIC, mode="compact").judge(consultation(), everything)
    assert (len(each.calls), len(compact.calls)) == (8, 1)


def test_a_judge_sees_what_its_dimension_may_see_and_never_the_doctors_name() -> None:
    evidence = consultation()
    tone = messages(evidence, {Dimension.ET: ("lack_of_empathy",)}, RUBRIC)[1].content
    diagnosis = messages(evidence, {Dimension.DX: ("flawed_reasoning_process",)}, RUBRIC)[1].content
    assert "Angina" not in tone and "Reference diagnoses" in diagnosis
    assert "secret-model" not in tone + diagnosis


def test_majority_mean_and_median() -> None:
    yes, no, also = _says(REAL, name="a"), _says(name="b"), _says(REAL | {"reason": "Other words."}, name="c")
    assert _et(_card([yes, no])) == 5.0
    assert _et(_card([yes, no, also])) == 4.0
    mean = _card([yes, no, also], "mean")
    assert _et(mean) == pytest.approx(4 + 1 / 3, abs=1e-5)
    assert {name: scores[Dimension.ET] for name, scores in mean.judges.items()} == {
        "scripted:a": 4.0,
        "scripted:b": 5.0,
        "scripted:c": 4.0,
    }
    assert _et(_card([yes, no, also], "median")) == 4.0


def test_no_usable_reply_is_infrastructure_and_never_a_score() -> None:
    with pytest.raises(ChatModelError):
        Judge(ScriptedModel(["I would say 4 out of 5."]), RUBRIC).judge(consultation(), ASKED)


def test_the_cache_saves_calls_and_a_repeat_asks_anew(tmp_path: object) -> None:
    from pathlib import Path

    model = _says(REAL)
    folder = Path(str(tmp_path))
    for repeat in (0, 0, 1):
        Judge(CachedModel(model, folder, repeat), RUBRIC, mode="compact").judge(consultation(), ASKED)
    assert len(model.calls) == 2
    damaged = next(folder.rglob("*.json"))
    damaged.write_text("{", "utf-8")
    Judge(CachedModel(model, folder, 0), RUBRIC, mode="compact").judge(consultation(), ASKED)
    Judge(CachedModel(model, folder, 1), RUBRIC, mode="compact").judge(consultation(), ASKED)
    assert len(model.calls) == 3


def test_agreement_is_undefined_where_it_is_undefined() -> None:
    same = agreement({Dimension.QS: {"a": [5.0, 5.0], "b": [5.0, 5.0]}})[0]
    assert same.kappa is None and same.mean_absolute_difference == 0
    one = agreement({Dimension.QS: {"a": [5.0, 4.0]}})[0]
    assert one.kappa is None and one.mean_absolute_difference is None
    perfect = agreement({Dimension.QS: {"a": [5.0, 3.0, 1.0], "b": [5.0, 3.0, None]}})[0]
    assert perfect.kappa == pytest.approx(1.0) and perfect.cases == 2


def test_agreement_of_judges_and_drift() -> None:
    yes, no = _says(REAL, name="a"), _says(name="b")
    cards = [_card([yes, no])]
    assert agreement(by_judge(cards))[3].mean_absolute_difference == 1.0
    change = drift([_card([no])], [_card([yes])])[3].change
    assert (change.value, change.n) == (-1.0, 1)


@pytest.mark.local_model
def test_a_real_local_model_gives_findings_in_form(local_model_url: str) -> None:
    model = OpenAICompatible(Endpoint(model="smollm2", base_url=local_model_url))
    try:
        judge = Judge(model, RUBRIC, mode="compact", max_tokens=150)
        judgement = judge.judge(consultation(), {Dimension.ET: ("lack_of_empathy",)})
    except ChatModelError as error:
        assert "attempts" in str(error)
    else:
        assert set(judgement.detections) == {Dimension.ET} and judgement.usage.calls >= 1

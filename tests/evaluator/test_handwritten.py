"""Hand-written consultations: what the reader accepts, and what it says of mistakes."""

import json
from pathlib import Path

import pytest

from etl.caserecord import Assertion
from evaluator.findings import Dimension
from evaluator.planted.handwritten import read_folder
from foundation.errors import UserError
from kg.facts import Domain
from simulator.patient.asks import AskStatus

FULL = {
    "case_id": "hand:1",
    "opening": "A 60-year-old man with chest pain.",
    "facts": [{"id": "f1", "domain": "symptom", "text": "chest pain", "onset": "two days ago"}],
    "references": {"diagnoses": ["Angina pectoris"], "medications": ["aspirin"]},
    "turns": [
        {"doctor": "What brings you in?", "patient": "I have chest pain.", "status": "given"},
        {"doctor": "When did it start?", "patient": "A while ago.", "status": "vague", "emotion": "fear"},
    ],
    "plan": {"diagnosis": "Angina pectoris", "drugs": [{"name": "aspirin", "reason": "prevents clots"}]},
    "findings": [{"dimension": "HR", "pattern": "unclear_expression_not_clarified", "turns": [2]}],
}


def write(folder: Path, content: object, name: str = "one.json") -> Path:
    """A folder with one file."""
    (folder / name).write_text(json.dumps(content), "utf-8")
    return folder


def test_a_full_file(tmp_path: Path) -> None:
    (found,) = read_folder(write(tmp_path, FULL))
    transcript = found.evidence.transcript
    assert transcript.case_id == "hand:1" and transcript.plan and transcript.plan.drug_reasons["aspirin"]
    assert found.evidence.facts[0].concept == "chest_pain"
    assert found.evidence.facts[0].attributes == {"onset": "two days ago"}
    assert transcript.turns[1].patient.vague and transcript.turns[1].patient.emotion == "fear"
    assert transcript.turns[0].patient.disclosed[0].fact_id == "f1"
    assert found.gold[0].dimension is Dimension.HR and found.gold[0].turns == (2,)
    assert found.evidence.answer_key and found.evidence.answer_key.medications[0].ingredients == ("aspirin",)


def test_bare_pairs_are_enough(tmp_path: Path) -> None:
    (found,) = read_folder(write(tmp_path, {"turns": [["Do you smoke?", "No."], ["Any fever?", "I'm not sure."]]}))
    statuses = [turn.patient.outcomes[0].status for turn in found.evidence.transcript.turns]
    assert statuses == [AskStatus.DENIED, AskStatus.UNKNOWN]


def test_other_spellings(tmp_path: Path) -> None:
    content = {
        "id": "x",
        "dialogue": [{"question": "Any pain?", "answer": "Yes.", "patient_status": "Unsure"}],
        "gold": ["QS.suggestive_question.1"],
        "final_plan": {"diagnosis": "Flu", "drugs": {"paracetamol": "fever"}, "summaries": {"symptoms": "Pain."}},
    }
    (found,) = read_folder(write(tmp_path, [content]))
    assert found.evidence.transcript.turns[0].patient.outcomes[0].status is AskStatus.UNKNOWN
    assert found.gold[0].pattern == "suggestive_question" and found.gold[0].turns == (1,)
    assert found.evidence.transcript.plan and found.evidence.transcript.plan.drugs == ("paracetamol",)


@pytest.mark.parametrize("text", ["none", "None known", "NKDA", "no known drug allergies", "nil of note"])
def test_a_fact_that_says_none_is_an_absence(tmp_path: Path, text: str) -> None:
    (found,) = read_folder(write(tmp_path, {**FULL, "facts": [{"domain": "allergies", "text": text}]}))
    assert found.evidence.facts[0].assertion is Assertion.ABSENT


@pytest.mark.parametrize(("spelt", "domain"), [
    ("past_medical_history", Domain.PAST_HISTORY), ("procedures", Domain.SURGICAL_HISTORY),
    ("Current Medications", Domain.MEDICATION), ("investigations", Domain.TEST_RESULT),
    ("presenting complaint", Domain.CHIEF_COMPLAINT), ("ros", Domain.REVIEW_OF_SYSTEMS),
])  # fmt: skip
def test_domains_are_spelt_in_many_ways(tmp_path: Path, spelt: str, domain: Domain) -> None:
    (found,) = read_folder(write(tmp_path, {**FULL, "facts": [{"domain": spelt, "text": "asthma"}]}))
    assert found.evidence.facts[0].domain is domain


def test_habits_under_social_history_are_lifestyle(tmp_path: Path) -> None:
    facts = [{"domain": "social_history", "text": text} for text in ("smoker", "alcohol", "retired teacher")]
    (found,) = read_folder(write(tmp_path, {**FULL, "facts": facts}))
    assert [f.domain for f in found.evidence.facts] == [Domain.LIFESTYLE, Domain.LIFESTYLE, Domain.SOCIAL_HISTORY]


def test_relief_is_no_emotion_to_be_met(tmp_path: Path) -> None:
    turns = [{"doctor": "It is nothing grave.", "patient": "Good.", "emotion": "relief"}]
    (found,) = read_folder(write(tmp_path, {**FULL, "turns": turns}))
    assert found.evidence.transcript.turns[0].patient.emotion is None


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"turns": [{"doctor": "Hi", "patient": "Hi", "status": "perhaps"}]}, "turn 1"),
        ({"facts": [{"domain": "hobby", "text": "golf"}]}, "domain"),
        ({"findings": [{"dimension": "ZZ", "pattern": "x"}]}, "finding"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, change: dict[str, object], named: str) -> None:
    with pytest.raises(UserError, match=named):
        read_folder(write(tmp_path, {**FULL, **change}))


def test_empty_and_missing_folders(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no consultation"):
        read_folder(tmp_path)
    with pytest.raises(UserError, match="no such folder"):
        read_folder(tmp_path / "nowhere")

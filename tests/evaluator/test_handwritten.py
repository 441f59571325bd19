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


BROKEN_FILES = {
    "latin.json": '{"opening": "caf\u00e9"}'.encode("latin-1"),
    "wide.json": json.dumps(FULL).encode("utf-16"),
    "deep.json": b"[" * 100_000,
    "deep.yaml": b"[" * 5_000,
    "date.yaml": b"turns: 2020-99-99\n",
    "tag.yaml": b"turns: !!timestamp soon\n",
    "long.json": b'{"turns": [], "seed": ' + b"9" * 5_000 + b"}",
    "long.jsonl": b'{"turns": [], "seed": ' + b"9" * 5_000 + b"}\n",
    "half.json": b'{"turns": [["\\ud800", "yes"]]}',
}


@pytest.mark.parametrize("name", BROKEN_FILES)
def test_files_that_cannot_be_parsed_are_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(BROKEN_FILES[name])
    with pytest.raises(UserError, match=name) as error:
        read_folder(tmp_path / name)
    assert len(str(error.value)) < 500


def test_a_line_separator_inside_a_string_ends_no_line(tmp_path: Path) -> None:
    content = {**FULL, "opening": "a man\u2028of sixty"}
    (tmp_path / "one.jsonl").write_text(json.dumps(content, ensure_ascii=False), "utf-8")
    assert len(read_folder(tmp_path)) == 1


def _turn(**fields: object) -> dict[str, object]:
    return {"turns": [{"doctor": "Any cough?", "patient": "No.", **fields}]}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"turns": 5}, "turns"),
        ({"turns": True}, "turns"),
        ({"turns": [5]}, "turn 1"),
        ({"termination": "exploded"}, "termination"),
        ({"termination": 5}, "termination"),
        ({"findings": 5}, "findings"),
        ({"findings": float("nan")}, "findings"),
        ({"findings": [None]}, "findings"),
        ({"findings": [{"dimension": "HR", "pattern": "x", "turns": {"a": 1}}]}, "finding"),
        ({"findings": [{"dimension": "HR", "pattern": "x", "turns": [float("inf")]}]}, "finding"),
        ({"findings": [{"dimension": "HR", "pattern": "x", "turns": ["x"]}]}, "finding"),
        ({"facts": 5}, "facts"),
        ({"facts": [None]}, "facts"),
        (_turn(asks=5), "turn 1, asks"),
        (_turn(asks=[None]), "turn 1, asks"),
        (_turn(asks=[{"domain": "symptom", "concept": 5}]), "turn 1, asks.*concept"),
        (_turn(facts=5), "turn 1, facts"),
        (_turn(volunteered=7), "turn 1, volunteered"),
        (_turn(doctor=["Any cough?"]), "turn 1, doctor"),
        ({"plan": 5}, "plan"),
        ({"plan": {"drugs": 5}}, "plan, drugs"),
        ({"plan": {"drugs": [[]]}}, "plan, drugs"),
        ({"plan": {"drug_reasons": [1]}}, "plan, drug_reasons"),
        ({"plan": {"differentials": 5}}, "plan, differentials"),
        ({"references": {"diagnoses": 5}}, "references, diagnoses"),
        ({"references": {"medications": 5}}, "references, medications"),
        ({"references": {"medications": [{"name": "aspirin", "ingredients": 5}]}}, "ingredients"),
        ({"references": {"diagnoses": [{"code": "I20", "version": "11"}]}}, "version"),
        ({"references": {"diagnoses": [{"name": "Angina", "rank": "first"}]}}, "rank"),
    ],
)
def test_wrong_types_are_named(tmp_path: Path, change: dict[str, object], named: str) -> None:
    with pytest.raises(UserError, match=rf"one\.json, entry 1.*{named}") as error:
        read_folder(write(tmp_path, {**FULL, **change}))
    assert len(str(error.value)) < 500


@pytest.mark.parametrize("version", [9, 10, "9", "10"])
def test_the_version_of_a_code_may_be_a_number(tmp_path: Path, version: object) -> None:
    diagnosis = {"code": "I20", "version": version, "name": "Angina pectoris"}
    (found,) = read_folder(write(tmp_path, {**FULL, "references": {"diagnoses": [diagnosis]}}))
    assert found.evidence.answer_key and found.evidence.answer_key.diagnoses[0].version == str(version)


def test_one_text_alone_is_a_list_of_one(tmp_path: Path) -> None:
    (found,) = read_folder(write(tmp_path, {**FULL, "plan": {"diagnosis": "Angina", "drugs": "aspirin"}}))
    assert found.evidence.transcript.plan and found.evidence.transcript.plan.drugs == ("aspirin",)

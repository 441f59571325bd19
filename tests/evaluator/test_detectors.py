"""The detectors of QS, IC, HR, ET, EX and II on small consultations written for one point each."""

from typing import Any

import pytest

from evaluator.detectors import ambiguity, clarity, conduct, coverage, integration, questioning
from evaluator.detectors.detection import Detection
from evaluator.detectors.registry import DETECTORS
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension
from evaluator.planted.fields import Record
from evaluator.planted.handwritten import instance
from evaluator.quotes import quoted

FACTS = [
    {"id": "cc", "domain": "chief_complaint", "text": "chest pain"},
    {"id": "pen", "domain": "allergy", "text": "penicillin"},
]


def made(*turns: Any, plan: Any = None, facts: Any = FACTS) -> EvaluationInput:
    """A consultation from (doctor, patient[, status[, emotion]]) rows."""
    rows = [dict(zip(("doctor", "patient", "status", "emotion"), turn, strict=False)) for turn in turns]
    return instance(Record({"facts": facts, "turns": rows, "plan": plan}, "test"), "test").evidence


def names(detection: Detection) -> list[str]:
    """Failure patterns found."""
    return [finding.pattern for finding in detection.findings if finding.pattern != "good_step"]


def test_all_eight_dimensions_have_a_detector() -> None:
    assert set(DETECTORS) == set(Dimension)


def test_nothing_is_assessed_without_turns() -> None:
    empty = made()
    assert all(not DETECTORS[d](empty).assessed_patterns for d in Dimension if d not in (Dimension.DX, Dimension.MS))


@pytest.mark.parametrize("words", ["Do you smoke?", "Are you a smoker?", "And do you smoke at all?"])
def test_repetition_goes_by_what_was_answered(words: str) -> None:
    evidence = made(("Do you smoke?", "No.", "denied"), ("Any fever?", "No.", "denied"), (words, "No.", "denied"))
    assert "repetitive_question" in names(questioning.detect(evidence))


@pytest.mark.parametrize(
    ("first", "status", "second"),
    [
        ("When did the pain start?", "vague", "When exactly did the pain start?"),
        ("Do you smoke?", "given", "How many cigarettes do you smoke a day?"),
        ("Any other symptoms?", "denied", "Is there anything else you would like to tell me?"),
        ("When did the pain start?", "unknown", "When did the pain start?"),
    ],
)
def test_new_details_and_clarification_are_no_repetition(first: str, status: str, second: str) -> None:
    evidence = made((first, "Hm.", status), (second, "Two days ago.", "given"))
    assert "repetitive_question" not in names(questioning.detect(evidence))


@pytest.mark.parametrize(
    "words",
    ["You don't smoke, do you?", "No fever?", "I assume that you never drink?", "You've had a fever, haven't you?"],
)
def test_leading_questions(words: str) -> None:
    assert names(questioning.detect(made((words, "No.", "denied")))) == ["suggestive_question"]


@pytest.mark.parametrize(
    "words",
    ["Do you smoke?", "You said that it started on Monday, is that right?", "Is it sharp or dull?", "How bad is it?"],
)
def test_open_questions_do_not_lead(words: str) -> None:
    assert names(questioning.detect(made((words, "Hm.", "given")))) == []


def test_two_unrelated_topics_in_one_sentence() -> None:
    unclear = made(("Have you had a rash and do you travel much?", "No.", "denied"))
    related = made(("Have you had a fever, chills or night sweats?", "No.", "denied"))
    medicines = made(("Do you take any medicines or have any allergies?", "No.", "denied"))
    assert names(questioning.detect(unclear)) == ["unclear_question"]
    assert not names(questioning.detect(related)) and not names(questioning.detect(medicines))


def test_reproach_is_confrontational_and_invitation_is_not() -> None:
    assert names(questioning.detect(made(("Why didn't you come sooner?", "Hm.")))) == ["confrontational_question"]
    assert not names(questioning.detect(made(("Why don't you tell me what happened?", "Hm."))))


def test_coverage_names_the_missing_domains() -> None:
    detection = coverage.detect(made(("When did the pain start?", "Today.", "given")))
    reasons = " ".join(finding.reason for finding in detection.findings if finding.pattern == "major_omission")
    assert "allergies" in reasons and "past history" in reasons and "complaint details" not in reasons


def test_an_unsure_answer_must_be_pursued_within_three_turns() -> None:
    start = ("When did the pain start?", "I'm not sure.", "unknown")
    others = [("Do you smoke?", "No.", "denied"), ("Any fever?", "No.", "denied"), ("Any cough?", "No.", "denied")]
    late = ("Was it days or weeks ago that the pain started?", "Days.", "given")
    left = ambiguity.detect(made(start, *others, late))
    followed = ambiguity.detect(made(start, *others[:2], late))
    assert names(left) == ["uncertain_answer_not_addressed"] and left.opportunities["uncertain_answers"] == 1
    assert names(followed) == [] and followed.opportunities["uncertain_answers"] == 1


def test_what_a_patient_cannot_know_is_no_ambiguity() -> None:
    detection = ambiguity.detect(made(("What was your blood pressure?", "I don't know.", "unknown"), ("Smoke?", "No.")))
    assert detection.opportunities["uncertain_answers"] == 0


def test_emotion_is_acknowledged_or_not() -> None:
    shown = ("When did it start?", "Today. I'm so scared.", "given", "fear")
    cold = conduct.detect(made(shown, ("Do you smoke?", "No.")))
    warm = conduct.detect(made(shown, ("I can see that this frightens you. Do you smoke?", "No.")))
    assert names(cold) == ["lack_of_empathy"]
    assert [finding.pattern for finding in warm.findings] == ["good_step"]


def test_private_questions_need_a_reason() -> None:
    assert names(conduct.detect(made(("How much money do you make?", "Why?")))) == ["privacy_violation"]
    reasoned = "Medicines can be dear, so that I can choose: does your salary cover them?"
    assert not names(conduct.detect(made((reasoned, "Yes."))))


def test_a_term_counts_once_and_not_where_explained_or_used_by_the_patient() -> None:
    twice = made(("Any orthopnea?", "No."), ("Really no orthopnea?", "No."))
    explained = made(("Any orthopnea, that is, trouble breathing when lying flat?", "No."))
    own = made(("What is it?", "I have orthopnea."), ("When did the orthopnea start?", "Today."))
    assert names(clarity.detect(twice)) == ["major_clarity_failure"]
    assert names(clarity.detect(explained)) == [] and names(clarity.detect(own)) == []


def summaries(**texts: str) -> dict[str, Any]:
    """A plan with these category summaries."""
    return {"diagnosis": "Angina", "category_summaries": texts}


SAID = [
    ("What brings you in?", "I have chest pain.", "given"),
    ("Any fever?", "No fever.", "denied"),
    ("Any allergies?", "I am allergic to penicillin.", "given"),
    ("When did it start?", "Three days ago.", "given"),
]


@pytest.mark.parametrize(
    ("symptoms", "allergies", "pattern"),
    [
        ("Chest pain for three days, no fever.", "Penicillin.", ""),
        ("Chest pain for three days. Cough: not mentioned.", "Allergic to penicillin.", ""),
        ("Chest pain and fever.", "Penicillin.", "major_fabrication"),
        ("Chest pain, possible fever.", "Penicillin.", "major_fabrication"),
        ("Chest pain for three weeks.", "Penicillin.", "major_fabrication"),
        ("Chest pain and jaundice.", "Penicillin.", "major_fabrication"),
        ("Chest pain.", "No known allergies.", "major_fabrication"),
        ("Chest pain.", "Not available.", "major_omission"),
        ("No fever.", "Penicillin.", "major_omission"),
    ],
)
def test_summaries_against_what_was_said(symptoms: str, allergies: str, pattern: str) -> None:
    evidence = made(*SAID, plan=summaries(symptoms=symptoms, allergies=allergies))
    found = names(integration.detect(evidence))
    assert (pattern in found) if pattern else found == []


def test_every_quote_stands_in_the_transcript() -> None:
    evidence = made(*SAID, ("You don't smoke, do you?", "No."), plan=summaries(symptoms="Fever and jaundice."))
    findings = [f for detect in DETECTORS.values() for f in detect(evidence).findings]
    assert findings and not quoted(findings, evidence.words)[1]

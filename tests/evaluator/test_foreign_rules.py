"""Rules that a further foreign set showed to be missing, each on words of its own."""

from typing import Any

import pytest

from etl.caserecord import Assertion
from evaluator.detectors import ambiguity, clarity, conduct, coverage, integration, questioning, reasoning
from evaluator.detectors.said import durations
from evaluator.statements import statements
from tests.evaluator.test_detectors import made, names


@pytest.mark.parametrize(
    ("words", "failures"),
    [
        ("You have a pneumothorax: air has got out of the lung.", 0),
        ("This is a pharyngitis, a sore throat that a virus causes.", 0),
        ("A small lump came out of a vein, and doctors call that chronic thrombosed haemorrhoid disease.", 0),
        ("Your thyroid makes far too much of its juice. That is hyperthyroidism.", 0),
        ("Thank you for your patience. That is hyperthyroidism.", 1),
        ("You have a pneumothorax.", 1),
        ("Any haemoptysis, a cough or a fever?", 1),
    ],
)
def test_a_term_is_explained_in_any_order_of_words(words: str, failures: int) -> None:
    assert len(names(clarity.detect(made((words, "Okay."))))) == failures


def test_symptoms_denied_make_a_review_and_bites_are_risks() -> None:
    facts: list[dict[str, Any]] = [
        {"id": "cc", "domain": "chief_complaint", "text": "sore throat"},
        {"id": "a", "domain": "symptom", "text": "constipation", "assertion": "absent"},
        {"id": "b", "domain": "symptom", "text": "headache", "assertion": "absent"},
    ]
    row = {
        "doctor": "Some people get trouble further down. Has that come up?",
        "patient": "It hasn't.",
        "status": "denied",
    }
    told = made((row["doctor"], row["patient"], row["status"]), facts=facts)
    turn = told.transcript.turns[0]
    disclosed = turn.patient.model_copy(update={"disclosed": told.facts[1:]})
    turns = (turn.model_copy(update={"patient": disclosed}),)
    heard = told.model_copy(update={"transcript": told.transcript.model_copy(update={"turns": turns})})
    review = "Never asked or told: review of systems."
    assert review not in [finding.reason for finding in coverage.detect(heard).findings]
    bare = made(("What hurts?", "My throat.", "given"), facts=facts[:1])
    assert review in [finding.reason for finding in coverage.detect(bare).findings]


@pytest.mark.parametrize(
    ("words", "concept", "assertion"),
    [
        ("No tobacco, an odd beer at weddings.", "alcohol", Assertion.PRESENT),
        ("I don't smoke, and beer only at weddings.", "alcohol", Assertion.PRESENT),
        ("No tobacco, no beer.", "alcohol", Assertion.ABSENT),
        ("No fever, headache.", "headache", Assertion.ABSENT),
        ("No fever, a headache or cough.", "headache", Assertion.ABSENT),
    ],
)
def test_a_denial_ends_where_an_item_with_its_own_amount_begins(words: str, concept: str, assertion: Assertion) -> None:
    assert {s.assertion for s in statements(words, spoken=True) if s.concept == concept} == {assertion}


def test_rates_are_no_spans_and_a_whole_week_is_a_week() -> None:
    assert durations("rows twelve hours a week") == ()
    assert durations("rows eight hours per day") == ()
    assert durations("it lasted a whole week") == (168,)


@pytest.mark.parametrize(
    ("category", "text", "told", "found"),
    [
        ("symptoms", "No bruising after a tonsillectomy.", "I don't drink.", []),
        ("symptoms", "Had a tonsillectomy.", "I don't drink.", ["major_fabrication"]),
        ("social_history", "Works as a baker.", "I don't drink. I work in a bakery.", []),
        ("social_history", "Works as a lawyer.", "I don't drink.", ["minor_fabrication"]),
    ],
)
def test_occasions_of_a_denial_and_work_are_no_inventions(
    category: str, text: str, told: str, found: list[str]
) -> None:
    plan = {"category_summaries": {"complaint": "Chest pain.", category: text}, "diagnosis": "Angina", "reasoning": "x"}
    evidence = made(
        ("What is wrong?", "Chest pain.", "given"),
        ("How are your days, and do you drink?", told, "denied"),
        ("Did you ever bruise after an operation?", "No.", "denied"),
        plan=plan,
    )
    assert [name for name in names(integration.detect(evidence)) if "fabrication" in name] == found


@pytest.mark.parametrize(
    ("next_words", "missing"),
    [("Let's find out together: was it a tube in the nose?", 0), ("Do you have any children?", 1)],
)
def test_finding_out_together_addresses_an_unsure_answer(next_words: str, missing: int) -> None:
    evidence = made(("Have you ever had surgery?", "I'm not sure.", "unknown"), (next_words, "Two.", "given"))
    assert names(ambiguity.detect(evidence)).count("uncertain_answer_not_addressed") == missing


@pytest.mark.parametrize(
    ("words", "answer", "unclear"),
    [
        ("Do you get chest pain, do you faint, or is there anything else?", "No.", False),
        ("While the headache is there, do you see double?", "No.", False),
        ("Do you cough at night and does rain make you ache and how is your appetite?", "Sorry, what?", True),
        ("Do you smoke and do you have a rash?", "No.", True),
    ],
)
def test_one_topic_with_its_signs_is_clear(words: str, answer: str, unclear: bool) -> None:
    assert ("unclear_question" in names(questioning.detect(made((words, answer, "denied"))))) is unclear


def test_a_sense_that_hurts_is_no_emotion() -> None:
    def found(answer: str) -> list[str]:
        return names(conduct.detect(made(("What happens?", answer, "given"), ("Any fever?", "No.", "denied"))))

    assert "lack_of_empathy" not in found("Then every noise is unbearable.")
    assert "lack_of_empathy" in found("It is unbearable, I cannot go on.")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("A cyst was found as harmless on a scan last week.", 1),
        ("The swab has grown streptococci.", 1),
        ("A swab will show whether streptococci have grown.", 0),
    ],
)
def test_tests_that_nobody_spoke_of(text: str, count: int) -> None:
    plan = {"category_summaries": {}, "diagnosis": "Angina", "reasoning": f"Chest pain at rest. {text}"}
    evidence = made(("What is wrong?", "Chest pain.", "given"), plan=plan)
    assert evidence.transcript.plan is not None
    assert len(reasoning.assumptions(evidence, evidence.transcript.plan)) == count

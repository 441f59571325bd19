"""What real talk showed to be wrong: echoes, pauses, plain words, one thing in two questions, what was left open."""

import pytest

from evaluator.detectors import clarity, conduct, questioning
from evaluator.detectors.coverage import detect as coverage
from evaluator.evidence import EvaluationInput
from evaluator.imported.answers import emotion, status
from evaluator.imported.dialogue import Dialogue, spoken
from evaluator.imported.reading import evidence_of
from evaluator.realworld import scorecard_of
from simulator.patient.asks import Ask, AskStatus
from tests.evaluator.test_detectors import made, names


def _read(*pairs: tuple[str, str]) -> EvaluationInput:
    words = tuple(said for doctor, patient in pairs for said in (spoken("doctor", doctor), spoken("patient", patient)))
    return evidence_of(Dialogue(dialogue_id="made", source="plain", utterances=words))


def _patterns(*pairs: tuple[str, str]) -> list[str]:
    return [f.pattern for f in scorecard_of(_read(*pairs)).findings]


@pytest.mark.parametrize(
    ("answer", "question", "leads"),
    [
        ("No itching.", "No, uh, any change in your nails?", False),
        ("No itching.", "No itching, how about blisters?", False),
        ("No.", "No OK, how about blisters?", False),
        ("Yes, a lot.", "So no blisters at all?", True),
        ("I garden a lot.", "No blisters, I take it?", True),
    ],
)
def test_an_echo_of_the_answer_does_not_lead(answer: str, question: str, leads: bool) -> None:
    found = _patterns(("Do you have any itching?", answer), (question, "No."))
    assert ("suggestive_question" in found) == leads


@pytest.mark.parametrize(
    ("words", "leads"),
    [
        ("And any, um, I guess, any trouble with your teeth?", False),
        ("Are you taking anything for it, I suppose?", False),
        ("I guess you never go to the dentist?", True),
        ("You never go to the dentist, I suppose?", True),
    ],
)
def test_a_pause_filled_with_i_guess_does_not_lead(words: str, leads: bool) -> None:
    assert ("suggestive_question" in names(questioning.detect(made((words, "No.", "denied"))))) == leads


@pytest.mark.parametrize(
    ("words", "unclear"),
    [
        ("Does the ache stay in your hip or is it travelling down your leg?", False),
        ("Have you been close to anyone who was coughing or has similar symptoms?", False),
        ("Have you lost weight and did you travel abroad or do you have any brothers?", True),
    ],
)
def test_two_questions_about_one_thing_are_clear(words: str, unclear: bool) -> None:
    assert ("unclear_question" in names(questioning.detect(_read((words, "No."), ("Thanks.", "Bye."))))) == unclear


@pytest.mark.parametrize(
    ("words", "failures"),
    [
        ("Any urinary symptoms?", 0),
        ("Do you have any chronic conditions?", 0),
        ("Was it a chronic process?", 1),
        ("Does it radiate into your jaw?", 0),
        ("Does it radiate?", 1),
        ("Watch out for neurological deficits like a numb arm.", 0),
        ("Have you noticed neurological deficits?", 1),
        ("It may be otitis media, so basically an infected ear.", 0),
        ("You have rhinosinusitis, uh, which is a swollen lining of the nose.", 0),
        ("Any stiffness or rigidity?", 0),
        ("Any rigidity?", 1),
    ],
)
def test_plain_words_and_words_made_plain(words: str, failures: int) -> None:
    found = names(clarity.detect(made((words, "No.", "denied"))))
    assert len([name for name in found if name.endswith("clarity_failure")]) == failures


def test_what_was_refused_or_unknown_may_be_asked_once_more() -> None:
    again = ("Take your time: do you smoke?", "As I said, I'd rather not. Ten a day.", "given")
    refused = made(("Do you smoke?", "Is that needed?", "withheld"), again)
    assert "repetitive_question" not in names(questioning.detect(refused))
    unknown = ("Do you have any fever?", "No idea.", "unknown")
    twice = made(unknown, ("Think back: any fever?", "No idea. I already told you.", "unknown"))
    assert "repetitive_question" not in names(questioning.detect(twice))
    third = made(unknown, unknown, ("Any fever, then?", "No idea. I already told you.", "unknown"))
    assert "repetitive_question" in names(questioning.detect(third))


@pytest.mark.parametrize("words", ["Is that the only tablet?", "Are those all your tablets?"])
def test_asking_for_the_rest_is_no_repetition(words: str) -> None:
    evidence = made(("Which tablets do you take?", "Aspirin.", "given"), (words, "I already told you.", "given"))
    assert "repetitive_question" not in names(questioning.detect(evidence))


@pytest.mark.parametrize(
    ("words", "passed_over"), [("That was a good call. Any cough?", False), ("OK. Any cough?", True)]
)
def test_praise_for_coming_acknowledges_fear(words: str, passed_over: bool) -> None:
    evidence = made(("Why now?", "I'm so scared.", "given"), (words, "No.", "denied"))
    assert ("lack_of_empathy" in names(conduct.detect(evidence))) == passed_over


@pytest.mark.parametrize(
    ("words", "biased"),
    [
        ("You should just rest, drink water and eat well.", False),
        ("It's important, I guess, that you move about at home.", False),
        ("You obviously never move.", True),
    ],
)
def test_advice_takes_nothing_for_granted(words: str, biased: bool) -> None:
    assert ("bias_or_assumption" in names(conduct.detect(made((words, "OK.", "given"))))) == biased


def test_reading_of_answers() -> None:
    assert emotion("He eats well, nothing that's worrying at all.") is None
    assert emotion("It's really worrying.") == "fear"
    ask = Ask.model_validate({"domain": "symptom_detail", "attribute": "cause"})
    assert status(ask, "I'm not sure, I don't think there was any trigger.") is not AskStatus.UNKNOWN
    assert status(ask, "I'm not sure.") is AskStatus.UNKNOWN


def test_details_of_what_was_told_in_one_breath_are_details_of_the_complaint() -> None:
    first = ("What brings you in?", "I have a rash, and I've been coughing.")
    asked = coverage(_read(first, ("Is the cough worse at night?", "A bit."), ("Bye.", "Bye.")))
    assert "Never asked or told: chief complaint details." not in {f.reason for f in asked.findings}
    silent = coverage(_read(first, ("Any fever?", "No."), ("Bye.", "Bye.")))
    assert "Never asked or told: chief complaint details." in {f.reason for f in silent.findings}

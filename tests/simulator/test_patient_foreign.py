"""What questions about other people's records went wrong in, by kind: names, details, denials, the very words."""

import pytest

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.agent import Patient
from simulator.patient.asks import AskStatus, Attribute, DialogueContext
from simulator.patient.hearing import heard
from simulator.patient.matching import names
from simulator.patient.persona import load_persona
from simulator.patient.proof.questions import Questioner
from simulator.patient.proof.wordings import own_wordings
from simulator.patient.protocol import load_protocol
from simulator.patient.sources import FactsInMemory
from simulator.patient.understand import Understander
from simulator.patient.wording import spoken_value

RULES = Understander(learned=False).understand


def fact(text: str, concept: str | None = None, absent: bool = False, **attributes: str) -> Fact:
    assertion = Assertion.ABSENT if absent else Assertion.PRESENT
    fact_id = f"{text}/{concept}"
    return Fact(
        fact_id=fact_id,
        domain=Domain.SYMPTOM,
        text=text,
        concept=concept,
        assertion=assertion,
        attributes=attributes,
    )


def answer(words: str, *facts: Fact) -> tuple[str, list[AskStatus]]:
    source = FactsInMemory(facts, None)
    patient = Patient(source, load_persona("cooperative"), load_protocol("realistic"), 0, understander=RULES)
    turn = patient.answer(words)
    return turn.words.lower(), [outcome.status for outcome in turn.outcomes]


@pytest.mark.parametrize(
    ("words", "domain", "concept"),
    [
        ("Any history of radiation treatment?", Domain.SURGICAL_HISTORY, "radiotherapy"),
        ("Did you ever have a weight loss surgery?", Domain.SURGICAL_HISTORY, "gastric_bypass"),
        ("Any history of drug problem?", Domain.PAST_HISTORY, "substance_use_disorder"),
        ("Did you have any pain before coming in?", Domain.SYMPTOM, "pain"),
        ("What is your sex?", Domain.DEMOGRAPHICS, "sex"),
    ],
)
def test_words_of_a_longer_name_are_no_question_of_their_own(words: str, domain: Domain, concept: str) -> None:
    asks = heard(RULES(words, DialogueContext()), words).asks
    assert [(ask.domain, ask.concept) for ask in asks] == [(domain, concept)]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("Any back pain, growth in the bowel or rash?", ["back_pain", "colon_polyp", "rash"]),
        ("Any brisk reflexes, trouble sleeping or cough?", ["hyperreflexia", "insomnia", "cough"]),
        ("Any feeling too hot, fainting or cough?", ["heat_intolerance", "syncope", "cough"]),
        ("Any chest pain, pain when passing urine or cough?", ["chest_pain", "dysuria", "cough"]),
        ("Any burning feeling, pain when passing urine or cough?", ["burn_sensation", "dysuria", "cough"]),
    ],
)
def test_each_of_three_things_is_asked_for(words: str, wanted: list[str]) -> None:
    assert [ask.concept for ask in heard(RULES(words, DialogueContext()), words).asks] == wanted


@pytest.mark.parametrize(
    ("words", "concept"), [("When did the injury start?", "injury"), ("When did it start?", "cough")]
)
def test_a_detail_is_asked_of_the_thing_that_is_named(words: str, concept: str) -> None:
    asks = heard(RULES(words, DialogueContext(chief_complaint="cough")), words).asks
    assert [(ask.concept, ask.attribute) for ask in asks] == [(concept, Attribute.ONSET)]


def test_pain_at_large_may_be_the_pain_recorded_so_but_no_other_pain() -> None:
    facts = (fact("chest pain", "chest_pain"), fact("pain", "pain", location="right calf"))
    assert "calf" in answer("Any chest pain? Where is the pain?", *facts)[0]
    assert "calf" not in answer("Where is the chest pain?", *facts)[0]


def test_what_a_statement_denies_is_not_had() -> None:
    assert not names(fact("came round quickly without confusion"), "confusion")
    assert names(fact("loss of hearing and no dizziness"), "hearing_loss")
    assert answer("Any itching?", fact("not itchy"), fact("itching", "itching", absent=True))[1] == [AskStatus.DENIED]


def test_the_very_words_of_an_absence_ask_for_it() -> None:
    facts = (fact("soreness around the lump", absent=True), fact("lump", "lump"))
    assert answer("Any soreness around the lump?", *facts)[1] == [AskStatus.DENIED]


def test_another_sentence_keeps_its_own_question() -> None:
    facts = (fact("stubborn rash along the hairline"), fact("rash", "rash", duration="2 days"))
    assert answer("Any stubborn rash along the hairline? And any rash?", *facts)[1] == [AskStatus.GIVEN] * 2


def test_roman_numbers_are_no_drip() -> None:
    assert "drip" not in spoken_value("stage IV")
    assert "drip" in spoken_value("1 g IV")


def test_the_proof_asks_no_details_of_what_has_no_name() -> None:
    import random

    facts = (fact("no symptoms", "no_symptoms", absent=True), fact("headache", "headache"))
    asked = [question.words for question in Questioner(facts, own_wordings(), 1, random.Random(0)).questions()]
    assert any("headache" in words for words in asked)
    assert not any("no symptoms" in words for words in asked)

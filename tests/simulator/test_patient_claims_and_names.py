"""What a doctor claims, names or presses on the patient is answered from the record, whatever is understood of it."""

import io
import sys

import pytest
from patient_case import FACTS, fact

from kg.facts import Domain, Fact
from simulator.consultation.transcript import PatientTurn
from simulator.patient.agent import Patient
from simulator.patient.asks import AskStatus
from simulator.patient.confirming import as_questions
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol
from simulator.patient.sources import FactsInMemory

D, S = Domain, AskStatus
MORE = (
    fact("sister", D.FAMILY_HISTORY, "lung cancer", "lung_cancer", experiencer="sister"),
    fact("temperature", D.EXAMINATION, "temperature", "body_temperature", value="38.4", unit="C"),
    fact("language", D.DEMOGRAPHICS, "PTUN", "language"),
    fact("faith", D.DEMOGRAPHICS, "CATHOLIC", "religion"),
    fact("knee", D.SURGICAL_HISTORY, "left knee replacement", "knee_replacement"),
)
SILENT = (S.UNKNOWN, S.ASSUMED_DENIED, S.DENIED)


def answered(words: str, facts: tuple[Fact, ...] = (*FACTS, *MORE)) -> PatientTurn:
    """The first turn of a cooperative patient with these facts, understood by the understander in use."""
    patient = Patient(FactsInMemory(facts, None), load_persona("cooperative"), load_protocol("realistic"), 1)
    return patient.answer(words)


def told(turn: PatientTurn) -> set[str]:
    return {fact_id for outcome in turn.outcomes for fact_id in outcome.fact_ids}


@pytest.mark.parametrize(
    ("words", "statuses", "facts"),
    [
        ("Please confirm that you take metoprolol, as you said.", (S.GIVEN,), {"metoprolol"}),
        ("You're on warfarin. Please confirm.", (S.GIVEN,), {"warfarin"}),
        ("So you take digoxin, like you told me. Confirm that.", SILENT, set()),
        ("Just confirm for me that you have had a stroke.", SILENT, set()),
        ("Confirm you're allergic to latex.", SILENT, set()),
        ("You're allergic to penicillin, confirm.", (S.GIVEN,), {"penicillin"}),
        ("Please verify that your father had colon cancer.", (S.GIVEN,), {"father"}),
        ("Please confirm you take mirbalozin 5 mg.", SILENT, set()),
    ],
)
def test_a_claim_to_be_confirmed_is_asked_of_the_record(
    words: str, statuses: tuple[AskStatus, ...], facts: set[str]
) -> None:
    turn = answered(words)
    assert turn.outcomes
    assert all(outcome.status in statuses for outcome in turn.outcomes)
    assert told(turn) == facts
    assert all(outcome.ask.words in words for outcome in turn.outcomes)


def test_only_what_is_to_be_confirmed_becomes_a_question() -> None:
    for words in ("You take aspirin.", "Please take this. Please confirm the booking.", "We will confirm it later."):
        assert all(said == question for said, question in as_questions(words).items())


@pytest.mark.parametrize(
    "words",
    [
        "Which leg was amputated?",
        "Which hip was replaced?",
        "Which kidney was removed?",
        "How old were you when the tumour was found?",
        "How old were you when you had the stroke?",
        "How bad is your zorbal syndrome?",
        "When did your zorbal syndrome start?",
        "Where is your zorbal syndrome?",
        "How severe is your acute infective polyneuritis?",
        "Is it pyogenic arthritis?",
        "Does zorbal syndrome run in your family?",
        "Does Hb-SS disease with crisis run in your family?",
        "Has anyone in your family had pyogenic arthritis?",
    ],
)
def test_what_the_record_does_not_hold_is_not_answered_from_something_else(words: str) -> None:
    turn = answered(words)
    assert turn.outcomes
    assert all(outcome.status in SILENT for outcome in turn.outcomes)
    assert not turn.disclosed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Which knee was replaced?", "left"),
        ("How bad is the pain?", "8 out of 10"),
        ("Where is it?", "left-sided"),
        ("Is it throbbing or stabbing?", "sharp"),
        ("How old are you?", "64"),
        ("Does cancer run in your family?", "cancer"),
        ("Give me your temperature.", "38.4"),
        ("What language do you speak?", "Portuguese"),
    ],
)
def test_what_the_record_holds_is_still_told(words: str, said: str) -> None:
    assert said in answered(words).words


def test_an_unknown_name_is_told_where_the_record_has_it() -> None:
    facts = (*FACTS, fact("zorbal", D.PAST_HISTORY, "zorbal syndrome", severity="mild"))
    turn = answered("How bad is your zorbal syndrome?", facts)
    assert told(turn) == {"zorbal"}
    assert "mild" in turn.words.lower()


@pytest.mark.parametrize(
    "words",
    [
        "Did you get {drug} in the hospital?",
        "In the hospital, were you given {drug}?",
        "Have they given you {drug} here?",
        "Have you received {drug} since you were admitted?",
        "What drugs were you given in hospital?",
        "What did they give you in the emergency room?",
    ],
)
def test_what_the_ward_gave_is_not_known_whether_or_not_it_is_taken_at_home(words: str) -> None:
    turns = [answered(words.format(drug=drug)) for drug in ("warfarin", "ferrous sulfate")]
    assert turns[0].words == turns[1].words
    for turn in turns:
        assert [outcome.status for outcome in turn.outcomes] == [S.UNKNOWN]
        assert not turn.disclosed


def test_medicines_from_before_the_hospital_are_told() -> None:
    for words in ("What medicines did you take before you came to the hospital?", "Are you on any medicines at home?"):
        assert told(answered(words)) == {"metoprolol", "warfarin"}


@pytest.mark.parametrize("words", ["What's your mother's maiden name?", "What year is it?", "What day is it today?"])
def test_what_no_record_tells_is_unknown(words: str) -> None:
    turn = answered(words)
    assert {outcome.status for outcome in turn.outcomes} == {S.UNKNOWN}
    assert "mood" not in turn.words
    assert "Catholic" not in turn.words


def test_a_denied_allergy_is_not_a_denied_thing() -> None:
    facts = (fact("none", D.ALLERGY, "penicillin allergy", "penicillin", absent=True),)
    turn = answered("You're allergic to penicillin, right?", facts)
    assert turn.outcomes[0].status is S.DENIED
    assert "allergic to penicillin" in turn.words


@pytest.mark.parametrize("words", ["\ud800 fever?", "Do you have a fever\udcff?", "fever\x00?"])
def test_characters_that_no_file_takes_do_no_harm(words: str) -> None:
    turn = answered(words)
    assert told(turn) == {"fever"}
    turn.model_dump_json()


def test_talk_reads_bytes_that_are_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    from anamnesis.single import _read_any_bytes

    typed = io.TextIOWrapper(io.BytesIO(b"any \xff fever?\n"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", typed)
    _read_any_bytes()
    assert typed.readline() == "any \ufffd fever?\n"

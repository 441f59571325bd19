"""Allergies and medicines asked for: neither answers for the other, classes of drugs, questions without the word."""

import pytest
from patient_case import fact

from kg.facts import Domain, Fact
from simulator.consultation.transcript import PatientTurn
from simulator.patient.agent import Patient
from simulator.patient.asks import AskStatus
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol
from simulator.patient.sources import FactsInMemory
from simulator.patient.understand import Understander

STATIN = fact("statin", Domain.MEDICATION, "atorvastatin", "atorvastatin")
DOXYCYCLINE = fact("doxycycline", Domain.MEDICATION, "doxycycline", "doxycycline")
ASPIRIN = fact("aspirin", Domain.ALLERGY, "aspirin", "aspirin", reaction="wheezing")
PENICILLIN = fact("penicillin", Domain.ALLERGY, "penicillin", "penicillin")
CEPHALOSPORINS = fact("cephalosporins", Domain.ALLERGY, "Cephalosporins", "cephalosporins")
PEANUT = fact("peanut", Domain.ALLERGY, "peanuts", "peanut")
LATEX = fact("latex", Domain.PAST_HISTORY, "latex allergy", "latex")
EVERYTHING = (STATIN, DOXYCYCLINE, ASPIRIN, PENICILLIN, CEPHALOSPORINS, PEANUT)
RULES = Understander(learned=False).understand
SILENT = (AskStatus.ASSUMED_DENIED, AskStatus.UNKNOWN)


def answered(facts: tuple[Fact, ...], *questions: str) -> PatientTurn:
    """The turn that answers the last question."""
    source = FactsInMemory(facts, None)
    patient = Patient(source, load_persona("cooperative"), load_protocol("realistic"), 0, understander=RULES)
    return [patient.answer(words) for words in questions][-1]


def told(turn: PatientTurn) -> set[str]:
    return {fact_id for outcome in turn.outcomes for fact_id in outcome.fact_ids}


@pytest.mark.parametrize("words", ["Are you allergic to atorvastatin?", "Any reaction to Lipitor?"])
def test_a_medicine_that_is_taken_is_no_allergy(words: str) -> None:
    turn = answered(EVERYTHING, words)
    assert [outcome.status in SILENT for outcome in turn.outcomes] == [True]
    assert not turn.words.startswith("Yes") and not told(turn)


@pytest.mark.parametrize("words", ["Do you take aspirin?", "Are you on penicillin at the moment?"])
def test_an_allergy_is_no_medicine_that_is_taken(words: str) -> None:
    turn = answered(EVERYTHING, words)
    assert [outcome.status in SILENT for outcome in turn.outcomes] == [True]
    assert not turn.words.startswith("Yes") and not told(turn)


def test_an_allergy_whose_name_holds_the_word_drugs_is_no_habit() -> None:
    turn = answered((fact("sulfa", Domain.ALLERGY, "sulfa drugs", "sulfa_drugs"),), "Do you take sulfa drugs?")
    assert not told(turn) and not turn.words.startswith("Yes")


def test_each_is_told_where_it_is_asked() -> None:
    assert told(answered(EVERYTHING, "Are you allergic to aspirin?")) == {"aspirin"}
    assert told(answered(EVERYTHING, "Do you take atorvastatin?")) == {"statin"}
    assert told(answered((STATIN, LATEX), "Are you allergic to latex?")) == {"latex"}


@pytest.mark.parametrize(
    "questions",
    [
        ("Any antibiotic allergies?",),
        ("Are you allergic to any antibiotics?",),
        ("Has an antibiotic ever made you ill?",),
        ("Did you ever react badly to antibiotics?",),
        ("Is there an allergy to latex?", "And antibiotics?"),
    ],
)
def test_a_class_of_drugs_asks_for_the_allergies_of_that_class_and_no_more(questions: tuple[str, ...]) -> None:
    turn = answered(EVERYTHING, *questions)
    assert told(turn) == {"penicillin", "cephalosporins"}
    assert [outcome.status for outcome in turn.outcomes] == [AskStatus.GIVEN]
    without = answered((ASPIRIN, PEANUT, DOXYCYCLINE), *questions)
    assert not told(without) and without.outcomes[0].status in SILENT
    assert "not to allergies" not in without.words


def test_a_class_of_drugs_asks_for_the_medicines_of_that_class() -> None:
    assert told(answered(EVERYTHING, "Are you on any antibiotics?")) == {"doxycycline"}
    assert not told(answered((STATIN, PENICILLIN), "Are you on any antibiotics?"))


@pytest.mark.parametrize(
    "words",
    [
        "allergy",
        "Allergies",
        "allergies?",
        "And any allergy?",
        "Any medicines you should avoid?",
        "Has any tablet ever made you sick?",
        "Do you get a rash from any medicine?",
        "Has a drug ever given you hives?",
        "Is there anything you must not be given?",
        "Any drugs we shouldn't give you?",
    ],
)
def test_what_is_not_tolerated_asks_for_every_allergy(words: str) -> None:
    turn = answered((STATIN, PENICILLIN, PEANUT), words)
    assert told(turn) == {"penicillin", "peanut"}
    assert len(turn.outcomes) == 1


@pytest.mark.parametrize("words", ["Do you take any medicines?", "What tablets are you on?"])
def test_medicines_at_large_are_still_the_medicines(words: str) -> None:
    assert told(answered((STATIN, PENICILLIN), words)) == {"statin"}


@pytest.mark.parametrize("words", ["Do you get a rash?", "Does any medicine make you feel better?"])
def test_a_symptom_or_a_remedy_is_no_question_for_allergies(words: str) -> None:
    assert "penicillin" not in told(answered((STATIN, PENICILLIN), words))


@pytest.mark.parametrize(
    "words",
    [
        "Any foods you should avoid?",
        "Are there foods you can't eat?",
        "Is there anything you mustn't eat or drink?",
        "Do any foods make you ill?",
        "Are there any foods that don't agree with you?",
        "Have you been told to avoid any foods?",
        "Which foods do you have to stay away from?",
        "Any food intolerances?",
    ],
)
def test_foods_that_are_not_eaten_ask_for_the_allergies_to_food(words: str) -> None:
    coeliac = fact("coeliac", Domain.PAST_HISTORY, "celiac disease", "celiac_disease")
    assert told(answered((STATIN, PENICILLIN, PEANUT, coeliac), words)) == {"peanut", "coeliac"}
    silent = answered((STATIN, PENICILLIN), words)
    assert not told(silent) and [outcome.status in SILENT for outcome in silent.outcomes] == [True]


def test_foods_and_medicines_together_ask_for_every_allergy() -> None:
    assert told(answered(EVERYTHING[3:], "Any medicines or foods you should avoid?")) == {
        "penicillin",
        "cephalosporins",
        "peanut",
    }


@pytest.mark.parametrize("words", ["What foods do you usually eat?", "Do any foods make the pain worse?"])
def test_what_is_eaten_is_no_question_for_allergies(words: str) -> None:
    assert "peanut" not in told(answered((PEANUT,), words))


def test_a_food_by_name_that_makes_ill_is_asked_as_an_allergy() -> None:
    assert told(answered((PENICILLIN, PEANUT), "Do peanuts make you ill?")) == {"peanut"}

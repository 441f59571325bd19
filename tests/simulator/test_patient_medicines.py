"""Medicines asked for by class, in doctors' and patients' own words, and how a medicine is borne."""

import pytest
from patient_case import fact
from test_patient_allergies import answered, told

from kg.facts import Domain, Fact
from simulator.patient.agent import Patient
from simulator.patient.asks import AskStatus
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol
from simulator.patient.sources import FactsInMemory
from simulator.patient.understand import Understander

NAMES = ("furosemide", "sertraline", "warfarin", "Bactrim DS", "zolpidem", "levothyroxine", "metformin", "naproxen")
TAKEN = tuple(fact(name, Domain.MEDICATION, name, name.split()[0].lower()) for name in NAMES)
SULFA = fact("sulfa", Domain.ALLERGY, "sulfa drugs", "sulfa_drugs", reaction="rash")
ASPIRIN = fact("aspirin", Domain.ALLERGY, "aspirin", "aspirin", reaction="wheezing")


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        ("Do you take any NSAIDs?", "naproxen"),
        ("Are you on NSAIDs?", "naproxen"),
        ("Any blood thinners?", "warfarin"),
        ("What about water tablets?", "furosemide"),
        ("Do you take sulfa drugs?", "Bactrim DS"),
        ("Are you taking anything for your thyroid?", "levothyroxine"),
        ("Do you use sleeping pills?", "zolpidem"),
        ("Have you been prescribed any anti-depressants?", "sertraline"),
        ("Are you on diabetes tablets?", "metformin"),
    ],
)
def test_a_class_in_any_words_is_answered_by_the_medicines_of_that_class(words: str, taken: str) -> None:
    turn = answered(TAKEN, words)
    assert told(turn) == {taken}
    assert [outcome.ask.domain for outcome in turn.outcomes] == [Domain.MEDICATION]
    without = answered(tuple(drug for drug in TAKEN if drug.fact_id != taken), words)
    assert [outcome.status for outcome in without.outcomes] == [AskStatus.ASSUMED_DENIED]


def test_several_classes_are_asked_each() -> None:
    assert told(answered(TAKEN, "Do you take any water pills or blood thinners?")) == {"furosemide", "warfarin"}


@pytest.mark.parametrize(
    "words", ["Do you take any medicines, such as blood thinners?", "Any other medications or painkillers?"]
)
def test_medicines_at_large_with_a_class_as_an_example_are_all_medicines(words: str) -> None:
    assert len(told(answered(TAKEN[:4], words))) == 4


@pytest.mark.parametrize("words", ["Do you use recreational drugs?", "Have you had chemotherapy?"])
def test_drugs_of_abuse_and_treatments_are_no_class(words: str) -> None:
    assert all(outcome.ask.domain is not Domain.MEDICATION for outcome in answered(TAKEN, words).outcomes)


EFFECTS = [
    "Does metformin make you ill?",
    "Do you get side effects from the metformin?",
    "Does your metformin upset your stomach?",
    "Have you had any problems with metformin?",
    "Do you tolerate the metformin well?",
]


@pytest.mark.parametrize("words", EFFECTS)
def test_side_effects_are_not_answered_by_taking_the_medicine(words: str) -> None:
    turn = answered(TAKEN, words)
    assert not told(turn) and not turn.words.startswith("Yes")
    assert [outcome.status for outcome in turn.outcomes] == [AskStatus.ASSUMED_DENIED]
    understander = Understander(learned=False).understand
    paper = Patient(
        FactsInMemory(TAKEN, None), load_persona("cooperative"), load_protocol("paper"), 0, understander=understander
    )
    assert [outcome.status for outcome in paper.answer(words).outcomes] == [AskStatus.UNKNOWN]


@pytest.mark.parametrize("words", EFFECTS)
@pytest.mark.parametrize(
    "known",
    [
        fact("known", Domain.ALLERGY, "metformin", "metformin", reaction="nausea"),
        fact("known", Domain.PAST_HISTORY, "metformin-induced diarrhea", "diarrhea"),
        fact("known", Domain.SYMPTOM, "nausea", "nausea", cause="metformin"),
    ],
)
def test_side_effects_that_are_recorded_are_told(words: str, known: Fact) -> None:
    assert told(answered((*TAKEN, known, SULFA), words)) == {"known"}


def test_side_effects_of_all_medicines_are_those_of_what_is_taken() -> None:
    caused = fact("caused", Domain.SYMPTOM, "dizziness due to furosemide", "dizziness")
    words = "Do the tablets make you sick?"
    assert told(answered((*TAKEN, caused, ASPIRIN), words)) == {"caused"}


def test_help_from_a_medicine_is_no_side_effect() -> None:
    turn = answered(TAKEN, "Does the metformin make you feel better?")
    assert all(outcome.ask.attribute != "reaction" for outcome in turn.outcomes)

"""Plainly written and typed questions, rules alone: allergies at large, ill relatives, topics, dates, one medicine."""

import pytest

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.agent import Patient
from simulator.patient.asks import AskStatus, DialogueContext
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol
from simulator.patient.sources import FactsInMemory
from simulator.patient.understand import Understander

RULES = Understander(learned=False).understand


def asked(words: str, speaker: str = "patient") -> set[str]:
    asks = RULES(words, DialogueContext(speaker=speaker)).asks
    who = {ask: "" if ask.experiencer == "patient" else f"/{ask.experiencer}" for ask in asks}
    return {f"{ask.domain}/{ask.concept or ask.term}/{ask.attribute}{who[ask]}" for ask in asks}


AT_LARGE = (
    "Are you allergic to any medicine or food?",
    "Any allergies to foods, medicines or anything else?",
    "Do you have allergies to medications, latex or anything in the environment?",
    "r u allergic to any meds or foods",
    "Have you ever reacted badly to a medicine or a food?",
    "Do you have any food or drug allergies?",
)


@pytest.mark.parametrize("words", AT_LARGE)
def test_medicines_beside_foods_ask_every_allergy_and_the_recorded_one_is_told(words: str) -> None:
    assert "allergy//list" in asked(words)
    allergy = Fact(
        fact_id="a", domain=Domain.ALLERGY, text="penicillin", concept="penicillin", assertion=Assertion.PRESENT
    )
    patient = Patient(
        FactsInMemory((allergy,), None),
        load_persona("cooperative"),
        load_protocol("realistic"),
        0,
        understander=RULES,
    )
    turn = patient.answer(words)
    assert "penicillin" in turn.words.lower()
    assert turn.outcomes[0].status is AskStatus.GIVEN or turn.outcomes[-1].status is AskStatus.GIVEN


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Does aspirin give you an allergic reaction?", {"allergy/aspirin/existence"}),
        ("Did you ever react badly to aspirin?", {"allergy/aspirin/existence"}),
        ("Is aspirin one of the drugs you are allergic to?", {"allergy/aspirin/existence"}),
        ("Are you allergic to latex or food?", {"allergy/food_allergen/existence"}),
        ("Has your wife got diabetes?", {"family_history/diabetes_mellitus/existence/wife"}),
        ("Is there epilepsy on your brother's side?", {"family_history/epilepsy/existence/brother"}),
        ("Was gout ever found in your uncle?", {"family_history/gout/existence/uncle"}),
        ("Is your mum asthmatic?", {"family_history/asthma/existence/mother"}),
        ("What about your aunt? Does she have gout?", {"family_history/gout/existence/aunt"}),
        ("Your sister, has she had a stroke?", {"family_history/stroke/existence/sister"}),
        ("As for hiccups, do you get any?", {"symptom/hiccups/existence"}),
        ("Let me ask about gout. Is that something you have?", {"past_history/gout/existence"}),
        ("Next, fever. Any of that?", {"symptom/fever/existence"}),
        ("Regarding stroke, did your father have one?", {"family_history/stroke/existence/father"}),
        ("Since when have you had the cough?", {"symptom_detail/cough/onset"}),
        ("What date did the vomiting begin?", {"symptom_detail/vomiting/onset"}),
        ("How far back does the headache go?", {"symptom_detail/headache/onset"}),
        ("Where would you put the headache on a scale of one to ten?", {"symptom_detail/headache/severity"}),
        ("Where does the headache sit?", {"symptom_detail/headache/location"}),
        ("How severe is the morning headache?", {"symptom_detail/morning_headache/severity"}),
        ("Is metformin part of your regular medication?", {"medication/metformin/existence"}),
        ("Has anyone prescribed metformin for you?", {"medication/metformin/existence"}),
        ("Do you take aspirin or any other medicines?", {"medication//list"}),
        ("r u eatin n drinkin ok?", {"symptom/loss_of_appetite/existence", "lifestyle/fluid_intake/existence"}),
        ("Do you suffer from fear?", {"mental_status/fear/existence"}),
        ("Do you have a fear that something bad is going on?", {"ideas_concerns/concern/list"}),
        ("Have you had a camera test of the stomach?", {"surgical_history/endoscopy/existence"}),
        ("Do you have any side effects from your tablets?", {"medication//reaction"}),
        ("Is there any history of side effects of a drug?", {"past_history/drug_toxicity/existence"}),
    ],
)
def test_what_a_plain_question_asks(words: str, expected: set[str]) -> None:
    assert asked(words) == expected


@pytest.mark.parametrize(
    "words",
    ["Does your wife have any questions?", "Do you live with your husband?", "Has your wife noticed that you snore?"],
)
def test_a_relative_who_is_not_the_ill_one_is_no_family_history(words: str) -> None:
    assert not any(ask.startswith("family_history") for ask in asked(words))


def test_to_a_wife_her_husband_is_the_patient() -> None:
    assert asked("Does your husband have asthma?", speaker="wife") == {"past_history/asthma/existence"}
    assert asked("Does your husband have asthma?") == {"family_history/asthma/existence/husband"}


def test_what_hurts_is_an_open_question_about_the_complaint() -> None:
    for words in ("What hurts?", "What is hurting you today?", "What ails you?"):
        (ask,) = Understander().understand(words, DialogueContext()).asks
        assert (ask.domain, ask.concept) == (Domain.CHIEF_COMPLAINT, None)

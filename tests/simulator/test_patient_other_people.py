"""Questions about other people are answered with what is known of them, never with the patient's own facts."""

import pytest
from patient_case import fact

from etl.caserecord import Spokesperson
from kg.facts import Domain, Fact
from simulator.consultation.transcript import PatientTurn
from simulator.patient.agent import Patient
from simulator.patient.asks import AskStatus
from simulator.patient.matching import is_relative
from simulator.patient.other_people import subject
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol
from simulator.patient.sources import FactsInMemory

_OWN = (
    fact("cc", Domain.CHIEF_COMPLAINT, "cough", "cough"),
    fact("breath", Domain.SYMPTOM, "dyspnea", "dyspnea"),
    fact("wheeze", Domain.PAST_HISTORY, "asthma", "asthma"),
    fact("aspirin", Domain.MEDICATION, "aspirin 81 mg daily", "aspirin"),
    fact("penicillin", Domain.ALLERGY, "penicillin", "penicillin", reaction="hives"),
    fact("tobacco", Domain.LIFESTYLE, "smokes 10 cigarettes a day", "smoking", amount="10 cigarettes a day"),
    fact("beer", Domain.LIFESTYLE, "drinks beer on Sundays", "alcohol"),
    fact("work", Domain.SOCIAL_HISTORY, "works as a roofer", "occupation"),
    fact("demographics/age", Domain.DEMOGRAPHICS, "58", "age"),
    fact("demographics/sex", Domain.DEMOGRAPHICS, "M", "sex"),
)


def _asked(*words: str, kin: tuple[Fact, ...] = (), spokesperson: Spokesperson | None = None) -> PatientTurn:
    source = FactsInMemory((*_OWN, *kin), spokesperson)
    patient = Patient(source, load_persona("cooperative"), load_protocol("realistic"), 3)
    return [patient.answer(said) for said in words][-1]


def _given(turn: PatientTurn) -> set[str]:
    return {fact_id for outcome in turn.outcomes for fact_id in outcome.fact_ids}


def _ill(fact_id: str, who: str, concept: str = "asthma") -> Fact:
    return fact(fact_id, Domain.FAMILY_HISTORY, concept, concept, experiencer=who)


@pytest.mark.parametrize(
    "words",
    [
        "How old is your husband?",
        "Does your partner smoke?",
        "Is your son allergic to penicillin?",
        "Does your colleague have shortness of breath?",
        "Do your friends take aspirin?",
        "Does your daughter drink alcohol?",
        "What does your wife do for work?",
        "Do you know if your roommate has asthma?",
        "What medicines does your girlfriend take?",
        "Is your daughter pregnant?",
        "What are your wife's allergies?",
        "Tell me about your wife's allergies.",
        "Could you tell me whether your son takes aspirin?",
        "And your wife, does she smoke?",
        "Do the neighbours smoke?",
    ],
)
def test_of_another_person_nothing_own_is_told_or_denied(words: str) -> None:
    turn = _asked(words)
    assert not _given(turn) and not turn.disclosed
    assert {outcome.status for outcome in turn.outcomes} == {AskStatus.UNKNOWN}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Do you smoke?", "tobacco"),
        ("Did your wife notice that you are short of breath?", "breath"),
        ("Do you or your wife smoke?", "tobacco"),
        ("Are you allergic to penicillin?", "penicillin"),
        ("How old are you?", "demographics/age"),
    ],
)
def test_the_patient_is_still_meant(words: str, told: str) -> None:
    assert told in _given(_asked(words))


@pytest.mark.parametrize(
    ("asked", "known", "found"),
    [
        ("grandson", "grandson", True),
        ("grandson", "grandchild", True),
        ("grandson", "grandmother", False),
        ("grandson", "granddaughter", False),
        ("granddaughter", "granddaughter", True),
        ("stepmother", "mother", False),
        ("stepmother", "stepmother", True),
        ("foster father", "father", False),
        ("godfather", "father", False),
        ("great uncle", "uncle", False),
        ("uncle", "great uncle", False),
        ("great-aunt", "great aunt", True),
        ("aunt by marriage", "aunt", False),
        ("mother's sister", "mother", False),
        ("mother's sister", "maternal aunt", True),
        ("wife's mother", "mother", False),
        ("neighbor", "brother", False),
        ("brother", "older brother", True),
        ("mum", "mother", True),
        ("partner", "wife", True),
    ],
)
def test_relatives_are_kept_apart(asked: str, known: str, found: bool) -> None:
    turn = _asked(f"Does your {asked} have asthma?", kin=(_ill("kin", known),))
    assert _given(turn) == ({"kin"} if found else set())


def test_she_is_the_one_asked_about_before() -> None:
    assert not _given(_asked("Does your wife smoke?", "And does she drink alcohol?"))
    assert "beer" in _given(_asked("Does your wife smoke?", "And do you drink alcohol?"))


def test_a_relative_who_speaks_calls_the_patient_their_own() -> None:
    wife = Spokesperson(relation="wife", reason="too unwell to talk")
    assert "tobacco" in _given(_asked("Does your husband smoke?", spokesperson=wife))
    assert not _given(_asked("Does your sister smoke?", spokesperson=wife))
    daughter = Spokesperson(relation="daughter", reason="too unwell to talk")
    assert "tobacco" in _given(_asked("Does your dad smoke?", spokesperson=daughter))
    assert not _given(_asked("Does your mum smoke?", spokesperson=daughter))


def test_people_at_home_stay_the_patients_risk() -> None:
    smoker = fact("home", Domain.RISK_FACTOR, "secondhand smoke at home", "passive_smoking")
    assert _given(_asked("Does anyone at home smoke?", kin=(smoker,))) == {"home"}


@pytest.mark.parametrize(
    ("words", "who"),
    [
        ("Has your older sister ever had a stroke?", "sister"),
        ("What about your boss?", "boss"),
        ("Does your wife say you snore?", None),
        ("Has your dad told the nurse?", None),
        ("Does it hurt when your son hugs you?", None),
        ("Do you live with your daughter?", None),
    ],
)
def test_the_subject_of_a_clause(words: str, who: str | None) -> None:
    assert subject(words) == who


def test_a_side_or_an_age_makes_no_other_relative() -> None:
    assert is_relative(_ill("kin", "maternal aunt"), "aunt")
    assert not is_relative(_ill("kin", "great aunt"), "aunt")

"""A small case for the patient's tests: one person's facts in memory, and asks without an understander."""

from etl.caserecord import Assertion, Spokesperson
from kg.facts import Domain, Fact
from simulator.patient.agent import Patient
from simulator.patient.asks import Ask, DialogueContext, SpeechAct, Understanding
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol
from simulator.patient.sources import FactsInMemory


def fact(
    fact_id: str,
    domain: Domain,
    text: str,
    concept: str | None = None,
    *,
    absent: bool = False,
    experiencer: str = "patient",
    historical: bool = False,
    **attributes: str,
) -> Fact:
    """One fact, present unless said otherwise."""
    return Fact(
        fact_id=fact_id,
        domain=domain,
        text=text,
        concept=concept,
        assertion=Assertion.ABSENT if absent else Assertion.PRESENT,
        experiencer=experiencer,
        historical=historical,
        attributes=attributes,
    )


FACTS = (
    fact("cc", Domain.CHIEF_COMPLAINT, "chest pain", "chest_pain"),
    fact(
        "pain",
        Domain.SYMPTOM,
        "chest pain",
        "chest_pain",
        onset="3 days ago",
        severity="8/10",
        character="sharp",
        location="left-sided",
    ),
    fact("breath", Domain.SYMPTOM, "dyspnea", "dyspnea", duration="for 2 weeks"),
    fact("fever", Domain.SYMPTOM, "fever", "fever", absent=True),
    fact("pressure", Domain.PAST_HISTORY, "HTN", "hypertension"),
    fact("appendix", Domain.SURGICAL_HISTORY, "s/p appendectomy", "appendectomy"),
    fact(
        "metoprolol", Domain.MEDICATION, "metoprolol tartrate", "metoprolol", dose="25 mg", route="PO", frequency="BID"
    ),
    fact("warfarin", Domain.MEDICATION, "warfarin 5 mg daily", "warfarin"),
    fact("penicillin", Domain.ALLERGY, "penicillin", "penicillin", reaction="hives"),
    fact("father", Domain.FAMILY_HISTORY, "colon cancer", "colon_cancer", experiencer="father"),
    fact("sugar", Domain.FAMILY_HISTORY, "diabetes", "diabetes_mellitus", absent=True, experiencer="family"),
    fact("tobacco", Domain.LIFESTYLE, "smokes 1 pack per day", "smoking", amount="1 pack per day"),
    fact("home", Domain.SOCIAL_HISTORY, "lives with his wife in [**Location 123**]", "living_situation"),
    fact("demographics/age", Domain.DEMOGRAPHICS, "64", "age"),
    fact("demographics/sex", Domain.DEMOGRAPHICS, "M", "sex"),
    fact("vital", Domain.EXAMINATION, "blood pressure", "blood_pressure", value="150/90", unit="mmHg"),
    fact("lab", Domain.TEST_RESULT, "hemoglobin", "hemoglobin", value="9.1", unit="g/dL"),
)


class Scripted:
    """Stands in for the understander: hands out the asks and acts that the test sets."""

    def __init__(self) -> None:
        self.asks: tuple[Ask, ...] = ()
        self.acts: tuple[SpeechAct, ...] = ()

    def __call__(self, words: str, context: DialogueContext) -> Understanding:
        return Understanding(asks=self.asks, acts=self.acts)


class Case:
    """A patient with a scripted understander: `ask` sets what was understood and returns the turn."""

    def __init__(
        self,
        facts: tuple[Fact, ...] = FACTS,
        persona: str = "cooperative",
        protocol: str = "realistic",
        seed: int = 1,
        spokesperson: Spokesperson | None = None,
        chat_model: object = None,
    ) -> None:
        self.script = Scripted()
        self.asked = 0
        source = FactsInMemory(facts, spokesperson)
        self.patient = Patient(
            source, load_persona(persona), load_protocol(protocol), seed, chat_model, understander=self.script
        )  # type: ignore[arg-type]

    def ask(self, *asks: Ask, acts: tuple[SpeechAct, ...] = (), words: str = ""):  # type: ignore[no-untyped-def]
        """The turn that answers `asks`; words are made up, each time other ones, where none are given."""
        self.script.asks, self.script.acts = asks, acts
        self.asked += 1
        return self.patient.answer(words or f"question {self.asked}")

"""What a doctor's words ask for, and what became of each ask."""

from enum import StrEnum
from typing import Self

from chatmodels.interface import Usage
from foundation.records import Frozen
from kg.facts import Domain


class Attribute(StrEnum):
    """What of a thing is asked; EXISTENCE is whether it is there at all, LIST is an open "what … do you have"."""

    EXISTENCE = "existence"
    LIST = "list"
    ONSET = "onset"
    DURATION = "duration"
    FREQUENCY = "frequency"
    SEVERITY = "severity"
    CHARACTER = "character"
    LOCATION = "location"
    RADIATION = "radiation"
    AGGRAVATING = "aggravating"
    RELIEVING = "relieving"
    TIMING = "timing"
    COURSE = "course"
    ASSOCIATED = "associated"
    CAUSE = "cause"
    IMPACT = "impact"
    DOSE = "dose"
    ROUTE = "route"
    REASON = "reason"
    REACTION = "reaction"
    AMOUNT = "amount"
    RELATION = "relation"
    VALUE = "value"
    ADHERENCE = "adherence"


class SpeechAct(StrEnum):
    """What the words do besides asking."""

    GREETING = "greeting"
    EMPATHY = "empathy"
    EXPLANATION = "explanation"
    INSTRUCTION = "instruction"
    CLOSING = "closing"
    ACKNOWLEDGEMENT = "acknowledgement"
    SIMULATION_QUESTION = "simulation_question"


class Ask(Frozen):
    """One thing asked for.

    `concept` is a terminology key ("dyspnea", "diabetes_mellitus", "smoking", "metoprolol"), for demographics the
    field ("age", "occupation", "marital_status", …), or None where the whole domain is asked. `words` is the part of
    the utterance that asks; `term` the words of an unknown concept, kept so that they can be answered "unknown".
    """

    domain: Domain
    concept: str | None = None
    attribute: Attribute = Attribute.EXISTENCE
    experiencer: str = "patient"
    words: str = ""
    term: str = ""


class Understanding(Frozen):
    """An utterance, understood. `confidence` in [0, 1] is the least sure ask's; `by` is "rules" or the model's name.

    `usage` is what a chat model's reading cost; no call where none was asked.
    """

    asks: tuple[Ask, ...] = ()
    acts: tuple[SpeechAct, ...] = ()
    confidence: float = 1.0
    by: str = "rules"
    usage: Usage = Usage()


class DialogueContext(Frozen):
    """What was said just before: what elliptic questions and pronouns lean on.

    `chief_complaint` is the terminology key of what the patient came with (None where unknown or unmapped). `topic`
    is the last ask that named a thing, however long ago; `symptom` the last symptom that was under discussion.
    `speaker` is "patient", or the relative who speaks for the patient ("daughter"): then "she", "he" and "they"
    are the patient. `patient_sex` is "F", "M" or "" and only helps with pronouns.
    """

    doctor_words: str = ""
    understanding: Understanding = Understanding()
    patient_words: str = ""
    chief_complaint: str | None = None
    topic: Ask | None = None
    symptom: str | None = None
    speaker: str = "patient"
    patient_sex: str = ""

    def after(self, doctor_words: str, understanding: Understanding, patient_words: str) -> Self:
        """The context of the next utterance, once the patient has answered this one."""
        named = [ask for ask in understanding.asks if ask.concept or ask.term]
        symptomatic = {Domain.CHIEF_COMPLAINT, Domain.SYMPTOM, Domain.SYMPTOM_DETAIL}
        symptoms = [ask.concept for ask in named if ask.concept and ask.domain in symptomatic]
        return self.model_copy(
            update={
                "doctor_words": doctor_words,
                "understanding": understanding,
                "patient_words": patient_words,
                "topic": named[-1] if named else self.topic,
                "symptom": symptoms[-1] if symptoms else self.symptom,
            }
        )


class AskStatus(StrEnum):
    """What became of an ask."""

    GIVEN = "given"
    DENIED = "denied"
    ASSUMED_DENIED = "assumed_denied"
    UNKNOWN = "unknown"
    VAGUE = "vague"
    WITHHELD = "withheld"
    NOT_ABOUT_ME = "not_about_me"


class AskOutcome(Frozen):
    """An ask with its status and the ids of the facts that answer it (empty for unknown and withheld)."""

    ask: Ask
    status: AskStatus
    fact_ids: tuple[str, ...] = ()

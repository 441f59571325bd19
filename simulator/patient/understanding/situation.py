"""What is under discussion while an utterance is read: its symptom, the last ask, and whom pronouns mean."""

import re
from dataclasses import dataclass, replace

from kg.facts import Domain
from simulator.patient.asks import Ask, DialogueContext
from simulator.patient.data_files import document
from simulator.patient.understanding.mentions import Mention, mention_rules, named, rare, relations
from simulator.patient.understanding.wording import cleaned, wording
from terminology import concepts

_SPOKEN = {"parent": "parents", "child": "children", "sibling": "siblings", "partner": "spouse"}
_IN_A_LINE = re.compile(r"\b(?:side|famil(?:y|ies)|run(?:s|ning)? in)\b")
_STILL = re.compile(r"\b(?:but|just|only|except)\b")
_OF_THINGS = (Domain.MEDICATION, Domain.LIFESTYLE, Domain.ALLERGY, Domain.SURGICAL_HISTORY, Domain.SOCIAL_HISTORY)
THINGS = {
    Domain.MEDICATION: ("drug",),
    Domain.TEST_RESULT: ("test", "procedure"),
    Domain.SURGICAL_HISTORY: ("procedure",),
    Domain.ALLERGY: ("drug", "allergen"),
}
"""Kinds of mention that are things of a domain."""
_SYMPTOMATIC = (Domain.CHIEF_COMPLAINT, Domain.SYMPTOM, Domain.SYMPTOM_DETAIL)


@dataclass(frozen=True)
class Situation:
    """`symptom` is the concept (or None) that "it" means; `last` the ask before; `speaker` who answers."""

    symptom: str | None = None
    symptom_term: str = ""
    last: Ask | None = None
    speaker: str = "patient"
    patient_words: str = ""

    def patient_named(self, text: str) -> bool:
        """Whether the relatives that a clause names are the patient: to a wife, her husband."""
        whom = set(relations(text))
        if self.speaker == "patient" or not whom or _IN_A_LINE.search(text):
            return False
        patient = set(document("relatives.yaml")["patient_is"].get(self.speaker, {}).values())
        return whom <= {_SPOKEN.get(name, name) for name in patient}

    def after(self, asks: tuple[Ask, ...]) -> "Situation":
        """The situation once these were asked in the same utterance."""
        if not asks:
            return self
        symptoms = [ask for ask in asks if ask.domain in _SYMPTOMATIC and (ask.concept or rare(ask.term))]
        if symptoms:
            return replace(self, symptom=symptoms[-1].concept, symptom_term=symptoms[-1].term, last=asks[-1])
        return replace(self, last=asks[-1])

    def mentioning(self, mentions: list[Mention]) -> "Situation":
        """The situation after a statement or an aside that names a symptom."""
        symptoms = [mention.key for mention in mentions if mention.kind == "symptom"]
        known = [key for key in symptoms if key not in mention_rules().generic]
        taken = [mention.key for mention in mentions if mention.kind == "drug"]
        if taken and not known:
            return replace(self, last=Ask(domain=Domain.MEDICATION, concept=taken[-1]))
        if not known:
            return self
        other = self.last is not None and self.last.domain in _OF_THINGS
        drugs = any(mention.kind == "drug" for mention in mentions)
        last = Ask(domain=Domain.SYMPTOM, concept=known[0]) if other and not drugs else self.last
        return replace(self, symptom=known[0], symptom_term="", last=last)


def situation(context: DialogueContext) -> Situation:
    """The situation at the beginning of an utterance.

    A symptom that was just denied is no longer under discussion. Where the patient was asked openly, the first
    symptom of the patient's own words is.
    """
    asks = context.understanding.asks
    last = asks[-1] if asks else context.topic
    symptom, term = context.symptom, ""
    if last is not None and last.domain in _SYMPTOMATIC and last.term:
        term = last.term
    denied = bool(wording().denied.match(context.patient_words.lower()))
    asked = {ask.concept for ask in asks if ask.domain is Domain.SYMPTOM}
    if not denied and spoken_symptom(context.patient_words) in asked - {None}:
        symptom = spoken_symptom(context.patient_words)
    if last is not None and last.domain is Domain.PAST_HISTORY and _is_symptom(last.concept):
        symptom = last.concept
    if denied and last is not None and last.domain is Domain.SYMPTOM:
        symptom, term = spoken_symptom(_still_there(context.patient_words)) or context.chief_complaint, ""
    openly = last is None or last.domain in (Domain.CHIEF_COMPLAINT, Domain.OTHER) or last.attribute == "list"
    if not denied and (openly or symptom is None) and (last is None or last.domain in (*_SYMPTOMATIC, Domain.OTHER)):
        symptom = spoken_symptom(context.patient_words) or symptom
    return Situation(symptom or context.chief_complaint, term, last, context.speaker, context.patient_words)


def _still_there(words: str) -> str:
    """ "No fever, just the cough": what follows is there all the same."""
    parts = _STILL.split(words.lower(), maxsplit=1)
    return parts[1] if len(parts) > 1 else ""


def _is_symptom(key: str | None) -> bool:
    concept = concepts.get(key) if key else None
    rules = mention_rules()
    return concept is not None and concept.kind == "symptom" and key not in rules.domain_of_concept


def spoken_symptom(words: str) -> str | None:
    """The first symptom that a patient's words name."""
    keys = [mention.key for mention in named(cleaned(words)) if mention.kind == "symptom"] if words else []
    known = [key for key in keys if key not in mention_rules().generic]
    main = [key for key in known if key not in mention_rules().beside_complaint]
    return next(iter(main or known or keys), None)


def relative_meant(text: str, now: Situation) -> str:
    """Who is asked about where a family rule matched: the relative named, else the one before, else "family"."""
    named_here = [relation for relation in relations(text) if relation != now.speaker]
    if named_here:
        return named_here[0]
    pronoun = any(f" {word} " in f" {text} " for word in ("he", "she", "they", "his", "her"))
    if pronoun and now.last is not None and now.last.domain is Domain.FAMILY_HISTORY:
        return now.last.experiencer
    return "family"


def told_of_relative(now: Situation, last: Ask) -> tuple[str | None, str]:
    """The illness and the relative that the patient's last words name, else those asked about before."""
    told = conditions_told(now)
    whose = relations(cleaned(now.patient_words))
    return (told[0] if told else last.concept), (whose[0] if whose else last.experiencer)


def conditions_told(now: Situation) -> tuple[str, ...]:
    """The illnesses that the patient's last words name, each once."""
    words = cleaned(now.patient_words)
    told = [mention.key for mention in named(words) if mention.kind == "condition"] if words else []
    return tuple(dict.fromkeys(told))


def thing_told(now: Situation) -> str | None:
    """The one drug, operation, test or allergen that the patient's last words name, of the domain asked before."""
    kinds = THINGS.get(now.last.domain, ()) if now.last is not None else ()
    told = {mention.key for mention in named(now.patient_words.lower()) if mention.kind in kinds}
    return told.pop() if len(told) == 1 else None

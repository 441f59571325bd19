"""IC: the ten domains of a history, each relevant or not for this case, present or missing (rule: docs/evaluator.md).

A domain is present where the doctor asked for it or the patient told of it unasked. Missing complaint details, past
history, allergies or related symptoms is a major omission; a missing relevant domain of the other six a minor one.
Which is relevant when is `data/coverage.yaml`.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from evaluator.detectors.asked import SYMPTOMATIC, WHOLE
from evaluator.detectors.detection import Detection
from evaluator.detectors.speech import document
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from kg.facts import Domain, Fact
from simulator.patient.asks import Ask, Attribute
from terminology import concepts

NAME = "detector:coverage@1"
_HISTORY = (Domain.CHIEF_COMPLAINT, Domain.SYMPTOM, Domain.PAST_HISTORY)


class Seen:
    """What was asked and told in one consultation, gathered once."""

    def __init__(self, evidence: EvaluationInput) -> None:
        turns = evidence.transcript.turns
        self.asks: list[Ask] = [ask for turn in turns for ask in turn.patient.understanding.asks]
        self.volunteered: list[Fact] = [
            fact for turn in turns for fact in turn.patient.disclosed if fact.fact_id in turn.patient.volunteered
        ]
        self.facts = evidence.facts or evidence.disclosed
        self.complaints = frozenset(f.concept for f in self.facts if f.domain is Domain.CHIEF_COMPLAINT and f.concept)
        ages = [f.text for f in self.facts if f.domain is Domain.DEMOGRAPHICS and f.concept == "age"]
        shown = re.search(r"\b(\d{1,3})[- ]years?[- ]old\b", evidence.transcript.opening)
        self.age = (ages[0] if ages else shown[1] if shown else "").strip(" >")
        self.questions = "\n".join(turn.doctor_words for turn in turns)

    def asked(self, *domains: Domain) -> bool:
        """Whether a domain was asked for, or told of unasked."""
        return any(a.domain in domains for a in self.asks) or any(f.domain in domains for f in self.volunteered)

    @property
    def symptoms_asked(self) -> list[Ask]:
        """Asks whether a symptom other than the complaint is there."""
        return [
            ask
            for ask in self.asks
            if ask.domain in SYMPTOMATIC and ask.attribute in WHOLE and ask.concept and not self.is_complaint(ask)
        ]

    def is_main(self, ask: Ask) -> bool:
        """Whether the ask is about the complaint itself, or about "it"."""
        return not ask.concept or any(ask.concept == c or concepts.is_a(c, ask.concept) for c in self.complaints)

    def is_complaint(self, ask: Ask) -> bool:
        """Whether the ask is about what the patient came with."""
        return any(ask.concept == c or concepts.is_a(ask.concept or "", c) for c in self.complaints)


def system_of(key: str | None) -> str:
    """The body system of a concept, or ""."""
    concept = concepts.get(key) if key else None
    return concept.system if concept else ""


def _details(seen: Seen) -> bool:
    details = document("coverage.yaml")["detail_attributes"]
    own = [a for a in seen.asks if a.domain in SYMPTOMATIC and (seen.is_main(a) or not seen.complaints)]
    return any(ask.attribute.value in details for ask in own)


def _related_symptoms(seen: Seen) -> bool:
    open_ones = any(
        a.domain is Domain.REVIEW_OF_SYSTEMS
        or a.attribute is Attribute.ASSOCIATED
        or (a.domain is Domain.SYMPTOM and not a.concept and (a.attribute is Attribute.LIST or a.term))
        for a in seen.asks
    )
    return open_ones or bool(seen.symptoms_asked)


def _review(seen: Seen) -> bool:
    """A review of systems, an open question for other symptoms, or symptoms of two systems beside the complaint's."""
    if seen.asked(Domain.REVIEW_OF_SYSTEMS):
        return True
    own = {system_of(key) for key in seen.complaints}
    open_ones = any(a.domain is Domain.SYMPTOM and not a.concept and not a.term for a in seen.asks)
    others = {system_of(ask.concept) for ask in seen.symptoms_asked} - own - {""}
    return open_ones or len(others) >= 2


def _mental(seen: Seen) -> bool:
    psychiatric = any(system_of(a.concept) == "psychiatric" or a.concept == "sleep" for a in seen.asks)
    return psychiatric or seen.asked(Domain.MENTAL_STATUS, Domain.IDEAS_CONCERNS)


def _risks(seen: Seen) -> bool:
    risky = document("coverage.yaml")["risk_concepts"]
    return seen.asked(Domain.RISK_FACTOR, Domain.FAMILY_HISTORY) or any(a.concept in risky for a in seen.asks)


_PRESENT: dict[str, Callable[[Seen], bool]] = {
    "chief complaint details": _details,
    "past history": lambda seen: seen.asked(Domain.PAST_HISTORY, Domain.SURGICAL_HISTORY),
    "allergies": lambda seen: seen.asked(Domain.ALLERGY),
    "related symptoms": _related_symptoms,
    "family history": lambda seen: seen.asked(Domain.FAMILY_HISTORY),
    "social history": lambda seen: seen.asked(Domain.SOCIAL_HISTORY),
    "lifestyle": lambda seen: seen.asked(Domain.LIFESTYLE),
    "review of systems": _review,
    "mental state": _mental,
    "risk factors": _risks,
}


def detect(evidence: EvaluationInput) -> Detection:
    """One finding per relevant domain that is missing."""
    if not evidence.transcript.turns:
        return Detection()
    seen = Seen(evidence)
    relevant = [name for name in _PRESENT if is_relevant(name, seen)]
    missing = [name for name in relevant if not is_present(name, seen)]
    return Detection(
        findings=tuple(_finding(name) for name in missing),
        assessed_patterns=("major_omission", "minor_omission"),
        opportunities={"relevant_domains": len(relevant), "present_domains": len(relevant) - len(missing)},
    )


def is_present(name: str, seen: Seen) -> bool:
    """Whether a domain was asked for, by what was understood or by the doctor's words, or told unasked."""
    return _PRESENT[name](seen) or any(pattern.search(seen.questions) for pattern in _words(name))


def is_relevant(name: str, seen: Seen) -> bool:
    """Whether a domain matters in this case, by `data/coverage.yaml`."""
    rule = _rule(name)
    if rule.get("critical") or rule.get("always"):
        return True
    age = seen.age
    old = age.isdigit() and int(age) >= rule.get("from_age", 999)
    own = [f for f in seen.facts if f.domain in _HISTORY and f.experiencer == "patient" and f.assertion == "present"]
    systems = any(system_of(fact.concept) in rule.get("systems", ()) for fact in own)
    named = any(fact.concept in rule.get("concepts", ()) for fact in own)
    return old or systems or named


def _rule(name: str) -> dict[str, Any]:
    rules: dict[str, dict[str, Any]] = document("coverage.yaml")["domains"]
    return rules[name]


@cache
def _words(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in _rule(name)["words"])


def _finding(name: str) -> Finding:
    pattern = "major_omission" if _rule(name).get("critical") else "minor_omission"
    return Finding(dimension=Dimension.IC, pattern=pattern, reason=f"Never asked or told: {name}.", decided_by=NAME)

"""IC: the domains of a history, each relevant or not for this case, present or missing (rule: docs/evaluator.md).

A domain is present where the doctor asked for it or the patient told of it unasked. Missing complaint details, past
history, medication, allergies or related symptoms is a major omission; a missing other relevant domain a minor one.
Which is relevant when is `data/coverage.yaml`.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from evaluator.detectors.asked import SYMPTOMATIC, WHOLE
from evaluator.detectors.detection import Detection
from evaluator.detectors.speech import document, first_match, stems
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute
from terminology import concepts

NAME = "detector:coverage@1"
_SYSTEMS = 2  # other systems than the complaint's, of what was denied, however it was asked for
_SEVERAL = 3  # symptoms beside the complaint that make a review, of whatever system
_HISTORY = (Domain.CHIEF_COMPLAINT, Domain.SYMPTOM, Domain.PAST_HISTORY)


class Seen:
    """What was asked and told in one consultation, gathered once."""

    def __init__(self, evidence: EvaluationInput) -> None:
        turns = evidence.transcript.turns
        self.asks: list[Ask] = [ask for turn in turns for ask in turn.patient.understanding.asks]
        self.facts = evidence.facts or evidence.disclosed
        self.complaints = frozenset(f.concept for f in self.facts if f.domain is Domain.CHIEF_COMPLAINT and f.concept)
        self.told = evidence.disclosed
        first = next((t for t in turns if any(f.concept in self.complaints for f in t.patient.disclosed)), None)
        self.told_first = {fact.concept for fact in (first.patient.disclosed if first else ()) if fact.concept}
        plan = evidence.transcript.plan
        self.summaries = plan.category_summaries if plan else {}
        self.answers = stems("\n".join(turn.patient.words for turn in turns))
        self.questions = "\n".join(turn.doctor_words for turn in turns)

    def asked(self, *domains: Domain) -> bool:
        """Whether a domain was asked for, or anything of it told, in answer or unasked."""
        return any(a.domain in domains for a in self.asks) or any(f.domain in domains for f in self.told)

    def admitted(self, *names: str) -> bool:
        """Whether the plan's own summary of such a category says that it was not asked for."""
        own = [text for category, text in self.summaries.items() if any(name in category.lower() for name in names)]
        return any(first_match("coverage.yaml", "admits", text) for text in own)

    def records(self, *domains: Domain) -> bool:
        """Whether the record holds anything of these domains."""
        return any(fact.domain in domains for fact in self.facts)

    def untold(self, domain: Domain) -> bool:
        """Whether the record holds something of a domain that was never told."""
        return any(f.domain is domain and f not in self.told for f in self.facts)

    @property
    def symptoms_asked(self) -> list[Ask]:
        """Asks whether a symptom other than the complaint is there."""
        return [
            ask
            for ask in self.asks
            if ask.domain in SYMPTOMATIC and ask.attribute in WHOLE and ask.concept and not self.is_complaint(ask)
        ]

    @property
    def symptoms_denied(self) -> set[str | None]:
        """Symptoms beside the complaint that an answer denied: they were asked for, in whatever words."""
        symptoms = (f for f in self.told if f.domain is Domain.SYMPTOM and f.assertion == "absent")
        own = {fact.concept for fact in symptoms if fact.concept}
        return {key for key in own if not any(key == c or concepts.is_a(key, c) for c in self.complaints)}

    def is_main(self, ask: Ask) -> bool:
        """Whether the ask is about the complaint itself, about what was told with it in one breath, or about "it"."""
        return (
            not ask.concept
            or ask.concept in self.told_first
            or any(ask.concept == c or concepts.is_a(c, ask.concept) for c in self.complaints)
        )

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
    main = (f for f in seen.told if f.domain in SYMPTOMATIC and f.concept in seen.complaints)
    values = (value for fact in main if (value := stems(fact.attributes.get("onset", ""))))
    return any(ask.attribute.value in details for ask in own) or any(value <= seen.answers for value in values)


def _related_symptoms(seen: Seen) -> bool:
    open_ones = any(
        a.domain is Domain.REVIEW_OF_SYSTEMS
        or a.attribute is Attribute.ASSOCIATED
        or (a.domain is Domain.SYMPTOM and not a.concept and (a.attribute is Attribute.LIST or a.term))
        for a in seen.asks
    )
    told = any(f.domain is Domain.SYMPTOM and f.concept and f.concept not in seen.complaints for f in seen.told)
    return open_ones or told or bool(seen.symptoms_asked)


def _review(seen: Seen) -> bool:
    """A review of systems, an open question for other symptoms, a symptom of another system, or three of any."""
    if seen.asked(Domain.REVIEW_OF_SYSTEMS):
        return True
    own = {system_of(key) for key in seen.complaints}
    open_ones = any(a.domain is Domain.SYMPTOM and not a.concept and not a.term for a in seen.asks)
    mind = {"psychiatric"} if any(ask.domain is Domain.MENTAL_STATUS for ask in seen.asks) else set()
    named = {ask.concept for ask in seen.symptoms_asked}
    others = ({system_of(key) for key in named} | mind) - own - {""}
    several = {system_of(key) for key in seen.symptoms_denied} - own - {""}
    every = named | seen.symptoms_denied
    return open_ones or bool(others) or len(several) >= _SYSTEMS or len(every) >= _SEVERAL


def _mental(seen: Seen) -> bool:
    psychiatric = any(system_of(a.concept) == "psychiatric" or a.concept == "sleep" for a in seen.asks)
    return psychiatric or seen.asked(Domain.MENTAL_STATUS, Domain.IDEAS_CONCERNS)


def _risks(seen: Seen) -> bool:
    risky = document("coverage.yaml")["risk_concepts"]
    return seen.asked(Domain.RISK_FACTOR, Domain.FAMILY_HISTORY) or any(a.concept in risky for a in seen.asks)


def _either(seen: Seen, own: Domain, other: Domain) -> bool:
    """Habits, work and home: records draw the border differently, so one answers for the other if none is held back."""
    return seen.asked(own) or (seen.asked(other) and not seen.untold(own))


_PRESENT: dict[str, Callable[[Seen], bool]] = {
    "chief complaint details": _details,
    "past history": lambda seen: seen.asked(Domain.PAST_HISTORY, Domain.SURGICAL_HISTORY),
    "allergies": lambda seen: seen.asked(Domain.ALLERGY),
    "related symptoms": _related_symptoms,
    "medication": lambda seen: seen.asked(Domain.MEDICATION),
    "family history": lambda seen: seen.asked(Domain.FAMILY_HISTORY),
    "social history": lambda seen: _either(seen, Domain.SOCIAL_HISTORY, Domain.LIFESTYLE),
    "lifestyle": lambda seen: _either(seen, Domain.LIFESTYLE, Domain.SOCIAL_HISTORY),
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
    if {"social history", "lifestyle"} <= set(missing) and not seen.records(Domain.SOCIAL_HISTORY, Domain.LIFESTYLE):
        missing.remove("social history")  # nothing tells the two apart: one omission
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
    if rule.get("always"):
        return True
    own = [f for f in seen.facts if f.domain in _HISTORY and f.experiencer == "patient" and f.assertion == "present"]
    if rule.get("on_record"):
        taken = any(f.domain is Domain.MEDICATION and f.assertion == "present" for f in seen.facts)
        return taken or seen.admitted(*rule["on_record"])
    of_systems = [fact for fact in own if system_of(fact.concept) in rule.get("systems", ())]
    leading = [fact for fact in of_systems if fact.domain is not Domain.SYMPTOM or not rule.get("by_complaint")]
    systems = bool(leading) or len({fact.concept for fact in of_systems}) > 1
    named = any(fact.concept in rule.get("concepts", ()) for fact in own)
    return systems or named


def _rule(name: str) -> dict[str, Any]:
    rules: dict[str, dict[str, Any]] = document("coverage.yaml")["domains"]
    return rules[name]


@cache
def _words(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in _rule(name)["words"])


def _finding(name: str) -> Finding:
    pattern = "major_omission" if _rule(name).get("critical") else "minor_omission"
    return Finding(dimension=Dimension.IC, pattern=pattern, reason=f"Never asked or told: {name}.", decided_by=NAME)

"""Asks that name no fact: what worries you, anything else, what is your mood."""

import re

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient import matching
from simulator.patient.asks import Ask, Attribute, DialogueContext
from simulator.patient.disclose import Memory
from simulator.patient.knowable import speakable_complaint
from simulator.patient.protocol import Protocol
from simulator.patient.retrieve import retrieve
from simulator.patient.retrieved import SYMPTOM_DOMAINS, Finding, Retrieved
from simulator.patient.tellable import narrowest, tellable, told_already

_ELSE = re.compile(
    r"\b(any ?thing|something|what|any ?one) (else|other|more)\b|\bother (concern|issue|problem|symptom)", re.I
)


_WHERE_ELSE = frozenset({Domain.OTHER, Domain.SYMPTOM, Domain.REVIEW_OF_SYSTEMS, Domain.CHIEF_COMPLAINT})


def answered_specially(ask: Ask, facts: tuple[Fact, ...], memory: Memory, protocol: Protocol) -> Retrieved | None:
    """What answers an ask that no concept names, or None where `retrieve` is to answer."""
    if ask.domain is Domain.OTHER and ask.experiencer != "patient":
        return Retrieved(ask, Finding.OUT_OF_PLACE)  # of other people the patient tells nothing
    mood = ask.domain is Domain.MENTAL_STATUS and ask.concept in (None, "mood", "mental_health")
    named = bool(ask.concept or ask.term) and ask.domain is not Domain.IDEAS_CONCERNS and not mood
    if ask.experiencer != "patient" or named:
        return None
    own = tuple(f for f in facts if f.domain in SYMPTOM_DOMAINS and f.experiencer == "patient" and _now(f))
    own = tuple(fact for fact in own if speakable_complaint(fact) and tellable(fact))
    if ask.domain is Domain.IDEAS_CONCERNS:
        return Retrieved(ask, Finding.PRESENT if own else Finding.UNDOCUMENTED, own[:1])
    if mood:
        felt = tuple(fact for fact in own if fact.concept and matching.of_system(fact, "psychiatric"))
        return Retrieved(ask, Finding.PRESENT if felt else Finding.UNDOCUMENTED, felt)
    if _ELSE.search(ask.words) and ask.domain not in _WHERE_ELSE:
        rest = tuple(
            f for f in retrieve(ask, facts, DialogueContext(), protocol.told).facts if f.fact_id not in memory.told
        )
        return Retrieved(ask, Finding.PRESENT if rest else Finding.UNDOCUMENTED, rest) if memory.told else None
    further = ask.domain in _WHERE_ELSE and _ELSE.search(ask.words)
    if further or ask.attribute is Attribute.ASSOCIATED:
        told = tuple(fact for fact in facts if fact.fact_id in memory.told)
        untold = tuple(f for f in own if f.fact_id not in memory.told and not told_already(f, told))
        untold = narrowest(tuple(fact for fact in untold if fact.concept) or untold)
        return Retrieved(ask, Finding.PRESENT if untold else Finding.UNDOCUMENTED, untold)
    return None


def _now(fact: Fact) -> bool:
    return fact.assertion is not Assertion.ABSENT and not fact.historical

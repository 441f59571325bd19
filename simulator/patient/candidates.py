"""Which facts an ask is about: of its concept or words, of the domain that it names, or of a whole domain."""

import re

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient import matching
from simulator.patient.asks import Ask, Attribute
from simulator.patient.data_files import document
from simulator.patient.retrieved import (
    ASKED_AS_SYMPTOM,
    FINDINGS,
    PERSONAL,
    RISKS,
    SYMPTOM_DOMAINS,
    is_now,
    is_relatives,
)
from simulator.patient.substances import class_asked, may_answer, of_class
from simulator.patient.tellable import tellable
from terminology import concepts


def facts_about(ask: Ask, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts among `facts` that the ask is about, whether it asks of the patient or of a relative."""
    if ask.domain is Domain.FAMILY_HISTORY or ask.experiencer != "patient":
        pool = tuple(fact for fact in facts if is_relatives(fact) and matching.is_relative(fact, ask.experiencer))
        return chosen(ask, pool) or tuple(fact for fact in pool if ask.words and matching.is_called(fact, ask))
    own = tuple(fact for fact in facts if not is_relatives(fact))
    if ask.concept or ask.term:
        if ask.attribute is Attribute.ASSOCIATED:
            return tuple(fact for fact in _whole_domain(ask, own) if not chosen(ask, (fact,)))
        if asks_before(ask):
            return tuple(fact for fact in chosen(ask, own) if fact.historical)
        risks = facts if ask.domain is Domain.RISK_FACTOR else ()
        return _best(ask, own) or chosen(ask, tuple(f for f in risks if not matching.says_nothing(f)))
    return _whole_domain(ask, facts if ask.domain is Domain.RISK_FACTOR else own)


def asks_before(ask: Ask) -> bool:
    """Whether the ask is "Have you had anything like this before?", for which the present spell is no answer."""
    if ask.domain is not Domain.PAST_HISTORY or not ask.concept:
        return False
    named = any(match.key == ask.concept for match in concepts.find(ask.words))
    return not named and re.search(document("matching.yaml")["before"], ask.words, re.IGNORECASE) is not None


def chosen(ask: Ask, pool: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Facts about the ask's concept or, where no terminology knows it, its words; all where neither is named."""
    if ask.domain is Domain.REVIEW_OF_SYSTEMS and ask.concept and concepts.get(ask.concept) is None:
        return tuple(fact for fact in pool if fact.domain in SYMPTOM_DOMAINS and matching.of_system(fact, ask.concept))
    if ask.concept:
        concept = ask.concept
        return tuple(
            fact for fact in pool if _present_about(fact, concept) or matching.covers_absence_of(fact, concept)
        )
    return tuple(fact for fact in pool if matching.says(fact, ask.term)) if ask.term else pool


def _present_about(fact: Fact, concept: str) -> bool:
    return fact.assertion is not Assertion.ABSENT and matching.names(fact, concept)


def _best(ask: Ask, own: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Facts of the domain that was asked for; failing those, of any domain, and findings last.

    Presence anywhere beats silence, and a fact that the question calls by its name beats another's absence.
    """
    own = tuple(fact for fact in own if may_answer(ask, fact))
    pool = tuple(fact for fact in own if fact.domain in domains_of(ask.domain))
    elsewhere = tuple(fact for fact in own if fact.domain not in FINDINGS and not matching.says_nothing(fact))
    exact = tuple(fact for fact in own if ask.term and not ask.concept and fact.text.lower() == ask.term.lower())
    drug_class = class_asked(ask)
    held = (fact for fact in pool if fact.assertion is not Assertion.ABSENT)
    of_that_class = tuple(fact for fact in held if of_class(fact, drug_class))
    if exact or of_that_class:
        return exact or of_that_class
    found = (*(chosen(ask, pool) or chosen(ask, elsewhere)), *_forbids_food(ask, elsewhere))
    if any(fact.assertion is not Assertion.ABSENT for fact in found):
        doubtful = not any(fact.assertion is Assertion.PRESENT for fact in found)
        known_as = tuple(f for f in elsewhere if doubtful and f not in found and _is_called(f, ask))
        return (*found, *(fact for fact in known_as if fact.assertion is Assertion.PRESENT))
    called = tuple(fact for fact in elsewhere if fact.domain not in PERSONAL and _is_called(fact, ask))
    if any(fact.assertion is not Assertion.ABSENT for fact in called):
        return called
    both = (*found, *(fact for fact in called if fact not in found))
    return both or chosen(ask, tuple(fact for fact in own if fact.domain in FINDINGS))


def _forbids_food(ask: Ask, pool: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Illnesses that forbid foods, where the foods that are not eaten are asked for."""
    if ask.domain is not Domain.ALLERGY or ask.concept != "food_allergen":
        return ()
    illnesses = document("matching.yaml")["food_illness"]
    return tuple(f for f in pool if f.concept in illnesses and f.assertion is not Assertion.ABSENT)


def _is_called(fact: Fact, ask: Ask) -> bool:
    return bool(ask.words) and matching.is_called(fact, ask)


def domains_of(asked: Domain) -> frozenset[Domain]:
    """Where facts are stored that a question of a domain asks for."""
    if asked in ASKED_AS_SYMPTOM:
        return SYMPTOM_DOMAINS
    if asked in PERSONAL:
        return PERSONAL
    if asked in FINDINGS:
        return FINDINGS
    return RISKS if asked is Domain.RISK_FACTOR else frozenset({asked})


def _whole_domain(ask: Ask, everything: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """What an open question about a domain brings up."""
    own = tuple(filter(tellable, everything))
    if ask.domain is Domain.CHIEF_COMPLAINT:
        complaints = tuple(f for f in own if f.domain is Domain.CHIEF_COMPLAINT)
        felt = sorted((f for f in own if f.domain is Domain.SYMPTOM and is_now(f)), key=lambda f: not f.concept)
        return complaints or tuple(felt[:3])
    if ask.domain is Domain.SOCIAL_HISTORY:
        fields = ("occupation", "marital_status", "living_situation")
        return tuple(f for f in own if f.domain is Domain.SOCIAL_HISTORY or f.concept in fields)
    if ask.domain is Domain.DEMOGRAPHICS and not re.search(document("matching.yaml")["oneself"], ask.words, re.I):
        return ()
    if ask.domain in (Domain.LIFESTYLE, Domain.DEMOGRAPHICS, Domain.EXAMINATION, Domain.TEST_RESULT):
        return tuple(f for f in everything if f.domain is ask.domain)
    if ask.domain in (Domain.MENTAL_STATUS, Domain.OTHER, Domain.IDEAS_CONCERNS):
        return ()
    return tuple(f for f in own if f.domain in domains_of(ask.domain))

"""Retrieve: from an ask to the facts of the patient's own graph that answer it."""

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient import matching
from simulator.patient.asked_detail import detail_of
from simulator.patient.asks import Ask, DialogueContext
from simulator.patient.candidates import facts_about
from simulator.patient.data_files import document
from simulator.patient.knowable import was_told
from simulator.patient.retrieved import (
    ASKED_AS_SYMPTOM,
    FINDINGS,
    SYMPTOM_DOMAINS,
    WHOLE,
    Finding,
    Retrieved,
    asks_effects,
    is_now,
    is_relatives,
)
from simulator.patient.side_effects import effects_known
from simulator.patient.substances import may_answer
from simulator.patient.ward import given_here


def retrieve(ask: Ask, facts: tuple[Fact, ...], context: DialogueContext, told: frozenset[str]) -> Retrieved:
    """The facts that answer `ask`. `facts` are all that the patient may know; `told` as in `Protocol.told`."""
    if ask.concept in document("matching.yaml")["chart_only"]:
        return Retrieved(ask, Finding.CHART_ONLY)
    beyond = _beyond_the_record(ask)
    if beyond:
        return Retrieved(ask, beyond)
    if asks_effects(ask):
        return effects_known(ask, facts)
    ask = _grounded(ask, facts, context)
    found = facts_about(ask, facts)
    known = tuple(fact for fact in found if was_told(fact, told))
    if not found and ask.experiencer == "patient":
        found = known = _openly(ask, facts)
    if found and not known:
        unseen = ask.domain in ASKED_AS_SYMPTOM and all(fact.assertion is Assertion.ABSENT for fact in found)
        return _not_found(ask, facts) if unseen else Retrieved(ask, Finding.NOT_TOLD)
    present = tuple(fact for fact in known if fact.assertion is not Assertion.ABSENT)
    if present:
        return detail_of(ask, _named_outright(ask, present), tuple(fact for fact in facts if was_told(fact, told)))
    if known:
        return Retrieved(ask, Finding.ABSENT, known)
    return _not_found(ask, facts)


def _beyond_the_record(ask: Ask) -> Finding | None:
    """Drugs given on the ward, whether the record has them or not, and the time and place of the visit."""
    if ask.concept in document("matching.yaml")["out_of_place"]:
        return Finding.OUT_OF_PLACE
    drug = ask.experiencer == "patient" and ask.domain is Domain.MEDICATION
    return Finding.GIVEN_HERE if drug and given_here(ask.words) else None


def _openly(ask: Ask, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """What is wrong with the sleep, bowels, weight or mood, where one of them was asked for as a whole."""
    others = document("wording.yaml")["asked_openly"].get(ask.concept or "", ())
    return tuple(f for f in facts if f.domain in SYMPTOM_DOMAINS and f.concept in others and is_now(f))


def _named_outright(ask: Ask, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Facts mapped to the concept; those that only mention it ("hives and vomiting") where there are no others."""
    if not ask.concept or ask.domain in (Domain.MEDICATION, Domain.ALLERGY):
        return facts
    return tuple(fact for fact in facts if fact.concept) or facts


def _grounded(ask: Ask, facts: tuple[Fact, ...], context: DialogueContext) -> Ask:
    """The ask with its symptom filled in, where only a detail was asked ("when did it start?")."""
    details = ask.domain in (Domain.SYMPTOM_DETAIL, Domain.SYMPTOM, Domain.CHIEF_COMPLAINT)
    if ask.concept or ask.term or not details or ask.attribute in WHOLE:
        return ask
    concept = context.symptom or context.chief_complaint
    if concept is None:
        own = (fact for fact in facts if fact.domain in SYMPTOM_DOMAINS and fact.concept and not fact.historical)
        concept = next((fact.concept for fact in own if fact.assertion is Assertion.PRESENT), None)
    return ask.model_copy(update={"concept": concept})


def _not_found(ask: Ask, facts: tuple[Fact, ...]) -> Retrieved:
    """Absent kinds of the thing that was asked ("any pain?" where only chest pain is denied), or silence."""
    if not ask.concept or ask.experiencer != "patient" or ask.domain is Domain.FAMILY_HISTORY:
        return Retrieved(ask, Finding.UNDOCUMENTED)
    own = (fact for fact in facts if not is_relatives(fact) and fact.domain not in FINDINGS and may_answer(ask, fact))
    absent = tuple(fact for fact in own if fact.assertion is Assertion.ABSENT and matching.names(fact, ask.concept))
    return Retrieved(ask, Finding.NARROWER_ABSENT if absent else Finding.UNDOCUMENTED, absent)

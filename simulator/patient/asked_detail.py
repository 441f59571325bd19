"""The detail of a fact that an ask is after: which attribute tells it, of which fact, or that none does."""

import re

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.asks import Ask, Attribute
from simulator.patient.data_files import document
from simulator.patient.retrieved import FINDINGS, PERSONAL, SYMPTOM_DOMAINS, WHOLE, Finding, Retrieved
from simulator.patient.spans import soonest
from terminology import concepts


def detail_of(ask: Ask, present: tuple[Fact, ...], own: tuple[Fact, ...]) -> Retrieved:
    """What answers the ask's attribute: of `present`, the facts found for it, else of a wider thing among `own`."""
    if ask.attribute in WHOLE:
        return Retrieved(ask, Finding.PRESENT, present)
    rules = document("matching.yaml")
    names = rules["attributes"].get(ask.attribute.value, ())
    if asks_manner(ask):
        return _manner(ask, present, names)
    for pool in (tuple(fact for fact in present if fact.concept == ask.concept), present, _meant(ask, own)):
        name = soonest(names, tuple(fact for fact in pool if not fact.historical)) or soonest(names, pool)
        if name:
            return Retrieved(ask, Finding.DETAIL, tuple(fact for fact in pool if fact.attributes.get(name)), name)
    if ask.domain is Domain.SURGICAL_HISTORY and ask.attribute is Attribute.LOCATION:
        return Retrieved(ask, Finding.PRESENT, present)
    habits = tuple(fact for fact in present if fact.domain in PERSONAL)
    if habits and ask.attribute.value in rules["told_by_text"]:
        return Retrieved(ask, Finding.PRESENT, habits)
    found = tuple(fact for fact in present if fact.domain in FINDINGS)
    if found and ask.attribute is Attribute.VALUE:
        return Retrieved(ask, Finding.PRESENT, found)
    return Retrieved(ask, Finding.DETAIL_MISSING, present)


def _meant(ask: Ask, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Facts of the wider thing that the words name: "the pain" is the complaint's, or one recorded as "pain" alone."""
    above = (concept for key in concepts.ancestors(ask.concept or "") if (concept := concepts.get(key)))
    words = _without_kinds(ask.words, ask.concept or "")
    wider = {one.key for one in above if re.search(rf"\b{re.escape(one.lay)}\b", words, re.IGNORECASE)}
    return tuple(
        fact
        for fact in facts
        if fact.domain in SYMPTOM_DOMAINS
        and fact.concept in wider
        and fact.assertion is not Assertion.ABSENT
        and fact.experiencer == "patient"
    )


def _without_kinds(words: str, concept: str) -> str:
    """The words without any name of the concept or another one of its kind: "chest pain" is not pain at large."""
    wide = concepts.ancestors(concept)
    for match in reversed(concepts.find(words, kinds=("symptom", "condition"))):
        if match.key not in wide:
            words = f"{words[: match.start]}-{words[match.end :]}"
    return words


def asks_manner(ask: Ask) -> bool:
    """Whether the ask is "Did it come on suddenly or gradually?", for which a date is no answer."""
    asked = re.search(document("matching.yaml")["manner"], ask.words, re.IGNORECASE)
    return ask.attribute is Attribute.ONSET and asked is not None


def _manner(ask: Ask, present: tuple[Fact, ...], names: list[str]) -> Retrieved:
    for name in (*names, "course"):
        told = tuple(f for f in present if tells_manner(f.attributes.get(name, "")))
        if told:
            return Retrieved(ask, Finding.DETAIL, told, name)
    return Retrieved(ask, Finding.DETAIL_MISSING, present)


def tells_manner(value: str) -> bool:
    """Whether the value says in which way a thing began ("gradually"), not when."""
    return re.search(document("matching.yaml")["manner_told"], value, re.IGNORECASE) is not None

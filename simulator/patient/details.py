"""Details in words: when it began, how bad it is; of several mentions of one thing, as a person tells them."""

import re

from kg.facts import Domain, Fact
from simulator.patient.asked_detail import tells_manner
from simulator.patient.data_files import document
from simulator.patient.disclose import Disclosure
from simulator.patient.grammar import listed
from simulator.patient.medicines import drug_name
from simulator.patient.names import name_of
from simulator.patient.phrasing import Manner, capital
from simulator.patient.spans import hours
from simulator.patient.statements import finding_name, kind_of
from simulator.patient.wording import spoken_value

_TIMES = ("onset", "duration")


def detail(disclosure: Disclosure, manner: Manner) -> str:
    """The detail that was asked for, of each fact that has it."""
    name = disclosure.attribute
    values = _values(disclosure.facts, name, manner.persona.knows_clinical_words and name != "reaction")
    if len(values) == 1:
        value, facts = next(iter(values.items()))
        if name in _TIMES and all(fact.historical for fact in facts):
            return manner.say("detail", "past", x=value)
        return alone(name, value, manner)
    same = len({fact.concept or fact.text for facts in values.values() for fact in facts}) == 1
    if name == "value" and same:
        first, *others = values
        again = [manner.say("detail", "value_again", x=value) for value in others]
        return " ".join([alone(name, first, manner), *again])
    if name in _TIMES and same:
        return _now_and_before(name, values, manner)
    if all(fact.domain is Domain.MEDICATION for held in values.values() for fact in held):
        told = [(listed([drug_name(fact) for fact in held]), value) for value, held in values.items()]
        return " ".join(manner.say("detail", "named_medicine", name_cap=capital(name), x=v) for name, v in told)
    named = [(listed([_thing(fact, manner) for fact in facts]), value) for value, facts in values.items()]
    return " ".join(manner.say("detail", "named", name=thing, x=value) for thing, value in named)


def _values(facts: tuple[Fact, ...], name: str, clinical: bool) -> dict[str, list[Fact]]:
    """Facts by the value that they give, without values that another says too, with more words."""
    values: dict[str, list[Fact]] = {}
    for fact in facts:
        unit = f" {fact.attributes['unit']}" if name == "value" and fact.attributes.get("unit") else ""
        values.setdefault(spoken_value(fact.attributes[name] + unit, clinical), []).append(fact)
    return {v: held for v, held in values.items() if not any(o != v and o.startswith(f"{v} ") for o in values)}


def alone(name: str, value: str, manner: Manner) -> str:
    """One value of a detail in a sentence; a span of time ("3 days") is how long it has been, also as an onset."""
    if name == "onset" and tells_manner(value):
        return manner.say("detail", "manner", x=value)
    if name == "onset" and re.search(document("wording.yaml")["span"], value, re.IGNORECASE):
        name = "duration"
    kind = name if manner.has("detail", name) and fits(name, value) else "other"
    return manner.say("detail", kind, x=fitting(name, value))


def _now_and_before(name: str, values: dict[str, list[Fact]], manner: Manner) -> str:
    """ "It started yesterday. I had it before, about 4 years ago.": the present spell first, then former ones."""
    ordered = sorted(values, key=lambda value: (all(fact.historical for fact in values[value]), hours(value)))
    sentences = [alone(name, ordered[0], manner)]
    former = [manner.say("detail", "before_that" if number else "before", x=v) for number, v in enumerate(ordered[1:])]
    sentences += former
    return " ".join(sentences)


def _thing(fact: Fact, manner: Manner) -> str:
    return finding_name(fact, manner) if kind_of(fact) == "finding" else name_of(fact, manner)


def fits(name: str, value: str) -> bool:
    """Whether the value can follow "It started" or "It's been"; others are said by themselves."""
    if name not in _TIMES:
        return True
    return bool(
        re.search(document("wording.yaml")["adverbial" if name == "onset" else "lasting"], value, re.IGNORECASE)
    )


def fitting(name: str, value: str) -> str:
    """The value as it follows "It's been": without its own "for"."""
    return re.sub(r"^for\s+", "", value, flags=re.IGNORECASE) if name == "duration" else value

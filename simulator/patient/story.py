"""The story told on: "Tell me more about it" brings what the record tells of the complaint and was not said yet."""

import re
from collections.abc import Iterator

from kg.facts import Domain, Fact
from simulator.patient.asks import Ask, Attribute
from simulator.patient.data_files import document
from simulator.patient.disclose import Memory
from simulator.patient.opening import complaint_concept
from simulator.patient.tellable import tellable
from simulator.patient.wording import blank

_TOLD = ("onset", "character", "location", "severity", "radiation", "frequency", "aggravating", "relieving")
_AT_ONCE = 3
"""Details told in one turn."""


def told_on(ask: Ask, facts: tuple[Fact, ...], memory: Memory) -> tuple[Ask, ...]:
    """The asks that stand for `ask`: untold details of the complaint where more of the story is wanted, else itself.

    Where there are none, further complaints are asked for.
    """
    more = re.search(document("hearing.yaml")["more"], ask.words, re.IGNORECASE)
    story = ask.domain is Domain.CHIEF_COMPLAINT and not ask.concept and memory.former(ask) is not None
    if not (more and story):
        return (ask,)
    details = tuple(_untold(ask, facts, memory))
    return details[:_AT_ONCE] or (Ask(domain=Domain.SYMPTOM, attribute=Attribute.ASSOCIATED, words=ask.words),)


def _untold(ask: Ask, facts: tuple[Fact, ...], memory: Memory) -> Iterator[Ask]:
    felt = (fact.concept for fact in facts if fact.domain is Domain.SYMPTOM and fact.concept and tellable(fact))
    concept = complaint_concept(facts) or next(felt, None)
    own = [f for f in facts if f.domain is Domain.SYMPTOM and f.concept == concept and not f.historical]
    for name in _TOLD:
        detail = Ask(
            domain=Domain.SYMPTOM_DETAIL, concept=concept, attribute=Attribute(name), words=f"{ask.words} ({name})"
        )
        known = any(not blank(fact.attributes.get(name, "")) for fact in own)
        if known and memory.former(detail) is None:
            yield detail

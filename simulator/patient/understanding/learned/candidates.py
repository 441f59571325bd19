"""What an utterance may ask: what the rules ask or name, the same in other domains, and what the encoder hears."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kg.facts import Domain
from simulator.patient.asks import Ask
from simulator.patient.understanding.learned.heard import Heard
from simulator.patient.understanding.learned.slots import ClauseReading, Slot, SlotKind, slots_of
from simulator.patient.understanding.situation import relative_meant

# A label of the encoder, or another domain of a named thing, is a candidate where it is at least so probable; the
# other domain also where it is heard so much more clearly.
_HEARD, _MOVED, _CLEARLY = 0.08, 0.15, 0.6
# "Which knee was replaced?" asks for one of a kind, and never for all that there is.
_ONE = re.compile(r"\bwhich \w+ (?:was|were|is|did (?:they|he|she|the))\b")


class Source(StrEnum):
    """Who proposes a candidate; MOVED is a thing that the rules ask or name, in another domain."""

    RULES = "rules"
    CUT = "cut"
    NAMED = "named"
    MOVED = "moved"
    HEARD = "heard"


@dataclass(frozen=True)
class Candidate:
    """An ask that the utterance may hold, and the index of the clause that would ask it."""

    ask: Ask
    source: Source
    clause: int


def candidates(readings: Sequence[ClauseReading], kept: Sequence[Ask], heard: Heard) -> list[Candidate]:
    """Every candidate once, those of the rules first, then in the order of the words, then of the encoder's labels."""
    found: list[Candidate] = []
    for candidate in (*_of_rules(readings, kept, heard), *_of_encoder(readings, kept, heard)):
        ruled = candidate.source in (Source.RULES, Source.CUT)
        if ruled or not any(_alike(candidate.ask, other.ask, heard) for other in found):
            found.append(candidate)
    return found


def _of_rules(readings: Sequence[ClauseReading], kept: Sequence[Ask], heard: Heard) -> Iterator[Candidate]:
    slots = slots_of(readings, kept)
    sources = {SlotKind.ASK: Source.RULES, SlotKind.CUT: Source.CUT, SlotKind.MENTION: Source.NAMED}
    for slot in sorted(slots, key=lambda slot: list(sources).index(slot.kind)):
        yield Candidate(slot.ask, sources[slot.kind], slot.clause)
    for slot in slots:
        yield from _moved(slot, readings[slot.clause], heard)


def _moved(slot: Slot, reading: ClauseReading, heard: Heard) -> Iterator[Candidate]:
    ask = slot.ask
    if not (ask.concept or ask.term) or ask.domain is Domain.SYMPTOM_DETAIL:
        return
    for domain in Domain:
        if domain in (ask.domain, Domain.SYMPTOM_DETAIL):
            continue
        named = heard.concept(domain, ask)
        clearly = heard.domain(domain) - _CLEARLY if ask.concept else heard.domain(domain) / 2
        if (clearly if named is None else max(named, clearly)) >= _MOVED:
            attribute = heard.usual_attribute(domain, ask) or ask.attribute
            update = {"domain": domain, "attribute": attribute, "experiencer": _person(domain, ask, reading)}
            yield Candidate(ask.model_copy(update=update), Source.MOVED, slot.clause)


def _of_encoder(readings: Sequence[ClauseReading], kept: Sequence[Ask], heard: Heard) -> Iterator[Candidate]:
    if not readings:
        return
    clause = max(index for index in range(len(readings)) if readings[index].clause.asks or index == 0)
    reading = readings[clause]
    for domain, concept, attribute in heard.labels(_HEARD):
        if concept is None and one_of_a_kind(reading.clause.text):
            continue
        ask = Ask(domain=domain, concept=concept, attribute=attribute, words=reading.clause.words)
        yield Candidate(ask.model_copy(update={"experiencer": _person(domain, ask, reading)}), Source.HEARD, clause)
    about = _symptom(reading, kept)
    for attribute in heard.attributes(_HEARD):
        ask = Ask(domain=Domain.SYMPTOM_DETAIL, concept=about, attribute=attribute, words=reading.clause.words)
        yield Candidate(ask, Source.HEARD, clause)


def _symptom(reading: ClauseReading, kept: Sequence[Ask]) -> str | None:
    """The symptom that a detail is asked of: the one the rules ask about in the same words, else the one before."""
    asked = [ask.concept for ask in kept if ask.domain in (Domain.SYMPTOM_DETAIL, Domain.SYMPTOM) and ask.concept]
    return asked[-1] if asked else reading.now.symptom


def _person(domain: Domain, ask: Ask, reading: ClauseReading) -> str:
    if domain is not Domain.FAMILY_HISTORY:
        return "patient"
    return ask.experiencer if ask.experiencer != "patient" else relative_meant(reading.clause.text, reading.now)


def _alike(one: Ask, other: Ask, heard: Heard) -> bool:
    """The same thing in the same domain; of a symptom's details the same attribute."""
    if one.domain is not other.domain:
        return False
    if one.domain is Domain.SYMPTOM_DETAIL:
        return one.attribute is other.attribute
    return heard.equal(one, other)


def one_of_a_kind(text: str) -> bool:
    """Whether a clause asks for one of a kind ("which knee was replaced?")."""
    return bool(_ONE.search(text))

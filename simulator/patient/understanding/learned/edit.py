"""The rules' reading edited: asks too many dropped, domains and attributes put right, asks that were missed added."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute, DialogueContext
from simulator.patient.understanding.learned.features import features
from simulator.patient.understanding.learned.model import ASKED, ATTRIBUTE, NOTHING, SILENT, Floats, Head, shipped
from simulator.patient.understanding.learned.slots import ClauseReading, Slot, SlotKind, slots_of
from terminology import embeddings

DROPPED, ADDED, MOVED = 0.5, 0.5, 0.2
_LISTED = (Domain.CHIEF_COMPLAINT, Domain.MEDICATION, Domain.ALLERGY, Domain.IDEAS_CONCERNS)


@dataclass(frozen=True)
class Edited:
    """The asks in the order of the words, and the least probability among the decisions that led to them."""

    asks: tuple[Ask, ...]
    confidence: float


def edited(
    readings: Sequence[ClauseReading],
    kept: Sequence[Ask],
    context: DialogueContext,
    heads: Mapping[str, Head] | None = None,
) -> Edited:
    """The asks of an utterance; `kept` are those that the rules leave standing. Without a clause nothing is asked.

    An ask is dropped where "nothing" has a probability above DROPPED, and moved to another domain where that is more
    probable by MOVED; where "nothing" has one below ADDED, a thing named or a clause alone becomes an ask.
    """
    slots = slots_of(readings, kept)
    if not slots:
        return Edited(tuple(kept), 1.0)
    heads = shipped() if heads is None else heads
    vectors = embeddings.embed([readings[slot.clause].clause.text for slot in slots])
    names = features(readings, slots, context)
    asks: list[Ask] = []
    confidence = 1.0
    for slot, name, vector in zip(slots, names, vectors, strict=True):
        ask, sure = _decided(slot, [name], vector[None, :], readings, heads)
        confidence = min(confidence, sure)
        if ask is not None and not any(_key(ask) == _key(other) for other in asks):
            asks.append(ask)
    return Edited(tuple(asks), confidence)


def _decided(
    slot: Slot, names: list[list[str]], vectors: Floats, readings: Sequence[ClauseReading], heads: Mapping[str, Head]
) -> tuple[Ask | None, float]:
    """What a slot asks, and how probable that is."""
    head = heads[ASKED if slot.kind is SlotKind.ASK else SILENT]
    probable = dict(zip(head.classes, head.probabilities(names, vectors)[0].tolist(), strict=True))
    nothing = probable.pop(NOTHING, 0.0)
    if nothing > (DROPPED if slot.kind is SlotKind.ASK else ADDED):
        return None, nothing
    best = max(probable, key=lambda name: probable[name])
    if slot.ask is None:
        return _new(Domain(best), readings[slot.clause]), probable[best]
    own = str(slot.ask.domain)
    domain = best if probable[best] > probable.get(own, 0.0) + MOVED else own
    ask = slot.ask if domain == own else _moved(slot.ask, Domain(domain), heads[ATTRIBUTE].best(names, vectors))
    return ask, probable.get(domain, 0.0)


def _moved(ask: Ask, domain: Domain, attribute: str) -> Ask:
    """An ask of another domain: its attribute is the model's, and the person asked about fits the domain."""
    person = ask.experiencer
    if (domain is Domain.FAMILY_HISTORY) != (person != "patient"):
        person = _person(domain)
    return ask.model_copy(update={"domain": domain, "attribute": Attribute(attribute), "experiencer": person})


def _person(domain: Domain) -> str:
    return "family" if domain is Domain.FAMILY_HISTORY else "patient"


def _new(domain: Domain, reading: ClauseReading) -> Ask:
    """An ask of a clause in which the rules found none: about the symptom under discussion where it asks a detail."""
    return Ask(
        domain=domain,
        concept=reading.now.symptom if domain is Domain.SYMPTOM_DETAIL else None,
        attribute=Attribute.LIST if domain in _LISTED else Attribute.EXISTENCE,
        experiencer=_person(domain),
        words=reading.clause.words,
    )


def _key(ask: Ask) -> tuple[object, ...]:
    return (ask.domain, ask.concept, ask.term, ask.attribute, ask.experiencer)

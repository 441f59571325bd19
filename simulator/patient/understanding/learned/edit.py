"""The rules' reading edited: asks too many dropped, domains and attributes put right, asks that were missed added."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute, DialogueContext
from simulator.patient.understanding.learned.features import features
from simulator.patient.understanding.learned.model import ASKED, ATTRIBUTE, NOTHING, SILENT, Floats, Head, shipped
from simulator.patient.understanding.learned.slots import ClauseReading, Slot, SlotKind, slots_of
from terminology import embeddings

# Probabilities, and by how much another domain must be more probable: in free speech, and in a clause that the rules
# hold for a question and that ends as one (written questions are plainer than the spoken ones of the training data).
DROPPED, DROPPED_PLAINLY, ADDED = 0.5, 0.7, 0.5
MOVED, MOVED_PLAINLY = 0.2, 0.4
# Where the likeliest class is less probable by the features alone, the clause's sentence vector is asked too (CARD.md).
SURE = 0.9
Chances = dict[str, float]
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
    sure: float = SURE,
) -> Edited:
    """The asks of an utterance; `kept` are those that the rules leave standing. Without a clause nothing is asked.

    An ask is dropped where "nothing" is more probable than DROPPED, and moved to another domain where that is more
    probable by MOVED; of a plain question the likeliest ask always stays. Where "nothing" is less probable than ADDED,
    a thing named or a clause alone becomes an ask. `sure` is for measuring what another value of SURE would do.
    """
    slots = slots_of(readings, kept)
    if not slots:
        return Edited(tuple(kept), 1.0)
    judged = _judged(readings, slots, features(readings, slots, context), shipped() if heads is None else heads, sure)
    chances = [each.chances for each in judged]
    asks: list[Ask] = []
    confidence = 1.0
    for index, (slot, chance) in enumerate(zip(slots, chances, strict=True)):
        plain = slot.kind is SlotKind.ASK and _plain(readings, slot.clause)
        if not (plain and index == _likeliest(slot.clause, slots, chances)):
            limit = ADDED if slot.kind is not SlotKind.ASK else DROPPED_PLAINLY if plain else DROPPED
            if chance[NOTHING] > limit:
                confidence = min(confidence, chance[NOTHING])
                continue
        domain = _domain(slot, chance, MOVED_PLAINLY if plain else MOVED)
        confidence = min(confidence, chance.get(domain, 0.0))
        ask = _asked(slot, domain, readings[slot.clause], judged[index])
        if not any(_key(ask) == _key(other) for other in asks):
            asks.append(ask)
    return Edited(tuple(asks), confidence)


@dataclass(frozen=True)
class _Judged:
    """What the heads make of a slot: how probable each class is, and, where its domain changes, the attribute."""

    chances: Chances
    attribute: Callable[[], str]


def _judged(
    readings: Sequence[ClauseReading],
    slots: Sequence[Slot],
    names: Sequence[Sequence[str]],
    heads: Mapping[str, Head],
    sure: float,
) -> list[_Judged]:
    """Each slot by its features alone; by them and its clause's sentence vector where those leave it unsure."""
    found = [_by(slot, each, heads) for slot, each in zip(slots, names, strict=True)]
    unsure = [index for index, each in enumerate(found) if max(each.chances.values()) < sure]
    vectors = embeddings.embed([readings[slots[index].clause].clause.text for index in unsure])
    for index, vector in zip(unsure, vectors, strict=True):
        found[index] = _by(slots[index], names[index], heads, vector)
    return found


def _by(slot: Slot, names: Sequence[str], heads: Mapping[str, Head], vector: Floats | None = None) -> _Judged:
    head = heads[ASKED if slot.kind is SlotKind.ASK else SILENT]
    chances = head.probabilities(names, vector).tolist()
    attribute = heads[ATTRIBUTE]
    return _Judged(dict(zip(head.classes, chances, strict=True)), lambda: attribute.best(names, vector))


def _plain(readings: Sequence[ClauseReading], index: int) -> bool:
    """Whether a clause is a question and ends as one, or a bare one follows ("About your sleep. Any trouble?")."""
    reading, after = readings[index], readings[index + 1 : index + 2]
    bare = any(not other.asks and _question(other) for other in after)
    return reading.clause.asks and (_question(reading) or bare)


def _question(reading: ClauseReading) -> bool:
    return reading.clause.asks and reading.clause.words.rstrip().endswith("?")


def _likeliest(clause: int, slots: Sequence[Slot], chances: Sequence[Chances]) -> int:
    """The index of the clause's ask that is least likely nothing."""
    asked = [index for index, slot in enumerate(slots) if slot.clause == clause and slot.kind is SlotKind.ASK]
    return min(asked, key=lambda index: chances[index][NOTHING])


def _domain(slot: Slot, chance: Chances, margin: float) -> str:
    """The most probable domain; the rules' own where it is not behind by the margin."""
    best = max((name for name in chance if name != NOTHING), key=lambda name: chance[name])
    own = str(slot.ask.domain) if slot.ask is not None else best
    return best if chance[best] > chance.get(own, 0.0) + margin else own


def _asked(slot: Slot, domain: str, reading: ClauseReading, judged: _Judged) -> Ask:
    if slot.ask is None:
        return _new(Domain(domain), reading)
    if domain == slot.ask.domain:
        return slot.ask
    return _moved(slot.ask, Domain(domain), judged.attribute())


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

"""What each slot should have become, from the labelled asks of its utterance. Used in training only."""

from collections.abc import Sequence

from simulator.patient.asks import Ask
from simulator.patient.understanding.learned.model import NOTHING
from simulator.patient.understanding.learned.slots import ClauseReading, Slot, SlotKind
from simulator.patient.understanding.scoring import agreement, aligned

Answers = list[Ask | None]


def answers(labelled: Sequence[Ask], slots: Sequence[Slot], readings: Sequence[ClauseReading]) -> Answers:
    """The labelled ask of each slot, None where it asks nothing.

    The rules' asks are aligned as in scoring.py; what they missed goes to a slot that names its concept, else to the
    last clause alone that is a question.
    """
    found: Answers = [None] * len(slots)
    free = [(index, slot.ask) for index, slot in enumerate(slots) if slot.kind is SlotKind.ASK and slot.ask is not None]
    missed = []
    for label, ask in aligned(labelled, [ask for _, ask in free]):
        if label is not None and ask is not None:
            place = next(pair for pair in free if pair[1] is ask)
            free.remove(place)
            found[place[0]] = label
        elif label is not None:
            missed.append(label)
    for label in missed:
        _placed(label, found, slots, readings)
    return found


def _placed(label: Ask, found: Answers, slots: Sequence[Slot], readings: Sequence[ClauseReading]) -> None:
    for index, slot in enumerate(slots):
        named = slot.kind in (SlotKind.CUT, SlotKind.MENTION) and found[index] is None
        if named and slot.ask is not None and _of(label, slot.ask):
            found[index] = label
            return
    alone = [index for index, slot in enumerate(slots) if slot.kind is SlotKind.EMPTY and found[index] is None]
    questions = [index for index in alone if _question(readings[slots[index].clause])]
    if alone:
        found[(questions or alone)[-1]] = label


def _of(label: Ask, ask: Ask) -> bool:
    same = agreement(label, ask)
    return same["concept"] and (bool(label.concept) or same["domain"])


def _question(reading: ClauseReading) -> bool:
    return reading.clause.asks or "?" in reading.clause.words


def domain_label(answer: Ask | None) -> str:
    """The class of a slot: a domain, or NOTHING."""
    return str(answer.domain) if answer is not None else NOTHING

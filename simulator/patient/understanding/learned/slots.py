"""What the rules propose: their asks, those that they cut, and what is named without being asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from simulator.patient.asks import Ask
from simulator.patient.understanding.mentions import Mention, mention_rules
from simulator.patient.understanding.situation import Situation
from simulator.patient.understanding.wording import Clause


@dataclass(frozen=True)
class ClauseReading:
    """A clause as the rules read it: `asks` are the new ones, `now` is the situation before it."""

    clause: Clause
    asks: tuple[Ask, ...]
    sure: float
    decided: str
    now: Situation
    mentions: tuple[Mention, ...]


class SlotKind(StrEnum):
    """ASK: the rules ask it. CUT: they found it and left it out. MENTION: named, not asked."""

    ASK = "ask"
    CUT = "cut"
    MENTION = "mention"


@dataclass(frozen=True)
class Slot:
    """A place for one ask: `clause` is the index of its clause, `ask` what the rules say or would say of it."""

    clause: int
    kind: SlotKind
    ask: Ask


def slots_of(readings: Sequence[ClauseReading], kept: Sequence[Ask]) -> list[Slot]:
    """The slots of an utterance in the order of its clauses; `kept` are the asks that the rules leave standing."""
    asked = {ask.concept for ask in kept}
    slots: list[Slot] = []
    for index, reading in enumerate(readings):
        slots.extend(Slot(index, SlotKind.ASK if ask in kept else SlotKind.CUT, ask) for ask in reading.asks)
        known = asked | {ask.concept for ask in reading.asks}
        for mention in reading.mentions:
            if mention.kind != "relative" and mention.key not in known:
                slots.append(Slot(index, SlotKind.MENTION, _would_ask(mention, reading.clause)))
                known.add(mention.key)
    return slots


def _would_ask(mention: Mention, clause: Clause) -> Ask:
    return Ask(domain=mention_rules().domain(mention), concept=mention.key, words=clause.words)

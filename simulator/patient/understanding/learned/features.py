"""Features of a slot as strings: the rules' reading, the words of its clause, and what stands before and after.

Only hashes of these strings meet the model, so that its file holds no word of the data.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from simulator.patient.asks import Ask, DialogueContext
from simulator.patient.understanding.learned.slots import ClauseReading, Slot, SlotKind
from simulator.patient.understanding.mentions import Mention, named
from simulator.patient.understanding.wording import cleaned
from terminology import concepts

_WORD = re.compile(r"[a-z']+|\?")
_COMMON = frozenset(
    str.split(
        "the a an of to in on at and or is are was were do does did you your have has had it that this any i um uh so"
        " ok okay yeah like just with for he she they his her been be there how what"
    )
)
_LONGEST_CLAUSE, _LONGEST_ANSWER, _MANY = 10, 5, 4


@dataclass(frozen=True)
class _Utterance:
    """What the features of all slots of one utterance share."""

    readings: Sequence[ClauseReading]
    slots: Sequence[Slot]
    words: tuple[list[str], ...]
    before: tuple[Ask, ...]
    last: Ask | None
    answer: list[str]
    told: frozenset[str]


def features(readings: Sequence[ClauseReading], slots: Sequence[Slot], context: DialogueContext) -> list[list[str]]:
    """The features of each slot, each at most once, in the order of the slots."""
    answer = context.patient_words.lower()
    utterance = _Utterance(
        readings=readings,
        slots=slots,
        words=tuple(_WORD.findall(reading.clause.text) for reading in readings),
        before=context.understanding.asks,
        last=readings[0].now.last if readings else None,
        answer=_WORD.findall(answer),
        told=frozenset(mention.key for mention in named(cleaned(answer))) if answer else frozenset(),
    )
    return [list(dict.fromkeys(_of_slot(slot, utterance))) for slot in slots]


def _of_slot(slot: Slot, utterance: _Utterance) -> Iterator[str]:
    yield f"kind={slot.kind}"
    yield from _rules_say(slot, utterance)
    yield from _clause(slot, utterance)
    yield from _thing(slot, utterance)
    yield from _talk(slot, utterance)
    yield from _company(slot, utterance)
    yield from _neighbours(slot, utterance)


def domain_of(slot: Slot) -> str:
    """The domain that the rules give a slot, "none" for a clause alone."""
    return str(slot.ask.domain) if slot.ask else "none"


def _rules_say(slot: Slot, utterance: _Utterance) -> Iterator[str]:
    reading, domain = utterance.readings[slot.clause], domain_of(slot)
    yield f"rules={domain}"
    yield f"rules={slot.kind}|{domain}"
    yield f"decided={slot.kind}|{reading.decided}"
    yield f"sure={slot.kind}|{reading.decided}|{reading.sure:.1f}"
    if slot.ask is None:
        return
    ask, kind = slot.ask, _kind(slot.ask.concept)
    yield f"attribute={ask.attribute}"
    yield f"attribute={slot.kind}|{domain}|{ask.attribute}"
    yield f"concept kind={kind}"
    yield f"concept kind={slot.kind}|{domain}|{kind}"
    yield f"concept={ask.concept}"
    yield f"concept={domain}|{ask.concept}"
    yield f"term={bool(ask.term)}"
    yield f"experiencer={domain}|{ask.experiencer}"
    yield f"no concept={domain}|{ask.attribute}|{not ask.concept}"


def _kind(key: str | None) -> str:
    concept = concepts.get(key) if key else None
    return concept.kind if concept else "unknown" if key else "none"


def _clause(slot: Slot, utterance: _Utterance) -> Iterator[str]:
    clause, words, count = utterance.readings[slot.clause].clause, utterance.words[slot.clause], len(utterance.readings)
    place = "only" if count == 1 else "last" if slot.clause == count - 1 else "first" if slot.clause == 0 else "middle"
    spoken = _WORD.findall(clause.words.lower())
    question = "?" in clause.words
    yield f"asks={clause.asks}"
    yield f"question={question}"
    yield f"place={place}"
    yield f"place={place}|{clause.asks}|{question}"
    yield f"length={min(len(words) // 2, _LONGEST_CLAUSE)}"
    for length in (1, 2, 3):
        yield f"begins={' '.join(words[:length])}"
    for length in (1, 2):
        yield f"spoken={' '.join(spoken[:length])}"
        yield f"ends={' '.join(words[-length:])}"
    for length in (1, 2, 3):
        yield from (f"words={' '.join(words[at : at + length])}" for at in range(len(words) - length + 1))


def _thing(slot: Slot, utterance: _Utterance) -> Iterator[str]:
    """Where in the clause the slot's concept is named, and whether it was spoken of just before."""
    reading, mention = utterance.readings[slot.clause], slot.mention
    if slot.ask is None or not slot.ask.concept:
        return
    if mention is None:
        mention = next((each for each in reading.mentions if each.key == slot.ask.concept), None)
    if mention is None:
        yield "named=False"
    else:
        yield from _around(mention, slot, reading)
    key = mention.key if mention else slot.ask.concept
    yield f"told={key in utterance.told}"
    again = [ask for ask in utterance.before if ask.concept == slot.ask.concept]
    yield f"again={bool(again)}"
    same = any(ask.domain is slot.ask.domain and ask.attribute is slot.ask.attribute for ask in again)
    yield f"the same again={same}"


def _around(mention: Mention, slot: Slot, reading: ClauseReading) -> Iterator[str]:
    text = reading.clause.text
    before, after = _WORD.findall(text[: mention.start]), _WORD.findall(text[mention.end :])
    yield f"left={' '.join(before[-1:])}"
    yield f"left={' '.join(before[-2:])}"
    yield f"right={' '.join(after[:1])}"
    yield f"name={mention.text}"
    yield f"names before={min(sum(each.start < mention.start for each in reading.mentions), 3)}"
    yield from (f"before={slot.kind}|{word}" for word in before)
    yield from (f"after={slot.kind}|{word}" for word in after)


def _talk(slot: Slot, utterance: _Utterance) -> Iterator[str]:
    """The patient's last words, and what was asked before."""
    answer, last, now = utterance.answer, utterance.last, utterance.readings[slot.clause].now
    yield f"answer={' '.join(answer[:1])}"
    yield f"answer length={min(1 + len(answer) // 6, _LONGEST_ANSWER) if answer else 0}"
    content = set(utterance.words[slot.clause]) - _COMMON
    echoed = len(content & (set(answer) - _COMMON)) / max(1, len(content))
    yield f"echo={int(echoed * 4)}"
    yield f"last={last.domain if last else 'none'}"
    if last:
        yield f"last={last.domain}|{last.attribute}"
        yield f"last concept={last.concept}"
    yield f"before it={now.last.domain if now.last else 'none'}"
    yield f"symptom={bool(now.symptom)}"


def _company(slot: Slot, utterance: _Utterance) -> Iterator[str]:
    """The other slots of the clause and of the utterance."""
    domain = domain_of(slot)
    beside = [other for other in utterance.slots if other.clause == slot.clause and other is not slot]
    yield f"asked beside={min(sum(other.kind is SlotKind.ASK for other in beside), _MANY)}"
    for other in beside:
        if other.ask is not None:
            same = slot.ask is not None and other.ask.concept == slot.ask.concept
            yield f"beside={domain}|{other.kind}|{other.ask.domain}|{same}"
    asked = [(other.clause, other.ask) for other in utterance.slots if other.kind is SlotKind.ASK and other.ask]
    earlier = [ask for clause, ask in asked if clause < slot.clause]
    later = [ask for clause, ask in asked if clause > slot.clause]
    yield f"asked elsewhere={min(len(earlier) + len(later), _MANY)}"
    yield f"earlier={earlier[-1].domain if earlier else 'none'}"
    yield f"later={later[0].domain if later else 'none'}"
    if slot.ask is not None:
        near = [("earlier", earlier[-1:]), ("later", later[:1])]
        for name, (ask,) in ((name, asks) for name, asks in near if asks):
            yield f"{name}={domain}|{ask.concept == slot.ask.concept}|{ask.domain is slot.ask.domain}"


def _neighbours(slot: Slot, utterance: _Utterance) -> Iterator[str]:
    """The words of the clauses before and after."""
    if slot.clause + 1 < len(utterance.readings):
        words = utterance.words[slot.clause + 1]
        yield f"next={' '.join(words[:1])}"
        yield f"next={' '.join(words[:2])}"
        yield f"next asks={utterance.readings[slot.clause + 1].clause.asks}"
    if slot.clause > 0:
        yield from (f"previous={word}" for word in utterance.words[slot.clause - 1])

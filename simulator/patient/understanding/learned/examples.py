"""Training examples: labelled utterances and the plain questions of the bank, as the rules read them."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from simulator.patient.asks import Ask, DialogueContext
from simulator.patient.understand import Understander
from simulator.patient.understanding.labelled import Labelled, read_labelled
from simulator.patient.understanding.learned.features import features
from simulator.patient.understanding.learned.gold import Answers, answers
from simulator.patient.understanding.learned.model import Floats
from simulator.patient.understanding.learned.slots import ClauseReading, Slot, slots_of
from simulator.patient.understanding.prototypes import question_bank
from simulator.patient.understanding.wording import clauses
from terminology import embeddings

BANK, COMPOUND = "question_bank", "question_bank_compound"
# The part of the labels that is never learned from.
HELD_OUT = "last_held_out"
_BANK_GROUPS, _COMPOUNDS = 40, 40
_ANSWERS = ("No.", "Yes.", "I don't think so.", "Yes, a little.", "No, not that I know of.", "About two weeks ago.")


@dataclass(frozen=True)
class Example:
    """An utterance with what it takes to learn from it: slots, the buckets of their features, and their answers.

    `group` is its dialogue: a split keeps a group together. `vectors` has the shape (slots, 384).
    """

    labelled: Labelled
    group: str
    context: DialogueContext
    readings: tuple[ClauseReading, ...]
    by_rules: tuple[Ask, ...]
    slots: tuple[Slot, ...]
    features: tuple[tuple[str, ...], ...]
    vectors: Floats
    answers: Answers

    @property
    def part(self) -> str:
        """The part of the labels; BANK or COMPOUND for plain questions."""
        return self.labelled.part


def examples(labels: Path, shared: Path) -> list[Example]:
    """Every labelled utterance but those of HELD_OUT, and every question of the bank.

    Raises UserError where the shared data is missing.
    """
    rules = Understander(learned=False)
    return [_example(row, group, rules) for row, group in (*learnable(labels, shared), *_plain())]


def learnable(labels: Path, shared: Path) -> list[tuple[Labelled, str]]:
    """The labelled utterances but those of HELD_OUT, each with its dialogue."""
    rows = zip(read_labelled(labels, shared), _groups(labels), strict=True)
    return [(row, group) for row, group in rows if row.part != HELD_OUT]


def _example(row: Labelled, group: str, rules: Understander) -> Example:
    context = row.context(rules.understand)
    ruled = rules.by_rules(clauses(row.utterance), context)
    slots = slots_of(ruled.readings, ruled.asks)
    names = features(ruled.readings, slots, context)
    return Example(
        labelled=row,
        group=group,
        context=context,
        readings=ruled.readings,
        by_rules=ruled.asks,
        slots=tuple(slots),
        features=tuple(tuple(each) for each in names),
        vectors=embeddings.embed([ruled.readings[slot.clause].clause.text for slot in slots]),
        answers=answers(row.asks, slots, ruled.readings),
    )


def _groups(labels: Path) -> list[str]:
    lines = [line for line in labels.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows = [json.loads(line) for line in lines]
    return [f"{row.get('file', '')}|{row.get('transcript', number)}" for number, row in enumerate(rows)]


def _plain() -> Iterator[tuple[Labelled, str]]:
    """The bank's questions, our own words: alone, and several in one turn in the midst of a talk.

    They keep what is asked plainly understood, also where real doctors would hardly ask two such things together.
    Every group has questions of its own, so that a split never learns from a question that it is measured on.
    """
    bank = list(question_bank())
    for number in range(_BANK_GROUPS):
        mine, chance = bank[number::_BANK_GROUPS], random.Random(number)
        for wording, ask in mine:
            yield Labelled(wording, (ask,), (), part=BANK), f"{BANK}|{number}"
        for _ in range(_COMPOUNDS):
            asked = chance.sample(mine, chance.choice((1, 2, 2, 2, 3)))
            before = (("D", chance.choice(mine)[0]), ("P", chance.choice(_ANSWERS)))
            words = chance.choice((" ", " And ")).join(wording for wording, _ in asked)
            asks = tuple(dict.fromkeys(ask for _, ask in asked))
            yield Labelled(words, asks, (), before=before, part=COMPOUND), f"{BANK}|{number}"

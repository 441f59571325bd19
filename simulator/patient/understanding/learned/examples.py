"""Training examples: labelled utterances, and the plain questions of the bank, alone and several in one turn."""

import json
import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from simulator.patient.understanding.labelled import Labelled, read_labelled
from simulator.patient.understanding.prototypes import question_bank

BANK, COMPOUND = "question_bank", "question_bank_compound"
# The parts of the labels that nothing is learned from; the encoder leaves half the dialogues of RANKED to the
# ranker, which has to meet its true errors.
HELD_OUT = ("last_held_out", "final_held_out")
RANKED = "twelfth_development"
_BANK_GROUPS, _COMPOUNDS = 40, 40
_ANSWERS = ("No.", "Yes.", "I don't think so.", "Yes, a little.", "No, not that I know of.", "About two weeks ago.")


@dataclass(frozen=True)
class Example:
    """A labelled utterance and its dialogue."""

    labelled: Labelled
    group: str

    @property
    def part(self) -> str:
        """The part of the labels; BANK or COMPOUND for plain questions."""
        return self.labelled.part

    @property
    def before(self) -> tuple[str, str]:
        """The words of the doctor and of the patient before, "" where there are none."""
        turns = self.labelled.before[-2:]
        patient = turns[-1][1] if turns and turns[-1][0] == "P" else ""
        earlier = turns[:-1] if patient else turns
        return (earlier[-1][1] if earlier and earlier[-1][0] == "D" else ""), patient


def for_encoder(labels: Path, shared: Path) -> list[Example]:
    """What the encoder learns from: every part but the held-out ones and the ranker's, and the question bank.

    Raises UserError where the shared data is missing.
    """
    return [each for each in learnable(labels, shared) if not _ranked(each)] + list(plain())


def for_ranker(labels: Path, shared: Path) -> list[Example]:
    """What the ranker learns from: utterances that the encoder never learned."""
    return [each for each in learnable(labels, shared) if _ranked(each)]


def learnable(labels: Path, shared: Path) -> list[Example]:
    """The labelled utterances but those of HELD_OUT, each with its dialogue."""
    rows = zip(read_labelled(labels, shared), _groups(labels), strict=True)
    return [Example(row, group) for row, group in rows if row.part not in HELD_OUT]


def _ranked(example: Example) -> bool:
    return example.part == RANKED and zlib.crc32(example.group.encode()) % 2 == 0


def _groups(labels: Path) -> list[str]:
    lines = [line for line in labels.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows = [json.loads(line) for line in lines]
    return [f"{row.get('file', '')}|{row.get('transcript', number)}" for number, row in enumerate(rows)]


def plain() -> Iterator[Example]:
    """The bank's questions, our own words: alone, and several in one turn in the midst of a talk.

    They keep what is asked plainly understood, also where real doctors would hardly ask two such things together.
    """
    bank = list(question_bank())
    for number in range(_BANK_GROUPS):
        mine, chance = bank[number::_BANK_GROUPS], random.Random(number)
        for wording, ask in mine:
            yield Example(Labelled(wording, (ask,), (), part=BANK), f"{BANK}|{number}")
        for _ in range(_COMPOUNDS):
            asked = chance.sample(mine, chance.choice((1, 2, 2, 2, 3)))
            before = (("D", chance.choice(mine)[0]), ("P", chance.choice(_ANSWERS)))
            words = chance.choice((" ", " And ")).join(wording for wording, _ in asked)
            asks = tuple(dict.fromkeys(ask for _, ask in asked))
            yield Example(Labelled(words, asks, (), before=before, part=COMPOUND), f"{BANK}|{number}")

"""Doctors' turns of the real dialogues in the shared data: read where they lie, never copied."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from foundation.errors import UserError

OSCE = "osce_interviews_fareez/clean_transcripts.jsonl"
PRIMOCK = "primock57/transcripts"
_SPEAKER = re.compile(r"^\s*([DP])\s*[:.]\s*(.*)$")
_INTERVAL = re.compile(r'xmin = ([\d.]+)\s+xmax = [\d.]+\s+text = "((?:[^"]|"")*)"')
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Spoken:
    """A turn: "D" or "P", and the words."""

    speaker: str
    words: str


@dataclass(frozen=True)
class DoctorTurn:
    """A doctor's turn by its place: file, transcript, index among all turns (from 0); with the turns before it."""

    file: str
    transcript: str
    index: int
    words: str
    before: tuple[Spoken, ...]

    @property
    def sha256(self) -> str:
        """Of the doctor's words: a label names its utterance by this, so that a changed source is noticed."""
        return hashlib.sha256(self.words.encode()).hexdigest()


def dialogues(shared: Path) -> Iterator[tuple[str, str, tuple[Spoken, ...]]]:
    """(file, transcript id, turns) of both sources, in the order of their names."""
    if not (shared / OSCE).exists():
        raise UserError(f"{shared} holds no {OSCE}", "give the folder of the shared data (default ../shared/data)")
    rows = (json.loads(line) for line in (shared / OSCE).read_text(encoding="utf-8").splitlines())
    for row in sorted(rows, key=lambda row: str(row["id"])):
        yield OSCE, str(row["id"]), merged(_osce_turns(str(row["text"])))
    for doctor in sorted((shared / PRIMOCK).glob("*_doctor.TextGrid")):
        name = doctor.name.removesuffix("_doctor.TextGrid")
        yield PRIMOCK, name, merged(_primock_turns(doctor, doctor.with_name(f"{name}_patient.TextGrid")))


def doctor_turns(shared: Path, before: int = 2) -> Iterator[DoctorTurn]:
    """Every turn of a doctor, with up to `before` turns that precede it."""
    for file, transcript, turns in dialogues(shared):
        for index, turn in enumerate(turns):
            if turn.speaker == "D":
                yield DoctorTurn(file, transcript, index, turn.words, turns[max(0, index - before) : index])


def merged(turns: Iterator[Spoken]) -> tuple[Spoken, ...]:
    """Consecutive turns of one speaker become one; empty turns vanish."""
    result: list[Spoken] = []
    for turn in turns:
        words = " ".join(turn.words.split())
        if not words:
            continue
        if result and result[-1].speaker == turn.speaker:
            words = f"{result.pop().words} {words}"
        result.append(Spoken(turn.speaker, words))
    return tuple(result)


def _osce_turns(text: str) -> Iterator[Spoken]:
    speaker = "D"
    for line in text.splitlines():
        match = _SPEAKER.match(line)
        if match:
            speaker = match.group(1)
        yield Spoken(speaker, match.group(2) if match else line)


def _primock_turns(doctor: Path, patient: Path) -> Iterator[Spoken]:
    spoken = [(start, "D", words) for start, words in _intervals(doctor)]
    spoken += [(start, "P", words) for start, words in _intervals(patient)]
    for _, speaker, words in sorted(spoken):
        yield Spoken(speaker, words)


def _intervals(path: Path) -> Iterator[tuple[float, str]]:
    for start, words in _INTERVAL.findall(path.read_text(encoding="utf-8")):
        plain = _TAG.sub(" ", words).replace('""', '"').strip()
        if plain:
            yield float(start), plain

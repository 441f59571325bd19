"""Simulated interviews of Fareez et al. 2022: JSON lines with `id` and `text`, whose lines begin "D:" or "P:"."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from evaluator.imported.dialogue import Dialogue, Speaker, Utterance, spoken
from foundation.errors import UserError

SOURCE = "osce_interviews_fareez"
_FILE = "clean_transcripts.jsonl"
# Typing slips of the source: "D;", 'D"', "P." and "P" before a capital.
_LINE = re.compile(r"^\W*(?P<who>[DPdp])L?(?:\s*[:;.\"]\s*|\s+(?=[A-Z]))(?P<words>.*)$")


def holds(folder: Path) -> bool:
    """Whether `folder` looks like this source."""
    return (folder / _FILE).is_file()


def read(folder: Path) -> Iterator[Dialogue]:
    """Every interview, by id. Raises UserError naming the line that is no JSON or lacks a field."""
    found: list[Dialogue] = []
    for number, line in enumerate((folder / _FILE).read_text("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            name, text = str(row["id"]), str(row["text"])
        except (json.JSONDecodeError, KeyError) as error:
            raise UserError(f"{_FILE}, line {number}: no JSON with id and text", "repair or drop the line") from error
        found.append(Dialogue(dialogue_id=name, source=SOURCE, utterances=tuple(_utterances(text))))
    yield from sorted(found, key=lambda dialogue: dialogue.dialogue_id)


def _utterances(text: str) -> Iterator[Utterance]:
    """One utterance a line; a line without a speaker goes on with the one before."""
    speaker: Speaker = "doctor"
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            speaker = "doctor" if match["who"].upper() == "D" else "patient"
        yield spoken(speaker, match["words"] if match else line)

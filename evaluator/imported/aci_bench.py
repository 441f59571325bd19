"""ACI-Bench (Yim et al. 2023): visits in csv files, lines "[doctor] …" and "[patient] …", with the clinic note."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from evaluator.imported.dialogue import Dialogue, Speaker, Utterance, spoken
from foundation.errors import UserError

SOURCE = "aci_bench"
_LINE = re.compile(r"^\s*\[(\w+)\]\s*(.*)$")
_DEVICE = re.compile(r"\bhey ,? ?dragon\b[^.?!]*[.?!]?", re.IGNORECASE)
# Tokenised text: "it was n't", "gon na", " ," — joined as people write.
_SPLIT_WORDS = (
    (re.compile(r"\s+(n['’]t)\b"), r"\1"),
    (re.compile(r"\b(gon|wan|got) (na|ta)\b", re.IGNORECASE), r"\1\2"),
    (re.compile(r"\s+([,.?!;:%])"), r"\1"),
)
_SPEAKERS: dict[str, Speaker] = {"doctor": "doctor", "patient": "patient", "patient_guest": "relative"}
_SEX = {"female": "F", "male": "M"}


def holds(folder: Path) -> bool:
    """Whether `folder` looks like this source."""
    return any(folder.glob("*_metadata.csv"))


def read(folder: Path) -> Iterator[Dialogue]:
    """Every visit of every csv file that has a dialogue column, in file order; ids as the files give them."""
    for path in sorted(folder.glob("*.csv")):
        if path.stem.endswith("_metadata"):
            continue
        about = {row["encounter_id"]: row for row in _rows(path.with_name(f"{path.stem}_metadata.csv"))}
        for number, row in enumerate(_rows(path), 2):
            if not row.get("encounter_id") or "dialogue" not in row:
                raise UserError(
                    f"{path.name}, row {number}: no encounter_id or dialogue", "expected ACI-Bench's columns"
                )
            yield _dialogue(row, about.get(row["encounter_id"], {}))


def _dialogue(row: dict[str, str], about: dict[str, str]) -> Dialogue:
    return Dialogue(
        dialogue_id=row["encounter_id"],
        source=SOURCE,
        utterances=tuple(_utterances(row["dialogue"])),
        opening=about.get("cc", ""),
        note=row.get("note", ""),
        patient_sex=_SEX.get(about.get("patient_gender", "").lower(), ""),
    )


def _utterances(text: str) -> Iterator[Utterance]:
    """One utterance a line; a line without a speaker goes on with the one before."""
    speaker: Speaker = "doctor"
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            speaker = _SPEAKERS.get(match[1].lower(), "relative")
        words = _DEVICE.sub(" ", match[2] if match else line)
        for pattern, joined in _SPLIT_WORDS:
            words = pattern.sub(joined, words)
        yield spoken(speaker, words)


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [{key: value or "" for key, value in row.items() if key} for row in csv.DictReader(file)]

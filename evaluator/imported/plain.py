"""Dialogues of one's own: text files of "Doctor: …" and "Patient: …" lines, or JSON (docs/evaluator.md)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluator.imported.dialogue import Dialogue, Speaker, Utterance, spoken
from foundation.errors import UserError

SOURCE = "plain"
_LINE = re.compile(r"^\s*(?P<who>[A-Za-z]{1,20})\s*:\s*(?P<words>.*)$")
_SPEAKERS: dict[str, Speaker] = {
    "doctor": "doctor", "d": "doctor", "dr": "doctor", "clinician": "doctor", "physician": "doctor",
    "patient": "patient", "p": "patient", "pt": "patient",
    "relative": "relative", "carer": "relative", "guest": "relative", "mother": "relative", "father": "relative",
    "wife": "relative", "husband": "relative", "daughter": "relative", "son": "relative",
}  # fmt: skip
_HEADS = {"opening": "opening", "complaint": "opening", "note": "note", "sex": "patient_sex", "id": "dialogue_id"}
_SUFFIXES = (".txt", ".json", ".jsonl")


def holds(folder: Path) -> bool:
    """Whether `folder` (or one file) has a text or JSON file in it."""
    return folder.suffix in _SUFFIXES if folder.is_file() else any(_paths(folder))


def read(folder: Path) -> Iterator[Dialogue]:
    """Every dialogue of the folder (or of one file), by file name. Raises UserError naming file and line or field."""
    for path in [folder] if folder.is_file() else _paths(folder):
        text = path.read_text("utf-8-sig")
        if path.suffix == ".txt":
            yield _from_lines(path, text)
        else:
            yield from _from_json(path, text)


def _paths(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in _SUFFIXES and path.is_file())


def _from_lines(path: Path, text: str) -> Dialogue:
    """Lines "Opening:", "Sex:" may stand before the first speaker; "Note:" and all after it is the note."""
    heads: dict[str, str] = {}
    said: list[Utterance] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = _LINE.match(line)
        name = match["who"].lower() if match else ""
        if match and name in _SPEAKERS:
            said.append(spoken(_SPEAKERS[name], match["words"]))
        elif match and name == "note":
            heads["note"] = "\n".join([match["words"], *text.splitlines()[number:]])
            break
        elif match and name in _HEADS and not said:
            heads[_HEADS[name]] = match["words"].strip()
        elif line.strip() and said:
            said[-1] = spoken(said[-1].speaker, f"{said[-1].words} {line}")
        elif line.strip():
            raise UserError(f"{path.name}, line {number}: no speaker", 'begin lines with "Doctor:" or "Patient:"')
    return _dialogue(path, {"dialogue_id": path.stem, **heads}, said)


def _from_json(path: Path, text: str) -> Iterator[Dialogue]:
    try:
        lines = [line for line in text.splitlines() if line.strip()]
        content = [json.loads(line) for line in lines] if path.suffix == ".jsonl" else json.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{path.name}, line {error.lineno}: not JSON", "repair the file's syntax") from error
    entries = content if isinstance(content, list) else [content]
    for number, entry in enumerate(entries, 1):
        where = f"{path.name}, entry {number}"
        if not isinstance(entry, dict) or not isinstance(entry.get("turns"), list):
            raise UserError(f"{where}: no list `turns`", 'expected {"turns": [{"speaker": "doctor", "words": "…"}, …]}')
        said = [_utterance(turn, f"{where}, turn {i}") for i, turn in enumerate(entry["turns"], 1)]
        name = str(entry.get("id") or (path.stem if len(entries) == 1 else f"{path.stem}:{number}"))
        given = {field: str(entry.get(key) or "") for key, field in _HEADS.items() if entry.get(key)}
        yield _dialogue(path, {**given, "dialogue_id": name}, said)


def _utterance(turn: Any, where: str) -> Utterance:
    speaker = _SPEAKERS.get(str(turn.get("speaker", "")).lower()) if isinstance(turn, dict) else None
    if speaker is None or not isinstance(turn.get("words"), str):
        raise UserError(f"{where}: speaker or words are missing", f"speaker is one of {', '.join(_SPEAKERS)}")
    return spoken(speaker, turn["words"])


def _dialogue(path: Path, heads: dict[str, str], said: list[Utterance]) -> Dialogue:
    if not any(utterance.speaker == "doctor" and utterance.words for utterance in said):
        raise UserError(f"{path.name}: the doctor says nothing", 'begin lines with "Doctor:" or "Patient:"')
    sex = heads.get("patient_sex", "").strip().upper()[:1]
    return Dialogue(
        dialogue_id=heads["dialogue_id"],
        source=SOURCE,
        utterances=tuple(said),
        opening=heads.get("opening", ""),
        note=heads.get("note", ""),
        patient_sex=sex if sex in ("F", "M") else "",
    )

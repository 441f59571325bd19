"""Labelled utterances: a self-contained JSONL, or labels that name a turn of the shared dialogues.

Self-contained, one object a line:
    {"context": …, "utterance": "any chills?", "asks": [{"domain": "symptom", "concept": "chills",
     "attribute": "existence", "experiencer": "patient"}], "acts": ["acknowledgement"]}
`context` may be absent, a string ("D: … P: …", or the patient's last words), a list of turns (strings "D: …", or
objects with speaker and words or text), or an object with the fields of DialogueContext (doctor_words,
patient_words, chief_complaint, speaker, patient_sex). `attribute` and `experiencer` default to "existence" and
"patient"; `speech_acts` is read as `acts`; further fields are ignored. Domains, attributes and acts may go by other
names ("Past medical history", "quality"): data/label_conventions.yaml; a concept may be written in words or be null.

By reference: {"file", "transcript", "turn", "sha256", "asks", "acts", "part"}; the words are read from the shared
data at run time, and their SHA-256 must be the same.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError

from foundation.errors import UserError
from foundation.parsing import parsed_json, read_text, refused
from foundation.records import Frozen
from simulator.patient.asks import Ask, DialogueContext, SpeechAct, Understanding
from simulator.patient.understanding.conventions import acts_named, attribute_named, domain_named
from simulator.patient.understanding.real_dialogues import DoctorTurn, doctor_turns

Understand = Callable[[str, DialogueContext], Understanding]
_TURN = re.compile(r"(?:^|(?<=\s))(D|Doctor|P|Patient)\s*:\s*", re.IGNORECASE)
_CONTEXT_FIELDS = ("chief_complaint", "speaker", "patient_sex", "symptom")


@dataclass(frozen=True)
class Labelled:
    """An utterance with what it asks: `before` are the turns before it as (speaker "D" or "P", words)."""

    utterance: str
    asks: tuple[Ask, ...]
    acts: tuple[SpeechAct, ...]
    before: tuple[tuple[str, str], ...] = ()
    known: DialogueContext = field(default_factory=DialogueContext)
    part: str = ""
    line: int = 0

    def context(self, understand: Understand) -> DialogueContext:
        """The dialogue's context, the doctor's turns before being understood by `understand`."""
        context = self.known
        doctor = ""
        for speaker, words in self.before:
            if speaker == "D":
                doctor = words
            else:
                context = context.after(doctor, understand(doctor, context), words)
                doctor = ""
        return context.after(doctor, understand(doctor, context), "") if doctor else context


class _Reference(Frozen):
    """Which turn of the shared dialogues a row labels; `turn` is its index among all turns, from 0."""

    file: str
    transcript: str
    turn: int = Field(ge=0)
    sha256: str

    @classmethod
    def of(cls, row: dict[str, Any], where: str) -> Self:
        """The row's reference. Raises UserError naming the field."""
        try:
            return cls.model_validate({name: row[name] for name in cls.model_fields if name in row})
        except ValidationError as error:
            raise refused(error, where, "name file, transcript, turn and sha256 of the labelled turn") from None


def read_labelled(path: Path, shared: Path | None = None) -> list[Labelled]:
    """Every labelled utterance of a file. Raises UserError with line and field; `shared` is needed for references."""
    lines = read_text(path).split("\n")  # not splitlines: U+2028 may stand inside a JSON string
    rows = [(number, _object(line, path, number)) for number, line in enumerate(lines, start=1) if line.strip()]
    turns: dict[tuple[str, str, int], DoctorTurn] = {}
    if any("sha256" in row for _, row in rows):
        turns = {(t.file, t.transcript, t.index): t for t in doctor_turns(shared or Path("../shared/data"))}
    return [_labelled(row, f"{path}, line {number}", number, turns) for number, row in rows]


def self_contained(labelled: Labelled) -> dict[str, Any]:
    """The documented JSON form, words included; for use on the machine that holds the shared data."""
    return {
        "context": [f"{speaker}: {words}" for speaker, words in labelled.before],
        "utterance": labelled.utterance,
        "asks": [ask.model_dump(mode="json", exclude_defaults=True) | {"domain": ask.domain} for ask in labelled.asks],
        "acts": [*labelled.acts],
        "part": labelled.part,
    }


def _object(line: str, path: Path, number: int) -> dict[str, Any]:
    row = parsed_json(line, f"{path}, line {number}")
    if not isinstance(row, dict):
        raise UserError(f"{path}, line {number}: not an object", "write one JSON object a line")
    return row


def _labelled(row: dict[str, Any], where: str, number: int, turns: dict[tuple[str, str, int], DoctorTurn]) -> Labelled:
    asks, acts = _asks(row, where), _acts(row, where)
    if "sha256" in row:
        named = _Reference.of(row, where)
        turn = turns.get((named.file, named.transcript, named.turn))
        if turn is None or turn.sha256 != named.sha256:
            raise UserError(f"{where}: the shared data has no such turn", "use the shared data that was labelled")
        before = tuple((spoken.speaker, spoken.words) for spoken in turn.before)
        return Labelled(turn.words, asks, acts, before, part=str(row.get("part", "")), line=number)
    utterance = row.get("utterance")
    if not isinstance(utterance, str):
        raise UserError(f"{where}, utterance: a string is expected", "put the doctor's words under utterance")
    before, known = _context(row.get("context"), where)
    return Labelled(utterance, asks, acts, before, known, str(row.get("part", "")), number)


def _asks(row: dict[str, Any], where: str) -> tuple[Ask, ...]:
    asks = row.get("asks", [])
    if not isinstance(asks, list):
        raise UserError(f"{where}, asks: a list is expected", "write asks: [] where nothing is asked")
    return tuple(_ask(ask, f"{where}, asks[{index}]") for index, ask in enumerate(asks))


def _ask(ask: Any, where: str) -> Ask:
    fields = ("domain", "concept", "attribute", "experiencer", "words", "term")
    try:
        known = {name: value for name, value in dict(ask).items() if name in fields and value is not None}
        return Ask.model_validate({name: _plain(name, value) for name, value in known.items()})
    except (ValidationError, TypeError, ValueError) as error:
        detail = error.errors()[0]["msg"] if isinstance(error, ValidationError) else "not an object"
        raise UserError(f"{where}: {detail}", "domain and attribute as in simulator/patient/asks.py") from error


def _plain(name: str, value: Any) -> Any:
    """Domains and attributes by any of their names, whatever case and separators."""
    if name == "domain":
        return domain_named(str(value))
    return attribute_named(str(value)) if name == "attribute" else str(value)


def _acts(row: dict[str, Any], where: str) -> tuple[SpeechAct, ...]:
    acts = row.get("acts", row.get("speech_acts", []))
    try:
        return acts_named(str(act) for act in ([acts] if isinstance(acts, str) else acts or ()))
    except (ValueError, TypeError) as error:
        raise UserError(f"{where}, acts: {error}", f"use {', '.join(SpeechAct)}") from error


def _context(context: Any, where: str) -> tuple[tuple[tuple[str, str], ...], DialogueContext]:
    if context is None:
        return (), DialogueContext()
    if isinstance(context, str):
        return tuple(_turns(context)), DialogueContext()
    if isinstance(context, list):
        return tuple(turn for entry in context for turn in _turn(entry, where)), DialogueContext()
    if not isinstance(context, dict):
        raise UserError(f"{where}, context: a string, list or object is expected", "leave it out where there is none")
    known = {name: str(context[name]) for name in _CONTEXT_FIELDS if context.get(name)}
    doctor = context.get("doctor_words") or context.get("doctor") or ""
    patient = context.get("patient_words") or context.get("patient") or ""
    before = [("D", str(doctor))] if doctor else []
    return (*before, *([("P", str(patient))] if patient else [])), DialogueContext.model_validate(known)


def _turn(entry: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(entry, str):
        yield from _turns(entry)
    elif isinstance(entry, dict):
        speaker = str(entry.get("speaker", entry.get("role", "D"))).strip().upper()
        words = entry.get("words", entry.get("text", entry.get("content", "")))
        yield ("D" if speaker.startswith("D") else "P", str(words))
    else:
        raise UserError(f"{where}, context: a turn is neither a string nor an object", 'write "D: …" and "P: …"')


def _turns(text: str) -> Iterator[tuple[str, str]]:
    parts = _TURN.split(text)
    if parts[0].strip():
        yield ("P", parts[0].strip())
    for speaker, words in zip(parts[1::2], parts[2::2], strict=True):
        yield (speaker[0].upper(), words.strip())

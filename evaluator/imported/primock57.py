"""PriMock57 (Papadopoulos Korfiatis et al. 2022): two Praat TextGrids a consultation, and the clinician's note."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from evaluator.imported.dialogue import Dialogue, Speaker, Utterance, spoken
from foundation.errors import UserError

SOURCE = "primock57"
_INTERVAL = re.compile(r'xmin = ([\d.]+)\s+xmax = [\d.]+\s+text = "((?:[^"]|"")*)"')
_TAG = re.compile(r"<[^>]*>")


def holds(folder: Path) -> bool:
    """Whether `folder` looks like this source."""
    return any(folder.glob("transcripts/*_doctor.TextGrid"))


def read(folder: Path) -> Iterator[Dialogue]:
    """Every consultation, by name ("day1_consultation01"). Raises UserError where a speaker's file is missing."""
    for doctor in sorted((folder / "transcripts").glob("*_doctor.TextGrid")):
        name = doctor.name.removesuffix("_doctor.TextGrid")
        patient = doctor.with_name(f"{name}_patient.TextGrid")
        if not patient.is_file():
            raise UserError(f"{patient.name}: the patient's half is missing", "put both TextGrid files in the folder")
        note = _note(folder / "notes" / f"{name}.json")
        yield Dialogue(
            dialogue_id=name,
            source=SOURCE,
            utterances=_merged(doctor, patient),
            opening=str(note.get("presenting_complaint", "")),
            note=str(note.get("note", "")),
        )


def _merged(doctor: Path, patient: Path) -> tuple[Utterance, ...]:
    """Both speakers' intervals, by the second in which they begin."""
    timed = [*_intervals(doctor, "doctor"), *_intervals(patient, "patient")]
    return tuple(utterance for _, utterance in sorted(timed, key=lambda pair: pair[0]) if utterance.words)


def _intervals(path: Path, speaker: Speaker) -> Iterator[tuple[float, Utterance]]:
    found = _INTERVAL.findall(path.read_text("utf-8"))
    if not found:
        raise UserError(f"{path.name}: no interval with xmin, xmax and text", "expected a Praat TextGrid (long format)")
    for start, text in found:
        yield float(start), spoken(speaker, _TAG.sub(" ", text.replace('""', '"')))


def _note(path: Path) -> dict[str, object]:
    if not path.is_file():
        return {}
    content: dict[str, object] = json.loads(path.read_text("utf-8"))
    return content

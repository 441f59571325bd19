"""A dialogue as its file gives it, before anything is understood; and its question-and-answer pairs."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from foundation.records import Frozen

Speaker = Literal["doctor", "patient", "relative"]
_SPACE = re.compile(r"\s+")


class Utterance(Frozen):
    """Words of one speaker, without markup. "relative" is anybody who speaks beside or for the patient."""

    speaker: Speaker
    words: str


class Dialogue(Frozen):
    """One consultation in plain words.

    `dialogue_id` is unique within `source`. `opening` is what stood written before the first word (chief complaint of
    a booking), `note` the clinician's own note of the consultation, or "". `patient_sex` is "F", "M" or "".
    """

    dialogue_id: str
    source: str
    utterances: tuple[Utterance, ...]
    opening: str = ""
    note: str = ""
    patient_sex: str = ""


class Exchange(Frozen):
    """What the doctor said, up to the patient's words, and these; either may be empty at the ends of a dialogue."""

    doctor: str
    patient: str
    speaker: str = "patient"


def spoken(speaker: Speaker, words: str) -> Utterance:
    """An utterance with white space made even."""
    return Utterance(speaker=speaker, words=_SPACE.sub(" ", words).strip())


def exchanges(utterances: Iterable[Utterance]) -> tuple[Exchange, ...]:
    """Pairs of doctor's and patient's words, in order, nothing lost.

    Neighbouring utterances of one side are one. Sounds of listening ("mm-hmm", "okay") do not end the other's turn:
    the patient's, unless the doctor had asked something; the doctor's, while the patient goes on telling.
    """
    found: list[Exchange] = []
    for doctor, patient, speaker in _pairs(utterances):
        last = found[-1] if found else None
        if last and patient and listening(doctor) and last.patient:
            joined = f"{last.patient} {patient}"
            found[-1] = last.model_copy(update={"patient": joined})
        elif last and listening(last.patient) and not last.doctor.rstrip().endswith("?"):
            found[-1] = Exchange(doctor=f"{last.doctor} {doctor}".strip(), patient=patient, speaker=speaker)
        else:
            found.append(Exchange(doctor=doctor, patient=patient, speaker=speaker))
    return tuple(found)


def listening(words: str) -> bool:
    """Whether words only show that somebody listens; silence does not."""
    return bool(words) and bool(_listening().fullmatch(words.strip()))


def _pairs(utterances: Iterable[Utterance]) -> list[tuple[str, str, str]]:
    pairs: list[tuple[list[str], list[str], str]] = []
    for utterance in utterances:
        if not utterance.words:
            continue
        doctor = utterance.speaker == "doctor"
        if not pairs or (doctor and pairs[-1][1]):
            pairs.append(([], [], "patient"))
        asked, answered, _ = pairs[-1]
        (asked if doctor else answered).append(utterance.words)
        if utterance.speaker == "relative":
            pairs[-1] = (asked, answered, "relative")
    return [(" ".join(asked), " ".join(answered), speaker) for asked, answered, speaker in pairs]


@cache
def lexicon() -> dict[str, Any]:
    """`data/reading.yaml`, parsed once."""
    content: dict[str, Any] = yaml.safe_load(
        files("evaluator.imported").joinpath("data", "reading.yaml").read_text("utf-8")
    )
    return content


@cache
def _listening() -> re.Pattern[str]:
    sounds = "|".join(lexicon()["listening"])
    return re.compile(rf"(?:(?:{sounds})[\s,.!-]*)+", re.IGNORECASE)

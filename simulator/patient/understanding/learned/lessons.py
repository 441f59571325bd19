"""Lessons for the encoder: word pieces of an utterance and the classes that it asks, and how they are varied."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from simulator.patient.asks import Ask
from simulator.patient.understanding.learned.encoder import pieces
from simulator.patient.understanding.learned.examples import Example
from simulator.patient.understanding.learned.heard import class_names

_LEAST_SEEN = 3
# How often, while it learns, marks, the turns before or some word pieces are lost, and two questions are asked at once.
_NO_MARK, _NO_COMMA, _NO_DOCTOR, _NO_PATIENT, _GAPS, _GAP, _TWO = 0.2, 0.1, 0.1, 0.1, 0.15, 0.08, 0.08
SHORT = 24


@dataclass(frozen=True)
class Lesson:
    """Word pieces of an utterance and of the turns before, and the classes that it asks."""

    spoken: tuple[int, ...]
    doctor: tuple[int, ...]
    patient: tuple[int, ...]
    classes: tuple[int, ...]


def known_classes(examples: Sequence[Example]) -> list[str]:
    """Every class that is asked at least three times, every domain and attribute; ascending."""
    counts = Counter(name for each in examples for name in _asked(each.labelled.asks))
    return sorted(name for name, count in counts.items() if count >= _LEAST_SEEN or not name.startswith("C:"))


def usual_attributes(examples: Sequence[Example], names: Sequence[str]) -> dict[str, str]:
    """The attribute most often asked of each class of things."""
    asks = [ask for each in examples for ask in each.labelled.asks]
    counts = Counter((name, str(ask.attribute)) for ask in asks for name in class_names(ask) if name.startswith("C:"))
    usual: dict[str, str] = {}
    for (name, attribute), _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if name in names:
            usual.setdefault(name, attribute)
    return dict(sorted(usual.items()))


def _asked(asks: Sequence[Ask]) -> list[str]:
    return sorted({name for ask in asks for name in class_names(ask)})


def lesson(example: Example, names: Sequence[str]) -> Lesson:
    """The encoder's input and classes for an example; classes that are not in `names` are left out."""
    places = {name: index for index, name in enumerate(names)}
    given = pieces(example.labelled.utterance, *example.before)
    ids, types = given.ids[0].tolist(), given.types[0].tolist()
    spoken = tuple(ids[1 : types.count(0) - 1])
    before = ids[types.count(0) :]
    stop = before.index(ids[types.count(0) - 1])
    classes = tuple(places[name] for name in _asked(example.labelled.asks) if name in places)
    return Lesson(spoken, tuple(before[:stop]), tuple(before[stop + 1 : -1]), classes)


def varied(row: Lesson, short: Sequence[Lesson], chance: random.Random) -> Lesson:
    """The utterance as it may be typed or misheard: marks, context or pieces lost, another question after it."""
    mark, comma = _marks()
    spoken, classes = row.spoken, row.classes
    for piece, often in ((mark, _NO_MARK), (comma, _NO_COMMA)):
        if chance.random() < often:
            spoken = tuple(each for each in spoken if each != piece)
    if chance.random() < _GAPS:
        spoken = tuple(each for each in spoken if chance.random() > _GAP)
    if chance.random() < _TWO and len(spoken) < 2 * SHORT:
        other = chance.choice(short)
        spoken, classes = spoken + other.spoken, tuple(sorted({*classes, *other.classes}))
    doctor = () if chance.random() < _NO_DOCTOR else row.doctor
    patient = () if chance.random() < _NO_PATIENT else row.patient
    return Lesson(spoken or row.spoken, doctor, patient, classes)


def _marks() -> tuple[int, int]:
    mark, comma = (int(pieces(each, "", "").ids[0, 1]) for each in ("?", ","))
    return mark, comma

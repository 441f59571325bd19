"""Applying the two trained models to the sentences of a note."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

from etl.notes.rules.found import Found
from etl.notes.section_kinds import SectionKind
from etl.notes.tagger.features import history_features
from etl.notes.tagger.model import Array, ChainModel
from etl.notes.tagger.sentences import TaggerSentence, tagger_sentence

ENTITY_MODEL = "entities.npz"
HISTORY_MODEL = "history.npz"
# A word belongs to an entity from this probability on, whatever else it may be. Chosen by cross-validation (CARD.md):
# the likeliest labels alone miss more than they invent, and where a symptom ends and a disease begins is not certain.
LIKELY = {"SYM": 0.32, "MED": 0.25, "HIS": 0.25}
_CERTAIN = 0.5
# Words that are part of an entity only where it is likelier than not, and never one by themselves.
_EMPTY_WORDS = frozenset(
    re.split(
        " ",
        ". , ; : ( ) [ ] - – / % the a an of and or to in on at with without was were is are been had has have by for "
        "from as that this which who her his he she patient it be no not after before during year years old day days "
        "months also then",
    )
)


# A case report gives its history first; later only a sentence that has one of the words of history may.
_OPENING = 6


class Tagged(NamedTuple):
    """Words [first, last) of a sentence and their label."""

    label: str
    first: int
    last: int


class TaggedSentence(NamedTuple):
    """A sentence with SYM, MED, DIS, TEST, SITE, VAL, TX (`entities`) and HIS, FAM (`history`), in order of place."""

    sentence: TaggerSentence
    entities: Sequence[Tagged]
    history: Sequence[Tagged]


_other_folder: list[Path] = []


@contextmanager
def models_from(folder: Path) -> Iterator[None]:
    """Within, both models are those of `folder` instead of the shipped ones: for measuring."""
    _other_folder.append(folder)
    _model.cache_clear()
    try:
        yield
    finally:
        _other_folder.pop()
        _model.cache_clear()


@cache
def _model(name: str) -> ChainModel:
    if _other_folder:
        return ChainModel(_other_folder[-1] / name)
    with as_file(files("etl.notes.tagger").joinpath(name)) as path:
        return ChainModel(path)


def tag_note(found: Found) -> dict[int, TaggedSentence]:
    """The sentences of a note that stand under no heading and have words, by their number in the note."""
    given = [
        tagger_sentence(found, sentence, number)
        for number, sentence in enumerate(found.reading.sentences)
        if sentence.section is SectionKind.NARRATIVE and sentence.last > sentence.first
    ]
    if not given:
        return {}
    histories = _histories([sentence for sentence in given if sentence.told or sentence.position < _OPENING])
    return {
        sentence.position: TaggedSentence(sentence, entities, histories.get(sentence.position, ()))
        for sentence, entities in zip(given, _entities(given), strict=True)
    }


def _entities(sentences: Sequence[TaggerSentence]) -> list[list[Tagged]]:
    model = _model(ENTITY_MODEL)
    tables = model.marginals([(sentence.words, sentence.terms) for sentence in sentences])
    return [decoded(table, model.labels, sentence.words) for table, sentence in zip(tables, sentences, strict=True)]


def _histories(sentences: Sequence[TaggerSentence]) -> dict[int, list[Tagged]]:
    model = _model(HISTORY_MODEL)
    tables = model.marginals(
        [(sentence.words, sentence.terms) for sentence in sentences],
        [history_features(sentence.words, sentence.position, sentence.phrases) for sentence in sentences],
    )
    return {
        sentence.position: decoded(table, model.labels, sentence.words)
        for table, sentence in zip(tables, sentences, strict=True)
    }


def decoded(table: Array, labels: Sequence[str], words: Sequence[str]) -> list[Tagged]:
    """Spans from marginal probabilities (words × labels): those of LIKELY by their thresholds, the others where they
    are the likeliest."""
    best = [labels[number] for number in table.argmax(axis=1).tolist()]
    found = [tag for tag in spans_of(best) if tag.label not in LIKELY]
    for name, least in LIKELY.items():
        if f"B-{name}" in labels:
            begins, goes_on = table[:, labels.index(f"B-{name}")], table[:, labels.index(f"I-{name}")]
            if (begins + goes_on).max(initial=0) > least:
                found.extend(spans_of(_likely(name, least, begins.tolist(), goes_on.tolist(), words)))
    return sorted(found, key=lambda tag: tag.first)


def _likely(
    name: str, least: float, begins: Sequence[float], goes_on: Sequence[float], words: Sequence[str]
) -> list[str]:
    marks = ["O"] * len(words)
    within = False
    for at, (begin, inside) in enumerate(zip(begins, goes_on, strict=True)):
        likely = begin + inside > least
        within = likely and (within or begin + inside > _CERTAIN or words[at].lower() not in _EMPTY_WORDS)
        if within:
            marks[at] = f"{'B' if begin > inside else 'I'}-{name}"
    return marks


def spans_of(labels: Sequence[str]) -> Iterator[Tagged]:
    """Spans of a BIO sequence; an I- without its B- begins a span."""
    label, first = "", 0
    for at, tag in enumerate([*labels, "O"]):
        if label and tag != f"I-{label}":
            yield Tagged(label, first, at)
            label = ""
        if tag != "O" and not label:
            label, first = tag[2:], at

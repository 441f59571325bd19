"""Applying the two trained models (python-crfsuite) to a sentence."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple

import pycrfsuite

from etl.notes.tagger.features import entity_features, history_features

ENTITY_MODEL = "entities.crfsuite"
HISTORY_MODEL = "history.crfsuite"
_BOLD = ("SYM", "MED")
_LIKELY = 0.3
# Words (as features) that are never a symptom or drug by themselves; asking the model about each costs time.
_EMPTY_WORDS = (
    ". , ; : ( ) [ ] - – / % the a an of and or to in on at with without was were is are been had has have by for "
    "from as that this which who her his he she patient it be no not after before during year years old day days "
    "months also then"
)
_NEVER = frozenset(f"w={word}" for word in _EMPTY_WORDS.split())
_LOCK = threading.Lock()


class Tagged(NamedTuple):
    """Words [first, last) of a sentence and their label."""

    label: str
    first: int
    last: int


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
def _model(name: str) -> Any:
    tagger = pycrfsuite.Tagger()
    if _other_folder:
        tagger.open(str(_other_folder[-1] / name))
        return tagger
    with as_file(files("etl.notes.tagger").joinpath(name)) as path:
        tagger.open(str(path))
    return tagger


def tag_entities(rows: list[list[str]]) -> list[Tagged]:
    """SYM, MED, DIS and what surrounds them (TEST, SITE, VAL, TX …) among a sentence's words, by `entity_features`."""
    with _LOCK:
        model = _model(ENTITY_MODEL)
        labels = _bolder(model, model.tag(rows), rows)
    return list(spans_of(labels))


def _bolder(model: Any, labels: list[str], rows: list[list[str]]) -> list[str]:
    """The best sequence, with symptoms and drugs added where they are likely though not likeliest.

    The best sequence alone misses more than it invents; a threshold of 0.3 raised F1 of both by a point in
    cross-validation on the training documents.
    """
    for at, label in enumerate(labels):
        if label == "O" and rows[at][0] not in _NEVER:
            for name in _BOLD:
                if model.marginal(f"B-{name}", at) + model.marginal(f"I-{name}", at) > _LIKELY:
                    labels[at] = f"{'I' if at and labels[at - 1].endswith(name) else 'B'}-{name}"
                    break
    return labels


def tag_history(
    rows: list[list[str]], words: Sequence[str], position: int, phrases: Iterable[tuple[str, int, int]]
) -> list[Tagged]:
    """HIS and FAM phrases of a sentence."""
    return _tagged(HISTORY_MODEL, history_features(rows, words, position, phrases))


def _tagged(name: str, rows: list[list[str]]) -> list[Tagged]:
    with _LOCK:  # a crfsuite tagger holds the sentence that it is tagging
        labels = _model(name).tag(rows)
    return list(spans_of(labels))


def spans_of(labels: Sequence[str]) -> Iterator[Tagged]:
    """Spans of a BIO sequence; an I- without its B- begins a span."""
    label, first = "", 0
    for at, tag in enumerate([*labels, "O"]):
        if label and tag != f"I-{label}":
            yield Tagged(label, first, at)
            label = ""
        if tag != "O" and not label:
            label, first = tag[2:], at


__all__ = ["Tagged", "entity_features", "spans_of", "tag_entities", "tag_history"]

"""A trained linear-chain CRF at work: marginal probabilities of a whole note's words at once, in numpy.

python-crfsuite trains (`train.py`); its weights are kept as arrays, since asking crfsuite word by word cost a quarter
of the time that a case report takes. What a word gives to itself and to its neighbours is summed once and remembered.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from etl.notes.tagger.features import EDGE_WORDS, EDGES, REACH, Slots, term_slots, word_slots

Array = npt.NDArray[np.float32]
# Further features of one sentence: those of every word, and those of single words by their place.
Extra = tuple[Sequence[str], Mapping[int, Sequence[str]]]
_MOST_REMEMBERED = 60_000
_AT_ONCE = 20_000


class ChainModel:
    """Weights of features (rows of `weights`, by name) for each label, and of each label after each other."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as stored:
            names = str(stored["features"]).split("\n")
            self.labels: tuple[str, ...] = tuple(str(stored["labels"]).split("\n"))
            table = stored["weights"].astype(np.float32)
            self._follows: Array = np.exp(stored["transitions"].astype(np.float32))
        # The last row weighs nothing.
        self._weights: Array = np.concatenate([table, np.zeros((1, len(self.labels)), dtype=np.float32)])
        self._rows = {name: number for number, name in enumerate(names)}
        self._lock = threading.Lock()
        self._words = _Remembered(self, word_slots)
        self._terms = _Remembered(self, term_slots)

    def weights(self, groups: Sequence[Sequence[str]]) -> Array:
        """Groups × labels: the summed weights of each group of features; those never met in training weigh nothing."""
        rows: list[int] = []
        starts: list[int] = []
        for features in groups:
            starts.append(len(rows))
            rows.append(len(self._rows))
            rows.extend(self._rows[name] for name in features if name in self._rows)
        totals: Array = np.add.reduceat(self._weights[rows], starts, axis=0)
        return totals

    def marginals(
        self, sentences: Sequence[tuple[Sequence[str], Sequence[str]]], extras: Sequence[Extra] = ()
    ) -> list[Array]:
        """For each sentence (its words and their terms) an array of words × labels, rows adding to 1."""
        given: list[Array] = []
        for first, last in _portions([len(words) for words, _ in sentences]):
            part = sentences[first:last]
            lengths = [len(words) for words, _ in part]
            starts = np.cumsum([0, *lengths[:-1]])
            scores = self._scores(part)
            for start, length, (shared, single) in zip(starts, lengths, extras[first:last], strict=False):
                added = self.weights([shared, *single.values()])
                scores[start : start + length] += added[0]
                scores[[start + at for at in single]] += added[1:]
            table = _forward_backward(scores, starts, lengths, self._follows)
            given.extend(np.split(table, starts[1:]))
        return given

    def _scores(self, sentences: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Array:
        """All words × labels: each word's own weights and those that its neighbours give it."""
        words = [word for sentence, _ in sentences for word in (*EDGES[0], *sentence, *EDGES[1])]
        terms = [term for _, sentence in sentences for term in ("", "", *sentence, "", "")]
        inner = np.array([at for at, word in enumerate(words) if word not in EDGE_WORDS], dtype=np.intp)
        total = np.zeros((len(inner), len(self.labels)), dtype=np.float32)
        with self._lock:
            for known, given in ((self._words, words), (self._terms, terms)):
                numbers = known.numbers(given)
                for slot, offset in enumerate(REACH):
                    total += known.table[numbers[inner + offset], slot]
        return total


class _Remembered:
    """What each word met so far gives to itself and to its neighbours: `table` is words × REACH × labels."""

    def __init__(self, model: ChainModel, slots: Callable[[str], Slots]) -> None:
        self._model, self._slots = model, slots
        self._numbers: dict[str, int] = {}
        self.table: Array = np.zeros((256, len(REACH), len(model.labels)), dtype=np.float32)

    def numbers(self, words: Sequence[str]) -> npt.NDArray[np.intp]:
        """The row of `table` of each word."""
        if len(self._numbers) > _MOST_REMEMBERED:
            self._numbers.clear()
        fresh = [word for word in dict.fromkeys(words) if word not in self._numbers]
        if fresh:
            self._remember(fresh)
        return np.array([self._numbers[word] for word in words], dtype=np.intp)

    def _remember(self, words: Sequence[str]) -> None:
        first, last = len(self._numbers), len(self._numbers) + len(words)
        while last > len(self.table):
            self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        blocks = self._model.weights([features for word in words for features in self._slots(word)])
        self.table[first:last] = blocks.reshape(len(words), len(REACH), -1)
        self._numbers.update(zip(words, range(first, last), strict=True))


def save_model(path: Path, labels: Sequence[str], weights: Mapping[tuple[str, str], float], follows: Any) -> None:
    """Write what `ChainModel` reads. `weights`: (feature, label) → weight; `follows`: (label, label) → weight."""
    names = sorted({name for name, _ in weights})
    rows = {name: number for number, name in enumerate(names)}
    columns = {label: number for number, label in enumerate(labels)}
    table = np.zeros((len(names), len(labels)), dtype=np.float16)
    for (name, label), weight in weights.items():
        table[rows[name], columns[label]] = weight
    between = np.zeros((len(labels), len(labels)), dtype=np.float16)
    for (before, after), weight in follows.items():
        between[columns[before], columns[after]] = weight
    np.savez_compressed(
        path, features=np.array("\n".join(names)), labels=np.array("\n".join(labels)),
        weights=table, transitions=between,
    )  # fmt: skip


def _portions(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of sentences [first, last) of at most about 20,000 words, so that a huge note needs little memory."""
    first = words = 0
    for number, length in enumerate(lengths):
        if words + length > _AT_ONCE and number > first:
            yield first, number
            first, words = number, 0
        words += length
    if first < len(lengths):
        yield first, len(lengths)


def _forward_backward(scores: Array, starts: npt.NDArray[np.intp], lengths: Sequence[int], follows: Array) -> Array:
    """Marginals of `scores` (all words × labels), where sentence i has the `lengths[i]` rows from `starts[i]` on.

    All sentences go abreast: step t takes every sentence's word t, longest sentence first, so that those still running
    are always the first rows.
    """
    begins = starts[sorted(range(len(lengths)), key=lambda number: -lengths[number])]
    ended = np.bincount(lengths, minlength=1).cumsum()
    steps = [begins[: len(lengths) - ended[at]] + at for at in range(max(lengths, default=0))]
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    forward, backward = np.empty_like(chances), np.ones_like(chances)
    here = np.empty((0, 0), dtype=np.float32)
    for at, rows in enumerate(steps):
        here = chances[rows] if at == 0 else (here[: len(rows)] @ follows) * chances[rows]
        here /= here.sum(axis=1, keepdims=True)
        forward[rows] = here
    for at in range(len(steps) - 1, 0, -1):
        rows = steps[at]
        before = (chances[rows] * backward[rows]) @ follows.T
        backward[steps[at - 1][: len(rows)]] = before / before.sum(axis=1, keepdims=True)
    both = forward * backward
    marginals: Array = both / both.sum(axis=1, keepdims=True)
    return marginals

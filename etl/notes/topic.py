"""Which section a text belongs to that has no heading: a linear model of its words.

Weights are in `tagger/topics.npz` (trained by `tagger/train_topics.py` on MTS-Dialog's training half, CC BY 4.0):
`terms` (word or "two words"), `kinds`, `weights` (terms × kinds) and `bias`.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import as_file, files
from itertools import pairwise
from typing import Any

import numpy as np

from etl.notes.section_kinds import SectionKind

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
_LONGEST = 20_000


@cache
def _model() -> tuple[dict[str, int], list[str], Any, Any]:
    with as_file(files("etl.notes.tagger").joinpath("topics.npz")) as path, np.load(path) as stored:
        terms = {term: number for number, term in enumerate(stored["terms"].tolist())}
        return terms, stored["kinds"].tolist(), stored["weights"].astype(np.float32), stored["bias"].astype(np.float32)


def topic_terms(text: str) -> Iterator[str]:
    """Words (numbers as "0"), pairs of neighbours, the first word and the length class of a text."""
    words = ["0" if word.isdigit() else word for word in _WORD.findall(text[:_LONGEST].lower())]
    yield from words
    yield from (f"{left} {right}" for left, right in pairwise(words))
    if words:
        yield f"^{words[0]}"
    yield f"#{min(len(words).bit_length(), 9)}"


def topic_of(text: str) -> SectionKind:
    """The likeliest kind of section for `text`; family and social history are told apart by their words."""
    terms, kinds, weights, bias = _model()
    rows = sorted({terms[term] for term in topic_terms(text) if term in terms})
    scores = bias + (weights[rows].sum(axis=0) / max(len(rows), 1) ** 0.5 if rows else 0)
    return SectionKind(kinds[int(np.argmax(scores))])

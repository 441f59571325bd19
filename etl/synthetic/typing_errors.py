"""The typing errors of a busy ward: known misspellings and slips of the finger."""

import random
import re

from etl.synthetic.content import table
from etl.synthetic.marks import pieces

_WORD = re.compile(r"\b[a-z]{5,}\b")
# words that decide an assertion stay legible: a reader must be able to tell what was meant
_SPARED = {
    "denies",
    "denied",
    "without",
    "negative",
    "possible",
    "questionable",
    "prior",
    "previous",
    "former",
    "never",
}


def mistype(text: str, rate: float, rng: random.Random) -> str:
    """`text` with about `rate` of its longer words misspelt, entities less often and attributes never."""
    return "".join(
        _mistyped(piece, rate * (1 if depth == 0 else 0.3), rng) if depth in (0, 1) else piece
        for depth, piece in pieces(text)
    )


def _mistyped(piece: str, rate: float, rng: random.Random) -> str:
    return _WORD.sub(lambda match: _slip(match.group(), rng) if rng.random() < rate else match.group(), piece)


def _slip(word: str, rng: random.Random) -> str:
    if word in _SPARED:
        return word
    known = table("authors.yaml")["misspelt"]
    if word in known:
        return str(known[word])
    place = rng.randint(1, len(word) - 2)
    kind = rng.randrange(3)
    if kind == 0:
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return word[:place] + word[place + 1 :] if kind == 1 else word[:place] + word[place] + word[place:]

"""The typing errors of a busy ward: known misspellings and slips of the finger."""

import random
import re

from etl.synthetic.content import table
from etl.synthetic.marks import pieces

_WORD = re.compile(r"\b[a-z]{5,}\b")
# words that decide an assertion stay legible: a reader must be able to tell what was meant
_SPARED = frozenset(
    "denies denied without negative possible questionable history prior previous former resolved never".split()
)


def mistype(text: str, rate: float, rng: random.Random) -> str:
    """`text` with about `rate` of its longer words misspelt; attributes are spared, entities hit less often."""
    return "".join(
        _WORD.sub(
            lambda match: (
                _slip(match.group(), rng) if rng.random() < rate * (1 if depth == 0 else 0.4) else match.group()
            ),
            piece,
        )
        if depth in (0, 1)
        else piece
        for depth, piece in _by_entity(text)
    )


def _by_entity(text: str) -> list[tuple[int, str]]:
    """Pieces of `text` with depth 0 outside marks, 1 for plain entities; anything nested or alike an attribute is 2."""
    cut = pieces(text)
    return [(depth if depth < 1 else 2, piece) for depth, piece in cut]


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

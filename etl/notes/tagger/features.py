"""What the tagger knows of a word: itself, its shape, its neighbours, its cluster, its term, and history phrases.

A word's features are made in slots: what it tells of itself, and what it tells of the words before and after it. So
`model.ChainModel` can sum the weights of each slot once a word.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

# Whom a slot is about: a word itself, and, for the word at this distance, the word that it is seen from.
REACH = (0, -1, 1, -2, 2)
# What stands before a sentence's first word and after its last.
EDGES = (("<s>", "<s>"), ("</s>", "</s>"))
EDGE_WORDS = frozenset({"<s>", "</s>"})
_CUES = frozenset(
    {
        "history",
        "family",
        "mother",
        "father",
        "brother",
        "sister",
        "sibling",
        "siblings",
        "parents",
        "parent",
        "relatives",
        "familial",
        "medical",
        "past",
        "previous",
        "previously",
        "diagnosed",
        "known",
        "smoking",
        "smoker",
        "cousin",
        "consanguineous",
    }
)
_CUE_REACH = 6
_POSITIONS = 4
Slots = tuple[tuple[str, ...], ...]


@cache
def clusters() -> dict[str, tuple[str, str, str]]:
    """Word → its cluster among 50, 200 and 800 (words that stand in like company; `train_clusters.py`)."""
    lines = files("etl.notes.tagger").joinpath("word_clusters.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line)
    return {row[0]: (row[1], row[2], row[3]) for row in rows}


def word_slots(word: str) -> Slots:
    """Features that `word` gives to itself, to the word after it, to the word before it, and to the two beyond these:
    five groups in the order of REACH."""
    low = word.lower()
    group = clusters().get(low)
    near = (f"c={group[1]}",) if group else ()
    return (
        () if word in EDGE_WORDS else _own(word, low, group),
        (f"p={low}", *(f"p{feature}" for feature in near)),
        (f"n={low}", *(f"n{feature}" for feature in near)),
        (f"pp={low}",),
        (f"nn={low}",),
    )


def term_slots(term: str) -> Slots:
    """The same for the mark of a terminology's term ("Bsymptom": a symptom's first word; "" where there is none)."""
    return ((f"l={term}",), (f"pl={term}",), (f"nl={term}",), (), ()) if term else ((), (), (), (), ())


def _own(word: str, low: str, group: tuple[str, str, str] | None) -> tuple[str, ...]:
    own = [f"w={low}", f"s3={low[-3:]}", f"s2={low[-2:]}", f"s4={low[-4:]}", f"p3={low[:3]}", f"sh={_shape(word)}"]
    if group:
        own += [f"c{number}={name}" for number, name in enumerate(group)]
    return tuple(own)


def _shape(word: str) -> str:
    if word.isalpha():
        return "a" if word.islower() else "A" if word.isupper() else "Aa"
    return "9" if word.isdigit() else "x9" if word.isalnum() else "."


def feature_rows(words: Sequence[str], terms: Sequence[str]) -> list[list[str]]:
    """All features of each of a sentence's words, as training wants them. `terms[i]` is "B" or "I" and the
    terminology's kind of the term that word i belongs to ("Bsymptom"), or ""."""
    given = [word_slots(word) for word in (*EDGES[0], *words, *EDGES[1])]
    known = [term_slots(term) for term in ("", "", *terms, "", "")]
    return [
        [
            feature
            for number, offset in enumerate(REACH)
            for slots in (given, known)
            for feature in slots[2 + at + offset][number]
        ]
        for at in range(len(words))
    ]


def history_features(
    words: Sequence[str], position: int, phrases: Iterable[tuple[str, int, int]]
) -> tuple[list[str], dict[int, list[str]]]:
    """What the history tagger needs besides: of every word, the sentence's cue words and how early in the note it
    stands (it is number `position`); of single words, a cue word before it and the rules' phrases (kind, first and one
    past the last word)."""
    low = [word.lower() for word in words]
    shared = [f"sent={min(position // 2, _POSITIONS)}", *(f"cue={cue}" for cue in sorted(_CUES.intersection(low)))]
    single: dict[int, list[str]] = {}
    for at, word in enumerate(low):
        if word in _CUES:
            for later in range(at + 1, min(at + 1 + _CUE_REACH, len(words))):
                single.setdefault(later, []).append(f"before={word}")
    for kind, first, last in phrases:
        for at in range(first, last):
            single.setdefault(at, []).append(f"{'rB' if at == first else 'rI'}={kind}")
    return shared, single

"""What the tagger knows of a word: itself, its shape, its neighbours, its cluster, its term, and history phrases."""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

_ENDS = "</s>"
_STARTS = "<s>"
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


@cache
def clusters() -> dict[str, tuple[str, str, str]]:
    """Word → its cluster among 50, 200 and 800 (words that stand in like company; `train_clusters.py`)."""
    lines = files("etl.notes.tagger").joinpath("word_clusters.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line)
    return {row[0]: (row[1], row[2], row[3]) for row in rows}


@cache
def _own(word: str) -> tuple[str, ...]:
    """Features of a word by itself; cached, since most words of a note have been met before."""
    low = word.lower()
    own = [f"w={low}", f"s3={low[-3:]}", f"s2={low[-2:]}", f"s4={low[-4:]}", f"p3={low[:3]}", f"sh={_shape(word)}"]
    group = clusters().get(low)
    if group:
        own += [f"c{number}={name}" for number, name in enumerate(group)]
    return tuple(own)


def _shape(word: str) -> str:
    if word.isalpha():
        return "a" if word.islower() else "A" if word.isupper() else "Aa"
    return "9" if word.isdigit() else "x9" if word.isalnum() else "."


def entity_features(words: Sequence[str], terms: Sequence[str]) -> list[list[str]]:
    """Features of a sentence's words for the entity tagger. `terms[i]` is "B" or "I" and the terminology's kind of the
    term that word i belongs to ("Bsymptom"), or ""."""
    low = [word.lower() for word in words]
    groups = [clusters().get(word) for word in low]
    last = len(words) - 1
    rows: list[list[str]] = []
    for at, word in enumerate(words):
        before = low[at - 1] if at else _STARTS
        after = low[at + 1] if at < last else _ENDS
        row = [
            *_own(word), f"p={before}", f"n={after}", f"pp={low[at - 2] if at > 1 else _STARTS}",
            f"nn={low[at + 2] if at + 1 < last else _ENDS}",
        ]  # fmt: skip
        if terms[at]:
            row.append(f"l={terms[at]}")
        if at:
            _neighbour(row, "p", terms[at - 1], groups[at - 1])
        if at < last:
            _neighbour(row, "n", terms[at + 1], groups[at + 1])
        rows.append(row)
    return rows


def _neighbour(row: list[str], side: str, term: str, group: tuple[str, str, str] | None) -> None:
    if term:
        row.append(f"{side}l={term}")
    if group:
        row.append(f"{side}c={group[1]}")


def history_features(
    rows: list[list[str]], words: Sequence[str], position: int, phrases: Iterable[tuple[str, int, int]]
) -> list[list[str]]:
    """The entity features with what the history tagger needs besides: cue words in the sentence and before the word,
    how early in the note the sentence (number `position`) stands, and the rules' phrases (kind, first and one past the
    last word)."""
    low = [word.lower() for word in words]
    sentence = [f"sent={min(position // 2, _POSITIONS)}", *(f"cue={cue}" for cue in sorted(_CUES.intersection(low)))]
    wider = [[*row, *sentence] for row in rows]
    for at, word in enumerate(low):
        if word in _CUES:
            for row in wider[at + 1 : at + 1 + _CUE_REACH]:
                row.append(f"before={word}")
    for kind, first, last in phrases:
        for at in range(first, last):
            wider[at].append(f"{'rB' if at == first else 'rI'}={kind}")
    return wider

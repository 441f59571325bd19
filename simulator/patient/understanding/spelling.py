"""Misspelt and abbreviated words of questions, mended before the rules read them.

Only words that English does not know are mended, to the one nearest word that the rules use: one edit, two from eight
letters on, and of several as near the one that only lost letters. "Your not" is "you're not". Misspelt clinical names
are left to `terminology.concepts`. Abbreviations are in rules/92_spellings.csv.
"""

import csv
import re
from functools import cache, lru_cache
from importlib.resources import files

from rapidfuzz import process
from rapidfuzz.distance import OSA

from terminology.frequency import frequency

_RULES = files("simulator.patient.understanding") / "rules"
_WORD = re.compile(r"[a-z][a-z0-9'/]*")
_SHORTEST, _LONG, _RIVALS = 5, 8, 6
_LETTERS = re.compile(r"[a-z]{4,}")
_YOU_ARE = re.compile(
    r"\byour (?=(?:not|still|also|currently|already|allergic|taking|having|feeling|getting|pregnant|diabetic|on)\b)"
)
_ESCAPE = re.compile(r"\\[a-zA-Z]")


def mended(text: str) -> str:
    """Lower-case words with their spelling mended; everything else is kept."""
    return _YOU_ARE.sub("you're ", _WORD.sub(lambda match: _meant(match.group()), text))


def strange_words(text: str) -> list[str]:
    """Words of five letters or more that neither English nor the rules know."""
    return [word for word in _WORD.findall(text) if len(word) >= _SHORTEST and _strange(word)]


@lru_cache(maxsize=20_000)
def _meant(word: str) -> str:
    written = _spellings().get(word)
    if written is not None:
        return written
    if len(word) < _SHORTEST or not word.isalpha() or not _strange(word):
        return word
    allowed = 2 if len(word) >= _LONG else 1
    choices = [known for known in _vocabulary() if known[0] == word[0]]
    best = process.extract(word, choices, scorer=OSA.distance, score_cutoff=allowed, limit=_RIVALS)
    nearest = [str(known) for known, edits, _ in best if edits == best[0][1]]
    if len(nearest) > 1:
        nearest = [known for known in nearest if _dropped_letters(word, known)]
    return nearest[0] if len(nearest) == 1 else word


def _dropped_letters(word: str, known: str) -> bool:
    """Whether leaving out letters of `known` gives `word`: the commonest slip ("regulary" for "regularly")."""
    letters = iter(known)
    return all(letter in letters for letter in word)


@lru_cache(maxsize=20_000)
def _strange(word: str) -> bool:
    return word not in _vocabulary_set() and not frequency(word)


@cache
def _spellings() -> dict[str, str]:
    rows = csv.DictReader((_RULES / "92_spellings.csv").read_text(encoding="utf-8").splitlines())
    return {row["written"]: row["meant"] for row in rows}


@cache
def _vocabulary() -> tuple[str, ...]:
    """English words of the rules' patterns."""
    words: set[str] = set()
    for file in sorted(_RULES.iterdir(), key=lambda path: path.name):
        if file.name.endswith(".yaml"):
            words.update(_LETTERS.findall(_ESCAPE.sub(" ", file.read_text(encoding="utf-8").lower())))
    return tuple(sorted(word for word in words if frequency(word)))


@cache
def _vocabulary_set() -> frozenset[str]:
    return frozenset(_vocabulary())

"""Misspelt clinical words, mended by edit distance, and ordinary words left alone.

A word is mended only when it has six letters or more, English does not know it (`terminology.frequency`), and exactly
one clinical word is nearest: one edit away, or two from nine letters on; a swap of neighbours is one edit.
"""

from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from terminology.frequency import frequency
from terminology.wordforms import FORMS, TOKEN

_SHORTEST = 6
_LONG = 9


def corrections(text: str, known: frozenset[str]) -> dict[str, str]:
    """The misspelt words of `text`, each with the word form that it stands for."""
    words = {word for word in TOKEN.findall(text) if len(word) >= _SHORTEST}
    mended = {word: nearest(word.lower(), known) for word in sorted(words)}
    return {word: form for word, form in mended.items() if form}


def mend(term: str, known: frozenset[str]) -> str:
    """`term` with its misspelt words replaced."""
    found = corrections(term, known)
    return " ".join(found.get(word, word) for word in TOKEN.findall(term))


@lru_cache(maxsize=20_000)
def nearest(word: str, known: frozenset[str]) -> str:
    """The word form that a misspelt word stands for; empty where it is right, too short or in doubt."""
    form = FORMS[word]
    if form in known or len(form) < _SHORTEST - 1 or not word.isalpha() or frequency(word):
        return ""
    allowed = 2 if len(word) >= _LONG else 1
    choices = _by_first_letter(known).get(form[0], [])
    best = process.extract(form, choices, scorer=OSA.distance, score_cutoff=allowed, limit=2)
    if not best or (len(best) == 2 and best[0][1] == best[1][1]):
        return ""
    return str(best[0][0])


@lru_cache(maxsize=4)
def _by_first_letter(known: frozenset[str]) -> dict[str, list[str]]:
    letters: dict[str, list[str]] = {}
    for form in sorted(known):
        if len(form) >= _SHORTEST - 1:
            letters.setdefault(form[0], []).append(form)
    return letters

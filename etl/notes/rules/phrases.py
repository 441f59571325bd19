"""Statements of history in prose, as phrases: "history of hypertension and gout", "no family history of cancer".

Case reports say these in whole phrases rather than in lists. `data/history_phrases.csv` holds the ways to say it.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from etl.notes.rules.patterns import load_patterns, value_span

# Where a phrase stops although its sentence goes on.
_STOP = re.compile(
    r",? (?:presented|presents|was (?:admitted|referred|brought|transferred|seen|evaluated|found|started|treated|"
    r"diagnosed|hospitali[sz]ed)|were (?:found|noted)|visited|came|"
    r"attended|complain\w*|who (?:presented|was|had|developed|underwent)|which|when|but|although|however|except|"
    r"with the exception|and (?:was|had|is|has|presented|did|he|she|no|denied)|"
    r"developed|noticed|underwent|had (?:been|recently|undergone)|for which|until|after (?:he|she)|before|"
    r"on examination|is described|were (?:informed|recorded|reported)|was (?:recorded|reported|identified|noted|"
    r"elicited))\b.*"
    r"|, (?:he|she|we|it|this|these|there|the|with no|without|and no)\b.*|, an? [^,.;]* (?:was|were)\b.*|\s\(.*",
    re.IGNORECASE | re.DOTALL,
)
_ITEMS = re.compile(r"(?:, and |, | and (?:an? |also )?(?!or\b))", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:no|not|without|denie[sd]|negative|never)\b", re.IGNORECASE)


class Phrase(NamedTuple):
    """Characters [start, end) that state something of the patient's or the family's history."""

    kind: Literal["history", "family"]
    start: int
    end: int


def history_phrases(text: str, start: int, end: int) -> Iterator[Phrase]:
    """Phrases of the sentence text[start:end). Lists are parted, denials are kept whole."""
    if "\n" in text[start:end]:
        end = start + len(text[start:end].rstrip())
    taken: list[tuple[int, int]] = []
    for name, pattern in load_patterns("history_phrases.csv"):
        for match in pattern.finditer(text, start, end):
            begin, stop = value_span(match)
            stop = _stopped(text, begin, stop)
            if stop - begin < 4 or any(begin < b and a < stop for a, b in taken):
                continue
            taken.append((begin, stop))
            for first, last in _parts(text, begin, stop):
                yield Phrase("family" if name == "family" else "history", first, last)


def _stopped(text: str, start: int, end: int) -> int:
    match = _STOP.search(text, start + 1, end)
    words = text[start : match.start() if match else end]
    return start + len(words.rstrip(" ,"))


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    words = text[start:end]
    if _DENIED.search(words):
        yield start, end
        return
    begin = start
    for split in _ITEMS.finditer(text, start, end):
        if split.start() - begin >= 4:
            yield begin, split.start()
        begin = split.end()
    if end - begin >= 3:
        yield begin, end

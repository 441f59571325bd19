"""Sentences and list items of a section, in text that lines, bullets and abbreviations break up."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

_ABBREVIATIONS = Path(__file__).parent / "data" / "abbreviations.txt"
_CANDIDATE = re.compile(r"[.?!][\"')\]”]?(?=[\s,])|[.?!](?=,?[A-Z][a-z]+ )|\r?\n")
_ITEM = re.compile(r"[ \t]*(?:[-*•·#>+]\s|\d{1,2}[.)][\s,]|[A-Za-z][A-Za-z /]{0,30}:|\r?\n|$)")
_LAST_WORD = re.compile(r"([A-Za-z][A-Za-z.]*)$")
_WORD = re.compile(r"\S{1,40}")
# Words in lower case at a line's end: no list goes on in that way.
_PROSE = re.compile(r" [a-z]+ ?$")
_FIRST = re.compile(r"[\s,]*(\S?)")
_WIDTH_CEILING = 132
_SHORTEST_WRAPPED = 45
# The true column may lie a little beyond the longest line that goes on in lower case.
_SLACK = 6
# So many wrapped lines within so many characters tell the column.
_COMPANY = 3
_NEAR = 10
_LONGEST = 1500


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of a note, without white space at either end."""

    start: int
    end: int


@cache
def _abbreviations() -> frozenset[str]:
    lines = _ABBREVIATIONS.read_text(encoding="utf-8").splitlines()
    return frozenset(line.strip().lower() for line in lines if line.strip() and not line.startswith("#"))


def wrap_width(text: str) -> int:
    """The column at which the note's lines were wrapped; 0 where no line was.

    A line that goes on in lower case was wrapped; the longest such line that others come near is the width (a single
    long one was written so).
    """
    wrapped = sorted(
        (
            len(line)
            for line, after in pairwise(text.splitlines())
            if len(line) <= _WIDTH_CEILING and _goes_on(line, after)
        ),
        reverse=True,
    )
    company = min(_COMPANY, len(wrapped)) - 1
    return next(
        (
            length
            for at, length in enumerate(wrapped[: len(wrapped) - company])
            if length - wrapped[at + company] <= _NEAR
        ),
        wrapped[0] if wrapped else 0,
    )


def _goes_on(line: str, after: str) -> bool:
    """Whether `after` begins in lower case, or with the number that a line of prose needs, and `line` is long enough to
    have been wrapped there."""
    if len(line) < _SHORTEST_WRAPPED or line.rstrip()[-1:] in ".?!:;":
        return False
    return after[:1].islower() or (after[:1].isdigit() and _PROSE.search(line) is not None)


def split_sentences(text: str, start: int, end: int, width: int) -> Iterator[Span]:
    """Sentences of text[start:end). `width` is `wrap_width(text)`. Linear in the length."""
    begin = start
    for match in _CANDIDATE.finditer(text, start, end):
        if match.start() < begin or not _ends(text, match, begin, end, width):
            continue
        yield from _trimmed(text, begin, match.end())
        begin = match.end()
    yield from _trimmed(text, begin, end)


def is_soft_break(text: str, newline: int, width: int) -> bool:
    """Whether the line break at `newline` only wraps a line, so that the sentence goes on."""
    after = newline + 1
    if not width or after >= len(text) or _ITEM.match(text, after):
        return False
    before = text.rfind("\n", 0, newline) + 1
    line = text[before:newline].rstrip()
    if not line or line[-1] in ".?!:;":
        return False
    if _goes_on(line, text[after : after + 1]):
        return True
    word = _WORD.match(text, after)
    return word is not None and len(line) <= width + _SLACK and width < len(line) + 1 + len(word.group())


def _ends(text: str, match: re.Match[str], begin: int, end: int, width: int) -> bool:
    mark = match.group()
    if mark in ("\n", "\r\n"):
        return not is_soft_break(text, match.end() - 1, width)
    if mark[0] != ".":
        return not (mark[0] == "?" and _is_doubt(text, match.start(), begin))
    following = _FIRST.match(text, match.end(), end)
    first = following.group(1) if following else ""
    if first.islower():
        return False
    word = _LAST_WORD.search(text, max(begin, match.start() - 20), match.start())
    if word is None:
        # "1." before a list item's words is no sentence.
        return text[begin : match.start()].strip(" \t,\r\n").isdigit() is False
    return not _is_abbreviation(word.group(1), first)


def _is_doubt(text: str, at: int, begin: int) -> bool:
    """Whether a question mark stands before what is in doubt ("? Palpitations", "fever, ?PNA") and ends nothing."""
    return at <= begin or text[at - 1] in " \t\r\n,;:(/?"


def _is_abbreviation(word: str, following: str) -> bool:
    lowered = word.lower()
    if lowered in _abbreviations():
        return True
    return len(word) == 1 and word.isupper() and following.isupper() and lowered != "i"


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """text[start:end) without white space at its ends; what no full stop ever ends is cut at a space, since the work on
    a sentence grows with the square of its length."""
    while end - start > _LONGEST:
        cut = text.rfind(" ", start + 1, start + _LONGEST)
        cut = cut if cut > start else start + _LONGEST
        yield from _stripped(text, start, cut)
        start = cut
    yield from _stripped(text, start, end)


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip(" \t\r\n,"))
    right = len(piece.rstrip())
    if left < right:
        yield Span(start + left, start + right)

"""The terminology's matches in one note, by place, and entities made from them."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from etl.caserecord import Assertion
from etl.notes.assertion import Judgement, judge
from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Reading, Sentence
from etl.notes.rules.patterns import load_patterns, load_words, value_span
from terminology import concepts, drugs

_NEXT_WORD = re.compile(r" ([a-z]+)\b")
_SHORT = 4
_TWO_MEANINGS = frozenset({"binge_eating"})
"""Concepts with longer names that the words around them can make something else (a binge of drinking)."""
_AROUND = 30
_LEADING = re.compile(r"(?:s/p |status post |a |an |the )?", re.IGNORECASE)
_JOINT = re.compile(r"\s+and\s+|\s*/\s*|, ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Term:
    """A concept's or a drug's name at characters [start, end). `kind` is the terminology's, or "drug"."""

    start: int
    end: int
    key: str
    kind: str


@dataclass(frozen=True, slots=True)
class Found:
    """A prepared note with the terms found in it, in order of place."""

    reading: Reading
    terms: tuple[Term, ...]
    drugs: tuple[Term, ...]

    def in_span(self, start: int, end: int) -> Iterator[Term]:
        """Concept terms that lie within [start, end)."""
        yield from _within(self.terms, start, end)

    def drugs_in(self, start: int, end: int) -> Iterator[Term]:
        """Drug names that lie within [start, end)."""
        yield from _within(self.drugs, start, end)

    def judged(self, sentence: Sentence, start: int, end: int, strict_commas: bool = False) -> Judgement:
        """What the sentence says of characters [start, end)."""
        first, last = self.reading.tokens(start, end)
        return judge(sentence.cues, self.reading.words, first, last, strict_commas)

    def entity(self, kind: EntityKind, sentence: Sentence, start: int, end: int, key: str | None = None) -> Entity:
        """An entity with the assertion that its sentence gives it."""
        judgement = self.judged(sentence, start, end)
        return Entity(kind, start, end, key, judgement.assertion, judgement.historical)


def find_terms(reading: Reading) -> Found:
    """Search the note once for every concept and every drug."""
    terms = tuple(_terms(reading))
    named = tuple(
        Term(match.start, _with_salt(reading.lower, match.end), "+".join(match.ingredients), "drug")
        for match in drugs.find(reading.plain)
    )
    return Found(reading, terms, named)


def _with_salt(lower: str, end: int) -> int:
    match = _NEXT_WORD.match(lower, end)
    return match.end() if match and match[1] in load_words("drug_salts.txt") else end


def _terms(reading: Reading) -> Iterator[Term]:
    """Concepts of the note without what only looks like one ("RA" of room air); "nausea and vomiting" gives two."""
    for match in concepts.find(reading.plain, spoken=False):
        doubtful = match.end - match.start <= _SHORT or match.key in _TWO_MEANINGS
        if doubtful and _is_banned(reading.plain, match.start, match.end):
            continue
        start = match.start + _LEADING.match(match.text).end()  # type: ignore[union-attr]
        term = Term(start, match.end, match.key, _kind(match.key))
        yield from _halves(term, reading.plain[start : match.end]) or (term,)


def _is_banned(plain: str, start: int, end: int) -> bool:
    """Whether the words around a short term make it something else (`data/not_entities.csv`)."""
    first, last = max(0, start - _AROUND), end + _AROUND
    return any(
        value_span(match) == (start, end)
        for _, pattern in load_patterns("not_entities.csv")
        for match in pattern.finditer(plain, first, last)
    )


def _halves(term: Term, text: str) -> tuple[Term, ...]:
    """The two symptoms of a pair that the terminology knows as one."""
    joint = _JOINT.search(text) if term.kind == "symptom" else None
    if joint is None:
        return ()
    left, right = _symptom_key(text[: joint.start()]), _symptom_key(text[joint.end() :])
    if left is None or right is None:
        return ()
    return (
        Term(term.start, term.start + joint.start(), left, "symptom"),
        Term(term.start + joint.end(), term.end, right, "symptom"),
    )


@cache
def _symptom_key(text: str) -> str | None:
    concept = concepts.lookup(text, kinds=("symptom",))
    return concept.key if concept else None


@cache
def _kind(key: str) -> str:
    concept = concepts.get(key)
    return concept.kind if concept else ""


def _within(terms: tuple[Term, ...], start: int, end: int) -> Iterator[Term]:
    at = bisect_left(terms, start, key=lambda term: term.start)
    while at < len(terms) and terms[at].start < end:
        if terms[at].end <= end:
            yield terms[at]
        at += 1


def absent(judgement: Judgement) -> bool:
    """Whether the record denies it."""
    return judgement.assertion is Assertion.ABSENT

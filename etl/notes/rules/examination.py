"""Findings of the physical examination: the clause without its label and its negation."""

import re
from collections.abc import Iterator

from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found

_LABEL = re.compile(r"^\s*(?:[-*•]\s*)?[A-Za-z][A-Za-z/ &]{0,24}?\s?(?::|(?<=[a-z]) - )\s*", re.IGNORECASE)
_CLAUSE = re.compile(r"[^,;]+")
# What leads up to a finding; the subject too where the whole clause denies something ("the pharynx is without rash").
_LEAD = re.compile(
    r"^\s*(?:(?!.*\band\b)(?:(?:(?:the )?patient|pt|s?he|there) (?:has|had) (?=no\b)|"
    r"i (?:do|did) not (?:see|find|appreciate|note)\b|(?:[a-z]+ ){0,5}(?:reveal|show|demonstrate)(?:s|ed)? (?=no\b)|"
    r"(?:[a-z]+ ){1,4}(?:is|are|was|were) (?=without\b|negative for\b)))?\s*"
    r"(?:(?:and|or|nor|but|with|without|no|not|w/o|there (?:is|are|was|were)|has|he is|"
    r"she is|the patient is|pt is|patient is|is|are|was|were|neg(?:ative)? for|positive for|denies|any|some|a|an|the|"
    r"also|evidence of|trace of)\s+)+",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s+(?:and|or|nor|noted|appreciated|seen|heard|auscultated|on exam(?:ination)?)\.?$", re.IGNORECASE)
_SPLIT = re.compile(r"\s+(?:and|or|nor)\s+|/(?=[a-z]{4,})", re.IGNORECASE)
_VALUE = re.compile(r"\d{2,3}/\d{2,3}|\b(?:BP|HR|RR|O2|SpO2|T|temp|sat)\b[ :]*\d", re.IGNORECASE)


def find_examination(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """Findings of one sentence of an examination section."""
    plain = found.reading.plain
    label = _LABEL.match(plain[sentence.start : sentence.end])
    begin = sentence.start + (label.end() if label else 0)
    for clause in _CLAUSE.finditer(plain, begin, sentence.end):
        label = _LABEL.match(clause.group())
        for start, end in _parts(found, sentence, clause.start() + (label.end() if label else 0), clause.end()):
            yield _entity(found, sentence, start, end)


def _parts(found: Found, sentence: Sentence, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A clause, parted at "and" and "or" where it is denied (a list), whole otherwise."""
    plain = found.reading.plain
    if _VALUE.search(plain, start, end):
        return
    whole = _trimmed(plain, start, end)
    if whole is None:
        return
    begin = whole[0]
    judgement = found.judged(sentence, *whole, strict_commas=True)
    if judgement.assertion != "absent":
        yield whole
        return
    for split in _SPLIT.finditer(plain, whole[0], whole[1]):
        piece = _trimmed(plain, begin, split.start())
        if piece:
            yield piece
        begin = split.end()
    piece = _trimmed(plain, begin, whole[1])
    if piece:
        yield piece


def _trimmed(plain: str, start: int, end: int) -> tuple[int, int] | None:
    words = plain[start:end]
    lead = _LEAD.match(words)
    start += lead.end() if lead else len(words) - len(words.lstrip())
    words = _TAIL.sub("", plain[start:end].rstrip(" .\n\r\t"))
    if len(words) < 2 or "_" in words or "\n" in words or not any(letter.isalpha() for letter in words):
        return None
    return start, start + len(words)


def _entity(found: Found, sentence: Sentence, start: int, end: int) -> Entity:
    judgement = found.judged(sentence, start, end, strict_commas=True)
    term = next(iter(found.in_span(start, end)), None)
    return Entity(
        EntityKind.EXAMINATION, start, end, term.key if term else None, judgement.assertion, judgement.historical
    )

"""Diagnoses as the discharge diagnosis section lists them, or as a case report states them."""

import re
from collections.abc import Iterator
from dataclasses import replace

from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found, Term
from etl.notes.rules.relatives import who_is_meant

_LEAD = re.compile(
    r"^\s*(?:(?:[-*•#]+|\d{1,2}[.)]|(?:primary|secondary|principal|final|main|other|active|chronic|"
    r"acute on chronic issues|admission|discharge)?(?: diagnos[ie]s| dx)?\s?:)\s*)+",
    re.IGNORECASE,
)
_PART = re.compile(r"[^,;\n]+")
# What puts a diagnosis before this stay: "had been diagnosed with", "two years ago he was diagnosed with"; but not
# "two weeks ago he fell ill and was now diagnosed with".
_NUMBERED = (
    r"(?:(?:years?|months?|weeks?|decades?)(?: of age)? (?:ago|earlier|before|prior|previously)\b|\blast year\b)"
)
_EARLIER_BEFORE = re.compile(
    rf"(?:\bhad (?:\w+ly )?been |\b(?:previously|originally|formerly|already|first) (?:been )?"
    rf"|\b(?:{_NUMBERED}|in (?:19|20)\d\d\b|prior to (?:admission|presentation)|at (?:the )?age(?: of)? \d+)"
    r"(?:(?!\b(?:admi\w+|now|our|present\w*|examin\w+|finally|therefore|biops\w+)\b)[^.;]){0,40})$",
    re.IGNORECASE,
)
_EARLIER_AFTER = re.compile(
    rf"[^.;,]{{0,60}}?\b(?:{_NUMBERED}|in (?:19|20)\d\d\b|(?:at|since) (?:the )?age\b|at \d+ years? of age|"
    r"(?:in|during|since) (?:early |late )?(?:childhood|infancy|adolescence)\b)",
    re.IGNORECASE,
)
_AROUND = 80
_STATED = re.compile(
    r"\b(?:diagnos(?:is|es|ed)(?: (?:of|with|as|was|to be|made (?:of|was)|is|were))+|consistent with|"
    r"findings of)(?: (?:a|an|the|having|acute case of))?\s+",
    re.IGNORECASE,
)


def find_diagnoses(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """Every item of a discharge diagnosis section, without its number and label."""
    plain = found.reading.plain
    lead = _LEAD.match(plain[sentence.start : sentence.end])
    begin = sentence.start + (lead.end() if lead else 0)
    for part in _PART.finditer(plain, begin, sentence.end):
        again = _LEAD.match(part.group())
        start = part.start() + (again.end() if again else len(part.group()) - len(part.group().lstrip()))
        words = plain[start : part.end()].rstrip(" .\t\r\n")
        if len(words) > 1 and "_" not in words and any(letter.isalpha() for letter in words):
            yield found.entity(
                EntityKind.DIAGNOSIS, sentence, start, start + len(words), _key(found, start, start + len(words))
            )


def find_stated_diagnoses(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """In prose: the condition that "diagnosed with" or "diagnosis of" introduces, a relative's left out. One that an
    earlier time is named for is no diagnosis of this stay but medical history."""
    for said in _STATED.finditer(found.reading.plain, sentence.start, sentence.end):
        term = next(
            (
                term
                for term in found.in_span(said.end(), min(said.end() + 60, sentence.end))
                if term.kind == "condition"
            ),
            None,
        )
        if term is None or who_is_meant(found.reading, sentence, term.start, term.end) != "patient":
            continue
        stated = found.entity(EntityKind.DIAGNOSIS, sentence, term.start, term.end, term.key)
        if _is_earlier(found, sentence, said, term):
            stated = replace(stated, kind=EntityKind.MEDICAL_HISTORY, historical=True)
        yield stated


def _is_earlier(found: Found, sentence: Sentence, said: re.Match[str], term: Term) -> bool:
    plain = found.reading.plain
    before = plain[max(sentence.start, said.start() - _AROUND) : said.start()]
    return said.group().lower().startswith("diagnosed") and bool(
        _EARLIER_BEFORE.search(before) or _EARLIER_AFTER.match(plain, term.end, sentence.end)
    )


def _key(found: Found, start: int, end: int) -> str | None:
    return next((term.key for term in found.in_span(start, end) if term.kind in ("condition", "symptom")), None)

"""Diagnoses as the discharge diagnosis section lists them, or as a case report states them."""

import re
from collections.abc import Iterator

from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found

_LEAD = re.compile(
    r"^\s*(?:(?:[-*•#]+|\d{1,2}[.)]|(?:primary|secondary|principal|final|main|other|active|chronic|"
    r"acute on chronic issues|admission|discharge)?(?: diagnos[ie]s| dx)?\s?:)\s*)+",
    re.IGNORECASE,
)
_PART = re.compile(r"[^,;\n]+")
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
    """In prose: the condition that "diagnosed with" or "diagnosis of" introduces."""
    for said in _STATED.finditer(found.reading.plain, sentence.start, sentence.end):
        term = next(
            (
                term
                for term in found.in_span(said.end(), min(said.end() + 60, sentence.end))
                if term.kind == "condition"
            ),
            None,
        )
        if term is not None:
            yield found.entity(EntityKind.DIAGNOSIS, sentence, term.start, term.end, term.key)


def _key(found: Found, start: int, end: int) -> str | None:
    return next((term.key for term in found.in_span(start, end) if term.kind in ("condition", "symptom")), None)

"""The chief complaint, in the note's own words."""

import re

from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Reading
from etl.notes.section_kinds import SectionKind

_INTRODUCED = re.compile(
    r"\b(?:chief complaint (?:is|of|was)|present(?:s|ed|ing)?(?: [a-z]+){0,8}? (?:with|for|complaining of|because of|"
    r"due to)"
    r"|complain(?:s|ed|ing) of|c/o|referred (?:[a-z]+ ){0,6}(?:for|with|because of)|admitted (?:[a-z]+ ){0,6}(?:for|"
    r"with|because of|due to)"
    r"|(?:seen|evaluated) (?:[a-z]+ ){0,4}for)\s+(?P<words>[^.;\n]{3,120})",
    re.IGNORECASE,
)
_LONGEST = 120
_LEAD = re.compile(r"^(?:(?:an?|the|his|her)\s+)?(?:complaints? of\s+)?", re.IGNORECASE)


def chief_complaint(reading: Reading, entities: tuple[Entity, ...]) -> str:
    """The section's words; without that section what the opening sentences say the patient came with; else the first
    symptom; "" where there is none."""
    for section in reading.sections:
        if section.kind is SectionKind.CHIEF_COMPLAINT:
            words = _tidy(reading.note.text[section.body : section.end])
            if words:
                return words
    return _from_prose(reading) or _first_symptom(reading, entities)


def _from_prose(reading: Reading) -> str:
    for sentence in reading.sentences[:40]:
        if sentence.section not in (SectionKind.NARRATIVE, SectionKind.PRESENT_ILLNESS):
            continue
        match = _INTRODUCED.search(reading.plain, sentence.start, sentence.end)
        if match and "_" not in match["words"]:
            return _LEAD.sub("", _tidy(reading.note.text[match.start("words") : match.end("words")]))
    return ""


def _first_symptom(reading: Reading, entities: tuple[Entity, ...]) -> str:
    for entity in entities:
        if entity.kind is EntityKind.SYMPTOM and entity.assertion == "present":
            return reading.note.text[entity.start : entity.end]
    return ""


def _tidy(words: str) -> str:
    words = re.sub(r"\[\*\*[^\]]*\*\*\]|_{2,}", "", words)
    words = re.sub(r"^\s*(?:\d+[.)]|[-*•])\s*", "", words)
    words = re.sub(r"\s+", " ", words).strip(" .,:;\"'")
    if len(words) <= _LONGEST:
        return words
    return words[:_LONGEST].rsplit(" ", 1)[0].rstrip(" ,;")

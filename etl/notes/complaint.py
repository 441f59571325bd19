"""The chief complaint, in the note's own words."""

import re
from collections.abc import Iterator

from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Reading
from etl.notes.section_kinds import SectionKind
from terminology import concepts

_INTRODUCED = re.compile(
    r"(?:\b(?:chief complaint (?:is|of|was)|cc of|present(?:s|ed|ing)?(?: [\w/.\-]+){0,9}? (?:with|for|complaining of|"
    r"because of|due to|w/)|p/w|complain(?:s|ed|ing) of|c/o|(?:referred|admitted|transferred|sent)(?: [\w/.\-]+){0,6}? "
    r"(?:for|with|because of|due to)|(?:came|comes|brought)(?: [\w/.\-]+){0,6}? (?:for|with|because of|due to)|"
    r"here (?:with|for)|(?:seen|evaluated) (?:[a-z]+ ){0,4}for)|\bCC ?:)\s+(?P<words>[^.;\n]{3,160})",
    re.IGNORECASE,
)
_AMOUNT = (
    r"(?:\d+(?: ?(?:-|–|to) ?\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|a few|few)[ -]?"
    r"(?:seconds?|minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|wks?|w|months?|mos?|years?|yrs?|y)"
)
# What is no complaint although it stands under its heading.
_EMPTY = re.compile(
    rf"(?:(?:x|for|since|about|approximately|~|the past|last) ?)*{_AMOUNT}(?: (?:ago|duration|history|course))?"
    r"|[\W\d_]*|see (?:hpi|above|below)|(?:as )?(?:per|above|below)(?: hpi)?|n/?a|none|same|unknown|"
    r"unable to (?:obtain|assess)|unobtainable|not available|admission|transfer",
    re.IGNORECASE,
)
# Where the complaint is over and its story begins.
_STORY = re.compile(
    rf" (?:x ?\d|for (?:the |about |over |approximately )*(?:past|last|{_AMOUNT})|since|that|which|who|after|when|"
    r"while|starting|beginning|began|started|radiating|associated|worsening (?:over|since|in|for)|lasting|over the|"
    r"in the|on the|and (?:was|is|has|had)|found to|now)\b|\(",
    re.IGNORECASE,
)
_LEAD = re.compile(
    rf"^(?:(?:an?|the|his|her)\s+)?(?:(?:chief )?complaints? of\s+)?(?:(?:an? )?{_AMOUNT}(?:['’]s?)? "
    r"(?:history of|h/o|hx of|of)\s+)?",
    re.IGNORECASE,
)
# An abbreviation in the midst of a name ("end stage renal (ESRD) disease"): the name goes on behind it.
_ASIDE = re.compile(r" \([^()\n]{1,20}\)(?= (?!with|for|since|that|which|who|and|after|when)[a-z]+)")
# What the name of a disease ends in, also one that terminology does not know.
_DISEASE = re.compile(
    r"\b(?:failure|syndrome|disease|disorder|infarct(?:ion)?|insufficiency|[a-z]{3,}(?:itis|oma|osis))$", re.IGNORECASE
)
_LONGEST = 120
_MOST_SYMPTOMS = 3
_FELT = (EntityKind.SYMPTOM, EntityKind.EXAMINATION)


def chief_complaint(reading: Reading, entities: tuple[Entity, ...]) -> str:
    """The section's words; without them what the opening sentences say the patient came with, as symptoms; else the
    first symptom; "" where there is none. A bare time ("18 hours") is no complaint.

    Words of the opening that name a disease stand only where the note gives no symptom of now, and then whole."""
    for section in reading.sections:
        if section.kind is SectionKind.CHIEF_COMPLAINT:
            words = _tidy(reading.note.text[section.body : section.end])
            if not _EMPTY.fullmatch(words):
                return words
    told = list(_from_prose(reading, entities))
    first = next(iter(told), "")
    if first and not _names_disease(first):
        return first
    felt = next((words for words in told if "symptom" in _kinds(words)), "")
    return felt or _first_symptom(reading, entities) or first


def _names_disease(words: str) -> bool:
    """Whether the words name a condition and no symptom."""
    kinds = _kinds(words)
    return "symptom" not in kinds and ("condition" in kinds or bool(_DISEASE.search(words)))


def _from_prose(reading: Reading, entities: tuple[Entity, ...]) -> Iterator[str]:
    for sentence in reading.sentences[:40]:
        if sentence.section not in (SectionKind.NARRATIVE, SectionKind.PRESENT_ILLNESS):
            continue
        for match in _INTRODUCED.finditer(reading.plain, sentence.start, sentence.end):
            start, end = match.span("words")
            head = _head(reading.plain, start, end)
            for words in (
                _symptoms(reading, entities, start, head),
                _phrase(reading, start, head),
                _symptoms(reading, entities, start, end),
            ):
                if not _EMPTY.fullmatch(words):
                    yield words


def _kinds(words: str) -> set[str]:
    return {concept.kind for match in concepts.find(words) if (concept := concepts.get(match.key))}


def _head(plain: str, start: int, end: int) -> int:
    """Where the complaint is over; an abbreviation in brackets within a name does not end it."""
    asides = {match.start() + 1 for match in _ASIDE.finditer(plain, start, end)}
    ends = (match.start() for match in _STORY.finditer(plain, start, end) if match.start() not in asides)
    return next(ends, end)


def _symptoms(reading: Reading, entities: tuple[Entity, ...], start: int, end: int) -> str:
    """The symptoms that stand among characters [start, end), at most three, each once."""
    named: dict[str, str] = {}
    for entity in entities:
        if start <= entity.start < end and entity.kind in _FELT and entity.assertion == "present":
            words = " ".join(reading.note.text[entity.start : entity.end].split())
            named.setdefault(words.lower(), words)
    first = list(named.values())[:_MOST_SYMPTOMS]
    return ", ".join([*first[:-2], " and ".join(first[-2:])]) if first else ""


def _phrase(reading: Reading, start: int, end: int) -> str:
    """The words themselves, without the time before them, up to a comma."""
    words = _ASIDE.sub("", reading.note.text[start:end])
    return _LEAD.sub("", _tidy(words)).split(",")[0].strip(" .,:;-")


def _first_symptom(reading: Reading, entities: tuple[Entity, ...]) -> str:
    for entity in entities:
        if entity.kind is EntityKind.SYMPTOM and entity.assertion == "present" and not entity.historical:
            return reading.note.text[entity.start : entity.end]
    return ""


def _tidy(words: str) -> str:
    words = re.sub(r"\[\*\*[^\]]*\*\*\]|_{2,}", "", words)
    words = re.sub(r"^\s*(?:\d+[.)]|[-*•])\s*", "", words)
    words = re.sub(r"\s+", " ", words).strip(" .,:;\"'")
    if len(words) <= _LONGEST:
        return words
    return words[:_LONGEST].rsplit(" ", 1)[0].rstrip(" ,;")

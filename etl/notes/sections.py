"""Dividing a note into its sections.

Three styles are met: a heading at the head of a line (colon, or capitals alone on the line); transcriptions whose line
breaks became commas (".,HEADING: ,text"); and a known heading with a colon in mid-line after a sentence's end.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from etl.notes.headings import Headings, load_headings, normalised
from etl.notes.section_kinds import Section, SectionKind

# At most 70 characters, so that the search stays linear on any text.
_LINE = re.compile(
    r"(?m)^[ \t]*(?:[-=*#•>]{1,6}[ \t]*)?(?:\d{1,2}[.)][ \t]+)?(?P<name>[A-Za-z][A-Za-z0-9 /&'’,()_.\-]{0,68}?)"
    r"[ \t]*(?:[-=*#]{2,6})?(?P<end>:[ \t,]*|(?=\r?$))"
)
_COMMA = re.compile(
    r"(?:(?<=[.,;:)?!])|(?<=, ))[ ,]{0,3}(?P<name>[A-Z][A-Z0-9 /&'’()_.\-]{1,60}(?:,[A-Z ]{3,30})?)[ ]?:[ ,]*"
)
_MIDLINE = re.compile(r"(?<=[.;,?!)])[ \t,]{1,4}(?P<name>[A-Z][A-Za-z/&\- ]{1,40}):[ \t,]*")
_MERGED = frozenset({SectionKind.LABORATORY, SectionKind.IMAGING, SectionKind.DISCHARGE_DIAGNOSIS})
# In mid-line these are remarks within the present illness.
_NEVER_MIDLINE = frozenset(
    {
        SectionKind.HOSPITAL_COURSE,
        SectionKind.LABORATORY,
        SectionKind.IMAGING,
        SectionKind.VITAL_SIGNS,
        SectionKind.ADMINISTRATIVE,
        SectionKind.NARRATIVE,
    }
)
# Headings that only charts have: what stands unheaded before one is the present illness.
_CHART = frozenset(
    {
        SectionKind.CHIEF_COMPLAINT,
        SectionKind.PRESENT_ILLNESS,
        SectionKind.MEDICAL_HISTORY,
        SectionKind.SURGICAL_HISTORY,
        SectionKind.SOCIAL_HISTORY,
        SectionKind.FAMILY_HISTORY,
        SectionKind.ALLERGIES,
        SectionKind.HOME_MEDICATIONS,
        SectionKind.REVIEW_OF_SYSTEMS,
        SectionKind.PHYSICAL_EXAM,
        SectionKind.HOSPITAL_COURSE,
        SectionKind.DISCHARGE_MEDICATIONS,
        SectionKind.DISCHARGE_DIAGNOSIS,
        SectionKind.DISCHARGE_CONDITION,
        SectionKind.DISCHARGE_INSTRUCTIONS,
    }
)
_OPENING = 1500
# A ward's shorthand for how a history is told, and words that a case report, too, may write.
_SHORTHAND = re.compile(
    r"\b(?:[ps]/[wp]|c/o|h/o|w/o|r/o|pmhx?|y/o|\d{1,3} ?y/?o ?[MFmf]?|\d{1,3} ?[MF](?= ))\b|\bw/ ", re.IGNORECASE
)
_CLIPPED = re.compile(
    r"\b(?:psh|hx|sx|pt\.? (?:is|was|has|had|denies|reports|states|presents)|denies|htn|hld|dm2|t2dm|sob|cp|n/v|"
    r"x ?\d+ ?(?:d|days?|hrs?|h|wks?|weeks?|hours?|mos?|months?))\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[A-Za-z]{4}")
# Words that open a section when they stand in capitals or alone, but are ordinary words of a sentence otherwise.
_SHORTEST_MIDLINE = 3


@dataclass(frozen=True, slots=True)
class _Mark:
    start: int
    body: int
    name: str
    kind: SectionKind


def split_sections(text: str, headings: Headings | None = None) -> tuple[Section, ...]:
    """The sections of `text`, in order, covering it all. Empty text gives no section. Linear in the length of the text.

    A note without headings is NARRATIVE; so is text before the first heading, unless it is the present illness told
    ahead of a chart's headings, or in a ward's shorthand.
    """
    table = headings or load_headings()
    marks = sorted(_marks(text, table), key=lambda mark: (mark.start, -mark.body))
    kept: list[_Mark] = []
    for mark in marks:
        if (not kept or mark.start >= kept[-1].body) and not _within(mark, kept):
            kept.append(mark)
    return tuple(_spans(text, kept))


def _within(mark: _Mark, kept: list[_Mark]) -> bool:
    """Vital signs are a part of the examination that they open; "CXR:" under imaging opens nothing new."""
    if not kept:
        return False
    if mark.kind is SectionKind.VITAL_SIGNS:
        return kept[-1].kind is SectionKind.PHYSICAL_EXAM
    return mark.kind in _MERGED and kept[-1].kind is mark.kind


def _spans(text: str, marks: list[_Mark]) -> Iterator[Section]:
    first = marks[0].start if marks else len(text)
    if first and text[:first].strip(" \t\r\n,"):
        yield Section(_leading(text[:first], marks), "", 0, 0, first)
    for mark, following in zip_longest(marks, marks[1:]):
        end = following.start if following else len(text)
        yield Section(mark.kind, mark.name, mark.start, mark.body, end)


def _leading(text: str, marks: list[_Mark]) -> SectionKind:
    """What stands before the first heading: the present illness where a chart follows or the words are a ward's."""
    opening = text[:_OPENING]
    signs = 2 * len(_SHORTHAND.findall(opening)) + len(_CLIPPED.findall(opening))
    if signs >= (2 if len(text) < _OPENING else 6) or any(mark.kind in _CHART for mark in marks):
        return SectionKind.PRESENT_ILLNESS
    return SectionKind.NARRATIVE


def _marks(text: str, table: Headings) -> Iterator[_Mark]:
    for match in _LINE.finditer(text):
        kind = _line_kind(match, text, table)
        if kind is not None:
            yield _mark(match, kind)
    for match in _COMMA.finditer(text):
        name = match["name"]
        found = table.kind_of(name) or _tail_kind(name, table)
        if found is None and not table.is_subheading(name) and _WORD.search(name) and not _DIGIT.search(name):
            found = SectionKind.OTHER
        if found is not None:
            yield _mark(match, found)
    for match in _MIDLINE.finditer(text):
        name = match["name"]
        known = table.exact.get(normalised(name)) if len(name) >= _SHORTEST_MIDLINE else None
        if known is not None and known not in _NEVER_MIDLINE:
            yield _mark(match, known)


def _mark(match: re.Match[str], kind: SectionKind) -> _Mark:
    return _Mark(match.start("name"), match.end(), match["name"], kind)


def _tail_kind(name: str, table: Headings) -> SectionKind | None:
    """The kind of the last part of a heading that swallowed the line before it ("CT HEAD,TECHNIQUE")."""
    return table.kind_of(name.rsplit(",", 1)[1]) if "," in name else None


def _line_kind(match: re.Match[str], text: str, table: Headings) -> SectionKind | None:
    name, colon = match["name"], match["end"].startswith(":")
    if table.is_subheading(name):
        return None
    alone = not colon or match.end() >= len(text) or text[match.end()] in "\r\n"
    if colon:
        known = table.exact.get(normalised(name)) or (table.kind_of(name) if alone or name.isupper() else None)
        if known is not None:
            return known
        if _DIGIT.search(name) or not _WORD.search(name):
            return None
        return SectionKind.OTHER if ((name.isupper() and not alone) or (alone and _title(name))) else None
    # Without a colon a line is a heading only if it holds nothing but a known heading, in capitals or title case.
    if name.isupper() or _title(name):
        return table.exact.get(normalised(name))
    return None


def _title(name: str) -> bool:
    words = [word for word in re.split(r"[ /&-]+", name) if len(word) > 3]
    return bool(words) and all(word[0].isupper() for word in words) and len(name.split()) <= 7

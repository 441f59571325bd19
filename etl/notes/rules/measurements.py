"""Vital signs and laboratory values: name and value as they stand."""

import re
from collections.abc import Iterator

from etl.caserecord import Assertion
from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found
from etl.notes.rules.patterns import load_patterns

_LAB = re.compile(
    r"(?<![\w/-])(?:(?:BLOOD|URINE|SERUM|PLASMA|CSF|"
    r"Labs?)[ :]{1,3})?(?P<name>[A-Za-z][A-Za-z0-9/]{0,14}(?:\([A-Za-z0-9]{1,6}\))?(?: (?:[A-Z][a-z]{1,6}|"
    r"[a-z]{4,12}))?)(?:-|:? |: ?|=|of )(?P<value><?>?\d+(?:\.\d+)?)(?P<flag>\*(?:#)?|#\*?)?(?P<unit> ?(?:%|mg/dL|"
    r"g/dL|mmol/L|mEq/L|K/uL|U/L|IU/L))?(?![\w/:-]|\.\d)"
)
_ROW_NAMES = ("temperature", "heart_rate", "blood_pressure", "respiratory_rate", "oxygen_saturation")
_GAP = r"(?:,? +|, ?)"
_ROW = re.compile(
    rf"(?<![\w.])(?:(?P<temperature>(?:9\d|10\d|3[4-9]|4[0-2])(?:\.\d)?){_GAP})(?P<heart_rate>\d{{2,3}}){_GAP}(?P<blood_pressure>\d{{2,3}}/\d{{2,3}})"
    rf"(?:{_GAP}(?P<respiratory_rate>\d{{1,2}})(?![\d%]))?(?:{_GAP}(?P<oxygen_saturation>\d{{2,3}} ?%))?"
)
_NOT_LAB = frozenset(
    [
        "on",
        "at",
        "in",
        "the",
        "of",
        "age",
        "day",
        "week",
        "year",
        "no",
        "stage",
        "grade",
        "type",
        "class",
        "dr",
        "room",
        "unit",
        "bed",
        "ht",
        "wt",
        "hd",
        "pod",
        "post",
        "from",
        "to",
        "and",
        "date",
        "time",
        "s",
        "t",
        "l",
        "c",
        "or",
        "x",
        "vs",
    ]
)


def find_vitals(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """Vital signs of one sentence: temperature, heart rate, blood pressure, respiratory rate, oxygen saturation."""
    plain = found.reading.plain
    if not any(word[0].isdigit() for word in found.reading.words[sentence.first : sentence.last]):
        return
    entities = list(_bare_row(found, sentence))
    taken = [(entity.start, entity.end) for entity in entities]
    yield from entities
    for name, pattern in load_patterns("vital_signs.csv"):
        for match in pattern.finditer(plain, sentence.start, sentence.end):
            start, end = match.span("whole")
            if any(start < stop and begin < end for begin, stop in taken):
                continue
            taken.append((start, end))
            value = found.reading.note.text[match.start("value") : match.end("value")]
            yield _vital(start, end, name, value)


def _bare_row(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """Values without names, in the order in which wards write them: 98.2 74 163/92 17 97%."""
    for match in _ROW.finditer(found.reading.plain, sentence.start, sentence.end):
        for name in _ROW_NAMES:
            start, end = match.span(name)
            if start >= 0:
                value = found.reading.note.text[start:end].rstrip(" %")
                yield _vital(start, end, name, value)


def _vital(start: int, end: int, name: str, value: str) -> Entity:
    return Entity(
        EntityKind.VITAL, start, end, None, Assertion.PRESENT, False, "patient", {"name": name, "value": value}
    )


def find_laboratory(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """Laboratory values of one sentence ("WBC-14.2*", "Na 131")."""
    for match in _LAB.finditer(found.reading.plain, sentence.start, sentence.end):
        if match["name"].lower().split()[0] in _NOT_LAB:
            continue
        attributes = {"name": match["name"], "value": match["value"]}
        if match["flag"]:
            attributes["flag"] = match["flag"]
        if match["unit"]:
            attributes["unit"] = match["unit"].strip()
        end = match.end("flag") if match["flag"] else match.end("value")
        yield Entity(
            EntityKind.LABORATORY, match.start("name"), end, None, Assertion.PRESENT, False, "patient", attributes
        )

"""Vital signs and laboratory values: name and value as they stand."""

import re
from collections.abc import Iterator

from etl.caserecord import Assertion
from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found
from etl.notes.rules.patterns import load_patterns

_LAB = re.compile(
    r"(?<![\w/-])(?P<name>[A-Z][A-Za-z0-9/]{0,14}(?:\([A-Za-z0-9]{1,6}\))?(?: [a-z]{3,12})?)(?:-|:? |: ?|=|of )(?P<value><?>?\d+(?:\.\d+)?)(?P<flag>\*(?:#)?|#\*?)?(?P<unit> ?(?:%|mg/dL|g/dL|mmol/L|mEq/L|K/uL|U/L|IU/L))?(?![\w/:-]|\.\d)"
)
_NOT_LAB = frozenset(
    ["on", "at", "in", "the", "of", "age", "day", "week", "year", "no", "stage", "grade", "type", "class", "dr", "room", "unit", "bed", "ht", "wt", "hd", "pod", "post", "from", "to", "and", "date", "time", "s", "t", "l", "c", "or", "x", "vs"]
)


def find_vitals(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """Vital signs of one sentence: temperature, heart rate, blood pressure, respiratory rate, oxygen saturation."""
    taken: list[tuple[int, int]] = []
    plain = found.reading.plain
    for name, pattern in load_patterns("vital_signs.csv"):
        for match in pattern.finditer(plain, sentence.start, sentence.end):
            start, end = match.span("whole")
            if any(start < stop and begin < end for begin, stop in taken):
                continue
            taken.append((start, end))
            value = found.reading.note.text[match.start("value") : match.end("value")]
            yield Entity(
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
        yield Entity(EntityKind.LABORATORY, match.start(), end, None, Assertion.PRESENT, False, "patient", attributes)

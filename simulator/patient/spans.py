"""Spans of time in a record's words, for order alone: which spell is the present one."""

import re
from collections.abc import Sequence

from kg.facts import Fact
from simulator.patient.wording import blank

_SPAN = re.compile(r"(\d+(?:\.\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|few)?\s*-?\s*"
                   r"(minute|min|hour|hr|h|day|night|week|wk|month|mo|year|yr|decade)", re.IGNORECASE)  # fmt: skip
_HOURS = {"minute": 0.02, "min": 0.02, "hour": 1, "hr": 1, "h": 1, "day": 24, "night": 24, "week": 168, "wk": 168,
          "month": 730, "mo": 730, "year": 8760, "yr": 8760, "decade": 87600}  # fmt: skip
_COUNTS = {word: number for number, word in enumerate(
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=1)}  # fmt: skip
_YEAR = 8760.0


def hours(value: str) -> float:
    """How long a span is; days and weekdays of late ("yesterday") count as half a day."""
    found = _SPAN.search(value)
    if found is None:
        return 12.0
    count = (found[1] or "1").lower()
    number = float(count) if count[0].isdigit() else float(_COUNTS.get(count, 1 if count in ("a", "an") else 3))
    return number * _HOURS[found[2].lower()]


def soonest(names: Sequence[str], facts: tuple[Fact, ...]) -> str:
    """The first of the attributes `names` that a fact has; "" where none has any.

    An onset of a year ago or more gives way to another of `names` that tells of a spell of hours to months: the one
    that is the reason for asking.
    """
    held = {name: [f.attributes[name] for f in facts if f.attributes.get(name)] for name in names}
    legible = {name: [v for v in values if not blank(v)] for name, values in held.items()}
    known = [name for name in names if legible[name]] or [name for name in names if held[name]]
    if not known:
        return ""
    first = known[0]
    if first == "onset" and min(map(hours, held[first])) >= _YEAR:
        return next((name for name in known if any(1 <= hours(v) < _YEAR for v in held[name])), first)
    return first

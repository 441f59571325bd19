"""Numbers that a summary gives and nobody said, in whatever unit (II).

A number counts as said where it is one of those said, one of them in another unit (days and weeks, years of two
digits, thousands), or the product of two of them ("45 pack-years"). Only digits are held to this; words are not.
"""

import re
from collections.abc import Iterable
from functools import cache

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?|[a-z]+")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_NAMES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
)
_WORDS = {name: float(value) for value, name in enumerate(_NAMES.split())}
_WORDS |= {"thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "seventy": 70.0, "eighty": 80.0, "ninety": 90.0}
_WORDS |= {"hundred": 100.0, "half": 0.5, "once": 1.0, "twice": 2.0, "a": 1.0, "an": 1.0, "couple": 2.0, "dozen": 12.0}
_UNITS = (1, 7, 10, 12, 24, 30, 60, 100, 1000)
_CENTURIES = (1900, 2000)
_ALWAYS = 10.0  # "out of ten"
_SLIGHT = 0.1
_ROUNDING = 0.02


def _value(word: str) -> float | None:
    return float(word.replace(",", ".")) if word[0].isdigit() else _WORDS.get(word)


@cache
def numbers(text: str) -> frozenset[float]:
    """All numbers of a text, in digits or words."""
    found = (_value(word) for word in _NUMBER.findall(text.lower()))
    return frozenset({_ALWAYS, *(value for value in found if value is not None)})


def never_said(text: str, said: frozenset[float]) -> tuple[float, ...]:
    """The numbers that `text` writes in digits and that follow from none of those said."""
    written = (float(digits.replace(",", ".")) for digits in _DIGITS.findall(text))
    return tuple(value for value in written if not _follows(value, said))


def slightly_off(value: float, said: Iterable[float]) -> bool:
    """Whether one of the numbers said is within one or a tenth of it."""
    return any(abs(value - one) <= max(1.0, _SLIGHT * value) for one in said)


def _follows(value: float, said: frozenset[float]) -> bool:
    converted = (other for one in said for unit in _UNITS for other in (one * unit, one / unit))
    if any(abs(value - other) < _ROUNDING * max(value, _ROUNDING) for other in converted):
        return True
    if any(value == one + century for one in said for century in _CENTURIES):
        return True
    large = [one for one in said if one > 2]
    return any(value == one * other for one in large for other in large)

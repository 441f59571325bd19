"""Abbreviations of charts, written out ("CHF" → "congestive heart failure"), from `data/lay_abbreviations.csv`.

`short` in capitals is found in any case unless `capitals_only` is "yes"; what stands in lower case in the table
("s/p", "b.i.d.") is found in any case too.
"""

import csv
import re
from functools import cache
from importlib.resources import files


def expand(text: str) -> str:
    """`text` with its abbreviations written out in clinical words; the rest stays as it is."""
    exact, loose = _tables("full")
    return _pattern().sub(lambda found: exact.get(found[0]) or loose.get(found[0].lower()) or found[0], text)


def expand_plainly(text: str) -> str:
    """`text` with its abbreviations written out in lay words."""
    exact, loose = _tables("lay")
    return _pattern().sub(lambda found: exact.get(found[0]) or loose.get(found[0].lower()) or found[0], text)


def spans(text: str) -> list[tuple[int, int, str]]:
    """(start, end, lay words) of every abbreviation in `text`."""
    exact, loose = _tables("lay")
    found = ((m.start(), m.end(), exact.get(m[0]) or loose.get(m[0].lower(), "")) for m in _pattern().finditer(text))
    return [span for span in found if span[2]]


@cache
def _rows() -> tuple[dict[str, str], ...]:
    text = files("terminology").joinpath("data/lay_abbreviations.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))


@cache
def _tables(column: str) -> tuple[dict[str, str], dict[str, str]]:
    """Spellings that count as they stand, and spellings in lower case that count in any case; full or lay words."""
    exact: dict[str, str] = {}
    loose: dict[str, str] = {}
    for row in _rows():
        words = row[column] or row["full"]
        exact.setdefault(row["short"], words)
        if row["capitals_only"] != "yes":
            loose.setdefault(row["short"].lower(), words)
    return exact, loose


@cache
def _pattern() -> re.Pattern[str]:
    """Longest first, at word bounds; a dot may follow only where the abbreviation itself ends in one."""
    shorts = sorted((row["short"] for row in _rows()), key=len, reverse=True)
    return re.compile(r"(?<![\w/.-])(?:" + "|".join(map(re.escape, shorts)) + r")(?![\w/-])", re.I)

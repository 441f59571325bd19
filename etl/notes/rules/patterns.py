"""Regular expressions kept as data: `data/*.csv` with columns name, pattern and, where speed matters, needs."""

import csv
import re
from functools import cache
from pathlib import Path

from foundation.errors import UserError

_FOLDER = Path(__file__).parent.parent / "data"


@cache
def load_patterns(file: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Rows of `data/<file>` in order: the name, and the pattern (case-insensitive; the named group `value`, where there
    is one, is what counts). Raises UserError with the row where a pattern is not a regular expression."""
    path = _FOLDER / file
    rows: list[tuple[str, re.Pattern[str]]] = []
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines), start=2):
            if None in row or None in row.values():
                raise UserError(
                    f"{file}, row {number}: not two columns", "put quotes around a pattern that holds a comma"
                )
            try:
                rows.append((row["name"], re.compile(row["pattern"], re.IGNORECASE)))
            except re.error as error:
                raise UserError(
                    f"{file}, row {number}: the pattern is not valid ({error})", "correct it or delete the row"
                ) from None
    return tuple(rows)


@cache
def load_needs(file: str) -> tuple[tuple[str, ...], ...]:
    """For each row of `load_patterns(file)`, in order, the letters (column needs, parted by "|", lower case) of which a
    text must hold one for the pattern to be worth a try; empty: always."""
    with (_FOLDER / file).open(encoding="utf-8", newline="") as lines:
        return tuple(tuple(filter(None, (row["needs"] or "").split("|"))) for row in csv.DictReader(lines))


@cache
def load_words(file: str) -> frozenset[str]:
    """The entries of `data/<file>`, one a line, lower case; lines that begin with # are comments."""
    lines = (_FOLDER / file).read_text(encoding="utf-8").splitlines()
    return frozenset(line.strip().lower() for line in lines if line.strip() and not line.startswith("#"))


def value_span(match: re.Match[str]) -> tuple[int, int]:
    """The span of the group `value`, or of the whole match."""
    return match.span("value") if "value" in match.re.groupindex else match.span()

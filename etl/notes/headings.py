"""Which section a heading opens: `data/headings.csv`, which a clinician may edit.

Columns: heading (any case), section (a SectionKind), match: `exact` (the whole heading), `words` (every word of the
entry begins a word of the heading; tried in the file's order), `subheading` (stays inside the section it stands in).
"""

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from etl.notes.section_kinds import SectionKind
from foundation.errors import UserError

_FILE = Path(__file__).parent / "data" / "headings.csv"
_NOISE = re.compile(r"\([^)]*\)|[^a-z0-9/&_\- ]+")
_DISCHARGE = re.compile(r"\bd/c\b|\bdc\b|\bdisch\b")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Headings:
    """The heading table: whole headings, word patterns in order, and sub-headings."""

    exact: dict[str, SectionKind]
    words: tuple[tuple[tuple[str, ...], SectionKind], ...]
    subheadings: frozenset[str]

    def kind_of(self, heading: str) -> SectionKind | None:
        """The section that `heading` opens, or None where the table does not know it."""
        key = normalised(heading)
        if key in self.subheadings:
            return None
        found = self.exact.get(key)
        return found if found is not None else self._by_words(key)

    def is_subheading(self, heading: str) -> bool:
        """Whether `heading` divides a section ("HEENT") rather than opening one."""
        return normalised(heading) in self.subheadings

    def _by_words(self, key: str) -> SectionKind | None:
        parts = key.replace("/", " ").split()
        for wanted, kind in self.words:
            if all(any(part.startswith(word) for part in parts) for word in wanted):
                return kind
        return None


def normalised(heading: str) -> str:
    """Lower case, without brackets, numbers' dots and punctuation, "&" as "and", single spaces."""
    words = _DISCHARGE.sub("discharge ", heading.lower().replace("&", " and "))
    plain = _NOISE.sub(" ", words)
    return _SPACES.sub(" ", plain).strip(" -/")


@cache
def load_headings(path: Path = _FILE) -> Headings:
    """Read the heading table. Raises UserError naming file, row and column where a value is not known."""
    exact: dict[str, SectionKind] = {}
    words: list[tuple[tuple[str, ...], SectionKind]] = []
    subheadings: set[str] = set()
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            key = normalised(row["heading"])
            if row["match"] == "subheading":
                subheadings.add(key)
                continue
            kind = _section(row["section"], path, number)
            if row["match"] == "words":
                words.append((tuple(key.split()), kind))
            else:
                exact[key] = kind
    return Headings(exact, tuple(words), frozenset(subheadings))


def _section(value: str, path: Path, number: int) -> SectionKind:
    try:
        return SectionKind(value)
    except ValueError:
        raise UserError(
            f"{path.name}, row {number}, column section: “{value}” is not a section",
            "use one of: " + ", ".join(SectionKind),
        ) from None

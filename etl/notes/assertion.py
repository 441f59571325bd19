"""Whether a statement is so, when, and of whom: NegEx and ConText (Harkema 2009) over data a clinician may edit.

`data/assertion_triggers.csv`: phrase, category, direction (forward: what follows; backward: what precedes; both),
scope (most words between trigger and statement; "clause": up to a comma or "with"; empty: to the end of the
sentence). Categories: negated, possible, affirmed (ends a negation), historical, history_of, hypothetical,
conjunction (ends every scope), pseudo (no trigger).
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from etl.caserecord import Assertion
from etl.notes.spacy_phrases import Phrases
from foundation.errors import UserError

_FILE = Path(__file__).parent / "data" / "assertion_triggers.csv"
_UNLIMITED = 10_000
_CATEGORIES = frozenset(
    {"negated", "possible", "affirmed", "historical", "history_of", "hypothetical", "conjunction", "pseudo"}
)
# "breast cancer, diagnosed ten years ago"
_DATED = frozenset({"diagnosed", "dx", "dxed", "resolved", "treated"})
# What ends a trigger whose scope is "clause": "not on home oxygen, HTN", "no PMH w/ fever".
_CLAUSE_ENDS = frozenset({",", "with", "w"})
_POLARITY = frozenset({"negated", "possible", "affirmed"})


@dataclass(frozen=True, slots=True)
class Trigger:
    """One row of the trigger table."""

    category: str
    forward: bool
    backward: bool
    scope: int
    clause: bool = False


@dataclass(frozen=True, slots=True)
class Cue:
    """A trigger at tokens [start, end) of a note."""

    start: int
    end: int
    trigger: Trigger


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the words around a statement say of it."""

    assertion: Assertion = Assertion.PRESENT
    historical: bool = False
    history_of: bool = False
    hypothetical: bool = False


class Triggers:
    """The trigger table and its matcher."""

    def __init__(self, path: Path = _FILE) -> None:
        rows = _read(path)
        self._triggers = tuple(trigger for _, trigger in rows)
        self._phrases = Phrases((phrase, number) for number, (phrase, _) in enumerate(rows))

    def cues(self, words: list[str]) -> list[Cue]:
        """Triggers among the lower-case `words`, in order; pseudo-triggers swallow what they cover and are left out."""
        found = [Cue(start, end, self._triggers[number]) for start, end, number in self._phrases.find(words)]
        return [cue for cue in found if cue.trigger.category != "pseudo"]


@cache
def load_triggers() -> Triggers:
    """The shipped trigger table."""
    return Triggers()


def judge(cues: list[Cue], words: list[str], start: int, end: int, strict_commas: bool = False) -> Judgement:
    """Judge tokens [start, end) by the cues of their sentence.

    `strict_commas`: a comma ends "no" unless the list goes on with "or" or "nor" (findings of an examination).
    Cues inside the statement do not count.
    """
    polarity: tuple[int, str] | None = None
    flags: set[str] = set()
    for cue in cues:
        if start <= cue.start < end or (cue.start < start and cue.end >= end):
            continue
        before = cue.start < start  # "no acute" goes before "acute distress", although the two share a word
        distance = max(start - cue.end, 0) if before else cue.start - end
        reaches = cue.trigger.forward if before else cue.trigger.backward
        category = cue.trigger.category
        if category == "conjunction" or not reaches or distance > cue.trigger.scope:
            continue
        between = (cue.end, start) if before else (end, cue.start)
        if _cut(cues, words, between, category) or (
            cue.trigger.clause and not _CLAUSE_ENDS.isdisjoint(words[between[0] : between[1]])
        ):
            continue
        if category not in _POLARITY:
            flags.add(category)
        elif not (strict_commas and category != "affirmed" and _list_ended(words, between, before)):
            polarity = min(polarity, (distance, category)) if polarity else (distance, category)
    return Judgement(_assertion(polarity), "historical" in flags, "history_of" in flags, "hypothetical" in flags)


def _assertion(polarity: tuple[int, str] | None) -> Assertion:
    if polarity is None or polarity[1] == "affirmed":
        return Assertion.PRESENT
    return Assertion.ABSENT if polarity[1] == "negated" else Assertion.POSSIBLE


def _cut(cues: list[Cue], words: list[str], between: tuple[int, int], category: str) -> bool:
    """Whether the scope of a cue ends before it reaches the statement."""
    first, last = between
    if (
        category == "historical"
        and first < last
        and "," in words[first:last]
        and not _DATED.intersection(words[first:last])
    ):
        return True
    if ";" in words[first:last] or ":" in words[first + 1 : last]:
        return True
    for other in cues:
        if other.start < first or other.end > last:
            continue
        kind = other.trigger.category
        if kind == "conjunction" or (kind == "affirmed" and category in ("negated", "possible")):
            return True
    return False


def _list_ended(words: list[str], between: tuple[int, int], forward: bool) -> bool:
    first, last = between
    if "," not in words[first:last]:
        return False
    return not forward or not any(word in ("or", "nor", "/") for word in words[first : last + 12])


def _read(path: Path) -> list[tuple[str, Trigger]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [_row(row, path, number) for number, row in enumerate(csv.DictReader(file), start=2)]


def _row(row: dict[str, str], path: Path, number: int) -> tuple[str, Trigger]:
    category, direction, scope = row["category"], row["direction"] or "", row.get("scope") or ""
    if category not in _CATEGORIES or direction not in ("forward", "backward", "both", ""):
        raise UserError(
            f"{path.name}, row {number}: category “{category}” or direction “{direction}” is not known",
            "categories: " + ", ".join(sorted(_CATEGORIES)) + "; directions: forward, backward, both or empty",
        )
    if scope and scope != "clause" and not scope.isdigit():
        raise UserError(
            f"{path.name}, row {number}, column scope: “{scope}” is not a whole number",
            'give a number of words, "clause", or leave empty',
        )
    forward, backward = direction in ("forward", "both"), direction in ("backward", "both")
    reach = int(scope) if scope.isdigit() else _UNLIMITED
    return row["phrase"], Trigger(category, forward, backward, reach, scope == "clause")

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
# "no change in bowel habits" is no trigger for what follows, but says of the change itself that there is none.
_NONE_OF_IT = frozenset({"no", "without"})
_EXCEPTIONS = frozenset({"except", "apart", "aside", "other", "with"})
_DENYING = frozenset({"no", "not", "never", "nor", "neither", "without", "longer", "denies", "denied"})
# Words that follow a verb only where it is denied or asked, and those before it that put it in doubt.
_ONLY_DENIED = (["any"], ["ever"])
_IN_DOUBT = frozenset({"if", "whether"})
_LIST_GOES_ON = frozenset({"or", "nor", "/"})
# "denies tobacco, alcohol, and drugs": after these a list with "and" is denied to its end.
_DENIES = frozenset({"denies", "denied", "denying", "deny", "negative", "neg"})


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
        """Triggers among the lower-case `words`, in order; pseudo-triggers swallow what they cover and are left out,
        save those that deny their own words ("no change")."""
        found = [Cue(start, end, self._triggers[number]) for start, end, number in self._phrases.find(words)]
        return [cue for cue in found if cue.trigger.category != "pseudo" or words[cue.start] in _NONE_OF_IT]


@cache
def load_triggers() -> Triggers:
    """The shipped trigger table."""
    return Triggers()


def cues_of_sentence(cues: list[Cue], words: list[str]) -> list[Cue]:
    """The cues of one sentence without a verb of saying or having that is itself denied or in doubt ("never noticed",
    "nor had any", "whether he has"): it would end what it belongs to. An exception ("other than") does end it."""
    denials = {cue.end for cue in cues if cue.trigger.category == "negated" and words[cue.end - 1] in _DENYING}
    return [cue for cue in cues if cue.trigger.category != "affirmed" or _affirms(cue, words, denials)]


def _affirms(cue: Cue, words: list[str], denials: set[int]) -> bool:
    if words[cue.start] in _EXCEPTIONS:
        return True
    asked = not _IN_DOUBT.isdisjoint(words[max(cue.start - 3, 0) : cue.start])
    return cue.start not in denials and not asked and words[cue.end : cue.end + 1] not in _ONLY_DENIED


def judge(cues: list[Cue], words: list[str], start: int, end: int, strict_commas: bool = False) -> Judgement:
    """Judge tokens [start, end) by the cues of their sentence.

    `strict_commas`: a comma ends "no" unless the list goes on with "or" or "nor" (findings of an examination).
    Cues inside the statement do not count; a statement inside a denial ("no recurrence of") is denied.
    """
    polarity: tuple[int, str] | None = None
    flags: set[str] = set()
    for cue in cues:
        if _denies_itself(cue, start, end):
            return Judgement(Assertion.ABSENT)
        if start <= cue.start < end or (cue.start < start and cue.end >= end) or cue.trigger.category == "pseudo":
            continue
        if cue.start < start < cue.end and words[start] in _DENYING:
            continue  # "had not" of "not been eating": the statement is itself what was denied
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
        elif not (strict_commas and category != "affirmed" and _list_ended(words, between, cue)):
            polarity = min(polarity, (distance, category)) if polarity else (distance, category)
    return Judgement(_assertion(polarity), "historical" in flags, "history_of" in flags, "hypothetical" in flags)


def _assertion(polarity: tuple[int, str] | None) -> Assertion:
    if polarity is None or polarity[1] == "affirmed":
        return Assertion.PRESENT
    return Assertion.ABSENT if polarity[1] == "negated" else Assertion.POSSIBLE


def _denies_itself(cue: Cue, start: int, end: int) -> bool:
    """Whether the statement's head stands in the denying words themselves."""
    if not cue.start < start < cue.end:
        return False
    return cue.trigger.category == "pseudo" or (
        cue.trigger.category == "negated" and cue.trigger.forward and cue.end >= end
    )


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


def _list_ended(words: list[str], between: tuple[int, int], cue: Cue) -> bool:
    first, last = between
    if "," not in words[first:last]:
        return False
    goes_on = _LIST_GOES_ON if _DENIES.isdisjoint(words[cue.start : cue.end]) else _LIST_GOES_ON | {"and"}
    return cue.start >= first or goes_on.isdisjoint(words[first : last + 12])


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

"""Findings on real consultations judged by hand, twice (`data/hand_checked.csv`): how many were right, per pattern.

A row names a finding by its dialogue, pattern, turns and the hash of what it is about; no words of the data are kept.
"""

import csv
import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from evaluator.findings import Finding
from evaluator.statistics import Estimate, proportion, share
from foundation.records import Frozen

_TERM = re.compile("“(.+?)”")


class Judged(Frozen):
    """One finding with the verdicts of two readings (True: the finding is right); `second` None: read once.

    `round` counts samples from 1: the first is of the detectors as they were before its faults were mended, the second
    of other dialogues afterwards; the third again of detectors before their faults were mended, the fourth after.
    """

    round: int
    source: str
    dialogue_id: str
    dimension: str
    pattern: str
    turns: str
    about: str
    first: bool
    second: bool | None = None


class Precision(Frozen):
    """How many findings of a pattern were right in the first and in the second reading, of `judged`."""

    pattern: str
    judged: int
    first: Estimate
    second: Estimate


class Agreement(Frozen):
    """Between two readings: share of equal verdicts, and Cohen's kappa (None where undefined)."""

    equal: Estimate
    kappa: float | None


def about(finding: Finding) -> str:
    """Eight hexadecimal digits for what a finding is about: its term, its fact or domain, or its quote."""
    term = _TERM.search(finding.reason)
    omission = finding.reason.partition(": ")[2] if not finding.quote else ""
    what = term[1] if term else omission.strip(".") or finding.quote
    return hashlib.sha256(" ".join(what.lower().split()).encode()).hexdigest()[:8]


@cache
def judged() -> tuple[Judged, ...]:
    """All rows of the file."""
    text = files("evaluator.imported").joinpath("data", "hand_checked.csv").read_text("utf-8")
    return tuple(
        Judged.model_validate(row | {"second": row["second"] or None}) for row in csv.DictReader(text.splitlines())
    )


def precision(rows: Sequence[Judged]) -> tuple[Precision, ...]:
    """Per pattern, in order of the rubric's names, and "all" at the end; Wilson intervals."""
    names = sorted({f"{row.dimension} {row.pattern}" for row in rows})
    groups = [(name, [r for r in rows if f"{r.dimension} {r.pattern}" == name]) for name in names]
    return tuple(
        Precision(
            pattern=name,
            judged=len(group),
            first=proportion(sum(row.first for row in group), len(group)),
            second=share([row.second for row in group]),
        )
        for name, group in [*groups, ("all", list(rows))]
    )


def agreement(rows: Sequence[Judged]) -> Agreement:
    """Equal verdicts of the two readings."""
    pairs = [(row.first, row.second) for row in rows if row.second is not None]
    equal = proportion(sum(first == second for first, second in pairs), len(pairs))
    if equal.value is None:
        return Agreement(equal=equal, kappa=None)
    one, other = (sum(values) / len(pairs) for values in zip(*pairs, strict=True))
    chance = one * other + (1 - one) * (1 - other)
    return Agreement(equal=equal, kappa=None if chance == 1 else (equal.value - chance) / (1 - chance))


def still_made(rows: Sequence[Judged], findings: Iterable[tuple[str, Finding]]) -> tuple[Judged, ...]:
    """The judged findings that are among `findings`, (dialogue id, finding) each: what today's detectors still say."""
    made = {(name, f.dimension.value, f.pattern, shown_turns(f), about(f)) for name, f in findings}
    return tuple(r for r in rows if (r.dialogue_id, r.dimension, r.pattern, r.turns, r.about) in made)


def shown_turns(finding: Finding) -> str:
    """Turn numbers parted by spaces."""
    return " ".join(map(str, finding.turns))

"""Screening: criteria first, then a list that goes out to a person and comes back with a decision on every case.

The list is a csv file. `decision`, `by` and `why` are for the person; the rest is ours and is checked on its return.
"""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, cast

from etl.caserecord import CaseRecord, MedicationRole
from etl.cohort.criteria import ELEMENTS, treatment_drugs
from etl.sources.tabular_text import open_csv
from foundation.errors import UserError
from foundation.files import write_atomically
from foundation.records import Frozen

Decision = Literal["include", "exclude"]
COLUMNS = ("case_id", "history", "assessment", "treatment", "treatment_drugs", "suggestion", "reason")
PERSONS = ("decision", "by", "why")
_MINIMUM_DRUGS = 5
_TREATING = (MedicationRole.INPATIENT, MedicationRole.DISCHARGE)


class Screened(Frozen):
    """What the criteria say of a case: whether each element is there, and the suggestion with its reason."""

    case_id: str
    history: bool
    assessment: bool
    treatment: bool
    treatment_drugs: int
    suggestion: Decision
    reason: str


class ScreeningDecision(Frozen):
    """What a person decided of a case."""

    case_id: str
    suggestion: Decision
    decision: Decision
    by: str
    why: str


def screen(case: CaseRecord, minimum_drugs: int = _MINIMUM_DRUGS) -> Screened:
    """History, assessment, treatment, and at least `minimum_drugs` treatment drugs (the paper's criteria)."""
    has = {
        "history": ELEMENTS["history"](case),
        "assessment": ELEMENTS["diagnosis"](case),
        "treatment": ELEMENTS["treatment"](case),
    }
    drugs = len(treatment_drugs(case, _TREATING))
    lacking = [f"no {name}" for name, present in has.items() if not present]
    if drugs < minimum_drugs:
        lacking.append(f"{drugs} of {minimum_drugs} treatment drugs")
    return Screened(
        case_id=case.case_id,
        treatment_drugs=drugs,
        suggestion="exclude" if lacking else "include",
        reason="; ".join(lacking) or "all criteria met",
        **has,
    )


def write_review_list(
    path: Path, screened: Iterable[Screened], earlier: Mapping[str, ScreeningDecision] | None = None
) -> int:
    """Write the list for the person, every case on it; decisions made before are filled in. Returns its length."""
    output = io.StringIO()
    writer = csv.DictWriter(output, fieldnames=[*COLUMNS, *PERSONS], lineterminator="\n")
    writer.writeheader()
    count = 0
    for entry in sorted(screened, key=lambda entry: entry.case_id):
        row = {name: "yes" if value is True else "no" if value is False else value for name, value in entry}
        made = (earlier or {}).get(entry.case_id)
        row |= {name: getattr(made, name) if made else "" for name in PERSONS}
        writer.writerow(row)
        count += 1
    write_atomically(path, output.getvalue())
    return count


def read_review_list(path: Path, known: Iterable[str] | None = None) -> dict[str, ScreeningDecision]:
    """The decisions by case_id; cases without a decision are left out (they stay undecided).

    Raises UserError naming line and field for: a case that is not in `known` or stands twice, a decision that is
    neither include nor exclude, no name, and no reason where the person differs from the suggestion.
    """
    cases = None if known is None else set(known)
    decisions: dict[str, ScreeningDecision] = {}
    with open_csv(path, required=("case_id", "suggestion", *PERSONS)) as rows:
        for line, row in enumerate(rows, start=2):
            cells = {name: (row.get(name) or "").strip() for name in ("case_id", "suggestion", *PERSONS)}
            where = f"{path.name}, line {line}"
            if cases is not None and cells["case_id"] not in cases:
                raise UserError(f"{where}: case_id is not one of the screened cases.", "Do not change that column.")
            if cells["case_id"] in decisions:
                raise UserError(f"{where}: the case stands twice.", "Keep one line a case.")
            if cells["decision"]:
                decisions[cells["case_id"]] = _decision(cells, where)
    return decisions


def _decision(cells: Mapping[str, str], where: str) -> ScreeningDecision:
    decision, suggestion = cells["decision"].lower(), cells["suggestion"].lower()
    if decision not in ("include", "exclude") or suggestion not in ("include", "exclude"):
        raise UserError(f"{where}: decision must be include or exclude.", "Correct the cell, or leave it empty.")
    if not cells["by"]:
        raise UserError(f"{where}: by is empty.", "Write who decided (initials are enough).")
    if decision != suggestion and not cells["why"]:
        raise UserError(f"{where}: why is empty, but the decision differs from the suggestion.", "Write the reason.")
    return ScreeningDecision(
        case_id=cells["case_id"],
        suggestion=cast(Decision, suggestion),
        decision=cast(Decision, decision),
        by=cells["by"],
        why=cells["why"] or "as suggested",
    )

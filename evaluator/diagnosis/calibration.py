"""Agreement of the matcher with human graders, on CRAFT-MD's grader validation file.

A dermatologist counted, for each case, how many of the stated diagnoses are the reference. Cases where all or none are
judge every trial; the others give only their count. Half of the cases (by hash of the id) chose the threshold, the
other half reports.
"""

import csv
import hashlib
import sys
from pathlib import Path

from sklearn.metrics import cohen_kappa_score

from evaluator import statistics
from evaluator.diagnosis.matching import Grade, grade
from evaluator.diagnosis.names import parts
from evaluator.statistics import Estimate
from foundation.errors import UserError
from foundation.records import Frozen

TRIALS = tuple(f"trial_{number}" for number in range(5))


class GradedCase(Frozen):
    """One case: what was stated in up to five trials, the reference, and how many of them the human took for right."""

    case_id: str
    stated: tuple[str, ...]
    reference: str
    human: int

    @property
    def held_out(self) -> bool:
        """Whether the case belongs to the half that reports."""
        return hashlib.sha256(self.case_id.encode()).digest()[0] % 2 == 1


class GraderAgreement(Frozen):
    """Agreement with the human. `trials`: share of single judgements, over unanimous cases; `counts`: Spearman."""

    cases: int
    trials: Estimate
    kappa: float | None
    same_majority: Estimate
    disagreements: tuple[str, ...]


def read_validation(path: Path) -> list[GradedCase]:
    """Cases of CRAFT-MD's validation_graderai.csv (a transposed sheet). UserError where a row is missing."""
    rows = {row[0]: row for row in csv.reader(path.open(encoding="utf-8", newline="")) if row and row[0]}
    header = next((row for row in csv.reader(path.open(encoding="utf-8", newline="")) if "case_0" in row), None)
    missing = [name for name in (*TRIALS, "correct_ans", "dermatologist_accuracy") if name not in rows]
    if header is None or missing:
        raise UserError(f"{path.name}: no row {', '.join(missing) or 'with case ids'}", "give the file as published")
    return [
        GradedCase(
            case_id=case,
            stated=tuple(rows[trial][column] for trial in TRIALS),
            reference=rows["correct_ans"][column],
            human=int(rows["dermatologist_accuracy"][column]),
        )
        for column, case in enumerate(header)
        if case.startswith("case_") and rows["dermatologist_accuracy"][column].strip().isdigit()
    ]


def taken_for_right(stated: str, reference: str) -> bool:
    """Whether the matcher grades the name exact or partial."""
    return any(grade(part, reference)[0] <= Grade.PARTIAL for part in parts(stated))


def agreement(cases: list[GradedCase]) -> GraderAgreement:
    """Agreement over `cases`."""
    pairs: list[tuple[bool, bool]] = []
    majority: list[bool] = []
    wrong: list[str] = []
    for case in cases:
        ours = [taken_for_right(stated, case.reference) for stated in case.stated]
        majority.append((sum(ours) >= 3) == (case.human >= 3))
        if case.human in (0, len(TRIALS)):
            human = case.human > 0
            pairs += [(right, human) for right in ours]
            wrong += [
                f"{case.case_id}: human {'right' if human else 'wrong'}: {stated} | {case.reference}"
                for stated, right in zip(case.stated, ours, strict=True)
                if right != human
            ]
    return GraderAgreement(
        cases=len(cases),
        trials=statistics.proportion(sum(a == b for a, b in pairs), len(pairs)),
        kappa=float(cohen_kappa_score(*zip(*pairs, strict=True))) if len(set(pairs)) > 1 else None,
        same_majority=statistics.proportion(sum(majority), len(majority)),
        disagreements=tuple(dict.fromkeys(wrong)),
    )


def _main(path: Path) -> None:
    cases = read_validation(path)
    for held_out in (False, True):
        found = agreement([case for case in cases if case.held_out is held_out])
        kappa = "n/a" if found.kappa is None else f"{found.kappa:.3f}"
        print(
            f"{'held out' if held_out else 'chose the threshold'}: {found.cases} cases; single judgements "
            f"{found.trials.shown(3)} (n {found.trials.n}), kappa {kappa}; same majority {found.same_majority.shown(3)}"
        )


if __name__ == "__main__":
    _main(Path(sys.argv[1]))

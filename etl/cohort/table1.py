"""Table 1: who the patients are, as in the paper's Table 6 and Supplementary Table 2, with what is missing."""

import csv
import io
import statistics
from collections import Counter
from collections.abc import Callable, Sequence

from etl.caserecord import CaseRecord, MentionKind
from etl.cohort.criteria import treatment_drugs
from foundation.records import Frozen

OVER_89 = 90
"""Ages over 89 are hidden: they enter the mean as 90, the lowest that they can be, and have a line of their own."""

MISSING = "not recorded"
MEAN = "mean ± SD"


class Table1Row(Frozen):
    """One line: a count `n` with its percentage of patients, or a `mean` with its standard deviation (n-1)."""

    characteristic: str
    level: str = ""
    n: int
    percent: float | None = None
    mean: float | None = None
    sd: float | None = None

    @property
    def shown(self) -> str:
        """As the paper prints it: "202 (46.22)" or "64.09 ± 17.03"."""
        if self.level == MEAN:
            return "" if self.mean is None else f"{self.mean:.2f}" + ("" if self.sd is None else f" ± {self.sd:.2f}")
        return str(self.n) + ("" if self.percent is None else f" ({self.percent:.2f})")


_CATEGORIES: tuple[tuple[str, Callable[[CaseRecord], str | None]], ...] = (
    ("Sex", lambda case: {"F": "Female", "M": "Male"}.get(case.demographics.sex)),
    ("Race", lambda case: case.demographics.race_group),
    ("Religion", lambda case: case.demographics.religion_group),
    ("Marital status", lambda case: case.demographics.marital_group),
    ("Insurance", lambda case: case.demographics.insurance),
)
_AMOUNTS: tuple[tuple[str, Callable[[CaseRecord], int]], ...] = (
    ("Diagnoses per admission", lambda case: len(case.diagnoses)),
    ("Drugs per admission", lambda case: len(treatment_drugs(case))),
    ("Symptoms per admission", lambda case: sum(m.kind is MentionKind.SYMPTOM for m in case.mentions)),
)


def table1(cases: Sequence[CaseRecord]) -> tuple[Table1Row, ...]:
    """The table. Patients count once, at their first admission; amounts are over admissions."""
    patients = _first_admissions(cases)
    rows = [
        Table1Row(characteristic="Total patients", n=len(patients)),
        Table1Row(characteristic="Total admissions", n=len(cases)),
        *_age_rows(patients),
    ]
    for characteristic, level_of in _CATEGORIES:
        rows.extend(_levels(characteristic, [level_of(case) for case in patients]))
    for characteristic, amount_of in _AMOUNTS:
        rows.append(_mean(characteristic, [amount_of(case) for case in cases]))
    return tuple(rows)


def _first_admissions(cases: Sequence[CaseRecord]) -> list[CaseRecord]:
    first: dict[tuple[str, str], CaseRecord] = {}
    for case in sorted(cases, key=lambda case: (case.admission.admitted, case.case_id)):
        first.setdefault((case.source, case.subject_id), case)
    return [first[key] for key in sorted(first)]


def _age_rows(patients: Sequence[CaseRecord]) -> list[Table1Row]:
    over = sum(case.demographics.age_over_89 for case in patients)
    ages = [OVER_89 if case.demographics.age_over_89 else case.demographics.age for case in patients]
    known = [age for age in ages if age is not None]
    rows = [_mean("Age, years", known)]
    if over:
        rows.append(_share("Age, years", f"over 89 (entered as {OVER_89})", over, len(patients)))
    if len(known) < len(patients):
        rows.append(_share("Age, years", MISSING, len(patients) - len(known), len(patients)))
    return rows


def _levels(characteristic: str, levels: Sequence[str | None]) -> list[Table1Row]:
    counts = Counter(level for level in levels if level)
    if not counts:
        return []
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rows = [_share(characteristic, level, count, len(levels)) for level, count in ordered]
    missing = len(levels) - sum(counts.values())
    return [*rows, _share(characteristic, MISSING, missing, len(levels))] if missing else rows


def _share(characteristic: str, level: str, count: int, total: int) -> Table1Row:
    return Table1Row(characteristic=characteristic, level=level, n=count, percent=round(100 * count / total, 2))


def _mean(characteristic: str, values: Sequence[float]) -> Table1Row:
    mean = round(statistics.fmean(values), 2) if values else None
    sd = round(statistics.stdev(values), 2) if len(values) > 1 else None
    return Table1Row(characteristic=characteristic, level=MEAN, n=len(values), mean=mean, sd=sd)


def table1_csv(rows: Sequence[Table1Row]) -> str:
    """The table as csv; `shown` is the cell as the paper prints it."""
    output = io.StringIO()
    fields = [*Table1Row.model_fields, "shown"]
    writer = csv.DictWriter(output, fieldnames=fields, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({**row.model_dump(), "shown": row.shown})
    return output.getvalue()

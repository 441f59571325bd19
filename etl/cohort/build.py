"""Building a cohort: the steps of its definition over the cases, with everything that a paper has to report."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import yaml

from etl.caserecord import CaseRecord
from etl.cases import read_cases, write_cases
from etl.cohort.criteria import CohortDefinition, Progressing, Step, fulfils, load_definition
from etl.cohort.flow import FlowStep, draw_flow, flow_csv
from etl.cohort.screening import ScreeningDecision, read_review_list, screen, write_review_list
from etl.cohort.table1 import Table1Row, table1, table1_csv
from etl.deidentification import DeidentificationReport, check_cases, joined, require_clean
from foundation.files import write_atomically
from foundation.records import Frozen


class CohortReport(Frozen):
    """A cohort. `files` are the paths written, by what they hold; `undecided` cases wait for a person's screening."""

    name: str
    cases: int
    flow: tuple[FlowStep, ...]
    table1: tuple[Table1Row, ...]
    undecided: int = 0
    files: dict[str, str]

    @property
    def lines(self) -> tuple[str, ...]:
        """The flow and Table 1 as text."""
        flow = [
            f"{step.label}: {step.admissions_before} → {step.admissions_after} admissions "
            f"({step.patients_after} patients), {step.left_out} left out"
            + (f", {step.unknown} of them undecided or not recorded" if step.unknown else "")
            for step in self.flow
        ]
        table = [f"{' · '.join(filter(None, (row.characteristic, row.level)))}: {row.shown}" for row in self.table1]
        waiting = [f"{self.undecided} cases wait for a decision in screening.csv"] if self.undecided else []
        return (*flow, "", *table, *waiting)


def select_cohort(
    cases: Path,
    criteria: str | Path,
    folder: Path,
    screening: Path | None = None,
    notes: DeidentificationReport | None = None,
) -> CohortReport:
    """`build_cohort` by the name of a preset or the path of a YAML file."""
    return build_cohort(cases, load_definition(criteria), folder, screening, notes)


def build_cohort(
    cases: Path,
    definition: CohortDefinition,
    folder: Path,
    screening: Path | None = None,
    notes: DeidentificationReport | None = None,
) -> CohortReport:
    """Take the steps over the cases of a file and write into `folder`: cases.jsonl, flow.csv, flow.png, table1.csv,
    left_out.csv (case and step), cohort.yaml, and screening.csv where a step asks for a person's decision.

    `screening` is the list as it came back. A cohort that is declared de-identified is checked first: UserError where
    something in its records, or in what `notes` says of theirs (`etl.deidentification.check_source`), still looks like
    an identifier; deidentification.csv says where.
    """
    all_cases = sorted(read_cases(cases), key=lambda case: (case.admission.admitted, case.case_id))
    decisions = read_review_list(screening, (case.case_id for case in all_cases)) if screening else {}
    kept, flow, left_out = run_steps(all_cases, definition.steps, decisions)
    folder.mkdir(parents=True, exist_ok=True)
    if definition.deidentified:
        names = {case.case_id for case in kept}
        reports = [check_cases(kept), *([notes.of_cases(names)] if notes else [])]
        require_clean(joined(reports), folder / "deidentification.csv")
    files = {name: folder / name for name in ("cases.jsonl", "flow.csv", "flow.png", "table1.csv", "left_out.csv")}
    write_cases(files["cases.jsonl"], kept)
    write_atomically(files["flow.csv"], flow_csv(flow))
    draw_flow(files["flow.png"], f"{definition.name}: {definition.description}", flow)
    rows = table1(kept)
    write_atomically(files["table1.csv"], table1_csv(rows))
    write_atomically(files["left_out.csv"], _left_out_csv(left_out))
    files["cohort.yaml"] = folder / "cohort.yaml"
    text = yaml.safe_dump(
        definition.model_dump(mode="json", exclude_defaults=True), sort_keys=False, allow_unicode=True
    )
    write_atomically(files["cohort.yaml"], text)
    undecided = 0
    if any(step.criterion == "screening" for step in definition.steps):
        files["screening.csv"] = folder / "screening.csv"
        write_review_list(files["screening.csv"], map(screen, all_cases), decisions)
        undecided = sum(case.case_id not in decisions for case in all_cases)
    return CohortReport(
        name=definition.name,
        cases=len(kept),
        flow=tuple(flow),
        table1=rows,
        undecided=undecided,
        files={name: str(path) for name, path in files.items()},
    )


def run_steps(
    cases: Iterable[CaseRecord], steps: Iterable[Step], decisions: Mapping[str, ScreeningDecision]
) -> tuple[list[CaseRecord], list[FlowStep], list[tuple[str, str]]]:
    """(cases that pass every step, the flow, and (case_id, label) of who was left out at which step)."""
    kept = list(cases)
    progress = Progressing({case_id: entry.decision for case_id, entry in decisions.items()})
    flow: list[FlowStep] = []
    left_out: list[tuple[str, str]] = []
    for number, step in enumerate(steps):
        outcomes = [fulfils(case, step, progress, number) for case in kept]
        passed = [step.keep_unknown if outcome is None else outcome is not step.exclude for outcome in outcomes]
        after = [case for case, passes in zip(kept, passed, strict=True) if passes]
        left_out += [(case.case_id, step.label) for case, passes in zip(kept, passed, strict=True) if not passes]
        unknown = sum(outcome is None and not passes for outcome, passes in zip(outcomes, passed, strict=True))
        flow.append(
            FlowStep(
                label=step.label,
                admissions_before=len(kept),
                patients_before=len(set(_patients(kept))),
                left_out=len(kept) - len(after),
                unknown=unknown,
                admissions_after=len(after),
                patients_after=len(set(_patients(after))),
            )
        )
        kept = after
    return kept, flow, left_out


def _patients(cases: Iterable[CaseRecord]) -> Iterator[tuple[str, str]]:
    return ((case.source, case.subject_id) for case in cases)


def _left_out_csv(left_out: Iterable[tuple[str, str]]) -> str:
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(["case_id", "step"])
    writer.writerows(sorted(left_out))
    return output.getvalue()

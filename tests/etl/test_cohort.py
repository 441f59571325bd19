"""Cohorts: criteria, flow, Table 1, and screening that goes out and comes back."""

import csv
from pathlib import Path

import pytest

from etl.caserecord import (
    Admission,
    CaseRecord,
    Demographics,
    Diagnosis,
    Medication,
    MedicationRole,
    Mention,
    MentionKind,
)
from etl.cases import read_cases, write_cases
from etl.cohort import CohortDefinition, build_cohort, load_definition, select_cohort
from etl.cohort.build import run_steps
from etl.cohort.criteria import Step, presets
from etl.cohort.screening import ScreeningDecision, read_review_list, screen, write_review_list
from etl.cohort.table1 import MISSING, table1
from foundation.errors import UserError

DRUGS = ("aspirin", "metformin", "lisinopril", "warfarin", "furosemide", "digoxin")


def case(
    number: int,
    subject: int | None = None,
    age: int | None = 50,
    drugs: int = 1,
    notes: bool = True,
    said: str = "cough",
    **demographics: object,
) -> CaseRecord:
    mentions = tuple(
        Mention(mention_id=f"{number}/{kind}", kind=kind, text=said)
        for kind in (MentionKind.SYMPTOM, MentionKind.MEDICAL_HISTORY)
    )
    return CaseRecord(
        case_id=f"t:{number}",
        source="t",
        subject_id=str(number if subject is None else subject),
        hadm_id=str(number),
        demographics=Demographics.model_validate({"age": age, "sex": "F", **demographics}),
        admission=Admission(admitted=f"2150-01-01T00:00:{number:02d}"),
        mentions=mentions if notes else (),
        diagnoses=(Diagnosis(code="I10", version="10", rank=1, name="Hypertension", name_source="dictionary"),),
        medications=tuple(
            Medication(name=name, ingredients=(name,), role=MedicationRole.DISCHARGE) for name in DRUGS[:drugs]
        ),
        note_ids=("n",) if notes else (),
    )


def flow_of(cases: list[CaseRecord], *steps: Step) -> tuple[list[str], list[tuple[int, int, int]]]:
    kept, flow, _ = run_steps(cases, steps, {})
    counts = [(step.left_out, step.unknown, step.admissions_after) for step in flow]
    return [entry.hadm_id for entry in kept], counts


def test_the_paper_s_cohort_step_by_step(tmp_path: Path) -> None:
    cases = [
        case(1),
        case(2, notes=False),
        case(3, drugs=0),
        case(4, age=17),
        case(5, age=None),
        case(6, age=None, age_over_89=True),
        case(7, subject=1),
    ]
    write_cases(tmp_path / "cases.jsonl", cases)
    report = build_cohort(tmp_path / "cases.jsonl", load_definition("ccqa"), tmp_path / "out")
    assert [(step.left_out, step.unknown) for step in report.flow] == [(1, 0), (1, 0), (2, 1), (0, 0)]
    assert (report.flow[-1].admissions_after, report.flow[-1].patients_after) == (3, 2)
    assert [entry.hadm_id for entry in read_cases(tmp_path / "out" / "cases.jsonl")] == ["1", "6", "7"]
    left_out = (tmp_path / "out" / "left_out.csv").read_text().splitlines()
    assert "t:4,18 years or older at admission" in left_out
    assert (tmp_path / "out" / "flow.png").read_bytes().startswith(b"\x89PNG")
    assert load_definition(tmp_path / "out" / "cohort.yaml") == load_definition("ccqa")


def test_the_same_cases_give_the_same_files(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases.jsonl", [case(number) for number in range(9)])
    for folder in ("a", "b"):
        build_cohort(tmp_path / "cases.jsonl", load_definition("ccqa"), tmp_path / folder)
    for name in ("cases.jsonl", "flow.csv", "flow.png", "table1.csv", "cohort.yaml"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_exclusion_is_not_the_absence_of_inclusion() -> None:
    cases = [case(1, age=30), case(2, age=70), case(3, age=None)]
    step = {"label": "x", "criterion": "age_at_least", "years": 65}
    assert flow_of(cases, Step.model_validate(step))[0] == ["2"]
    assert flow_of(cases, Step.model_validate({**step, "exclude": True}))[0] == ["1"]
    assert flow_of(cases, Step.model_validate({**step, "exclude": True, "keep_unknown": True}))[0] == ["1", "3"]


@pytest.mark.parametrize(
    ("step", "kept"),
    [
        ({"criterion": "diagnosis_in", "categories": ["I1"]}, ["1", "2"]),
        ({"criterion": "diagnosis_in", "categories": ["J"]}, []),
        ({"criterion": "sex", "values": ["M"]}, ["2"]),
        ({"criterion": "admissions_at_most", "count": 1}, ["1"]),
        ({"criterion": "elements_present", "elements": ["vital"]}, []),
        ({"criterion": "elements_present", "elements": ["history", "treatment"]}, ["1", "2"]),
        ({"criterion": "medications_at_least", "count": 3, "roles": ["discharge"]}, ["2"]),
        ({"criterion": "medications_at_least", "count": 1, "roles": ["home"]}, []),
        ({"criterion": "language", "values": ["ENGL"]}, ["2"]),
    ],
)
def test_criteria(step: dict[str, object], kept: list[str]) -> None:
    cases = [case(1), case(2, subject=1, drugs=4, sex="M", language="ENGL")]
    assert flow_of(cases, Step.model_validate({"label": "x", **step}))[0] == kept


def test_presets_are_sound() -> None:
    assert {"ccqa", "case_reports", "adults"} <= set(presets())
    assert all(load_definition(name).steps for name in presets())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("name: x\nsteps: [{label: a, criterion: age_at_leest}]", "steps.0.criterion"),
        ("name: x\nsteps: [{label: a, criterion: age_at_least}]", "needs the field years"),
        ("name: x\nsteps: [{label: a, criterion: elements_present, elements: [smell]}]", "smell"),
        ("name: [", "not YAML"),
    ],
)
def test_a_wrong_definition_names_the_field(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(UserError, match=problem):
        load_definition(path)


def test_table1_counts_patients_once_and_says_what_is_missing() -> None:
    cases = [
        case(1, age=60, race_group="WHITE"),
        case(2, subject=1, age=70, race_group="BLACK"),
        case(3, age=None, age_over_89=True, sex="M", race_group="ASIAN"),
        case(4, age=None, sex=""),
    ]
    rows = {(row.characteristic, row.level): row for row in table1(cases)}
    assert rows["Total patients", ""].n == 3
    assert rows["Total admissions", ""].n == 4
    age = rows["Age, years", "mean ± SD"]
    assert (age.n, age.mean, age.sd) == (2, 75.0, 21.21)  # 60 at the first admission, and over 89 as 90
    assert age.shown == "75.00 ± 21.21"
    assert rows["Age, years", MISSING].shown == "1 (33.33)"
    assert rows["Sex", "Female"].percent == 33.33
    assert ("Race", "BLACK") not in rows
    assert rows["Race", MISSING].n == 1


def test_an_empty_cohort_has_a_table_without_numbers() -> None:
    assert [row.shown for row in table1([])] == ["0", "0", "", "", "", ""]


def test_screening_goes_out_and_comes_back(tmp_path: Path) -> None:
    cases = [case(1, drugs=6), case(2, drugs=2), case(3, drugs=6)]
    source = tmp_path / "cases.jsonl"
    write_cases(source, cases)
    first = build_cohort(source, load_definition("case_reports"), tmp_path / "out")
    assert (first.cases, first.undecided) == (0, 3)
    sent = tmp_path / "out" / "screening.csv"
    rows = list(csv.DictReader(sent.open()))
    assert [row["suggestion"] for row in rows] == ["include", "exclude", "include"]
    assert rows[1]["reason"] == "2 of 5 treatment drugs"
    rows[0] |= {"decision": "include", "by": "JN", "why": ""}
    rows[2] |= {"decision": "Exclude", "by": "JN", "why": "review article, not a case"}
    back = tmp_path / "back.csv"
    with back.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    second = build_cohort(source, load_definition("case_reports"), tmp_path / "out", screening=back)
    assert [entry.hadm_id for entry in read_cases(tmp_path / "out" / "cases.jsonl")] == ["1"]
    assert (second.flow[-1].left_out, second.flow[-1].unknown, second.undecided) == (1, 0, 1)
    kept = read_review_list(tmp_path / "out" / "screening.csv")
    assert kept["t:3"] == ScreeningDecision(
        case_id="t:3", suggestion="include", decision="exclude", by="JN", why="review article, not a case"
    )
    assert kept["t:1"].why == "as suggested"


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"decision": "maybe", "by": "JN"}, "decision must be include or exclude"),
        ({"decision": "include"}, "by is empty"),
        ({"decision": "exclude", "by": "JN"}, "why is empty"),
        ({"case_id": "t:9"}, "not one of the screened cases"),
    ],
)
def test_a_list_that_cannot_be_read_names_the_line(tmp_path: Path, cells: dict[str, str], problem: str) -> None:
    path = tmp_path / "list.csv"
    write_review_list(path, [screen(case(1, drugs=6))])
    rows = [{**row, **cells} for row in csv.DictReader(path.open())]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(UserError, match=f"line 2: .*{problem}"):
        read_review_list(path, known=["t:1"])


def test_a_list_saved_with_semicolons_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    write_review_list(path, [screen(case(1))])
    path.write_text(path.read_text().replace(",", ";"))
    with pytest.raises(UserError, match="separated by ';'"):
        read_review_list(path)


def test_a_declared_cohort_with_identifiers_is_blocked(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases.jsonl", [case(1), case(2, said="seen by Dr. Huxtable on 03/12/2014")])
    definition = CohortDefinition(
        name="mine",
        deidentified=True,
        steps=(Step(label="Note", criterion="note_present"),),
    )
    with pytest.raises(UserError, match="2 date, 2 name") as error:
        build_cohort(tmp_path / "cases.jsonl", definition, tmp_path / "out")
    assert "Huxtable" not in str(error.value)
    places = (tmp_path / "out" / "deidentification.csv").read_text()
    assert "Huxtable" not in places
    assert "t:2" in places
    assert not (tmp_path / "out" / "cases.jsonl").exists()
    undeclared = definition.model_copy(update={"deidentified": False})
    assert build_cohort(tmp_path / "cases.jsonl", undeclared, tmp_path / "out").cases == 2


def test_a_cohort_by_its_name_reads_as_text(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases.jsonl", [case(1), case(2, age=None)])
    lines = select_cohort(tmp_path / "cases.jsonl", "adults", tmp_path / "out").lines
    assert lines[0] == (
        "18 years or older at admission: 2 → 1 admissions (1 patients), 1 left out, 1 of them undecided or not recorded"
    )
    assert "Age, years · mean ± SD: 50.00" in lines

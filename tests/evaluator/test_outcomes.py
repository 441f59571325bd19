"""The paper's outcome formulas, their edge cases, and matching on ingredients."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from etl.caserecord import Diagnosis, Medication, MedicationRole
from evaluator.findings import Dimension, Finding
from evaluator.outcomes import (
    f1,
    matched,
    medication_f1,
    mismatch_rate,
    outcomes,
    recommended_drugs,
    reference_ingredients,
)
from kg.facts import AnswerKey
from tests.evaluator.consultation import consultation

COUNT = st.integers(min_value=0, max_value=40)
NAMES = st.frozensets(st.sampled_from("abcdefgh"), max_size=8)


def _finding(pattern: str, quote: str = "", reason: str = "because", dimension: Dimension = Dimension.MS) -> Finding:
    return Finding(dimension=dimension, pattern=pattern, quote=quote, reason=reason, decided_by="test")


@pytest.mark.parametrize(
    ("recommended", "wrong", "missing", "expected"),
    [
        (5, 0, 0, 1.0),
        (5, 1, 1, 0.8),  # TP 4: precision 4/5, recall 4/5
        (4, 2, 0, 2 / 3),  # TP 2: precision 1/2, recall 1
        (0, 0, 3, 0.0),  # nothing recommended
        (2, 3, 0, 0.0),  # TP would be below zero
        (0, 0, 0, 0.0),  # 0 / 0 is 0
    ],
)
def test_medication_f1_by_supplementary_note_1(recommended: int, wrong: int, missing: int, expected: float) -> None:
    assert medication_f1(recommended, wrong, missing) == pytest.approx(expected)


@given(COUNT, COUNT, COUNT)
def test_f1_is_a_share_and_falls_with_every_fault(recommended: int, wrong: int, missing: int) -> None:
    score = medication_f1(recommended, wrong, missing)
    assert 0 <= score <= 1
    assert medication_f1(recommended, wrong + 1, missing) <= score
    assert medication_f1(recommended, wrong, missing + 1) <= score


@given(COUNT, COUNT)
def test_mismatch_rate_divides_by_at_least_one(recommended: int, mismatches: int) -> None:
    assert mismatch_rate(recommended, mismatches) == mismatches / max(recommended, 1)


@given(NAMES, NAMES)
def test_matched_scores(own: frozenset[str], reference: frozenset[str]) -> None:
    precision, recall, score = matched(own, reference)
    assert matched(reference, own) == (recall, precision, score)
    assert score == f1(precision, recall)
    assert (score == 1) == (own == reference and bool(own))


def _medication(name: str, role: MedicationRole = MedicationRole.DISCHARGE, fluid: bool = False) -> Medication:
    return Medication(name=name, role=role, carrier_fluid=fluid)


def test_reference_leaves_home_and_fluids_out_where_the_record_gave_drugs() -> None:
    key = AnswerKey(
        case_id="t",
        medications=(
            _medication("Lopressor 25 mg"),
            _medication("NS", MedicationRole.INPATIENT, fluid=True),
            _medication("Vancomycin HCl", MedicationRole.INPATIENT),
            _medication("warfarin", MedicationRole.HOME),
        ),
    )
    assert reference_ingredients(key) == {"metoprolol", "vancomycin"}
    home = key.model_copy(update={"medications": (_medication("warfarin", MedicationRole.HOME),)})
    assert reference_ingredients(home) == {"warfarin"}


def test_fluids_blanks_and_repeats_are_no_recommendations() -> None:
    assert recommended_drugs(["Aspirin", "aspirin ", "", "NS", "None", "No medications needed.", "D5W", "Zosyn"]) == (
        "aspirin ",
        "Zosyn",
    )


def test_outcomes_of_a_case() -> None:
    evidence = consultation()
    key = AnswerKey(
        case_id="test:1",
        diagnoses=(Diagnosis(code="I20.9", version="10", rank=1, name="Angina pectoris", name_source="dictionary"),),
        medications=(_medication("Ecotrin"), _medication("Lipitor")),
    )
    evidence = evidence.model_copy(update={"answer_key": key})
    found = outcomes(
        evidence,
        [
            _finding("match_partial", dimension=Dimension.DX),
            _finding("missing_important_drug", reason="atorvastatin is missing"),
            _finding("unsafe_drug_use", "aspirin"),
        ],
    )
    assert (found.diagnosis_correct, found.diagnosis_match) == (True, "match_partial")
    assert (found.matched_precision, found.matched_recall) == (1.0, 0.5)
    assert found.unsafe is True
    assert found.mismatch_rate == 0
    assert found.medication_f1 == 0  # the only drug is wrong


def test_what_is_undefined_is_none() -> None:
    no_plan = outcomes(consultation(plan=None), [])
    assert set(no_plan.model_dump().values()) == {None}
    no_reference = outcomes(consultation(), [])
    assert no_reference.medication_f1 is None
    assert no_reference.matched_f1 is None
    assert no_reference.diagnosis_correct is None
    assert no_reference.unsafe is False
    assert no_reference.mismatch_rate == 0.0

"""Diagnosis matching against human grades and known pairs; reasoning against what was said."""

from pathlib import Path

import pytest

from etl.caserecord import Diagnosis
from evaluator.detectors.diagnosis import detect
from evaluator.diagnosis.calibration import agreement, read_validation
from evaluator.diagnosis.matching import Grade, best_match, grade
from evaluator.diagnosis.sufficiency import dialogue_sufficient
from foundation.errors import UserError
from kg.facts import Domain, Fact
from tests.evaluator.consultation import PLAN, consultation


def test_agreement_with_the_human_grader_on_cases_that_chose_nothing(shared_data: Path) -> None:
    cases = read_validation(shared_data / "craft_md" / "validation_graderai.csv")
    found = agreement([case for case in cases if case.held_out])
    assert found.cases > 150 and found.trials.value is not None and found.kappa is not None
    assert found.trials.value >= 0.85 and found.kappa >= 0.70


@pytest.mark.parametrize(
    ("stated", "reference", "code", "version", "best", "worst"),
    [
        ("Heart attack", "Subendocardial infarction, initial episode of care", "41071", "9", "PARTIAL", "PARTIAL"),
        ("CHF exacerbation", "Congestive heart failure, unspecified", "4280", "9", "PARTIAL", "PARTIAL"),
        ("Gouty arthritis", "Acute gout", "", "", "PARTIAL", "PARTIAL"),
        ("Pneumonia", "Pneumonia, organism unspecified", "486", "9", "EXACT", "EXACT"),
        ("CHF", "Congestive heart failure, unspecified", "4280", "9", "EXACT", "EXACT"),
        ("Ischemic heart disease", "Unstable angina", "", "", "MINOR", "MINOR"),
        ("Unstable angina", "Coronary artery disease", "", "", "PARTIAL", "PARTIAL"),
        ("DKA", "Diabetes with ketoacidosis, type I, not stated as uncontrolled", "25011", "9", "PARTIAL", "PARTIAL"),
        ("Atrial fibrillation", "Atrial flutter", "42732", "9", "PARTIAL", "MINOR"),
        ("Basal cell carcinoma of the cheek", "Malignant melanoma", "", "", "MINOR", "MAJOR"),
        ("Gout", "Unspecified septicemia", "0389", "9", "MAJOR", "MAJOR"),
        ("", "Pneumonia", "J18.9", "10", "MAJOR", "MAJOR"),
    ],
)
def test_grades(stated: str, reference: str, code: str, version: str, best: str, worst: str) -> None:
    assert Grade[best] <= grade(stated, reference, code, version)[0] <= Grade[worst]


def test_the_best_of_several_references_and_parts_counts() -> None:
    references = [
        Diagnosis(code="", version="", rank=rank, name=name, name_source="note")
        for rank, name in enumerate(["Sepsis", "Pneumonia", "Gout"], 1)
    ]
    match = best_match("Severe pneumonia with dehydration", references)
    assert match is not None and (match.grade <= Grade.PARTIAL, match.reference) == (True, "Pneumonia")
    assert best_match("Pneumonia", []) is None


def test_a_list_of_everything_is_no_diagnosis() -> None:
    references = [Diagnosis(code="", version="", rank=1, name="Sepsis", name_source="note")]
    guess = best_match("pneumonia; heart failure; sepsis; stroke; gout; asthma", references)
    whole = best_match("Sepsis with pneumonia, acute kidney injury", references)
    assert guess is not None and guess.grade is Grade.MINOR
    assert whole is not None and whole.grade <= Grade.PARTIAL


def _patterns(**change: object) -> dict[str, str]:
    found = detect(consultation(PLAN.model_copy(update=change)))
    assert {f.pattern for f in found.findings} <= set(found.assessed_patterns)
    return {finding.pattern: finding.reason for finding in found.findings}


def test_a_clean_plan_has_only_its_match() -> None:
    assert list(_patterns()) == ["match_exact"]


def test_no_plan_is_majorly_incorrect_and_nothing_else_is_assessed() -> None:
    found = detect(consultation(None))
    assert [f.pattern for f in found.findings] == ["match_majorly_incorrect"]
    assert all(pattern.startswith("match") for pattern in found.assessed_patterns)


def test_reasoning_that_assumes_denied_or_unsaid_things() -> None:
    said = "Chest pain for two days in a heavy smoker, with vomiting since the morning."
    assert set(_patterns(reasoning=said)) == {"match_exact", "incorrect_assumption"}
    assert "incorrect_assumption" not in _patterns(
        reasoning="Chest pain for two days; no vomiting was mentioned, never smoked."
    )


def test_reasoning_that_is_a_fragment_or_leads_elsewhere() -> None:
    assert "flawed_reasoning_process" in _patterns(reasoning="Clear.")
    elsewhere = "Chest pain for two days points to pneumonia and to nothing else in this patient."
    assert "diagnosis_reasoning_mismatch" in _patterns(reasoning=elsewhere)


def _fact(concept: str) -> Fact:
    return Fact(fact_id=concept, domain=Domain.SYMPTOM, text=concept, concept=concept)


def test_sufficiency_needs_half_of_the_record_and_two_symptoms() -> None:
    record = [_fact(c) for c in ("chest_pain", "dyspnea", "nausea", "sweating")]
    assert dialogue_sufficient(record, record[:2]) is True
    assert dialogue_sufficient(record, record[:1]) is False
    assert dialogue_sufficient(record[:1], record[:1]) is True
    assert dialogue_sufficient([], record) is None


def test_a_wrong_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(UserError, match=r"x\.csv.*trial_0"):
        read_validation(tmp_path / "x.csv")

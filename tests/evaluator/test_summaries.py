"""Summaries and reasoning against what was said: numbers, nearness, denied lists, doubts (own sentences)."""

import pytest

from etl.caserecord import Assertion
from evaluator.detectors.nearness import TOLD, nearest, phrases
from evaluator.detectors.numbers import never_said, numbers, slightly_off
from evaluator.detectors.speech import first_match, stems
from evaluator.diagnosis.matching import Grade, grade
from evaluator.medication.explanation import Fault, fault_of
from evaluator.medication.plan_drugs import PlanDrug
from evaluator.statements import statements


@pytest.mark.parametrize(
    ("summary", "said"),
    [
        ("Fever of 38.4 for 2 weeks", "My temperature was 38.4, fourteen days now"),
        ("Operated in 1987", "They cut me in 87"),
        ("40 pack-years", "Two packs a day. No, four, for ten years"),
        ("Pain 6/10", "A six"),
    ],
)
def test_numbers_follow_from_what_was_said(summary: str, said: str) -> None:
    assert never_said(summary, numbers(said)) == ()


def test_a_number_nobody_said_is_found_and_weighed() -> None:
    said = numbers("I was nineteen when it began, and I am sixty now.")
    assert never_said("Began at 20, weight 83 kg", said) == (20.0, 83.0)
    assert slightly_off(20.0, said) and not slightly_off(83.0, said)


def test_paraphrase_is_near_and_another_matter_is_not() -> None:
    told = phrases("My ankles puff up, and I sleep badly.")
    assert told == ("My ankles puff up", "I sleep badly")
    assert nearest("ankles puffed up", told) >= TOLD > nearest("stroke", told)
    assert nearest("anything", ()) == 0.0


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("No cough after exercise, fever or rash.", {"cough", "fever", "rash"}),
        ("No cough, but fever after the journey.", {"cough"}),
    ],
)
def test_or_closes_a_denied_list(text: str, absent: set[str]) -> None:
    denied = {s.text.lower() for s in statements(text) if s.assertion is Assertion.ABSENT}
    assert absent <= denied and ("fever" in denied) == ("fever" in absent)


def test_strong_verbs_and_ratings_share_their_stem() -> None:
    assert stems("swollen") == stems("swell") and stems("8/10") == stems("8 out of 10")
    assert stems("120/80") != stems("120 out of 80")


@pytest.mark.parametrize("text", ["Cannot recall any cough", "Whether she ever fainted is open"])
def test_what_the_patient_cannot_tell_is_in_doubt(text: str) -> None:
    assert first_match("integration.yaml", "doubts", text)


@pytest.mark.parametrize(
    ("stated", "reference", "expected"),
    [
        ("Shingles of the right arm", "Herpes zoster", Grade.PARTIAL),
        ("Fracture of the left wrist", "Fracture of hip", Grade.MINOR),
        ("Deep vein thrombosis", "Pulmonary embolism", Grade.MINOR),
    ],
)
def test_sites_and_causes(stated: str, reference: str, expected: Grade) -> None:
    assert grade(stated, reference)[0] is expected


def test_whom_a_drug_is_for_is_no_purpose_of_its_own() -> None:
    behind = PlanDrug("ramipril", ("ramipril",), "spares the kidneys in a man with asthma")
    alone = PlanDrug("ramipril", ("ramipril",), "helps with asthma")
    assert fault_of(behind) is None
    assert fault_of(alone) is Fault.OTHER_INDICATION

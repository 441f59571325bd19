"""A patient's time grows with the length of what the doctor writes, and not with its square."""

import time

import pytest
from patient_case import FACTS

from simulator.patient.agent import Patient
from simulator.patient.confirming import as_questions
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol
from simulator.patient.sources import FactsInMemory


def _seconds(words: str) -> float:
    """The quickest of three first answers, by the processor's clock."""
    times = []
    for _ in range(3):
        patient = Patient(FactsInMemory(FACTS), load_persona("cooperative"), load_protocol("realistic"), seed=1)
        patient.answer("Hello.")
        began = time.process_time()
        patient.answer(words)
        times.append(time.process_time() - began)
    return min(times)


@pytest.mark.parametrize("unit", ["-", ",", "; ", " ,", "(", "( ", "—", "'", "please ", "confirm, "])
def test_time_grows_with_length_and_not_with_its_square(unit: str) -> None:
    small, large = (_seconds(unit * (length // len(unit))) for length in (10_000, 40_000))
    assert large < 4 * 2 * max(small, 0.02)


def test_a_run_of_brackets_is_passed_over() -> None:
    assert _seconds("(" * 160_000) < 4 * 2 * max(_seconds("(" * 40_000), 0.02)


@pytest.mark.parametrize("marks", [",", " -", " --", ";", ", -"])
def test_the_marks_before_a_request_still_part_it(marks: str) -> None:
    said = f"You take aspirin{marks} please confirm."
    assert as_questions(said) == {said: "do you take aspirin?"}

"""What answers told unasked is not asked for again, what is left open is, and what is refused once more at most."""

import pytest
from clinician_talk import talk
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.consultation.transcript import FinalPlan
from simulator.doctors.checklist import ChecklistDoctor
from simulator.doctors.details import details_told
from simulator.doctors.interface import Doctor
from simulator.doctors.statistical import StatisticalDoctor

TURNS = 15
OPENING = "A 50-year-old man comes in with a headache."
REFUSAL = "I'd rather not talk about that."
ASKS = {"onset": ("when did",), "severity": ("how bad",), "character": ("feel like", "how the headache feels")}


def doctor(kind: str, seed: int = 1) -> Doctor:
    return ChecklistDoctor(seed) if kind == "checklist" else StatisticalDoctor((), "1", seed)


def consult(who: Doctor, told: str, otherwise: str = "No.", cue: str = "own words") -> tuple[list[str], FinalPlan]:
    """Questions and plan where the question with `cue` is answered by `told`, and every other by `otherwise`."""
    exchanges, plan = talk(who, OPENING, lambda question: told if cue in question else otherwise)
    return [exchange.question for exchange in exchanges], plan


def asked_for(topic: str, questions: list[str]) -> bool:
    return any(cue in words.lower() for words in questions for cue in ASKS[topic])


@pytest.mark.parametrize("kind", ["checklist", "statistical"])
@pytest.mark.parametrize(
    ("told", "topics"),
    [
        ("I've got this headache.", set()),
        ("A headache. About four days, I'd say.", {"onset"}),
        ("This headache came on last night and it won't go away.", {"onset"}),
        ("My head hurts, a headache. It's eight out of ten.", {"severity"}),
        ("I've had a throbbing, severe headache since Monday.", {"onset", "severity", "character"}),
        ("A headache. It's been going on for quite some time.", set()),
        ("A headache. I'm not sure, perhaps since Monday.", set()),
        ("A headache. Two years ago I had one before.", set()),
        ("A headache. The vomiting started two days ago.", set()),
    ],
)
def test_only_what_the_story_left_open_is_asked(kind: str, told: str, topics: set[str]) -> None:
    questions, _ = consult(doctor(kind), told)
    asked = {topic for topic in ASKS if asked_for(topic, questions)}
    everything = set(ASKS) if kind == "checklist" else {"onset", "severity"}  # the other never asks for the character
    assert asked == everything - topics


@pytest.mark.parametrize("kind", ["checklist", "statistical"])
def test_an_answer_about_one_detail_may_tell_another(kind: str) -> None:
    questions, _ = consult(doctor(kind), "Yesterday, and it's severe.", cue="when did")
    assert asked_for("onset", questions) and not asked_for("severity", questions)


@pytest.mark.parametrize("kind", ["checklist", "statistical"])
def test_what_was_told_unasked_is_in_the_summary(kind: str) -> None:
    _, plan = consult(doctor(kind), "A headache. It began five days ago.")
    assert "Onset: It began five days ago." in plan.category_summaries["symptoms"]


@pytest.mark.parametrize("kind", ["checklist", "statistical"])
def test_what_is_held_possible_is_neither_reported_nor_denied(kind: str) -> None:
    _, plan = consult(doctor(kind), "A headache. It might be a fever too, but nobody has measured.")
    symptoms = plan.category_summaries["symptoms"]
    assert "fever" in symptoms.split("Possibly")[1] and "fever" not in symptoms.split("Possibly")[0]
    _, settled = consult(doctor(kind), "A headache. It might be a fever too. Yes, I have a fever.")
    assert "Possibly" not in settled.category_summaries["symptoms"]


@pytest.mark.parametrize("kind", ["checklist", "statistical"])
def test_habits_told_both_are_not_asked_one_alone_is(kind: str) -> None:
    both, plan = consult(
        doctor(kind), "No health problems. I smoke, and I drink alcohol at weekends.", cue="health problem"
    )
    one, _ = consult(doctor(kind), "No health problems. I smoke.", cue="health problem")
    assert not any("smoke" in words for words in both) and any("smoke" in words for words in one)
    assert "tobacco use and alcohol use" in plan.category_summaries["social_history"]


@pytest.mark.parametrize("kind", ["checklist", "statistical"])
@pytest.mark.parametrize("cue", ["when did", "allergic", "smoke", "family"])
def test_what_is_refused_is_asked_once_more_at_most(kind: str, cue: str) -> None:
    questions, _ = consult(doctor(kind), REFUSAL, cue=cue)
    assert 1 <= sum(cue in words.lower() for words in questions) <= 2


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(["checklist", "statistical"]),
    st.integers(0, 50),
    st.sampled_from(["A headache for three days.", "Severe, since today.", REFUSAL, "I don't know.", "zz"]),
    st.sampled_from(["No.", "Yes.", REFUSAL, "I can't say.", "Two days ago, 7 out of 10."]),
)
def test_same_seed_same_words_within_fifteen_turns(kind: str, seed: int, told: str, otherwise: str) -> None:
    first = consult(doctor(kind, seed), told, otherwise)
    assert first == consult(doctor(kind, seed), told, otherwise)
    assert len(first[0]) <= TURNS


@pytest.mark.parametrize(
    ("words", "topics"),
    [
        ("It lasts for two hours each time.", set()),
        ("I took ibuprofen for three days.", set()),
        ("I'm 50 years old.", set()),
        ("It isn't severe.", set()),
        ("I'm severely overweight.", set()),
        ("Every two days.", set()),
        ("The attacks last for two hours.", set()),
        ("For a few weeks now.", {"onset"}),
        ("Today.", {"onset"}),
    ],
)
def test_details_in_words(words: str, topics: set[str]) -> None:
    assert details_told(words, "headache").keys() == topics

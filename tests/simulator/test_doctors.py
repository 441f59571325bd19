"""The built-in clinicians: leave-one-out, courtesy, faithful summaries, allergies, repeatability, cost."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from clinician_talk import talk
from hypothesis import given, settings
from hypothesis import strategies as st

from etl.caserecord import (
    Assertion,
    CaseRecord,
    Demographics,
    Diagnosis,
    Medication,
    MedicationRole,
    Mention,
    MentionKind,
)
from simulator.consultation.transcript import FinalPlan
from simulator.doctors import hearing
from simulator.doctors.belief import Belief
from simulator.doctors.checklist import ChecklistDoctor
from simulator.doctors.hearing import Heard, listen
from simulator.doctors.interface import Conclusion, ConsultationView, Doctor, Exchange
from simulator.doctors.interview import symptom_question
from simulator.doctors.likelihoods import document, known_diseases, lesson, model_of
from simulator.doctors.statistical import StatisticalDoctor
from terminology import concepts, drugs, lay

ANSWERS = {
    "health problems": "I've had high blood pressure and osteoarthritis.",
    "long-term": "I've had high blood pressure and osteoarthritis.",
    "medicines": "I take lisinopril, 10 milligrams, once a day.",
    "allergic": "I'm allergic to penicillin. It gave me hives.",
    "operation": "No, none.",
    "family": "My father had a heart attack.",
    "smoke": "No, I don't smoke. I drink socially.",
    "anything else": "I have a fever and chills. I'm really scared.",
    "other symptoms": "I have a fever and chills. I'm really scared.",
    "own words": "I'm coughing up phlegm.",
    "start": "It started three days ago.",
    "begin": "It started three days ago.",
    "how bad": "I don't know how bad it is.",
    "mild, moderate": "It's moderate.",
    "blood pressure": "They told me 120/80.",
}
OPENING = "A 64-year-old woman comes in with coughing up phlegm."


def case(number: int, code: str, name: str, symptoms: Sequence[str], given: Sequence[str] = ()) -> CaseRecord:
    mentions = tuple(
        Mention(
            mention_id=f"{number}/{index}", kind=MentionKind.SYMPTOM, text=key, concept=key, assertion=Assertion.PRESENT
        )
        for index, key in enumerate(symptoms)
    )
    return CaseRecord(
        case_id=f"t:{number}",
        source="t",
        subject_id=str(number),
        hadm_id=str(number),
        demographics=Demographics(age=60, sex="F"),
        mentions=mentions,
        diagnoses=(Diagnosis(code=code, version="10", rank=1, name=name, name_source="dictionary"),),
        medications=tuple(Medication(name=drug, ingredients=(drug,), role=MedicationRole.DISCHARGE) for drug in given),
    )


COHORT = (
    case(1, "J18.9", "Pneumonia", ["cough", "fever"], ["cefpodoxime"]),
    case(2, "J18.9", "Pneumonia", ["cough", "dyspnea"], ["cefpodoxime", "azithromycin"]),
    case(3, "I21.4", "NSTEMI", ["chest_pain", "sweating"], ["aspirin"]),
    case(4, "Q99.9", "A chromosome disease", ["hiccups", "tremor"], ["zinc"]),
)


def converse(doctor: Doctor, answers: dict[str, str] = ANSWERS, turns: int = 15) -> tuple[list[Exchange], FinalPlan]:
    def answer(question: str) -> str:
        return next((words for cue, words in answers.items() if cue in question), "No.")

    return talk(doctor, OPENING, answer, turns)


def doctors() -> list[Doctor]:
    return [ChecklistDoctor(3), StatisticalDoctor(COHORT, "3", 3)]


def test_the_present_subject_is_in_no_count() -> None:
    without = model_of(COHORT).fitted("2")
    alone = model_of(tuple(item for item in COHORT if item.subject_id != "2")).fitted("nobody")
    rows = {disease.key: index for index, disease in enumerate(without.diseases)}
    assert all(item.subject_id != "2" for item in without.lessons)
    for index, disease in enumerate(alone.diseases):
        shared = [key for key in alone.concepts if key in without.column]
        left = without.rates[rows[disease.key], [without.column[key] for key in shared]]
        assert np.allclose(left, alone.rates[index, [alone.column[key] for key in shared]])
        assert without.prior[rows[disease.key]] == pytest.approx(alone.prior[index])
    assert without.treatments("pneumonia") == {"cefpodoxime": 1}


def test_every_admission_of_the_subject_is_left_out() -> None:
    twice = (*COHORT, COHORT[3].model_copy(update={"case_id": "t:5", "hadm_id": "5"}))
    fitted = model_of(twice).fitted("4")
    names = [disease.name for disease, prior in zip(fitted.diseases, fitted.prior, strict=True) if prior > 0]
    assert "a chromosome disease" not in names
    assert "a chromosome disease" in [disease.name for disease in model_of(twice).fitted("1").diseases]


def test_what_the_rest_of_the_cohort_got_is_given() -> None:
    _, plan = converse(StatisticalDoctor(COHORT, "3", 0), {**ANSWERS, "allergic": "No allergies."})
    assert plan.diagnosis == "pneumonia"
    assert "cefpodoxime" in plan.drugs


@pytest.mark.parametrize("index", [0, 1])
def test_a_history_over_all_domains_one_courteous_question_a_turn(index: int) -> None:
    exchanges, plan = converse(doctors()[index])
    words = [exchange.question for exchange in exchanges]
    assert len(words) <= 15 and all(text.count("?") <= 1 for text in words)
    text = " ".join(words).lower()
    for cue in (
        "when did",
        "medicines",
        "allergic",
        "operation",
        "family",
        "smoke",
        "in the past|health problem",
        "blood pressure",
    ):
        assert any(part in text for part in cue.split("|")), cue
    assert not [match.term for line in words for match in lay.jargon(line)]
    assert plan.diagnosis and plan.reasoning and set(plan.drug_reasons) == set(plan.drugs)


@pytest.mark.parametrize("index", [0, 1])
def test_emotion_is_acknowledged_and_an_unsure_answer_followed_up_once(index: int) -> None:
    exchanges, _ = converse(doctors()[index])
    pairs = list(pairwise(exchanges))
    scared = next(after.question for before, after in pairs if "scared" in before.answer)
    assert any(scared.startswith(phrase) for phrase in document("questions.yaml")["empathy"]["fear"])
    unsure = [after.question for before, after in pairs if "don't know how bad" in before.answer]
    assert len(unsure) == 1 and "mild, moderate or severe" in unsure[0]


@pytest.mark.parametrize("index", [0, 1])
def test_summaries_keep_denials_and_say_what_was_not_asked(index: int) -> None:
    _, plan = converse(doctors()[index])
    sums = plan.category_summaries
    assert {"symptoms", "medical_history", "family_history", "vital_signs", "allergies"} <= sums.keys()
    assert "fever" in sums["symptoms"].split("Denies")[0] and "penicillin" in sums["allergies"]
    assert "hypertension" in sums["medical_history"].lower() and "father" in sums["family_history"].lower()
    _, short = converse(doctors()[index], turns=2)
    assert short.category_summaries["allergies"].startswith("Not available")
    _, denied = converse(
        doctors()[index],
        {**ANSWERS, "allergic": "No, no allergies.", "anything else": "No fever.", "other symptoms": "No fever."},
    )
    assert denied.category_summaries["allergies"] == "Denies any allergy."
    assert "fever" in denied.category_summaries["symptoms"].split("Denies")[1]


@pytest.mark.parametrize("index", [0, 1])
def test_an_allergy_rules_its_drugs_out_and_the_plan_says_so(index: int) -> None:
    sore = {**ANSWERS, "own words": "I have a sore throat.", "brought you in": "I have a sore throat."}
    _, plan = converse(doctors()[index], sore)
    assert not {i for drug in plan.drugs for i in drugs.normalise(drug).ingredients} & {"amoxicillin", "penicillin"}
    assert "lisinopril" in plan.drugs and "home" in plan.drug_reasons["lisinopril"]


@pytest.mark.parametrize("doctor", [ChecklistDoctor(0), StatisticalDoctor((), "1", 0)])
def test_who_heard_nothing_prescribes_nothing(doctor: Doctor) -> None:
    view = ConsultationView(opening="", exchanges=(), turn=1, max_turns=1, must_conclude=True)
    move = doctor.respond(view)
    assert isinstance(move, Conclusion) and move.plan.diagnosis and not move.plan.drugs
    assert all(text.startswith("Not available") for text in move.plan.category_summaries.values())


def test_same_seed_same_words() -> None:
    assert converse(StatisticalDoctor(COHORT, "1", 5)) == converse(StatisticalDoctor(COHORT, "1", 5))
    assert converse(ChecklistDoctor(5)) == converse(ChecklistDoctor(5))


def test_fitting_is_shared() -> None:
    assert model_of(COHORT) is model_of(COHORT)


def test_the_question_asked_is_the_one_that_parts_the_likeliest_diseases() -> None:
    doctor = StatisticalDoctor(COHORT, "3", 0)
    doctor.respond(
        ConsultationView(
            opening="A 30-year-old woman comes in with chest pain.",
            exchanges=(),
            turn=1,
            max_turns=15,
            must_conclude=False,
        )
    )
    belief = Belief(doctor._fitted, doctor._interview)
    best = belief.most_informative({"chest_pain"})
    assert best is not None and concepts.get(best) is not None
    rates = doctor._fitted.rates[:, doctor._fitted.column[best]]
    likely = np.argsort(-belief.posterior)[:5]
    assert rates[likely].max() - rates[likely].min() > 0.2


def test_the_tables_name_known_concepts_and_drugs() -> None:
    for disease in known_diseases():
        assert all(concepts.get(key) for key in disease.rates), disease.key
        for group in disease.drugs:
            assert all(drugs.normalise(name).resolved for name in group.split(" | ")), (disease.key, group)
    for key in {key for disease in known_diseases() for key in disease.rates if concepts.get(key).kind == "symptom"}:  # type: ignore[union-attr]
        assert symptom_question(key).endswith("?")


def test_a_case_without_a_coded_diagnosis_teaches_nothing() -> None:
    assert lesson(COHORT[0].model_copy(update={"diagnoses": ()})) is None


@pytest.mark.parametrize(
    ("topic", "asked", "words", "present", "denied"),
    [
        ("symptom", ("fever",), "No.", set(), {"fever"}),
        ("symptom", ("fever",), "Yes, I do.", {"fever"}, set()),
        ("symptom", ("fever",), "I don't know.", set(), set()),
        ("symptom", ("fever",), "No fever, but I have a cough.", {"cough"}, {"fever"}),
        ("associated", (), "I have a rash. No vomiting.", {"rash"}, {"vomiting"}),
        ("symptom", ("fever",), "Why do you need to know that?", set(), set()),
    ],
)
def test_hearing(topic: str, asked: tuple[str, ...], words: str, present: set[str], denied: set[str]) -> None:
    heard = Heard()
    listen(heard, topic, asked, words)
    assert set(heard.symptoms) == present and set(heard.denied) == denied


@settings(deadline=None, max_examples=80)
@given(
    st.lists(
        st.sampled_from(
            ["No fever.", "I have a fever.", "I don't know.", "Yes.", "No.", "A cough, but no rash.", "zz"]
        ),
        max_size=6,
    )
)
def test_nothing_is_both_reported_and_denied(answers: list[str]) -> None:
    heard = Heard()
    for words in answers:
        listen(heard, "symptom", ("fever",), words)
    assert not set(heard.symptoms) & set(heard.denied)


def test_feelings_and_reluctance_are_noticed() -> None:
    assert hearing.emotion("It scares me.") == "fear"
    assert hearing.emotion("I already told you that.") == "frustration"
    assert hearing.emotion("It started on Monday.") is None
    assert hearing.reluctant("I'd rather not get into that.")
    assert hearing.unsure("I couldn't say when.") and not hearing.unsure("Two days ago.")

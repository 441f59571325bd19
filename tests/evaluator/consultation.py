"""A small consultation, written by hand, for tests of the evaluator."""

from etl.caserecord import Diagnosis
from evaluator.evidence import EvaluationInput
from kg.facts import AnswerKey
from simulator.consultation.transcript import FinalPlan, Participant, PatientTurn, TerminationReason, Transcript, Turn
from simulator.patient.asks import Understanding

SAID = [
    ("Hello, what brings you in today?", "My chest hurts and I am scared."),
    ("When did it start?", "It started two days ago."),
    ("Do you smoke?", "No, I never smoked."),
]
PLAN = FinalPlan(
    diagnosis="Angina pectoris",
    reasoning="Chest pain for two days in a non-smoker.",
    drugs=("aspirin",),
    drug_reasons={"aspirin": "to keep the blood from clotting"},
    category_summaries={"symptoms": "chest pain since two days", "allergies": "Not available"},
)


def consultation(plan: FinalPlan | None = PLAN, said: list[tuple[str, str]] = SAID) -> EvaluationInput:
    """The consultation as evidence, with one reference diagnosis."""
    turns = tuple(
        Turn(index=i, doctor_words=doctor, patient=PatientTurn(words=patient, understanding=Understanding()))
        for i, (doctor, patient) in enumerate(said, 1)
    )
    transcript = Transcript(
        case_id="test:1",
        protocol="realistic",
        seed=0,
        doctor=Participant(kind="chat_model", name="secret-model@127.0.0.1"),
        patient=Participant(kind="patient", name="patient"),
        opening="A 60-year-old man.",
        turns=turns,
        plan=plan,
        termination=TerminationReason.CONCLUDED if plan else TerminationReason.NO_FINAL_ANSWER,
    )
    reference = Diagnosis(code="I20.9", version="10", rank=1, name="Angina pectoris", name_source="dictionary")
    return EvaluationInput(transcript=transcript, answer_key=AnswerKey(case_id="test:1", diagnoses=(reference,)))

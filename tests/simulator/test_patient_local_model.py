"""A real local model speaks for the patient: whatever it says, only verified words reach the doctor."""

from pathlib import Path

import pytest
from patient_case import Case

from batch.clinic import Clinic
from batch.consultations import Consultation
from batch.experiment import Experiment
from chatmodels.endpoint import Endpoint
from chatmodels.openai_compatible import OpenAICompatible
from etl.caserecord import CaseRecord, Demographics, Diagnosis, Mention, MentionKind
from kg.build import build
from kg.facts import Domain
from kg.store import connect
from simulator.consultation.transcript import TerminationReason
from simulator.patient.asks import Ask, Attribute
from simulator.patient.verify import Evidence, verify

ASKS = (
    Ask(domain=Domain.CHIEF_COMPLAINT, attribute=Attribute.LIST),
    Ask(domain=Domain.SYMPTOM_DETAIL, concept="chest_pain", attribute=Attribute.ONSET),
    Ask(domain=Domain.SYMPTOM, concept="fever"),
    Ask(domain=Domain.MEDICATION, concept="metoprolol", attribute=Attribute.DOSE),
    Ask(domain=Domain.PAST_HISTORY, concept="hypertension"),
)


@pytest.mark.slow
@pytest.mark.local_model
def test_a_local_model_never_says_more_than_was_disclosed(local_model_url: str) -> None:
    case = Case(chat_model=OpenAICompatible(Endpoint(model="smollm2", base_url=local_model_url)))
    for ask in ASKS:
        turn = case.ask(ask)
        assert turn.usage.calls <= 1
        assert turn.spoken_by == "model" or turn.spoken_by.startswith("template_after_")
        assert turn.words
        if turn.spoken_by == "model":
            expected = Case().ask(ask)
            assert verify(turn.words, Evidence(turn.words, turn.disclosed, (), 120)) is None
            assert turn.outcomes == expected.outcomes


def _case() -> CaseRecord:
    """A short case of our own."""
    kinds = MentionKind
    mentions = (
        Mention(mention_id="m1", kind=kinds.SYMPTOM, text="cough", concept="cough", attributes={"duration": "3 days"}),
        Mention(mention_id="m2", kind=kinds.MEDICAL_HISTORY, text="asthma", concept="asthma"),
    )
    return CaseRecord(
        case_id="own:1",
        source="own",
        subject_id="1",
        hadm_id="1",
        demographics=Demographics(age=40, sex="F"),
        chief_complaint="cough",
        mentions=mentions,
        diagnoses=(Diagnosis(code="J18.9", version="10", rank=1, name="Pneumonia", name_source="dictionary"),),
    )


@pytest.mark.slow
@pytest.mark.local_model
def test_a_whole_consultation_of_an_experiment_with_a_model_as_the_patients_voice(
    local_model_url: str, tmp_path: Path
) -> None:
    experiment = Experiment(
        name="voiced",
        cohort=tmp_path / "cases.jsonl",
        doctors=("checklist",),
        max_turns=2,
        patient_model=Endpoint(model="smollm2", base_url=local_model_url),
    )
    item = Consultation(key="k", case_id="own:1", doctor="checklist", seed=0, persona="cooperative")
    with connect(tmp_path / "graph") as store:
        build(store, [_case()])
        clinic = Clinic(experiment, [_case()], store)
        transcript = clinic.transcript(item)
        scorecard = clinic.scorecard(transcript)
    assert transcript.termination in (TerminationReason.CONCLUDED, TerminationReason.CONCLUDED_AT_CAP)
    assert len(transcript.turns) == 2
    assert transcript.patient.settings["chat_model"]
    for turn in transcript.turns:
        assert turn.patient.words and "pneumonia" not in turn.patient.words.lower()
        assert turn.patient.usage.calls <= 1
        assert turn.patient.spoken_by == "model" or turn.patient.spoken_by.startswith("template_after_")
    assert sum(turn.patient.usage.calls for turn in transcript.turns) >= 1
    assert scorecard.case_id == "own:1"

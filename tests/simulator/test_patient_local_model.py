"""A real local model speaks for the patient: whatever it says, only verified words reach the doctor."""

import pytest
from patient_case import Case

from chatmodels.endpoint import Endpoint
from chatmodels.openai_compatible import OpenAICompatible
from kg.facts import Domain
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

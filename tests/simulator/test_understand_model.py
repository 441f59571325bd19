"""A chat model reads only what the rules do not know, in one call, and nothing that it says gets past validation."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patient_case import FACTS

from chatmodels.endpoint import Endpoint
from chatmodels.interface import ChatModelError
from chatmodels.openai_compatible import OpenAICompatible
from chatmodels.scripted import ScriptedModel
from kg.facts import Domain
from simulator.patient.agent import Patient
from simulator.patient.asks import Ask, Attribute, DialogueContext
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol
from simulator.patient.sources import FactsInMemory
from simulator.patient.understand import Understander
from simulator.patient.understanding.fallback import validated
from terminology import concepts

STRANGE = "Is the gradient of your wellness upward sloping this fortnight then?"
COUGH = Ask(domain=Domain.SYMPTOM_DETAIL, concept="cough", attribute=Attribute.COURSE)


class FailingStub(ScriptedModel):
    """A stub whose provider is down."""

    def complete(self, *args: object, **options: object):  # type: ignore[no-untyped-def, override]
        """Counts the call and fails."""
        super().complete(*args, **options)  # type: ignore[arg-type]
        raise ChatModelError("stub: down")


def reply(*asks: dict[str, object]) -> str:
    return json.dumps({"asks": asks})


def stub(text: str) -> ScriptedModel:
    """A stub, by its name too: it says one thing whatever it is asked."""
    return ScriptedModel([text])


def test_the_model_decides_where_the_rules_only_guess() -> None:
    model = stub(reply({"domain": "Symptom detail", "concept": "coughing", "attribute": "progression"}))
    understood = Understander(chat_model=model).understand(STRANGE, DialogueContext())
    assert [ask.model_copy(update={"words": ""}) for ask in understood.asks] == [COUGH]
    assert (understood.by, understood.usage.calls, len(model.calls)) == (model.name, 1, 1)


def test_without_a_model_and_for_plain_questions_no_call_is_made() -> None:
    model = stub(reply())
    understander = Understander(chat_model=model)
    for words in ("Any fever?", "When did it start?", "Do you smoke?", "Okay.", "", "What brings you in?"):
        assert understander.understand(words, DialogueContext()).by in ("rules", "embeddings")
    assert not model.calls
    assert Understander().understand(STRANGE, DialogueContext()).by != model.name


@pytest.mark.parametrize(
    "text",
    ["", "I cannot", "{", "[]", '{"asks": 3}', '{"asks": []}', '{"asks": [{"domain": "answer_key"}]}', '{"asks": [7]}'],
)
def test_a_useless_reply_leaves_the_rules_answer(text: str) -> None:
    by_rules = Understander().understand(STRANGE, DialogueContext())
    read = Understander(chat_model=stub(text)).understand(STRANGE, DialogueContext())
    assert read.model_copy(update={"usage": by_rules.usage}) == by_rules
    assert read.usage.calls == 1


def test_a_provider_failure_leaves_the_rules_answer() -> None:
    model = FailingStub([""])
    by_rules = Understander().understand(STRANGE, DialogueContext())
    assert Understander(chat_model=model).understand(STRANGE, DialogueContext()) == by_rules
    assert len(model.calls) == 1


def test_concepts_and_people_are_those_of_the_terminology() -> None:
    asks = validated(
        reply(
            {"domain": "family", "concept": "high blood pressure", "attribute": "existence", "experiencer": "mum"},
            {"domain": "medication", "concept": "Lopressor", "attribute": "dose", "experiencer": "patient"},
            {"domain": "symptom", "concept": "glorbiness", "attribute": "existence", "experiencer": "the gardener"},
        ),
        "words",
    )
    assert [(ask.concept, ask.term, ask.experiencer) for ask in asks] == [
        ("hypertension", "", "mother"),
        ("metoprolol", "", "patient"),
        (None, "glorbiness", "patient"),
    ]


@given(
    st.recursive(
        st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
@settings(max_examples=50, deadline=None)
def test_no_reply_raises(value: object) -> None:
    assert isinstance(validated(json.dumps({"asks": value}), "words"), tuple)


@pytest.mark.slow
@pytest.mark.local_model
def test_a_local_model_keeps_to_the_structure(local_model_url: str) -> None:
    model = OpenAICompatible(Endpoint(model="smollm2", base_url=local_model_url))
    understood = Understander(chat_model=model).understand(STRANGE, DialogueContext())
    assert understood.by in ("rules", "embeddings", model.name)
    for ask in understood.asks:
        assert ask.concept is None or ask.domain is Domain.DEMOGRAPHICS or concepts.get(ask.concept) is not None


def test_a_patients_turn_counts_what_its_understanding_cost() -> None:
    reader = stub(reply({"domain": "symptom", "concept": "fever", "attribute": "existence"}))
    persona, protocol = load_persona("cooperative"), load_protocol("realistic")
    understander = Understander(chat_model=reader).understand
    patient = Patient(FactsInMemory(FACTS), persona, protocol, seed=1, understander=understander)
    assert patient.answer(STRANGE).usage.calls == 1
    assert patient.answer("Any fever?").usage.calls == 0

"""Personas and protocols are data: their levels, their names, what they change and what they never change."""

import pytest
from patient_case import FACTS, Case

from foundation.errors import UserError
from kg.facts import Domain
from simulator.patient.asks import Ask, AskStatus, Attribute
from simulator.patient.persona import Level, load_persona, personas
from simulator.patient.protocol import Undocumented, load_protocol, protocol_names

NAMED = ("cooperative", "anxious", "terse", "stoic", "skeptical", "confused")
PAPER = ("responsible", "organized", "analytical", "terse")


def test_every_persona_is_there() -> None:
    known = personas()
    assert set(NAMED) | set(PAPER) <= set(known)
    assert len([name for name in known if name.startswith(("O+", "O-"))]) == 32
    assert {load_persona(f"literacy_{level}").traits.health_literacy for level in Level} == set(Level)


def test_skeptical_is_as_the_text_prints_it() -> None:
    traits = load_persona("skeptical").traits
    assert traits.model_dump() == {
        "cooperation": Level.LOW,
        "anxiety": Level.MEDIUM,
        "health_literacy": Level.HIGH,
        "patience": Level.MEDIUM,
        "symptom_clarity": Level.HIGH,
        "urgency": Level.MEDIUM,
        "communication": Level.LOW,
    }


def test_unknown_names_say_the_known_ones() -> None:
    with pytest.raises(UserError, match="cooperative"):
        load_persona("grumpy")
    with pytest.raises(UserError, match="realistic"):
        load_protocol("fantastic")


def test_protocols() -> None:
    assert set(protocol_names()) == {"paper", "realistic"}
    paper, realistic = load_protocol("paper"), load_protocol("realistic")
    assert paper.undocumented_policy(Domain.SYMPTOM) is Undocumented.UNKNOWN
    assert realistic.undocumented_policy(Domain.SYMPTOM) is Undocumented.DENY
    assert realistic.undocumented_policy(Domain.FAMILY_HISTORY) is Undocumented.UNKNOWN
    assert (paper.max_turns, realistic.max_turns) == (15, 15)


@pytest.mark.parametrize("name", [*NAMED, *PAPER, "literacy_low", "literacy_high", "O+C+E+A+N+", "O-C-E-A-N-"])
def test_no_persona_changes_a_fact(name: str) -> None:
    """Asked, and pressed where the first answer was blurred or held back, each persona gives the same facts."""
    for fact in FACTS:
        ask = Ask(domain=fact.domain, concept=fact.concept, experiencer=fact.experiencer)
        settled = []
        for persona in ("cooperative", name):
            case = Case(persona=persona)
            turn = case.ask(ask)
            if turn.outcomes[0].status in (AskStatus.VAGUE, AskStatus.WITHHELD):
                turn = case.ask(ask)
            settled.append((turn.outcomes[0].status, turn.outcomes[0].fact_ids))
        assert settled[0] == settled[1], fact.fact_id


def test_personas_talk_differently() -> None:
    complaint = Ask(domain=Domain.CHIEF_COMPLAINT, attribute=Attribute.LIST)
    said = {name: Case(persona=name).ask(complaint) for name in ("terse", "anxious")}
    assert len(said["terse"].words) < len(said["anxious"].words)
    assert not said["terse"].volunteered
    assert said["anxious"].volunteered
    breath = Ask(domain=Domain.SYMPTOM, concept="dyspnea")
    assert "dyspnea" in Case(persona="literacy_high").ask(breath).words
    assert "dyspnea" not in Case(persona="literacy_low").ask(breath).words


def test_emotion_is_recorded_and_heard() -> None:
    pain = Ask(domain=Domain.SYMPTOM, concept="chest_pain")
    turns = [Case(persona="anxious", seed=seed).ask(pain) for seed in range(30)]
    felt = [turn for turn in turns if turn.emotion]
    assert {turn.emotion for turn in felt} <= {"pain", "fear", "frustration"}
    assert 5 < len(felt) < 30
    assert not any(Case(persona="stoic", seed=seed).ask(pain).emotion for seed in range(30))
    case = Case(persona="terse", seed=1)
    repeated = [case.ask(pain) for _ in range(6)]
    assert "frustration" in {turn.emotion for turn in repeated}

"""1,000 hostile consultations over a real graph: what reaches the server, and what the patients say."""

import itertools
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from etl.cases import read_cases
from foundation.seeds import generator
from kg import schema
from kg.answer_key import answer_key
from kg.build import build
from kg.patient_view import PatientView
from kg.queries.patient import PATIENT_QUERIES
from kg.store import Reader, Row, connect
from simulator.patient.agent import Patient
from simulator.patient.persona import load_persona
from simulator.patient.proof.cohort import from_graph
from simulator.patient.protocol import load_protocol
from terminology import drugs

CATALOGUE = {query.cypher for query in PATIENT_QUERIES.values()}
CONSULTATIONS, ATTACKS_EACH = 1_000, 4
PERSONAS = ("cooperative", "anxious", "terse", "stoic", "skeptical", "confused")


class Watched:
    """The store, with every query that a patient causes written down."""

    def __init__(self, store: Reader) -> None:
        self.store = store
        self.seen: list[tuple[str, dict[str, Any]]] = []

    def read(self, cypher: str, /, **parameters: Any) -> list[Row]:
        self.seen.append((cypher, parameters))
        return self.store.read(cypher, **parameters)


def _attacks() -> list[str]:
    text = files("simulator.patient").joinpath("data", "attacks.jsonl").read_text("utf-8")
    return [json.loads(line)["words"] for line in text.splitlines() if line.strip()]


@pytest.mark.slow
def test_a_thousand_hostile_consultations(demo_home: Path) -> None:
    attacks = _attacks()
    assert len(attacks) >= 200
    order = generator(7, "attacks")
    with connect(demo_home) as store:
        cases = list(read_cases(demo_home / "cohorts" / "sample.jsonl"))
        build(store, cases)
        secrets = {proof.case_id: proof.secrets for proof in from_graph(store, [case.case_id for case in cases])}
        watched = Watched(store)
        leaks: list[tuple[str, str]] = []
        turn_of = itertools.cycle(cases)
        for number in range(CONSULTATIONS):
            case, before = next(turn_of), len(watched.seen)
            persona = load_persona(PERSONAS[number % len(PERSONAS)])
            patient = Patient(PatientView(watched, case.case_id), persona, load_protocol("realistic"), number)
            for attack in order.sample(attacks, ATTACKS_EACH):
                words = patient.answer(attack).words.lower()
                secret = secrets[case.case_id]
                named = [name for name in secret.diagnoses if name in words and name not in attack.lower()]
                given = {i for match in drugs.find(words) for i in match.ingredients} & secret.ingredients
                asked = {i for match in drugs.find(attack) for i in match.ingredients}
                leaks += [(case.case_id, attack)] if named or given - asked else []
            for cypher, parameters in watched.seen[before:]:
                assert parameters == {"case_id": case.case_id}
                assert cypher in CATALOGUE
        assert leaks == []
        assert len(watched.seen) >= CONSULTATIONS
        hidden = {*schema.ANSWER_KEY, *schema.ANSWER_KEY.values()}
        assert not any(name in cypher for cypher, _ in watched.seen for name in hidden)
        assert any(answer_key(store, case.case_id).diagnoses for case in cases), "the key is there to be leaked"

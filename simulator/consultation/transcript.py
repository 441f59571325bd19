"""Transcript: what the simulator hands to the evaluator."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from chatmodels.interface import Usage
from foundation.records import Frozen
from kg.facts import Fact
from simulator.patient.asks import AskOutcome, Understanding


class TerminationReason(StrEnum):
    """Why a consultation ended. Only CONCLUDED, CONCLUDED_AT_CAP, NO_FINAL_ANSWER and PROTOCOL_VIOLATION are scored."""

    CONCLUDED = "concluded"
    CONCLUDED_AT_CAP = "concluded_at_cap"
    NO_FINAL_ANSWER = "no_final_answer"
    PROTOCOL_VIOLATION = "protocol_violation"
    DOCTOR_ERROR = "doctor_error"
    PATIENT_ERROR = "patient_error"
    INFRASTRUCTURE_ERROR = "infrastructure_error"
    CANCELLED = "cancelled"
    BUDGET = "budget"


class Participant(Frozen):
    """Who spoke: kind ("checklist", "statistical", "chat_model", "person", "patient"), name, settings that matter."""

    kind: str
    name: str
    settings: dict[str, str] = Field(default_factory=dict)


class PatientTurn(Frozen):
    """The patient's side of a turn.

    `disclosed` are the facts that the words state, asked for or `volunteered` (ids). `emotion` is what the words
    show ("fear", "pain", "frustration") or None; `vague` says that the words blur a known fact. `speaker` is
    "patient" or the relative who speaks. `spoken_by`: "template", "model", or "template_after_<reason>".
    """

    words: str
    understanding: Understanding
    outcomes: tuple[AskOutcome, ...] = ()
    disclosed: tuple[Fact, ...] = ()
    volunteered: tuple[str, ...] = ()
    emotion: str | None = None
    vague: bool = False
    speaker: str = "patient"
    spoken_by: str = "template"
    usage: Usage = Usage()
    latency_ms: float = 0.0


class Turn(Frozen):
    """One question and its answer; `index` counts from 1."""

    index: int = Field(ge=1)
    doctor_words: str
    patient: PatientTurn
    doctor_usage: Usage = Usage()
    doctor_latency_ms: float = 0.0


class FinalPlan(Frozen):
    """The doctor's conclusion, as the paper's answer format (Supplementary Note 2) asks for it.

    `category_summaries` keys: symptoms, medical_history, family_history, vital_signs, allergies; others allowed.
    `drug_reasons` maps a drug, as written in `drugs`, to why.
    """

    diagnosis: str
    differentials: tuple[str, ...] = ()
    reasoning: str = ""
    drugs: tuple[str, ...] = ()
    drug_reasons: dict[str, str] = Field(default_factory=dict)
    category_summaries: dict[str, str] = Field(default_factory=dict)


class Transcript(Frozen):
    """One consultation, complete.

    `opening` is what the doctor knew before the first question. Latencies are wall-clock and left out of
    `canonical_json`, so that the same seed gives the same bytes. `known_domains` says which domains the patient's
    graph holds facts in. Imported dialogue has `traced` False: its outcomes were derived by reading.
    """

    case_id: str
    protocol: str
    seed: int
    doctor: Participant
    patient: Participant
    opening: str
    turns: tuple[Turn, ...] = ()
    plan: FinalPlan | None = None
    termination: TerminationReason
    detail: str = ""
    plan_usage: Usage = Usage()
    traced: bool = True
    schema_version: Literal[1] = 1

    def canonical_json(self) -> str:
        """JSON without latencies: equal bytes for equal seeds."""
        turns = tuple(
            turn.model_copy(
                update={"doctor_latency_ms": 0.0, "patient": turn.patient.model_copy(update={"latency_ms": 0.0})}
            )
            for turn in self.turns
        )
        return self.model_copy(update={"turns": turns}).model_dump_json()

"""The consultation: at most 15 questions and answers, then always the final plan."""

import time
from collections.abc import Callable
from typing import Protocol

from chatmodels.interface import ChatModelError, Usage
from simulator.consultation.transcript import FinalPlan, Participant, PatientTurn, TerminationReason, Transcript, Turn
from simulator.doctors.interface import Conclusion, ConsultationView, Doctor, DoctorError, Exchange, Question

MAX_TURNS = 15


class AnsweringPatient(Protocol):
    """The patient as the loop sees it."""

    @property
    def participant(self) -> Participant:
        """Identity and settings."""
        ...

    def opening(self) -> str:
        """What the doctor knows before the first question."""
        ...

    def answer(self, words: str) -> PatientTurn:
        """The patient's side of one turn."""
        ...


class Consultation:
    """One consultation in progress; `run()` it to its Transcript. `on_turn` is called after every answer."""

    def __init__(
        self,
        doctor: Doctor,
        patient: AnsweringPatient,
        *,
        case_id: str,
        protocol: str,
        seed: int,
        max_turns: int = MAX_TURNS,
        on_turn: Callable[[Turn], None] | None = None,
    ) -> None:
        self._doctor, self._patient = doctor, patient
        self._case_id, self._protocol, self._seed, self._max_turns = case_id, protocol, seed, max_turns
        self._on_turn = on_turn
        self._opening = patient.opening()
        self._turns: list[Turn] = []

    def run(self) -> Transcript:
        """Ask and answer until the doctor concludes; at the cap the plan is requested (paper: Simulation…)."""
        try:
            return self._converse()
        except ChatModelError as error:
            return self._ended(TerminationReason.INFRASTRUCTURE_ERROR, detail=str(error)[:200])
        except DoctorError as error:
            return self._ended(TerminationReason.DOCTOR_ERROR, detail=str(error)[:200])

    def _converse(self) -> Transcript:
        while len(self._turns) < self._max_turns:
            started = time.perf_counter()
            move = self._doctor.respond(self._view(must_conclude=False))
            if isinstance(move, Conclusion):
                return self._ended(TerminationReason.CONCLUDED, move.plan, usage=move.usage)
            if not move.words.strip():
                raise DoctorError("empty question")
            self._take_turn(move, 1000 * (time.perf_counter() - started))
        move = self._doctor.respond(self._view(must_conclude=True))
        if isinstance(move, Conclusion):
            return self._ended(TerminationReason.CONCLUDED_AT_CAP, move.plan, usage=move.usage)
        return self._ended(TerminationReason.NO_FINAL_ANSWER, usage=move.usage)

    def _take_turn(self, question: Question, doctor_latency_ms: float) -> None:
        started = time.perf_counter()
        answer = self._patient.answer(question.words)
        turn = Turn(
            index=len(self._turns) + 1,
            doctor_words=question.words,
            patient=answer.model_copy(update={"latency_ms": 1000 * (time.perf_counter() - started)}),
            doctor_usage=question.usage,
            doctor_latency_ms=doctor_latency_ms,
        )
        self._turns.append(turn)
        if self._on_turn:
            self._on_turn(turn)

    def _view(self, must_conclude: bool) -> ConsultationView:
        return ConsultationView(
            opening=self._opening,
            exchanges=tuple(Exchange(question=t.doctor_words, answer=t.patient.words) for t in self._turns),
            turn=min(len(self._turns) + 1, self._max_turns),
            max_turns=self._max_turns,
            must_conclude=must_conclude,
        )

    def _ended(
        self, reason: TerminationReason, plan: FinalPlan | None = None, *, detail: str = "", usage: Usage | None = None
    ) -> Transcript:
        return Transcript(
            case_id=self._case_id,
            protocol=self._protocol,
            seed=self._seed,
            doctor=self._doctor.participant,
            patient=self._patient.participant,
            opening=self._opening,
            turns=tuple(self._turns),
            plan=plan,
            termination=reason,
            detail=detail,
            plan_usage=usage or Usage(),
        )


def consult(
    doctor: Doctor,
    patient: AnsweringPatient,
    *,
    case_id: str,
    protocol: str,
    seed: int,
    max_turns: int = MAX_TURNS,
    on_turn: Callable[[Turn], None] | None = None,
) -> Transcript:
    """Run one consultation to its end. Ctrl-C passes through: only the consultation in flight is lost."""
    consultation = Consultation(
        doctor, patient, case_id=case_id, protocol=protocol, seed=seed, max_turns=max_turns, on_turn=on_turn
    )
    return consultation.run()

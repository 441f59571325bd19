"""A consultation between a clinician and answers made by a test."""

from collections.abc import Callable

from simulator.consultation.transcript import FinalPlan
from simulator.doctors.interface import Conclusion, ConsultationView, Doctor, Exchange, Question


def talk(
    doctor: Doctor, opening: str, answer: Callable[[str], str], turns: int = 15
) -> tuple[list[Exchange], FinalPlan]:
    """Questions with their answers, and the plan at the end; `answer` is given each question in lower case."""
    exchanges: list[Exchange] = []
    while True:
        view = ConsultationView(
            opening=opening,
            exchanges=tuple(exchanges),
            turn=min(len(exchanges) + 1, turns),
            max_turns=turns,
            must_conclude=len(exchanges) >= turns,
        )
        move = doctor.respond(view)
        if isinstance(move, Conclusion):
            return exchanges, move.plan
        assert isinstance(move, Question)
        exchanges.append(Exchange(question=move.words, answer=answer(move.words.lower())))

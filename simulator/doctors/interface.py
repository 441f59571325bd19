"""What a doctor sees and may do; imports nothing of the patient's side but words."""

from typing import Protocol

from chatmodels.interface import Usage
from foundation.records import Frozen
from simulator.consultation.transcript import FinalPlan, Participant


class Exchange(Frozen):
    """One question and the words that came back."""

    question: str
    answer: str


class ConsultationView(Frozen):
    """All that a doctor may know: words only, never the trace.

    `turn` counts from 1 to `max_turns` (15); `must_conclude` asks for the final plan now.
    """

    opening: str
    exchanges: tuple[Exchange, ...]
    turn: int
    max_turns: int
    must_conclude: bool


class Question(Frozen):
    """The doctor's next words to the patient."""

    words: str
    usage: Usage = Usage()


class Conclusion(Frozen):
    """The doctor's final plan."""

    plan: FinalPlan
    usage: Usage = Usage()


class Doctor(Protocol):
    """Anything that turns a view into a question or a conclusion; one instance per consultation."""

    @property
    def participant(self) -> Participant:
        """Identity and settings, as the transcript records them."""
        ...

    def respond(self, view: ConsultationView) -> Question | Conclusion:
        """The next question, or the conclusion (obligatory where `view.must_conclude`).

        Raises ChatModelError for infrastructure, DoctorError where the doctor itself fails.
        """
        ...


class DoctorError(Exception):
    """The doctor gave nothing usable (not infrastructure); the consultation ends as doctor_error."""

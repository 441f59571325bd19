"""A person as the doctor: questions and the plan come from wherever `ask` gets them (terminal, web page)."""

from collections.abc import Callable

from simulator.consultation.transcript import FinalPlan, Participant
from simulator.doctors.interface import Conclusion, ConsultationView, Question

NOT_GIVEN = "Not available"
"""What stands for a diagnosis or a summary that the person left empty, as the paper's doctors write it."""
CATEGORIES = ("symptoms", "medical_history", "family_history", "vital_signs", "allergies")


class PersonDoctor:
    """`ask(prompt)` returns a typed line; an empty question (or /done) ends the questions and asks for the plan."""

    def __init__(self, ask: Callable[[str], str], name: str = "person") -> None:
        self._ask, self._name = ask, name

    @property
    def participant(self) -> Participant:
        """A person, by the name given."""
        return Participant(kind="person", name=self._name)

    def respond(self, view: ConsultationView) -> Question | Conclusion:
        """The typed question, or the plan."""
        if not view.must_conclude:
            words = self._ask(f"[{view.turn}/{view.max_turns}] you").strip()
            if words and words != "/done":
                return Question(words=words)
        return Conclusion(plan=self._plan())

    def _plan(self) -> FinalPlan:
        diagnosis = self._ask("your diagnosis").strip()
        reasoning = self._ask("how you reached it").strip()
        drugs = tuple(part.strip() for part in self._ask("drugs, separated by commas").split(",") if part.strip())
        reasons = {drug: self._ask(f"why {drug}").strip() for drug in drugs}
        summaries = {name: self._ask(f"summary: {name.replace('_', ' ')}").strip() for name in CATEGORIES}
        return FinalPlan(
            diagnosis=diagnosis or NOT_GIVEN,
            reasoning=reasoning,
            drugs=drugs,
            drug_reasons={drug: reason for drug, reason in reasons.items() if reason},
            category_summaries={name: text or NOT_GIVEN for name, text in summaries.items()},
        )

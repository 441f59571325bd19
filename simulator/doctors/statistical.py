"""The statistical clinician: asks what is most informative, diagnoses by Bayes, treats as the rest of the cohort was.

Its knowledge is a hand-written table of general medicine (data/conditions.yaml) and the cohort's other patients; the
present patient's subject is left out of every count. It hears words only. It is the floor that a model has to beat.
"""

from collections.abc import Sequence

from chatmodels.interface import Usage
from etl.caserecord import CaseRecord
from foundation.seeds import generator
from simulator.consultation.transcript import FinalPlan, Participant
from simulator.doctors.belief import Belief
from simulator.doctors.conclusion import plan
from simulator.doctors.interface import Conclusion, ConsultationView, Question
from simulator.doctors.interview import Interview, Step
from simulator.doctors.likelihoods import document, model_of
from simulator.doctors.treatment import NO_TREATMENT, prescribe

_FIRST = ("story", "onset", "severity", "associated")
_BACKGROUND = ("past_history", "medications", "allergies", "surgery", "family", "habits", "living", "vitals")
_LAST = ("mood",)
FOLLOW_UPS = 4
"""Most second questions in one consultation: the others go to what tells more."""
SLACK = 2
"""Turns kept back for following up unsure answers about the background."""


class StatisticalDoctor:
    """One consultation by the statistical clinician; `exclude_subject` is the patient that it must never have seen."""

    def __init__(self, cases: Sequence[CaseRecord], exclude_subject: str, seed: int) -> None:
        self._fitted = model_of(cases).fitted(exclude_subject)
        self._interview = Interview(generator(seed, "statistical"))
        self._seed = seed

    @property
    def participant(self) -> Participant:
        """Identity and settings."""
        settings = {"seed": str(self._seed), "cases": str(len(self._fitted.lessons))}
        return Participant(kind="statistical", name="statistical", settings=settings)

    def respond(self, view: ConsultationView) -> Question | Conclusion:
        """The next question by information gain, the background in time, and a plan at the end."""
        self._interview.catch_up(view)
        step = None if view.must_conclude else self._next(view)
        if step is None:
            return Conclusion(plan=self._conclude(), usage=Usage())
        return Question(words=self._interview.words(step, view), usage=Usage())

    def _next(self, view: ConsultationView) -> Step | None:
        left = view.max_turns - len(view.exchanges)
        background = [topic for topic in _BACKGROUND if not self._interview.settled(topic)]
        last = [topic for topic in _LAST if not self._interview.asked(topic)]
        if left <= 0:
            return None
        again = self._interview.follow_up(view) if self._interview.second_questions < FOLLOW_UPS else None
        if again and left > len(background):
            return again
        first = [topic for topic in _FIRST if not self._interview.settled(topic)]
        if first:
            return Step(first[0])
        reserved = len(background) + SLACK if background else len(last)
        if left > reserved and (key := self._belief().most_informative(self._known())):
            return Step("symptom", key)
        return Step((background or last)[0]) if background or last else None

    def _belief(self) -> Belief:
        return Belief(self._fitted, self._interview)

    def _known(self) -> set[str]:
        heard = self._interview.heard
        asked = {step.subject for step in self._interview.steps if step.topic == "symptom"}
        return {*heard.symptoms, *heard.denied, *heard.possible, *asked, *document("questions.yaml")["never_ask"]}

    def _conclude(self) -> FinalPlan:
        belief = self._belief()
        ranked = belief.ranked()
        disease, others = ranked[0], ranked[1:4]
        heard = self._interview.heard
        treatment = prescribe(disease, self._fitted, heard) if heard.symptoms else NO_TREATMENT
        return plan(self._interview, disease, others, belief.support(disease, others), treatment)

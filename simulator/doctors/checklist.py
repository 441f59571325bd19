"""The checklist clinician: a fixed, courteous history over all domains, then a plan from simple rules."""

from chatmodels.interface import Usage
from foundation.seeds import generator
from simulator.consultation.transcript import FinalPlan, Participant
from simulator.doctors.conclusion import plan
from simulator.doctors.interface import Conclusion, ConsultationView, Question
from simulator.doctors.interview import Interview, Step
from simulator.doctors.likelihoods import Disease, known_diseases
from simulator.doctors.treatment import NO_TREATMENT, prescribe

_FIXED = (
    "story",
    "onset",
    "severity",
    "character",
    "associated",
    "past_history",
    "medications",
    "allergies",
    "surgery",
    "family",
    "habits",
    "living",
    "mood",
    "vitals",
)


class ChecklistDoctor:
    """One consultation by the checklist; the two turns that it leaves free go to unsure answers."""

    def __init__(self, seed: int) -> None:
        self._interview = Interview(generator(seed, "checklist"))
        self._seed = seed

    @property
    def participant(self) -> Participant:
        """Identity and settings."""
        return Participant(kind="checklist", name="checklist", settings={"seed": str(self._seed)})

    def respond(self, view: ConsultationView) -> Question | Conclusion:
        """The next item of the list, or a follow-up of an unsure answer while turns allow; then the plan."""
        self._interview.catch_up(view)
        left = view.max_turns - len(view.exchanges)
        items = [topic for topic in _FIXED if not self._interview.settled(topic) and self._interview.fits(topic)]
        again = self._interview.follow_up(view)
        if view.must_conclude or left <= 0 or not (items or again):
            return Conclusion(plan=self._conclude(), usage=Usage())
        step = again if again and left > len(items) else Step(items[0]) if items else None
        if step is None:
            return Conclusion(plan=self._conclude(), usage=Usage())
        return Question(words=self._interview.words(step, view), usage=Usage())

    def _conclude(self) -> FinalPlan:
        ranked = sorted(known_diseases(), key=self._score, reverse=True)
        disease, others = ranked[0], ranked[1:3]
        heard = self._interview.heard
        found = [key for key in heard.symptoms if disease.rates.get(key, 0) >= 0.2]
        missing = [key for key in heard.denied if any(other.rates.get(key, 0) >= 0.4 for other in others)]
        treatment = prescribe(disease, None, heard) if heard.symptoms else NO_TREATMENT
        return plan(self._interview, disease, others, (found, missing), treatment)

    def _score(self, disease: Disease) -> float:
        """Typical symptoms that were heard, less those that were denied; the main complaint counts double."""
        heard = self._interview.heard
        if disease.sex and self._interview.sex and disease.sex != self._interview.sex:
            return -10.0
        score = sum(disease.rates.get(key, -0.15) for key in heard.symptoms)
        score += sum(disease.rates.get(key, 0) for key in self._interview.complaints)
        score += 0.5 * sum(disease.rates.get(key, 0) for key in heard.history)
        return score - 0.7 * sum(disease.rates.get(key, 0) for key in heard.denied) + 0.05 * disease.common

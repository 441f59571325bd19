"""What a detector or judge may look at: one consultation, the patient's facts and the answer key."""

from functools import cached_property

from foundation.records import Frozen
from kg.facts import AnswerKey, Fact
from simulator.consultation.transcript import Transcript


class EvaluationInput(Frozen):
    """One consultation to be evaluated.

    `facts` are all that the patient's graph holds for the patient; empty for imported dialogue without a graph.
    """

    transcript: Transcript
    facts: tuple[Fact, ...] = ()
    answer_key: AnswerKey | None = None

    @cached_property
    def disclosed(self) -> tuple[Fact, ...]:
        """Facts that the patient stated, first occurrence of each, in order of telling."""
        told = {
            fact.fact_id: fact for turn in reversed(self.transcript.turns) for fact in reversed(turn.patient.disclosed)
        }
        return tuple(reversed(told.values()))

    @cached_property
    def words(self) -> str:
        """All that a finding may quote: both speakers and the whole plan, one passage a line."""
        plan = self.transcript.plan
        passages = [part for turn in self.transcript.turns for part in (turn.doctor_words, turn.patient.words)]
        if plan is not None:
            passages += [plan.diagnosis, *plan.differentials, plan.reasoning, *plan.drugs, *plan.drug_reasons.values()]
            passages += [text for pair in plan.category_summaries.items() for text in pair]
        return "\n".join(passages)

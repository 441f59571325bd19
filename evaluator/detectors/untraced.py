"""What may be called left out of a clinician's note where the dialogue was only read, and no trace says what was told.

Notes say the same in other words, so one thing counts alone: what was asked for and given, and left out with all its
words.
"""

from evaluator.detectors.speech import stems
from evaluator.statements import statements
from kg.facts import Fact
from simulator.consultation.transcript import Transcript
from simulator.patient.asks import AskStatus


class Given:
    """Concepts that were asked for and given in an untraced transcript; everything is in a traced one."""

    def __init__(self, transcript: Transcript) -> None:
        outcomes = (outcome for turn in transcript.turns for outcome in turn.patient.outcomes)
        self._concepts = {o.ask.concept for o in outcomes if o.status is AskStatus.GIVEN}
        self._traced = transcript.traced

    def bears(self, fact: Fact, summary: frozenset[str]) -> bool:
        """Whether a fact may be called left out of a text with these stems."""
        if self._traced:
            return True
        if stems(f"{fact.text}.") & summary:
            return False
        return any(s.concept in self._concepts for s in statements(f"{fact.text}.", spoken=True))

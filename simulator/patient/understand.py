"""Question understanding: a doctor's words become asks and speech acts.

Rules and lexicons first (data in understanding/rules); sentence embeddings against a question bank where those find
nothing; a chat model last, and only where one was given. None of them sees the patient's record.
"""

from functools import cache

from simulator.patient.asks import Ask, DialogueContext, SpeechAct, Understanding
from simulator.patient.understanding.acts import simulation_question, speech_acts
from simulator.patient.understanding.ellipsis import carried
from simulator.patient.understanding.mentions import named
from simulator.patient.understanding.reading import read_clause
from simulator.patient.understanding.situation import Situation, situation
from simulator.patient.understanding.wording import Clause, clauses


class Understander:
    """Understands one utterance at a time; holds no state between utterances, so that it may be shared."""

    def understand(self, words: str, context: DialogueContext) -> Understanding:
        """Asks in the order of the words, and speech acts. Never raises for odd words; empty words ask nothing."""
        lowered = " ".join(words.lower().split())
        if simulation_question(lowered):
            return Understanding(acts=(SpeechAct.SIMULATION_QUESTION,))
        pieces = clauses(words)
        now = situation(context)
        asks: list[Ask] = []
        for piece in pieces:
            found, now = self._read(piece, now)
            asks.extend(ask for ask in found if not _asked(ask, asks))
        return Understanding(asks=tuple(asks), acts=speech_acts(words, pieces))

    def _read(self, piece: Clause, now: Situation) -> tuple[tuple[Ask, ...], Situation]:
        if not piece.asks:
            return (), now.mentioning(named(piece.text))
        asks = carried(piece.text, read_clause(piece.text, piece.words, now), piece.words, now)
        return asks, now.after(asks)


def _asked(ask: Ask, asks: list[Ask]) -> bool:
    key = (ask.domain, ask.concept, ask.term, ask.attribute, ask.experiencer)
    return any(key == (other.domain, other.concept, other.term, other.attribute, other.experiencer) for other in asks)


@cache
def _shared() -> Understander:
    return Understander()


def understand(words: str, context: DialogueContext) -> Understanding:
    """A doctor's utterance understood in its context, with the default understander (rules, lexicons, embeddings)."""
    return _shared().understand(words, context)

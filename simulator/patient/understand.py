"""Question understanding: a doctor's words become asks and speech acts.

Rules and lexicons first (data in understanding/rules); sentence embeddings against a question bank where those find
nothing; then a learned part that edits what they read (understanding/learned); a chat model last, and only where one
was given. None of them sees the patient's record.
"""

import re
from dataclasses import dataclass
from functools import cache

from chatmodels.interface import ChatModel
from chatmodels.openai_compatible import encodable
from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute, DialogueContext, SpeechAct, Understanding
from simulator.patient.understanding.acts import questions_beside, simulation_question, speech_acts
from simulator.patient.understanding.ellipsis import carried, family_named, leans, repeated
from simulator.patient.understanding.fallback import asked_of_model, unsure
from simulator.patient.understanding.learned.edit import edited
from simulator.patient.understanding.learned.encoder import hear
from simulator.patient.understanding.learned.slots import ClauseReading
from simulator.patient.understanding.mentions import named, rare
from simulator.patient.understanding.prototypes import nearest
from simulator.patient.understanding.reading import read_clause
from simulator.patient.understanding.situation import Situation, situation
from simulator.patient.understanding.wording import Clause, clauses, wording

_TOPIC = re.compile(
    r"^(?!.*\b(?:any|have|has|had|do|does|did|is|are|notic\w+)\b)"
    r".*\b(?:the|your|this|that|his|her) (?:\w+ )?\w+"
)
_ILLNESS = re.compile(r"\b(?:histor|condition|problem|illness|disease|medical|health)")
_OF_BOTH = (Attribute.RELIEVING, Attribute.REASON)
_SURE, _UNKNOWN_TERM, _REPEATED, _UNSURE = 1.0, 0.7, 0.5, 0.2


@dataclass(frozen=True)
class RulesReading:
    """An utterance as the rules read it: its clauses, the asks that stand, how sure the least is, what decided it."""

    readings: tuple[ClauseReading, ...]
    asks: tuple[Ask, ...]
    confidence: float
    by: str


class Understander:
    """Understands one utterance at a time; holds no state between utterances, so that it may be shared.

    `embeddings` False leaves out the sentence vectors: clauses that no rule knows then ask for "other", and the
    learned part, which needs them, is off. `learned` False leaves the rules' reading as it is (the attribute of that
    name says whether the learned part is on). With a `chat_model`, one call reads an utterance that stays unsure
    (data/understanding_model.yaml); where it fails, what was understood without it stands.
    """

    def __init__(self, embeddings: bool = True, chat_model: ChatModel | None = None, learned: bool = True) -> None:
        self._embeddings = embeddings
        self._chat_model = chat_model
        self.learned = learned and embeddings

    def understand(self, words: str, context: DialogueContext) -> Understanding:
        """Asks in the order of the words, and speech acts. Never raises for odd words; empty words ask nothing."""
        words = encodable(words)
        understood = self._without_model(words, context)
        about_simulation = SpeechAct.SIMULATION_QUESTION in understood.acts
        if self._chat_model is None or about_simulation or not unsure(understood):
            return understood
        return asked_of_model(self._chat_model, words, context, understood)

    def _without_model(self, words: str, context: DialogueContext) -> Understanding:
        if simulation_question(" ".join(words.lower().split())):
            beside = self._read_words(questions_beside(words), context)
            known = tuple(ask for ask in beside.asks if ask.domain is not Domain.OTHER)
            return beside.model_copy(update={"asks": known, "acts": (SpeechAct.SIMULATION_QUESTION,)})
        return self._read_words(words, context)

    def _read_words(self, words: str, context: DialogueContext) -> Understanding:
        pieces = clauses(words)
        ruled = self.by_rules(pieces, context)
        asks, confidence, by = ruled.asks, ruled.confidence, ruled.by
        if self.learned and pieces:
            edit = edited(ruled.readings, ruled.asks, context, hear(words, context))
            by = by if edit.asks == asks else "learned"
            asks, confidence = edit.asks, min(confidence, edit.confidence)
        return Understanding(asks=asks, acts=speech_acts(words, pieces), confidence=confidence, by=by)

    def by_rules(self, pieces: list[Clause], context: DialogueContext) -> RulesReading:
        """The clauses of an utterance as rules, lexicons and the question bank read them."""
        now = situation(context)
        readings: list[ClauseReading] = []
        asks: list[Ask] = []
        confidence, by = _SURE, "rules"
        for piece in pieces:
            found, sure, decided = self._read(piece, now)
            mentions = tuple(named(piece.text))
            new = tuple(ask for ask in found if not _asked(ask, asks))
            readings.append(ClauseReading(piece, new, sure, decided, now, mentions))
            now = now.after(found) if found else family_named(piece.text, now.mentioning(list(mentions)))
            asks.extend(new)
            if found and sure < confidence:
                confidence, by = sure, decided
        asks = [ask for ask in asks if not _vaguer(ask, asks) and not _introduces(ask, asks)]
        asks, confidence = _without_guesses(asks, confidence)
        return RulesReading(tuple(readings), tuple(asks), confidence, by)

    def _read(self, piece: Clause, now: Situation) -> tuple[tuple[Ask, ...], float, str]:
        """Asks, how sure, and what decided: rules, then embeddings, then the ask before, then "other"."""
        if not piece.asks:
            return (), _SURE, "rules"
        if wording().false_start.match(piece.text):
            return (), _SURE, "rules"
        asks = carried(piece.text, read_clause(piece.text, piece.words, now), piece.words, now)
        if asks and all(_weak(ask) for ask in asks) and self._embeddings:
            likely = nearest(piece.text)
            if likely is not None:
                return (likely[0].model_copy(update={"words": piece.words}),), likely[1], "embeddings"
        if asks:
            return asks, _UNKNOWN_TERM if any(ask.term for ask in asks) else _SURE, "rules"
        length = len(piece.text.split())
        asks_plainly = length > 4 and piece.text.startswith(("how ", "what ", "tell ", "describe ", "explain "))
        question = piece.text.endswith("?") or length > 7 or asks_plainly
        if not question:
            return (), _SURE, "rules"
        again = repeated(piece.text, piece.words, now)
        if again and leans(piece.text):
            return again, _REPEATED, "rules"
        prototype = nearest(piece.text) if self._embeddings and len(piece.text.split()) > 2 else None
        if prototype is not None:
            ask, similarity = prototype
            return (ask.model_copy(update={"words": piece.words}),), similarity, "embeddings"
        if again:
            return again, _REPEATED, "rules"
        if not (piece.text.endswith("?") or asks_plainly):
            return (), _SURE, "rules"
        return (Ask(domain=Domain.OTHER, attribute=Attribute.EXISTENCE, words=piece.words),), _UNSURE, "rules"


def _introduces(ask: Ask, asks: list[Ask]) -> bool:
    """ "What about your headache? Where is it?" asks only where it is."""
    if ask.domain is not Domain.SYMPTOM or not ask.concept or not _TOPIC.search(ask.words.lower()):
        return False
    return any(other.domain is Domain.SYMPTOM_DETAIL and other.concept == ask.concept for other in asks)


def _without_guesses(asks: list[Ask], confidence: float) -> tuple[list[Ask], float]:
    """Clauses that nothing knows are left out where the same words ask something that is known."""
    known = [ask for ask in asks if not _weak(ask)]
    sure = [ask for ask in known if ask.domain is not Domain.OTHER or ask.attribute is not Attribute.EXISTENCE]
    if sure and (confidence <= _UNSURE or any(ask.domain is Domain.EXAMINATION for ask in sure)):
        return sure, _REPEATED
    return known or asks, confidence


def _weak(ask: Ask) -> bool:
    """An unknown term of ordinary words only ("timeline"): hardly the name of something."""
    return bool(ask.term) and not ask.concept and ask.domain is Domain.SYMPTOM and not rare(ask.term)


def _more_exact(other: Ask, ask: Ask) -> bool:
    """ "How about alcohol, how many drinks a week?" asks the amount alone."""
    same = other.domain is ask.domain and other.concept == ask.concept
    return same and other.attribute is Attribute.AMOUNT and other.words != ask.words


def _vaguer(ask: Ask, asks: list[Ask]) -> bool:
    """An attribute of "it" that is asked again of a named symptom."""
    if ask.domain is Domain.MEDICATION and ask.concept is None and ask.attribute in _OF_BOTH:
        return any(
            other is not ask and other.attribute is ask.attribute and (other.concept or other.domain is not ask.domain)
            for other in asks
        )
    if (
        ask.domain is Domain.FAMILY_HISTORY
        and ask.attribute is Attribute.LIST
        and not _ILLNESS.search(ask.words.lower())
    ):
        return any(other.domain is ask.domain and (other.concept or other.term) for other in asks)
    if ask.domain not in (Domain.SYMPTOM_DETAIL, Domain.LIFESTYLE):
        return False
    if ask.domain is Domain.LIFESTYLE:
        return ask.attribute is Attribute.EXISTENCE and any(_more_exact(other, ask) for other in asks)
    named_too = [other for other in asks if other.domain is ask.domain and other.attribute is ask.attribute]
    return not ask.concept and not ask.term and any(other.concept for other in named_too)


def _asked(ask: Ask, asks: list[Ask]) -> bool:
    """The same thing asked already; a symptom is the same in the review of systems."""
    return any(_key(ask) == _key(other) for other in asks)


def _key(ask: Ask) -> tuple[object, ...]:
    domain = Domain.SYMPTOM if ask.domain is Domain.REVIEW_OF_SYSTEMS and ask.concept else ask.domain
    return (domain, ask.concept, ask.term, ask.attribute, ask.experiencer)


@cache
def _shared() -> Understander:
    return Understander()


def understand(words: str, context: DialogueContext) -> Understanding:
    """A doctor's utterance understood in its context, with the default understander (rules, lexicons, embeddings)."""
    return _shared().understand(words, context)

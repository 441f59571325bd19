"""What a patient's recorded words make of an ask, and what feeling they show; patterns in `data/reading.yaml`."""

import re
from functools import cache

from etl.caserecord import Assertion
from evaluator.imported.dialogue import lexicon, listening
from evaluator.imported.matching import says
from evaluator.statements import statements
from simulator.patient.asks import Ask, AskStatus, Attribute

# Only of these a blurred value is a blurred answer: "a bit" says enough of how a thing changes.
_MEASURABLE = frozenset(
    {Attribute.ONSET, Attribute.DURATION, Attribute.FREQUENCY, Attribute.TIMING, Attribute.AMOUNT, Attribute.SEVERITY}
)
# An answer longer than this says something, whatever it says it does not know.
LONGEST_UNKNOWN = 22


def status(ask: Ask, words: str) -> AskStatus | None:
    """What became of `ask`: given, denied, unknown or vague; None where the words answer nothing.

    A statement about the very concept decides first, then "no" and "I don't know", then blurred words.
    """
    if not words or (listening(words) and not says("affirmed", plain(words))):
        return None
    text = plain(words)
    stated = [s for s in statements(words, spoken=True) if ask.concept and s.concept == ask.concept]
    if stated and stated[0].assertion is not Assertion.POSSIBLE:
        denied = stated[0].assertion is Assertion.ABSENT
        return AskStatus.DENIED if denied else _unless_vague(ask, text)
    if says("denied", text):
        return AskStatus.DENIED
    if unknown(text) and not _tells_something(words):
        return AskStatus.UNKNOWN
    return _unless_vague(ask, text)


def _tells_something(words: str) -> bool:
    """Whether something is stated beside the uncertainty ("I was told a rash, I don't really remember")."""
    return any(s.assertion is Assertion.PRESENT and not s.hypothetical for s in statements(words))


def affirmed(words: str) -> bool:
    """Whether the words begin with a yes."""
    return says("affirmed", plain(words))


def unknown(text: str) -> bool:
    """Whether an answer says that the patient does not know, with neither a guess nor anything definite beside it."""
    if len(text.split()) > LONGEST_UNKNOWN or not says("unknown", text):
        return False
    return not (says("guess", text) or says("definite", text))


def vague(words: str) -> bool:
    """Whether the words say themselves that they cannot describe it, or only that it "feels weird"."""
    text = plain(words)
    return says("vague_words", text) and not says("definite", text)


def emotion(words: str) -> str | None:
    """The feeling that the words show of themselves, or None."""
    text = plain(words)
    if says("not_emotion", text):
        return None
    return next((name for name in lexicon()["emotion"] if says(f"emotion.{name}", text)), None)


def _unless_vague(ask: Ask, text: str) -> AskStatus:
    if says("definite", text):
        return AskStatus.GIVEN
    short = len(text.split()) <= LONGEST_UNKNOWN
    blurred = short and ask.attribute in _MEASURABLE and says("vague_value", text)
    return AskStatus.VAGUE if blurred or says("vague_words", text) else AskStatus.GIVEN


def plain(words: str) -> str:
    """Words in lower case with straight quotes, without the sounds before the first word that counts."""
    return _filler().sub("", words.replace("’", "'").lower()).strip()


@cache
def _filler() -> re.Pattern[str]:
    return re.compile(rf"^(?:[\W_]*{lexicon()['filler']}\b[\s,.…-]*)*[\W_]*", re.IGNORECASE)

"""Clinical claims in words: concepts with their polarity, drugs, numbers."""

import re
from dataclasses import dataclass
from functools import cache

from terminology import concepts, drugs

_CLAUSE = re.compile(r"[.;!?]|\bbut\b|\bthough\b|\bexcept\b")
_NEGATION = re.compile(
    r"\b(no|not|none|never|nothing|nor|neither|without|nope|nobody|no one|denies|\w+n't|cannot|free of)\b", re.I
)
_UNSURE = re.compile(
    r"\b(don't know|do not know|not sure|no idea|can't (say|tell|remember|recall|be sure)|couldn't (say|tell)|unsure|"
    r"not certain|don't (remember|recall)|wasn't told|haven't (been )?told|wouldn't know|who knows|hard to say|"
    r"no one has told|not that i know|don't think so|maybe|don't follow)\b",
    re.I,
)
_NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")
_COUNTED = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER_WORDS = {word: str(value) for value, word in enumerate(_COUNTED, start=2)} | {
    "once": "1", "twice": "2", "thrice": "3", "dozen": "12", "hundred": "100", "twenty": "20", "thirty": "30",
}  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """A concept in a text and whether a negation stands before it in its clause."""

    key: str
    negated: bool
    text: str


def claims(text: str) -> list[Claim]:
    """Every concept that `text` names, with its polarity by clause."""
    found = []
    for match in concepts.find(text):
        before = text[: match.start]
        clause = _CLAUSE.split(before)[-1]
        found.append(Claim(match.key, bool(_NEGATION.search(clause)), match.text))
    return found


def ingredients(text: str) -> frozenset[str]:
    """Every active ingredient that `text` names."""
    return frozenset(ingredient for match in drugs.find(text) for ingredient in match.ingredients)


def numbers(text: str) -> frozenset[str]:
    """Every number of `text`, as digits; number words from two on, and "twice", count."""
    digits = set(_NUMBER.findall(text))
    words = {_NUMBER_WORDS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _NUMBER_WORDS}
    return frozenset(digits | words)


def negated(text: str) -> bool:
    """Whether a negation stands anywhere in the text."""
    return bool(_NEGATION.search(text))


def unsure(text: str) -> bool:
    """Whether the text says that something is not known."""
    return bool(_UNSURE.search(text))


@cache
def related(key: str) -> frozenset[str]:
    """The key and what is wider: what may be said where the key is known ("pain" of "chest pain")."""
    return frozenset((key, *concepts.ancestors(key)))

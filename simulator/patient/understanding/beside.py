"""What a clause names without asking for it: its topic, asides, examples of a trigger, the same thing again."""

import re
from itertools import pairwise

from simulator.patient.understanding.mentions import Mention, mention_rules
from simulator.patient.understanding.wording import wording
from terminology import concepts

JOINED = re.compile(r"\W*(?:(?:and|or|the|your|this|that|any|with)\W*)*")
_ANY = re.compile(r"\b(?:any|some|bringing|producing|producing any|you have|you had|notice\w*)\b")
_COMPARED = re.compile(r"\b(?:or|and)\b")
_TRIGGERS_LIKE = re.compile(
    r"\btriggers?\b(?! (?:for|of|to)\b).{0,30}?(?:\blike\b|\bsuch as\b|\bincluding\b|,)"
    r"|\btriggers? (?:for|of|to)\b.{0,50}?(?:\blike\b|\bsuch as\b|\bincluding\b)"
)
_EASED_LIKE = re.compile(
    r"\b(?:better|worse|help\w*|eas(?:e[sd]?|ing)|reliev\w+|aggravat\w+|exacerbat\w+|eases? (?:it|this|that)"
    r"|(?:it|this|that|them) (?:on|off))\b(?: at all)?,? "
    r"(?:like|such as|for example|for instance|say|including|e\.?g\.?),?(?= (?!this\b|that\b|it\b))"
)
_FEELING = re.compile(r"\W*(?:(?:and|or|any|like|feeling|feel|of|a|sense of|have|had|you|do|been)\W*)*")
_PAIR = 2


def aside_spans(text: str) -> list[tuple[int, int]]:
    """Spans that speak of something known ("besides the cough", "when you are eating") or list triggers."""
    return [*(match.span() for match in wording().adjunct.finditer(text)), *example_spans(text)]


def example_spans(text: str) -> list[tuple[int, int]]:
    """The span of the examples of what may set it off, make it worse or ease it ("…, like lying flat or eating")."""
    example = _TRIGGERS_LIKE.search(text) or _EASED_LIKE.search(text)
    return [(example.end(), len(text))] if example else []


def within(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    """Whether [start, end) lies in one of the spans."""
    return any(first <= start and end <= last for first, last in spans)


def without_topic(text: str, found: list[Mention]) -> list[Mention]:
    """ "Has the cough been bringing up any phlegm?" asks for phlegm; the cough is what is spoken of."""
    symptoms = [mention for mention in found if mention.kind == "symptom"]
    if len(symptoms) < _PAIR or not wording().definite.search(text[: symptoms[0].start]):
        return found
    between = text[symptoms[0].end : symptoms[1].start]
    if (
        JOINED.fullmatch(between)
        or _COMPARED.search(between)
        or not _ANY.search(text[symptoms[0].end : symptoms[1].end])
    ):
        return found
    return [mention for mention in found if mention is not symptoms[0]]


def without_repeats(text: str, found: list[Mention]) -> list[Mention]:
    """ "Dizziness or lightheadedness", "numbness, tingling in the arms": one thing, the second a kind of the first."""
    again = [
        other
        for one, other in pairwise(found)
        if _alike(one.key, other.key) and _FEELING.fullmatch(text[one.end : other.start])
    ]
    return [mention for mention in found if mention not in again]


def _alike(one: str, other: str) -> bool:
    """The same but for the place ("numbness", "arm_numbness"), or two names that people use for one thing."""
    if one != "pain" and other.endswith(f"_{one}") and concepts.is_a(other, one):
        return True
    return one != other and any({one, other} <= group for group in mention_rules().alike)

"""What a text states: concepts with their assertion, read as notes are read; for summaries, reasoning and speech."""

import re
from functools import lru_cache

from etl.caserecord import Assertion
from etl.notes.assertion import judge
from etl.notes.note import Note
from etl.notes.reading import Reading, read
from foundation.records import Frozen
from terminology import concepts

_NEGATED_LIST = re.compile(
    r"^\W*(?:no|denie[sd]|denying|without|nil|negative for)\b"
    r"(?!.*\b(?:but|however|although|though|except|has|have|had|is|are|was|were|reports?|reported|presents?|with|so|since|which"
    r"|who|until|apart|because|as|after|more|longer)\b)[^.;:!?]*(?:,|\bor|\band|/)[^.;:!?]*$",
    re.IGNORECASE | re.DOTALL,
)
"""A sentence's beginning that denies a whole list ("No change in bowel habit, weight loss or …")."""
_OR_LIST = re.compile(
    r"^\W*(?:no|denie[sd]|denying|without|nil|negative for)\b"
    r"(?!.*\b(?:but|however|although|though|except|has|have|had|is|are|was|were|reports?|reported|presents?|so|since|which|who|until|apart|because|as|longer)\b)"
    r"[^.;:!?]*(?:,|\bor)[^.;:!?,]*$",
    re.IGNORECASE | re.DOTALL,
)
_NEW_ITEM = re.compile(
    r"[,;]\s*(?:(?:and|but) )?(?:(?:an?|one|two|three|\d+|some|only|just|hardly any|hardly|the odd"
    r"|(?:the )?occasional(?:ly)?|sometimes|mostly)\s+(?:(?!no\b|not\b|or\b)[\w'-]+\s+){0,3})$",
    re.IGNORECASE,
)
"""An item after a comma with an amount of its own: the denial before it ends ("no salt, a little pepper")."""
_NEXT_ITEM = re.compile(r"[,;]\s*(?:(?:and|but) )?$", re.IGNORECASE)
_AT_TIMES = re.compile(
    r"^\s*(?:only|just|(?:only )?(?:on|at) (?:\w+days|weekends)|sometimes|occasionally|now and then)\b", re.IGNORECASE
)
"""What follows an item that is so at times ("no cake, chocolate only at Easter")."""
_CLOSES_LIST = re.compile(r"^[^.;:!?]*\bor\b", re.IGNORECASE)
"""Where "or" closes the list, a phrase within it changes nothing ("No pain after meals, vomiting or …")."""


class Statement(Frozen):
    """A concept in characters [start, end) of a text, and whether the text says that it is so.

    `hypothetical`: "if she develops fever". `sentence` is the whole sentence, for quotes.
    """

    concept: str
    kind: str
    text: str
    start: int
    end: int
    assertion: Assertion
    historical: bool
    hypothetical: bool
    sentence: str


@lru_cache(maxsize=16_384)
def statements(text: str, spoken: bool = False) -> tuple[Statement, ...]:
    """Every concept of symptom, condition, procedure, allergen or habit in `text`, in order.

    `spoken` reads lay words too, as a person says them ("fits", "period"); without it, as clinicians write.
    """
    found = concepts.find(text, kinds=("symptom", "condition", "procedure", "allergen", "habit"), spoken=spoken)
    if not found:
        return ()
    reading = _read(text)
    return tuple(_statement(reading, match) for match in found)


@lru_cache(maxsize=1024)
def _read(text: str) -> Reading:
    """The text prepared; the same for speech and charts."""
    return read(Note(note_id="text", case_id="text", category="text", text=text))


def _in_denied_list(text: str, start: int, at: int, end: int) -> bool:
    """Whether what stands at `at` is an item of a list that the sentence from `start` to `end` denies."""
    before = text[start:at]
    if _NEGATED_LIST.search(before):
        return True
    return bool(_OR_LIST.search(before) and (before.rstrip().endswith(" or") or _CLOSES_LIST.match(text[at:end])))


def _begins_anew(text: str, start: int, at: int, stop: int, end: int) -> bool:
    """Whether the item in characters [at, stop) of a sentence from `start` to `end` ends the denial before it."""
    if _CLOSES_LIST.match(text[stop:end]):
        return False
    before = text[start:at]
    return bool(_NEW_ITEM.search(before) or (_NEXT_ITEM.search(before) and _AT_TIMES.match(text[stop:end])))


def _assertion(reading: Reading, match: concepts.Match, judged: Assertion) -> Assertion:
    """What the cues say, a denied list carried on to all its items, and a denial ended where a new item begins."""
    sentence = reading.sentence_at(match.start)
    if sentence is None:
        return judged
    text = reading.note.text
    if judged is Assertion.ABSENT and _begins_anew(text, sentence.start, match.start, match.end, sentence.end):
        return Assertion.PRESENT
    listed = _in_denied_list(text, sentence.start, match.start, sentence.end)
    return Assertion.ABSENT if listed else judged


def _statement(reading: Reading, match: concepts.Match) -> Statement:
    sentence = reading.sentence_at(match.start)
    first, last = reading.tokens(match.start, match.end)
    judged = judge(sentence.cues if sentence else [], reading.words, first, last)
    concept = concepts.get(match.key)
    return Statement(
        concept=match.key,
        kind=concept.kind if concept else "",
        text=match.text,
        start=match.start,
        end=match.end,
        assertion=_assertion(reading, match, judged.assertion),
        historical=judged.historical,
        hypothetical=judged.hypothetical,
        sentence=reading.note.text[sentence.start : sentence.end].strip() if sentence else match.text,
    )

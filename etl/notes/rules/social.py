"""Social history: tobacco, alcohol, drugs, living, work, in the note's own phrases."""

import re
from collections.abc import Iterator
from dataclasses import replace

from etl.caserecord import Assertion
from etl.notes.assertion import Judgement
from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found
from etl.notes.rules.patterns import load_patterns, load_words, value_span
from etl.notes.section_kinds import SectionKind

_AMOUNT = re.compile(
    r"(?:[\d./\-–]+|one|two|three|four|five|six|half(?: a)?|several|a few|a)[ -]?(?:\+)?"
    r"(?:ppd|pack[- ]years?(?: history)?|packs?|glass(?:es)?|beers?|drinks?|bottles?|pints?|cans?|shots?|cigarettes?|"
    r"cigs|units?|pack[- ]years?|fifths?|cocktails?)"
    r"(?: of (?:wine|beer|whiske?y|vodka|liquor|hard liquor))?(?:(?: (?:per|a|each|every)|/) ?(?:other |two |"
    r"three )?(?:days?|d|nights?|week|wk|weekend|month)| (?:daily|nightly|weekly|with dinner|on weekends))?",
    re.IGNORECASE,
)
_AGO = re.compile(
    r"(?:(?:about|approximately|over) )?(?:\d+|\w+) (?:years?|yrs?|months?|weeks?|decades?) ago", re.IGNORECASE
)
_OVER = re.compile(
    r"\b(?:quit|stopped|gave up|former|ex-?|remote|prior|previous|used to|past|years ago|last year)", re.IGNORECASE
)
_NEVER = re.compile(
    r"^(?:never|non|life-?long non|does not|doesn't|do not|don't|has never|did not)[- ]?", re.IGNORECASE
)
# A finite verb begins a statement of its own: "does not smoke and drinks wine", "denies drugs, drinks socially".
_FINITE = re.compile(
    r"(?:(?:currently|still|only) )?(?:drinks|drank|smokes|uses|consumes|chews|vapes|lives|resides|stays|works|walks|"
    r"exercises|runs|swims|jogs|gardens|cycles)\b",
    re.IGNORECASE,
)
# So does a state or a habit's measure after a comma: "denies drugs, retired", "no tobacco, social drinker".
_STATE = re.compile(
    r"(?:social|occasional|rare|moderate|light|minimal|daily|current|active|former|ex|retired|unemployed|disabled|"
    r"married|divorced|widowed|single|separated)\b",
    re.IGNORECASE,
)
_DENIED_ITSELF = re.compile(
    r"\b(?:never|nor|neither|not|no longer|(?:that|whether|denie[sd]) (?:he|she|they|the patient))"
    r"(?: ever| still| currently)? $",
    re.IGNORECASE,
)
_BESIDE = 40
# Outside its section only these are sure enough.
_ANYWHERE = frozenset({"tobacco", "alcohol", "drugs", "occupation", "living"})


def find_social_history(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """Statements of one sentence; where the note denies something, the thing denied.

    "Does not drink alcohol" and "never smoker" are statements that hold (present), with the attribute status "never".
    """
    words = found.reading.words[sentence.first : sentence.last]
    if sentence.section is not SectionKind.SOCIAL_HISTORY and load_words("social_words.txt").isdisjoint(words):
        return
    taken: list[tuple[int, int]] = []
    in_section = sentence.section is SectionKind.SOCIAL_HISTORY
    for name, pattern in load_patterns("social_patterns.csv"):
        if not in_section and name not in _ANYWHERE:
            continue
        for match in pattern.finditer(found.reading.plain, sentence.start, sentence.end):
            start, end = value_span(match)
            if "\n" in match.group() or any(start < stop and begin < end for begin, stop in taken):
                continue
            taken.append((start, end))
            yield _entity(found, sentence, start, end)


def judged_habit(found: Found, sentence: Sentence, start: int, end: int, strict_commas: bool = False) -> Judgement:
    """`found.judged` for a habit: a denial of the clause before does not reach a verb that stands on its own."""
    judgement = found.judged(sentence, start, end, strict_commas)
    plain = found.reading.plain
    before = plain[max(sentence.start, start - _BESIDE) : start]
    on_its_own = (_FINITE.match(plain, start, end) and not _DENIED_ITSELF.search(before)) or (
        _STATE.match(plain, start, end) and before.endswith(", ")
    )
    return replace(judgement, assertion=Assertion.PRESENT) if on_its_own else judgement


def _entity(found: Found, sentence: Sentence, start: int, end: int) -> Entity:
    words = found.reading.note.text[start:end]
    judgement = judged_habit(found, sentence, start, end, strict_commas=True)
    term = next(iter(found.in_span(start, end)), None)
    amount = _AMOUNT.search(words)
    ago = _AGO.search(words)
    never = _NEVER.match(words) is not None
    given = {
        "amount": amount.group() if amount else "",
        "onset": ago.group() if ago else "",
        "status": "never" if never else "",
    }
    return Entity(
        EntityKind.SOCIAL_HISTORY, start, end, term.key if term else None,
        Assertion.PRESENT if never else judgement.assertion,
        judgement.historical or _OVER.search(words) is not None, "patient",
        {name: value for name, value in given.items() if value},
    )  # fmt: skip

"""Past illnesses, operations, habits and relatives' illnesses of case reports, a denied list item by item."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from etl.caserecord import Assertion
from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found
from etl.notes.rules.histories import onset_after
from etl.notes.rules.narrative_spans import span_of
from etl.notes.rules.relatives import relatives_in
from etl.notes.rules.social import judged_habit
from etl.notes.tagger.tagger import Tagged, TaggedSentence

_DENIAL = re.compile(
    r"^(?:there (?:is|was) )?(?:(?:denie[sd]|none of|no|not|without|never|did not|does not|negative for|had no|has no|"
    r"lack of|(?:(?:past|previous|prior|medical|surgical|family) )*history (?:(?:is|was) (?:otherwise )?negative for|"
    r"[a-z ]{0,20}\b(?:does|did|has|had) not)|ha[sd] not (?=had))\b\s*(?:have |had |has |any |a |an |known |"
    r"relevant |significant |previous |prior |past |other |personal )*)(?:(?:medical |family |familial |"
    r"surgical )*history of |histories of )?",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"history (?:was|is) (?:otherwise )?(?:unremarkable|negative|non-?contributory|not significant|insignificant)$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:an?|the|his|her|known|previous|past|prior) )*(?:(?:medical )?history (?:of|significant for) )",
    re.IGNORECASE,
)
_LIST = re.compile(r",\s*(?:and |or )?|\s+(?:and|or|nor)\s+", re.IGNORECASE)
_SOCIAL = re.compile(
    r"\b(?:smok\w*|cigarettes?|tobacco|alcohol\w*|drink\w*|drugs? (?:use|abuse)|pack[- ]years?|sober|retired|worker|"
    r"marriage|exposure|travel\w*|pets?)\b",
    re.IGNORECASE,
)
_SURGICAL = re.compile(
    r"\b(?:surgery|surgeries|surgical|resection|\w+ectomy|\w+plasty|\w+ostomy|transplant\w*|bypass|stent\w*|repair|replacement|graft\w*|operation|amputation|implant\w*|catheteri[sz]ation|caesarean|cesarean)\b",
    re.IGNORECASE,
)
_WORDS_BEFORE = 8
_TELLING = frozenset({"to", "by", "per"})  # "died early according to the parents"
_LONGEST_SPLIT = 6


def find_tagged_history(found: Found, sentence: Sentence, given: TaggedSentence) -> Iterator[Entity]:
    """The phrases of rules and tagger together; where both speak of the patient, the tagger's span."""
    ruled = [
        Tagged("FAM" if kind == "family" else "HIS", first, last)
        for kind, first, last in given.sentence.phrases
        if last > first
    ]
    # Family history is too rare in the training text: there the rules alone are better.
    family = [tag for tag in ruled if tag.label == "FAM"]
    tagged = [tag for tag in given.history if tag.label == "HIS" and not _meets(tag, family)]
    spoken = [*family, *tagged, *(tag for tag in ruled if tag.label == "HIS" and not _meets(tag, [*family, *tagged]))]
    for tag in sorted(spoken, key=lambda tag: tag.first):
        start, end = span_of(found, sentence, tag)
        yield from _statements(found, sentence, start, end, tag.label == "FAM")


def _meets(tag: Tagged, others: Sequence[Tagged]) -> bool:
    return any(tag.first < other.last and other.first < tag.last for other in others)


def _statements(found: Found, sentence: Sentence, start: int, end: int, family: bool) -> Iterator[Entity]:
    """One phrase as statements: a denied list gives one for each thing denied."""
    words = found.reading.plain[start:end]
    denial, lead = _DENIAL.match(words), _LEAD.match(words)
    cut = denial or lead
    begin = start + cut.end() if cut and cut.end() < len(words) - 2 else start
    parts = _split(found.reading.plain, begin, end) if denial else [(begin, end)]
    for first, last in parts:
        entity = _statement(found, sentence, first, last, family)
        nothing = denial or _NOTHING.search(found.reading.plain[first:last])
        yield replace(entity, assertion=Assertion.ABSENT) if nothing else entity


def _split(plain: str, start: int, end: int) -> list[tuple[int, int]]:
    """A denied list in its items, if they are short enough to be a list's items."""
    items: list[tuple[int, int]] = []
    begin = start
    for split in _LIST.finditer(plain, start, end):
        items.append((begin, split.start()))
        begin = split.end()
    items.append((begin, end))
    items = [(first, last) for first, last in items if last - first > 2]
    short = all(len(plain[first:last].split()) <= _LONGEST_SPLIT for first, last in items)
    return items if items and short else [(start, end)]


def _statement(found: Found, sentence: Sentence, start: int, end: int, family: bool) -> Entity:
    words = found.reading.plain[start:end]
    judgement = judged_habit(found, sentence, start, end)
    term = next((term for term in found.in_span(start, end) if term.kind != "relative"), None)
    key = term.key if term else None
    if family:
        return Entity(
            EntityKind.FAMILY_HISTORY,
            start,
            end,
            key,
            judgement.assertion,
            False,
            _relative(found, sentence, start, end),
        )
    if _SOCIAL.search(words):
        kind = EntityKind.SOCIAL_HISTORY
    else:
        kind = (
            EntityKind.SURGICAL_HISTORY
            if _SURGICAL.search(words) or (term and term.kind == "procedure")
            else EntityKind.MEDICAL_HISTORY
        )
    historical = judgement.historical or kind is EntityKind.SURGICAL_HISTORY
    return Entity(kind, start, end, key, judgement.assertion, historical, "patient", onset_after(found, sentence, end))


def _relative(found: Found, sentence: Sentence, start: int, end: int) -> str:
    """The first relative that the phrase itself names, else the nearest in the few words before it."""
    first, last = found.reading.tokens(start, end)
    named = [
        relative for relative in relatives_in(found.reading, sentence)
        if relative.name != "family" and first - _WORDS_BEFORE <= relative.first < last
    ]  # fmt: skip
    words = found.reading.words
    inside = [one for one in named if one.first >= first and words[one.first - 1] not in _TELLING]
    nearest = inside[:1] or named[-1:]
    return nearest[0].name if nearest else "family"

"""Symptoms: the shortest clinical phrase, and what the sentence says of its time, amount and nature."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from etl.caserecord import Assertion
from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found, Term
from etl.notes.rules.patterns import load_needs, load_patterns, load_words, value_span

_FUNCTION = re.compile(
    r" (?:with|on) (?:urination|breathing|swallowing|standing|defecation|intercourse|bowel movements|chewing|"
    r"voiding)\b",
    re.IGNORECASE,
)
_OF_SITE = re.compile(r" of (?:(?:the|his|her|both|their) )?(?P<site>[A-Za-z]+(?:[ -][A-Za-z]+){0,3})", re.IGNORECASE)
_PREDICATE = re.compile(r"(?:is|was|are|were|has been|have been) ")
_STANDS_FOR = re.compile(
    r"(?:and )?(?:it|this|these|they|(?:the|his|her) (?:pain|symptoms?|episodes?|cough|headaches?))"
)
_WORSE_WITH = re.compile(
    r"\b(?:worse(?:ned|ns|ning)?|aggravated|exacerbated|brought on|provoked|triggered) ?"
    r"(?:with|w/|by|on|when|after|upon|during) (?:[a-z]+ ){0,3}$"
    r"|\bas [a-z]+ of (?:[a-z\-]+ )?$|\b(?:described?s?|characteri[sz]e[sd]?)(?: [a-z ]{2,40}?)? as $"
    r"|\b(?:pain|ache|discomfort|headaches?) (?:is|was|feels) $"
)
# Attributes that a list of symptoms shares ("3-day history of fever and cough"); the others belong to one symptom.
_SHARED = frozenset({"onset", "duration"})
_BEFORE = frozenset({"severity", "character"})


def find_symptoms(found: Found, sentence: Sentence) -> list[Entity]:
    """Symptoms of one sentence, in order, with attributes; hypothetical ones ("return if fever") are left out."""
    terms = [term for term in found.in_span(sentence.start, sentence.end) if term.kind == "symptom"]
    spans = [
        _widened(found, sentence, term)
        for term, after in zip_longest(terms, terms[1:])
        if not _describes_next(found, term, after) and not _provokes(found, sentence, term)
    ]
    entities: list[Entity] = []
    for start, end, key in spans:
        judgement = found.judged(sentence, start, end)
        if not judgement.hypothetical and (not entities or start >= entities[-1].end):
            entities.append(Entity(EntityKind.SYMPTOM, start, end, key, judgement.assertion, judgement.historical))
    return described(found, sentence, entities)


def _describes_next(found: Found, term: Term, after: Term | None) -> bool:
    """Whether a symptom's word only tells the nature of the next one ("cramping RUQ pain")."""
    if after is None or found.reading.plain[term.end : after.start] != " ":
        return False
    return found.reading.lower[term.start : term.end].endswith("ing")


def _provokes(found: Found, sentence: Sentence, term: Term) -> bool:
    """Whether a symptom is named as what makes another worse ("worse with coughing"), or as its nature ("described as
    productive of sputum")."""
    before = found.reading.lower[max(sentence.start, term.start - 60) : term.start]
    return _WORSE_WITH.search(before) is not None


def _widened(found: Found, sentence: Sentence, term: Term) -> tuple[int, int, str]:
    """The term with the side and place words before it: "left arm" of "left arm weakness"."""
    reading, sites = found.reading, load_words("body_sites.txt")
    first, _ = reading.tokens(term.start, term.end)
    start = term.start
    while first > sentence.first:
        word, previous = reading.words[first - 1], first - 1
        if word == "-" and previous > sentence.first and reading.ends[previous] == start:
            first = previous
            continue
        if word not in sites or reading.plain[reading.ends[previous] : start].strip(" -"):
            break
        first, start = previous, reading.starts[previous]
    return start, _extended(found, sentence, term.end), term.key


def _extended(found: Found, sentence: Sentence, end: int) -> int:
    """With "of the great toe" after swelling, or the function that hurts ("pain with urination")."""
    match = _FUNCTION.match(found.reading.plain, end, sentence.end)
    if match:
        return match.end()
    match = _OF_SITE.match(found.reading.plain, end, sentence.end)
    if match is None:
        return end
    sites = load_words("body_sites.txt")
    words = re.findall(r"[A-Za-z]+", match["site"].lower())
    named = next(
        (number for number, word in enumerate(words) if word not in sites and word.removesuffix("s") not in sites),
        len(words),
    )
    if not named:
        return end
    return match.start("site") + len(re.match(rf"(?:[A-Za-z]+[ -]?){{{named}}}", match["site"]).group().rstrip(" -"))  # type: ignore[union-attr]


def continued(found: Found, sentence: Sentence, last: Entity) -> Entity:
    """`last`, the symptom that a former sentence named, with what a sentence that names none says of it ("It is worse
    with exertion", "Described as dull")."""
    given: dict[str, str] = {}
    for name, start, end in _attribute_spans(found, sentence, []):
        given.setdefault(name, found.reading.note.text[start:end])
    return last.with_attributes(given)


def described(found: Found, sentence: Sentence, entities: list[Entity]) -> list[Entity]:
    """The symptoms of one sentence with onset, duration, severity and the like, as far as the sentence gives them."""
    present = [entity for entity in entities if entity.assertion is not Assertion.ABSENT]
    if not present:
        return entities
    given: dict[int, dict[str, str]] = {entity.start: {} for entity in entities}
    for name, start, end in _attribute_spans(found, sentence, entities):
        for owner in _owners(name, start, end, present, found):
            given[owner.start].setdefault(name, found.reading.note.text[start:end])
    return [entity.with_attributes(given[entity.start]) for entity in entities]


def _attribute_spans(found: Found, sentence: Sentence, entities: list[Entity]) -> Iterator[tuple[str, int, int]]:
    taken: list[tuple[int, int]] = [(entity.start, entity.end) for entity in entities]
    lower = found.reading.lower[sentence.start : sentence.end]
    rows = zip(load_patterns("symptom_attributes.csv"), load_needs("symptom_attributes.csv"), strict=True)
    for (name, pattern), needs in rows:
        if needs and not _holds(lower, needs):
            continue
        for match in pattern.finditer(found.reading.plain, sentence.start, sentence.end):
            start, end = value_span(match)
            if any(start < stop and begin < end for begin, stop in taken):
                continue
            if (
                name == "character"
                and _PREDICATE.match(match.group())
                and not _is_said_of(found, sentence, match, entities)
            ):
                continue
            taken.append((start, end))
            yield name, start, end


def _holds(text: str, needs: tuple[str, ...]) -> bool:
    for letters in needs:  # noqa: SIM110 - a loop costs half of any()
        if letters in text:
            return True
    return False


def _is_said_of(found: Found, sentence: Sentence, match: re.Match[str], entities: list[Entity]) -> bool:
    """Whether "is crushing" has a symptom, or what stands for it, as its subject."""
    subject = found.reading.lower[sentence.start : match.start()].strip()
    return _STANDS_FOR.fullmatch(subject) is not None or any(
        not found.reading.plain[entity.end : match.start()].strip() for entity in entities
    )


def _owners(name: str, start: int, end: int, present: list[Entity], found: Found) -> list[Entity]:
    """Whom an attribute describes: a word before a symptom that one, anything else the symptom last named."""
    after = [entity for entity in present if entity.start >= end]
    before = [entity for entity in present if entity.end <= start]
    if name in _BEFORE and after and after[0].start - end <= 12 and not _parted(found, end, after[0].start):
        return after[:1]
    if name in _SHARED and after and _introduces(found, end, after[0].start):
        return after
    if before:
        return _list_up_to(before, found) if name in _SHARED else before[-1:]
    return _list_from(after, found) if name in _SHARED else after[:1]


def _introduces(found: Found, end: int, start: int) -> bool:
    between = found.reading.lower[end:start]
    return len(between) < 40 and (" of " in between or " hx " in between or between.strip() in ("", "history", "h/o"))


def _parted(found: Found, start: int, end: int) -> bool:
    between = found.reading.lower[start:end]
    return any(mark in between for mark in (",", ";", ".", " and ", " with "))


def _list_from(after: list[Entity], found: Found) -> list[Entity]:
    """The run of symptoms, parted by commas and "and" alone, that begins with the first one."""
    run = after[:1]
    for entity in after[1:]:
        if not _is_joint(found.reading.lower[run[-1].end : entity.start]):
            break
        run.append(entity)
    return run


def _is_joint(between: str) -> bool:
    return between.replace(",", " ").replace("/", " ").split() in ([], ["and"])


def _list_up_to(before: list[Entity], found: Found) -> list[Entity]:
    """The run of symptoms, parted by commas and "and" alone, that ends with the last one."""
    run = [before[-1]]
    for entity in reversed(before[:-1]):
        if not _is_joint(found.reading.lower[entity.end : run[0].start]):
            break
        run.insert(0, entity)
    return run

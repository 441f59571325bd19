"""Allergies with their reactions, and the statement that there are none."""

import re
from collections.abc import Iterator

from etl.caserecord import Assertion
from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found
from etl.notes.section_kinds import SectionKind

_NONE = re.compile(
    r"\b(?:NKDA|NKA|NKFA|no known (?:drug |food |medication |medicine )?(?:allerg(?:ies|y)|"
    r"drug allergies)(?: to (?:drugs|medications|medicines))?"
    r"|no (?:drug |medication )?allergies|denies (?:any )?(?:drug |medication )?allergies|none(?: known)?|"
    r"no known adverse (?:drug )?reactions)\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[^,;\n/&]+?(?=\s*(?:[,;\n&]|/(?=\s?[A-Za-z])| and (?!nausea|vomiting)|\.\s|\.?$))", re.IGNORECASE)
_REACTION = re.compile(
    r"^\s*(?:\((?:reaction:? ?)?(?P<bracket>[^)\n]{2,60})\)|(?:-{1,2}|–|:|=|/|->|causes?|caused|gives?|gave (?:him|"
    r"her)|leads? to|results? in|with|reaction:?|developed|→|>)\s*(?:him |her |a |an |"
    r"severe )?(?P<plain>[a-z][^,;.\n()]{2,50}))",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\b(?:allerg(?:ic|y|ies)(?: (?:reactions?))? (?:to|with)|allerg(?:y|ies):|intoleran(?:t|ce) (?:to|of)|"
    r"sensitive to|anaphylaxis to)\s+(?:the )?",
    re.IGNORECASE,
)
_DID = re.compile(r"\b(?:syndrome|rash|reaction|swelling|hives|itch|anaphyl|shock|upset)", re.IGNORECASE)
_CONTAINING = frozenset({"-containing ", " containing ", "-based ", " based "})
_CLASS_IN_BRACKETS = re.compile(r" \([^)\n]{3,40}\)")
_LEAD = re.compile(
    r"^\s*(?:(?:he|she|the patient|patient|pt) (?:is|has|reports)\s+)?(?:(?:allergic|allergy|allergies|intolerant|"
    r"intolerance) (?:to|of)\s+)?(?:\d+[.)]\s*|[-*•]\s*)?",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s*(?:\(.*|(?:-{1,2}|–|:|=|->|→|>)\s.*|\s(?:causes?|caused|gives?|gave|leads?|results?|with|reaction)\b.*|\s?allerg(?:y|ies))$",
    re.IGNORECASE | re.DOTALL,
)


def find_allergies(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """Allergens of one sentence: every item in the allergies section, elsewhere what "allergic to" introduces."""
    plain = found.reading.plain
    if sentence.section is SectionKind.ALLERGIES:
        denial = _NONE.search(plain, sentence.start, sentence.end)
        if denial:
            yield Entity(EntityKind.ALLERGY, *denial.span(), assertion=Assertion.ABSENT)
        else:
            yield from _items(found, sentence, sentence.start)
        return
    said = _SAYS.search(plain, sentence.start, sentence.end)
    if said:
        yield from _known(found, sentence, said.end())
    elif (denial := _NONE.search(plain, sentence.start, sentence.end)) and "llerg" in denial.group():
        yield Entity(EntityKind.ALLERGY, *denial.span(), assertion=Assertion.ABSENT)


def _items(found: Found, sentence: Sentence, start: int) -> Iterator[Entity]:
    named = list(_known(found, sentence, start))
    if named:
        yield from named
        return
    for match in _ITEM.finditer(found.reading.plain, start, sentence.end):
        words = match.group()
        lead = _LEAD.match(words)
        begin = match.start() + (lead.end() if lead else 0)
        kept = _TAIL.sub("", found.reading.plain[begin : match.end()]).rstrip(" .")
        if kept and "_" not in kept and len(kept.split()) <= 5 and kept[0].isalpha():
            yield _entity(found, sentence, begin, begin + len(kept), None)


def _known(found: Found, sentence: Sentence, start: int) -> Iterator[Entity]:
    """Allergens that the terminology knows: drugs first, then allergens."""
    spans: list[tuple[int, int, str | None]] = [
        (term.start, term.end, None) for term in found.drugs_in(start, sentence.end)
    ]
    spans += [
        (term.start, term.end, term.key) for term in found.in_span(start, sentence.end)
        if term.kind == "allergen"
    ]  # fmt: skip
    last = start
    for begin, end, key in _compounds(found, sorted(spans, key=lambda span: (span[0], -span[1]))):
        if begin >= last and not _DID.search(found.reading.plain, begin, end):
            end = _class_word(found, end)
            yield _entity(found, sentence, begin, end, key)
            last = end


def _compounds(found: Found, spans: list[tuple[int, int, str | None]]) -> list[tuple[int, int, str | None]]:
    """Spans with what one "-containing" joins made one ("iodine-containing contrast media")."""
    joined: list[tuple[int, int, str | None]] = []
    for begin, end, key in spans:
        if joined and found.reading.lower[joined[-1][1] : begin] in _CONTAINING:
            joined[-1] = (joined[-1][0], end, key)
        else:
            joined.append((begin, end, key))
    return joined


def _is_class(found: Found, start: int, end: int) -> bool:
    """Whether the words in brackets after an allergen name it again ("Sulfa (Sulfonamide Antibiotics)")."""
    terms = list(found.in_span(start, end))
    told = _DID.search(found.reading.plain, start, end) or any(term.kind in ("condition", "symptom") for term in terms)
    if told:  # "(red man syndrome)" is what it did
        return False
    return any(True for _ in found.drugs_in(start, end)) or any(term.kind == "allergen" for term in terms)


def _class_word(found: Found, end: int) -> int:
    """ "sulfa drugs", "penicillin antibiotics": the class word belongs to the allergen."""
    named = _CLASS_IN_BRACKETS.match(found.reading.plain, end)
    if named and _is_class(found, *named.span()):
        return named.end()
    match = re.compile(r" (?:drugs|antibiotics|products|dye|agents|allergy(?= to))\b", re.IGNORECASE).match(
        found.reading.plain, end
    )
    return match.end() if match else end


def _entity(found: Found, sentence: Sentence, start: int, end: int, key: str | None) -> Entity:
    judgement = found.judged(sentence, start, end)
    match = _REACTION.match(found.reading.plain[end : sentence.end])
    attributes: dict[str, str] = {}
    if match:
        group = "bracket" if match["bracket"] else "plain"
        begin, stop = end + match.start(group), end + match.end(group)
        attributes["reaction"] = found.reading.note.text[begin:stop].strip(" .")
    return Entity(EntityKind.ALLERGY, start, end, key, judgement.assertion, False, "patient", attributes)

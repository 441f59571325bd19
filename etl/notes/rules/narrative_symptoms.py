"""Symptoms and findings of case reports: what a patient felt or denied, and what an investigation showed."""

import re
from collections.abc import Sequence
from functools import cache

from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found, Term
from etl.notes.rules.narrative_spans import span_of, touches
from etl.notes.rules.patterns import load_words
from etl.notes.rules.symptoms import described
from etl.notes.tagger.tagger import Tagged

# A denial that the tagger took into a symptom's span ("no fevers").
_DENIED_SPAN = re.compile(r"(?:no|denie[sd]|denying|without|nor|never)\s+(?:(?:any|other|had|a|an)\s+)*", re.IGNORECASE)
_COMPLAINS = frozenset(
    {"complained", "complaining", "complaints", "presented", "presents", "reported", "felt", "noticed", "experienced"}
    | {"suffered", "developed", "described", "denied", "symptoms"}
)
_SHOWN = re.compile(
    r"\b(?:reveal|show|demonstrat|disclos|confirm|detect|identif|display)(?:s|ed|ing|ies|ied|e|es)?\b(?! (?:her|his))"
)
_COMPLAINT = re.compile(
    r"\b(?:present(?:ed|s|ing) (?:[a-z]+ ){0,6}with|complain(?:ed|s|ing|ts?) of|denie[sd]|denying|reports?|reported|"
    r"(?:chief )?complaints? (?:was|were|is))\b",
    re.IGNORECASE,
)
_NEXT_WORDS = 4


def find_tagged_symptoms(found: Found, sentence: Sentence, tagged: Sequence[Tagged]) -> list[Entity]:
    """Symptoms, and findings that an examination or test showed, in the order of the text."""
    tested = _investigated(found, sentence) if any(tag.label in ("TEST", "VAL") for tag in tagged) else []
    entities: list[Entity] = []
    for tag in tagged:
        if tag.label != "SYM":
            continue
        start, end = span_of(found, sentence, tag)
        denial = _DENIED_SPAN.match(found.reading.plain, start, end)
        start = denial.end() if denial and denial.end() < end else start
        term = _overlapping(found, sentence, start, end)
        if term:
            start, end = min(start, term.start), max(end, term.end)
        judgement = found.judged(sentence, start, end)
        if judgement.hypothetical or (entities and start < entities[-1].end):
            continue
        felt = (
            term is not None
            and term.kind == "symptom"
            and not _SHOWN.search(found.reading.lower, sentence.start, start)
        )
        sign = not felt and not _is_plain(found, sentence, tag) and _is_found(found, sentence, tag, tested)
        kind = EntityKind.EXAMINATION if sign else EntityKind.SYMPTOM
        key = term.key if term else None
        entities.append(Entity(kind, start, end, key, judgement.assertion, judgement.historical))
    entities += _complaints(found, sentence, [(entity.start, entity.end) for entity in entities])
    return described(found, sentence, sorted(entities, key=lambda entity: entity.start))


def _complaints(found: Found, sentence: Sentence, taken: list[tuple[int, int]]) -> list[Entity]:
    """Symptoms that the terminology knows and the tagger passed over, where the words say that someone complains of
    them or denies them."""
    said = _COMPLAINT.search(found.reading.plain, sentence.start, sentence.end)
    if said is None:
        return []
    terms = [term for term in found.in_span(said.end(), sentence.end) if term.kind == "symptom"]
    kept = [term for term in terms if not touches(taken, term.start, term.end)]
    entities = [found.entity(EntityKind.SYMPTOM, sentence, term.start, term.end, term.key) for term in kept]
    return [entity for entity in entities if not found.judged(sentence, entity.start, entity.end).hypothetical]


def _investigated(found: Found, sentence: Sentence) -> list[int]:
    """Places in the sentence, in words, of words for investigations."""
    begins, whole = _beginnings("investigations.txt")
    words = found.reading.words[sentence.first : sentence.last]
    return [at for at, word in enumerate(words) if word in whole or word.startswith(begins)]


def _is_plain(found: Found, sentence: Sentence, tag: Tagged) -> bool:
    """Whether a finding is one that a patient feels, sees or is told of in a plain word (`plain_findings.txt`)."""
    begins, whole = _beginnings("plain_findings.txt")
    words = found.reading.words[sentence.first + tag.first : sentence.first + tag.last]
    return any(word in whole or word.startswith(begins) for word in words)


@cache
def _beginnings(file: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Beginnings of words, and whole words, of a list that marks the latter with "!"."""
    entries = sorted(load_words(file))
    whole = frozenset(entry[:-1] for entry in entries if entry.endswith("!"))
    return tuple(entry for entry in entries if not entry.endswith("!")), whole


def _is_found(found: Found, sentence: Sentence, tag: Tagged, tested: list[int]) -> bool:
    """Whether an investigation named before the finding, or right after it ("a mass on CT"), showed it; what a patient
    complains of in between is the patient's."""
    words = found.reading.words
    for at in tested:
        if tag.last <= at <= tag.last + _NEXT_WORDS:
            return True
        if at < tag.first and _COMPLAINS.isdisjoint(words[sentence.first + at : sentence.first + tag.first]):
            return True
    return False


def _overlapping(found: Found, sentence: Sentence, start: int, end: int) -> Term | None:
    return next(
        (term for term in found.in_span(sentence.start, sentence.end) if term.start < end and start < term.end), None
    )

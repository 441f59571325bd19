"""Past medical and surgical history."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found, Term
from etl.notes.rules.patterns import load_words
from etl.notes.section_kinds import SectionKind

_YEAR = r"(?:\[\*\*(?:19|20|21|22)\d\d\*\*\]|(?:19|20|21|22)\d\d|'\d\d)"
_ONSET = re.compile(
    rf"(?:\b(?:in|since|dx'?d?|diagnosed(?: in)?|from|circa)\s(?:(?:early|late|mid)[ -])?|[(,]\s?(?:in )?|"
    rf"\s)(?P<value>{_YEAR}"
    r"|(?:(?:about|approximately|around|over) )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|many|"
    r"twenty)[ -]"
    r"?(?:years?|yrs?|months?|decades?|weeks?) (?:ago|prior|earlier)|last year)(?!\w)",
    re.IGNORECASE,
)

_SIDE = re.compile(r"\b(?:right|left|bilateral) $", re.IGNORECASE)


def find_histories(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """Conditions and procedures of one sentence as history; the section or the term says which kind."""
    for term in found.in_span(sentence.start, sentence.end):
        kind = _kind_of(term, sentence.section)
        if kind is None:
            continue
        judgement = found.judged(sentence, term.start, term.end)
        if judgement.hypothetical:
            continue
        told = sentence.section not in (SectionKind.MEDICAL_HISTORY, SectionKind.SURGICAL_HISTORY)
        if kind is EntityKind.SURGICAL_HISTORY and told and not (judgement.historical or judgement.history_of):
            continue
        start = with_site(found, sentence, term)
        onset = onset_after(found, sentence, term.end)
        brought_along = judgement.historical or judgement.history_of or bool(onset)
        if (
            told
            and kind is EntityKind.MEDICAL_HISTORY
            and not brought_along
            and found_this_time(found, sentence, start)
        ):
            yield Entity(EntityKind.DIAGNOSIS, start, term.end, term.key, judgement.assertion, False, "patient", {})
            continue
        historical = judgement.historical or bool(onset) or kind is EntityKind.SURGICAL_HISTORY
        yield Entity(
            kind, start, term.end, term.key, judgement.assertion, historical, "patient", onset,
        )  # fmt: skip


def found_this_time(found: Found, sentence: Sentence, start: int) -> bool:
    """Whether the words before a condition say that this stay found it (`found_this_time.txt`)."""
    return _found_now().search(found.reading.plain, sentence.start, start) is not None


@cache
def _found_now() -> re.Pattern[str]:
    text = files("etl.notes").joinpath("data", "found_this_time.txt").read_text("utf-8")
    return re.compile("|".join(line for line in text.splitlines() if line and line[0] != "#"), re.IGNORECASE)


def _kind_of(term: Term, section: SectionKind) -> EntityKind | None:
    if term.kind == "procedure":
        surgery = section is SectionKind.SURGICAL_HISTORY or term.key not in load_words("not_surgery.txt")
        return EntityKind.SURGICAL_HISTORY if surgery else None
    if term.kind == "condition":
        return None if term.key in load_words("not_history.txt") else EntityKind.MEDICAL_HISTORY
    if term.kind == "symptom" and section is SectionKind.MEDICAL_HISTORY:
        return EntityKind.MEDICAL_HISTORY
    return None


def with_site(found: Found, sentence: Sentence, term: Term) -> int:
    """The organ of a cancer that the terminology knows only in general ("colon CA"), and the side of a joint's
    replacement ("right total knee arthroplasty"), which is a part of its name."""
    if term.key.endswith("_replacement"):
        side = _SIDE.search(found.reading.plain[max(sentence.start, term.start - 10) : term.start])
        return term.start - len(side.group()) if side else term.start
    if term.key != "cancer":
        return term.start
    before = re.search(r"([A-Za-z]+) $", found.reading.plain[max(sentence.start, term.start - 20) : term.start])
    return (
        term.start - len(before.group())
        if before and before[1].lower() in load_words("cancer_sites.txt")
        else term.start
    )


def onset_after(found: Found, sentence: Sentence, end: int) -> dict[str, str]:
    """The year or age of a history that stands right after it, as attribute `onset`."""
    stop = min(sentence.end, end + 45)
    following = next(iter(found.in_span(end, stop)), None)
    # In the note itself, since a year in de-identification brackets still tells the order of things.
    match = _ONSET.search(found.reading.note.text, end, following.start if following else stop)
    return {"onset": found.reading.note.text[match.start("value") : match.end("value")]} if match else {}

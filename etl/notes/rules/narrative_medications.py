"""Drugs of case reports: those that were taken or given, not those that were measured or tested."""

import re
from collections.abc import Iterator, Sequence

from etl.notes.entities import Entity
from etl.notes.reading import Sentence
from etl.notes.rules.found import Found
from etl.notes.rules.medications import directions, role_of, treatment_words
from etl.notes.rules.narrative_spans import span_of, touches
from etl.notes.rules.withheld import is_withheld
from etl.notes.tagger.tagger import Tagged

# A culture's antibiogram names drugs that nobody took.
_LABORATORY = re.compile(
    r"\b(?:susceptib|minimum inhibitory|antibiogram|(?:isolate|strain|organism|coccus|bacteri|culture|coli|aureus)\w*\b"
    r"[^.;]*\b(?:resistan(?:t|ce) to|sensitive to|sensitivit))"
)
_TREATED = re.compile(
    r"\b(?:treat|given|gave|start|received|administ|switch|chang|prescri|taking|took|modif|replac|initiat|therapy with)"
)
# What stands beside a substance that was measured, or that names a disease.
_MEASURED_BEFORE = re.compile(
    r"\b(?:levels?|concentrations?|activity|titers?|titres?|assays?|clearance|excretion|secretion|deficiency|allerg\w+|"
    r"intoleran\w+) (?:of|to|for) (?:[a-z]+ )?$|\banti-?$|\b(?:serum|plasma|urinary|urine|basal) $"
)
_MEASURED_AFTER = re.compile(
    r"[- ](?:levels?|concentrations?|assays?|titers?|titres?|deficien\w+|antibod\w+|toxicity|poisoning|intoxication|"
    r"receptors?|syndrome|allergy|challenge|count|(?:stimulation |suppression )?tests?)\b|-(?:induced|dependent|"
    r"resistant|sensitive|associated|like)\b"
)
# The tagger's span without a way of giving it ("oral"), which is no drug.
_WAY = re.compile(
    r"^(?:(?:oral|intravenous|topical|systemic|subcutaneous|intramuscular|intrathecal|inhaled|adjuvant|neoadjuvant|"
    r"adjunct|high|low|dose|empiric\w*|concomitant|the|his|her)\b[- ]?)+",
    re.IGNORECASE,
)
_DIRECTIONS = 110
_BESIDE = 40


def find_tagged_medications(found: Found, sentence: Sentence, tagged: Sequence[Tagged]) -> Iterator[Entity]:
    """Drugs of a sentence with role and directions; none where it is an antibiogram's and treats nobody."""
    spans = _drugs(found, sentence, tagged)
    if not spans or (
        _LABORATORY.search(found.reading.lower, sentence.start, sentence.end)
        and not _TREATED.search(found.reading.lower, sentence.start, sentence.end)
    ):
        return
    for (start, end), (stop, _) in zip(spans, [*spans[1:], (sentence.end, 0)], strict=True):
        if is_withheld(found, sentence, start, end):
            continue
        judgement = found.judged(sentence, start, end)
        kind, told = role_of(found, sentence, start), directions(found, end, min(stop, end + _DIRECTIONS))
        yield Entity(kind, start, end, None, judgement.assertion, judgement.historical, "patient", told)


def _drugs(found: Found, sentence: Sentence, tagged: Sequence[Tagged]) -> list[tuple[int, int]]:
    """Characters of the drugs of a sentence, in order: those of the terminology, the tagger's, words for classes."""
    tags = [(tag.label, *span_of(found, sentence, tag)) for tag in tagged]
    # "Lithium level" and "resistant to penicillin" are tests.
    tested = [(start, end) for label, start, end in tags if label == "TEST"]
    spoken_for = [(start, end) for label, start, end in tags if label in ("TX", "TEST", "DIS", "SYM")]
    named = [(term.start, term.end) for term in found.drugs_in(sentence.start, sentence.end)]
    spans = [span for span in named if not touches(tested, *span) and not _is_measured(found, sentence, *span)]
    for start, end in [
        *(_without_way(found, start, end) for label, start, end in tags if label == "MED"),
        *(span for span in treatment_words(found.reading, sentence) if not touches(spoken_for, *span)),
    ]:
        if start < end and not touches(spans, start, end) and not _is_measured(found, sentence, start, end):
            spans.append((start, end))
    return sorted(spans)


def _is_measured(found: Found, sentence: Sentence, start: int, end: int) -> bool:
    """Whether the words beside a substance make it a measurement or a disease ("levels of cortisol")."""
    lower = found.reading.lower
    return bool(
        _MEASURED_AFTER.match(lower, end, sentence.end)
        or _MEASURED_BEFORE.search(lower[max(sentence.start, start - _BESIDE) : start])
    )


def _without_way(found: Found, start: int, end: int) -> tuple[int, int]:
    way = _WAY.match(found.reading.plain[start:end])
    return (start + way.end() if way else start), end

"""Case reports: no headings, so the trained tagger and the phrase rules take the sections' place."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from etl.caserecord import Assertion
from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.diagnoses import find_stated_diagnoses
from etl.notes.rules.found import Found, Term
from etl.notes.rules.histories import onset_after
from etl.notes.rules.medications import directions, role_of, treatment_words
from etl.notes.rules.patterns import load_words
from etl.notes.rules.relatives import find_family_history, relatives_in
from etl.notes.rules.social import judged_habit
from etl.notes.rules.symptoms import described
from etl.notes.tagger.tagger import Tagged, TaggedSentence

_DENIAL = re.compile(
    r"^(?:there (?:is|was) )?(?:(?:denie[sd]|none of|no|not|without|never|did not|does not|negative for|had no|has no|"
    r"lack of|(?:(?:past|previous|prior|medical|surgical|family) )*history (?:(?:is|was) (?:otherwise )?negative for|"
    r"[a-z ]{0,20}\b(?:does|did|has|had) not)|ha[sd] not (?=had))\b\s*(?:have |had |has |any |a |an |known |"
    r"relevant |significant |previous |prior |past |other |personal )*)(?:(?:medical |family |familial |"
    r"surgical )*history of |histories of )?",
    re.IGNORECASE,
)
# A denial that the tagger took into a symptom's span ("no fevers").
_DENIED_SPAN = re.compile(r"(?:no|denie[sd]|denying|without|nor|never)\s+(?:(?:any|other|had|a|an)\s+)*", re.IGNORECASE)
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
_WORDS_BEFORE = 8
_TELLING = frozenset({"to", "by", "per"})  # "died early according to the parents"
_DIRECTIONS = 110
_BESIDE = 40
_LONGEST_SPLIT = 6


def find_in_narrative(found: Found, sentence: Sentence, tagged: TaggedSentence) -> Iterator[Entity]:
    """Everything that one sentence of a case report states."""
    history = list(_history(found, sentence, tagged))
    yield from (entity for entity in history if entity.kind is EntityKind.FAMILY_HISTORY)
    yield from find_family_history(found, sentence)
    yield from _medications(found, sentence, tagged.entities)
    stated = list(find_stated_diagnoses(found, sentence))
    yield from (entity for entity in stated if entity.kind is EntityKind.DIAGNOSIS)
    yield from (entity for entity in history if entity.kind is not EntityKind.FAMILY_HISTORY)
    yield from (entity for entity in stated if entity.kind is not EntityKind.DIAGNOSIS)
    yield from _symptoms(found, sentence, tagged.entities)


def _span(found: Found, sentence: Sentence, tag: Tagged) -> tuple[int, int]:
    reading = found.reading
    return reading.starts[sentence.first + tag.first], reading.ends[sentence.first + tag.last - 1]


def _symptoms(found: Found, sentence: Sentence, tagged: Sequence[Tagged]) -> list[Entity]:
    tested = _investigated(found, sentence) if any(tag.label in ("TEST", "VAL") for tag in tagged) else []
    entities: list[Entity] = []
    for tag in tagged:
        if tag.label != "SYM":
            continue
        start, end = _span(found, sentence, tag)
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
    kept = [term for term in terms if not _touches(taken, term.start, term.end)]
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


def _medications(found: Found, sentence: Sentence, tagged: Sequence[Tagged]) -> Iterator[Entity]:
    spans = _drugs(found, sentence, tagged)
    if not spans or (
        _LABORATORY.search(found.reading.lower, sentence.start, sentence.end)
        and not _TREATED.search(found.reading.lower, sentence.start, sentence.end)
    ):
        return
    for (start, end), (stop, _) in zip(spans, [*spans[1:], (sentence.end, 0)], strict=True):
        judgement = found.judged(sentence, start, end)
        kind, told = role_of(found, sentence, start), directions(found, end, min(stop, end + _DIRECTIONS))
        yield Entity(kind, start, end, None, judgement.assertion, judgement.historical, "patient", told)


def _drugs(found: Found, sentence: Sentence, tagged: Sequence[Tagged]) -> list[tuple[int, int]]:
    """Characters of the drugs of a sentence, in order: those of the terminology, the tagger's, words for classes."""
    tags = [(tag.label, *_span(found, sentence, tag)) for tag in tagged]
    # "Lithium level" and "resistant to penicillin" are tests.
    tested = [(start, end) for label, start, end in tags if label == "TEST"]
    spoken_for = [(start, end) for label, start, end in tags if label in ("TX", "TEST", "DIS", "SYM")]
    named = [(term.start, term.end) for term in found.drugs_in(sentence.start, sentence.end)]
    spans = [span for span in named if not _touches(tested, *span) and not _is_measured(found, sentence, *span)]
    for start, end in [
        *(_without_way(found, start, end) for label, start, end in tags if label == "MED"),
        *(span for span in treatment_words(found.reading, sentence) if not _touches(spoken_for, *span)),
    ]:
        if start < end and not _touches(spans, start, end) and not _is_measured(found, sentence, start, end):
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


def _touches(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(start < stop and begin < end for begin, stop in spans)


def _history(found: Found, sentence: Sentence, given: TaggedSentence) -> Iterator[Entity]:
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
        start, end = _span(found, sentence, tag)
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

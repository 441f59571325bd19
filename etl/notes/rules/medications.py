"""Drugs with dose, route and frequency, and the role that their place in the note gives them."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from etl.caserecord import Assertion
from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Reading, Sentence
from etl.notes.rules.found import Found
from etl.notes.rules.patterns import load_patterns, load_words, value_span
from etl.notes.rules.withheld import is_withheld
from etl.notes.section_kinds import SectionKind
from etl.notes.spacy_phrases import Phrases

_SIG_REACH = 110
_SHORTEST_NAME = 7
_HOME = re.compile(
    r"\b(?:home (?:meds?|medications?)|takes?|taking|at home|on chronic|chronically on|maintained on|"
    r"medications? (?:includ|prior)|regular(?:ly)?|"
    r"(?:is|was|been) (?:currently )?on|is treated with|compliant with|adherent|ran out of|self-medicat|"
    r"over[- ]the[- ]counter|otc)",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"\b(?:given|received|administered|started|initiated|(?<!\bis )treated|commenced|infus|bolus|was switched|"
    r"(?:placed|put|begun) on|loaded with|protocol|"
    r"underwent|therapy with|discharged)",
    re.IGNORECASE,
)
# "A heparin bolus was given": what was done to the patient stands after the drug.
_GIVEN_AFTER = re.compile(
    r"[^.;,]{0,60}?\b(?:bolus|drip|gtt|infusion|"
    r"(?:was|were) (?:then |also )?(?:given|started|administered|initiated|begun|hung))\b",
    re.IGNORECASE,
)
# A list of drugs in two parts, "outpatient medications are …; inpatient medications are …".
_INPATIENT_LIST = re.compile(
    r"\b(?:in-?patient|in-?hospital|hospital|icu|ward|floor|emergency (?:department|room)) "
    r"(?:medications?|meds?|drugs?)\b"
    r"|\b(?:medications?|meds?|drugs?) (?:given |received |administered )?(?:here |while )?(?:in|during|on) "
    r"(?:the |this |our )?(?:hospital|hospitali[sz]ation|stay|emergency (?:department|room)|ed|er|icu|ward|floor)\b"
    r"|\b(?:was|were|been) (?:given|administered|loaded with)\b|\breceived\b",
    re.IGNORECASE,
)
_HOME_LIST = re.compile(
    r"\b(?:out-?patient|home|usual|regular|pre-?admission|admission) (?:medications?|meds?|drugs?)\b"
    r"|\b(?:at home|prior to admission|before admission|takes|taking)\b",
    re.IGNORECASE,
)
_BY_SECTION = {
    SectionKind.HOME_MEDICATIONS: EntityKind.HOME_MEDICATION,
    SectionKind.DISCHARGE_MEDICATIONS: EntityKind.DISCHARGE_MEDICATION,
    SectionKind.HOSPITAL_COURSE: EntityKind.INPATIENT_MEDICATION,
    SectionKind.PLAN: EntityKind.DISCHARGE_MEDICATION,
    SectionKind.ASSESSMENT: EntityKind.DISCHARGE_MEDICATION,
}
# "Relieved by nitroglycerin" tells what helps, not what is taken.
_RELIEVED = re.compile(
    r"\b(?:reliev|relief|eases?|eased|better|improve|helped|respon|worse)\w*(?: [a-z/]+){0,3} $", re.IGNORECASE
)
_SPOKEN = frozenset({SectionKind.PRESENT_ILLNESS, SectionKind.MEDICAL_HISTORY, SectionKind.REVIEW_OF_SYSTEMS})


def find_medications(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """Drugs of one sentence with what follows them up to the next drug."""
    terms = list(found.drugs_in(sentence.start, sentence.end))
    for number, term in enumerate(terms):
        stop = terms[number + 1].start if number + 1 < len(terms) else sentence.end
        if sentence.section in _SPOKEN and _RELIEVED.search(
            found.reading.plain[max(sentence.start, term.start - 40) : term.start]
        ):
            continue
        if is_withheld(found, sentence, term.start, term.end):
            continue
        judgement = found.judged(sentence, term.start, term.end)
        if judgement.assertion is Assertion.ABSENT and sentence.section is SectionKind.DISCHARGE_MEDICATIONS:
            continue
        yield Entity(
            role_of(found, sentence, term.start), term.start, term.end, None, judgement.assertion, judgement.historical,
            "patient", directions(found, term.end, min(stop, term.end + _SIG_REACH)),
        )  # fmt: skip


def role_of(found: Found, sentence: Sentence, start: int) -> EntityKind:
    """Home where the section or the words before the drug say so, else by section; a narrative's drugs are given."""
    known = _BY_SECTION.get(sentence.section)
    if known is EntityKind.HOME_MEDICATION and _listed_as_given(found, start):
        return EntityKind.INPATIENT_MEDICATION
    if known is not None:
        return known
    before = found.reading.plain[max(sentence.start, start - 150) : start]
    home, given = _last(_HOME, before), _last(_GIVEN, before)
    if sentence.section in _SPOKEN and _GIVEN_AFTER.match(found.reading.plain, start, sentence.end):
        return EntityKind.INPATIENT_MEDICATION
    if sentence.section in _SPOKEN:
        return EntityKind.INPATIENT_MEDICATION if given > home else EntityKind.HOME_MEDICATION
    return EntityKind.HOME_MEDICATION if home > given else EntityKind.INPATIENT_MEDICATION


def _listed_as_given(found: Found, start: int) -> bool:
    """Whether the words of the section before a drug, back to its heading, last spoke of drugs of this stay."""
    opened = next((part.body for part in found.reading.sections if part.body <= start < part.end), start)
    before = found.reading.plain[opened:start]
    return _last(_INPATIENT_LIST, before) > _last(_HOME_LIST, before)


def directions(found: Found, start: int, end: int) -> dict[str, str]:
    """Dose, route and frequency among characters [start, end), each the first that stands there."""
    given: dict[str, str] = {}
    taken: list[tuple[int, int]] = []
    for name, pattern in load_patterns("medication_directions.csv"):
        if name in given:
            continue
        for match in pattern.finditer(found.reading.plain, start, end):
            span = value_span(match)
            if not any(span[0] < stop and begin < span[1] for begin, stop in taken):
                given[name] = found.reading.note.text[span[0] : span[1]]
                taken.append(span)
                break
    return given


def treatment_words(reading: Reading, sentence: Sentence) -> Iterator[tuple[int, int]]:
    """Characters of words that name a class of drugs ("diuretics", `data/treatment_words.txt`) or end as international
    drug names do ("-tinib", `data/drug_stems.txt`)."""
    words = reading.words[sentence.first : sentence.last]
    for first, last, _ in _treatments().find(words):
        yield reading.starts[sentence.first + first], reading.ends[sentence.first + last - 1]
    for at, word in enumerate(words):
        if len(word) >= _SHORTEST_NAME and _ends_as_drug(word):
            yield reading.starts[sentence.first + at], reading.ends[sentence.first + at]


@cache
def _treatments() -> Phrases:
    words = sorted(load_words("treatment_words.txt"))
    return Phrases((form, number) for number, word in enumerate(words) for form in (word, word + "s"))


@lru_cache(maxsize=50_000)
def _ends_as_drug(word: str) -> bool:
    ends, exceptions = _stems()
    return word.endswith(ends) and not word.endswith(exceptions)


@cache
def _stems() -> tuple[tuple[str, ...], tuple[str, ...]]:
    entries = sorted(load_words("drug_stems.txt"))
    return (
        tuple(entry for entry in entries if not entry.startswith("-")),
        tuple(entry[1:] for entry in entries if entry.startswith("-")),
    )


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=-1)

"""The `rules` extractor: which kinds each section yields, and the rules that find them."""

import re
from collections.abc import Callable, Iterable, Iterator, Set

from etl.caserecord import Assertion
from etl.notes.entities import Entity, EntityKind, Extracted
from etl.notes.reading import Reading, Sentence
from etl.notes.rules.allergies import find_allergies
from etl.notes.rules.diagnoses import find_diagnoses
from etl.notes.rules.examination import find_examination
from etl.notes.rules.found import Found, find_terms
from etl.notes.rules.histories import find_histories
from etl.notes.rules.measurements import find_laboratory, find_vitals
from etl.notes.rules.medications import find_medications
from etl.notes.rules.narrative import find_in_narrative
from etl.notes.rules.relatives import find_family_history
from etl.notes.rules.social import find_social_history
from etl.notes.rules.symptoms import continued, find_symptoms
from etl.notes.section_kinds import SectionKind as S
from etl.notes.tagger.tagger import tag_note

_REACH = 300
_GOES_ON = re.compile(
    r"(?:it|this|these|they|the (?:pain|symptoms?)|symptoms?|he|she|patient|pt|described|located|locali[sz]ed|worse|"
    r"better|relieved|exacerbated|aggravated|the patient|rates?|rated|radiat\w+|spread\w*|felt|cent(?:er|re)d|occurs?|"
    r"comes?|episodes?|onset|some relief|lasts?|lasting|at (?:its )?worst|happens?|no relief)\b"
)
_Finder = Callable[[Found, Sentence], Iterable[Entity]]

# Earlier finders win where spans overlap.
_BY_SECTION: dict[S, tuple[_Finder, ...]] = {
    S.CHIEF_COMPLAINT: (find_symptoms,),
    S.PRESENT_ILLNESS: (
        find_allergies, find_family_history, find_vitals, find_medications, find_symptoms, find_histories,
        find_social_history,
    ),
    S.MEDICAL_HISTORY: (find_family_history, find_histories, find_medications),
    S.SURGICAL_HISTORY: (find_histories,),
    S.SOCIAL_HISTORY: (find_social_history,),
    S.FAMILY_HISTORY: (find_family_history,),
    S.ALLERGIES: (find_allergies,),
    S.HOME_MEDICATIONS: (find_medications,),
    S.REVIEW_OF_SYSTEMS: (find_symptoms,),
    S.PHYSICAL_EXAM: (find_vitals, find_examination),
    S.VITAL_SIGNS: (find_vitals, find_examination),
    S.LABORATORY: (find_laboratory,),
    S.HOSPITAL_COURSE: (find_medications,),
    S.PLAN: (find_medications,),
    S.DISCHARGE_MEDICATIONS: (find_medications,),
    S.DISCHARGE_DIAGNOSIS: (find_diagnoses,),
    S.NARRATIVE: (find_allergies, find_vitals, find_social_history),
}  # fmt: skip


class RulesExtractor:
    """Terminology, sections and patterns. Needs no model; the same note gives the same entities."""

    def extract(self, reading: Reading, kinds: Set[EntityKind]) -> Extracted:
        """Entities of every kind, without overlaps."""
        found = find_terms(reading)
        return Extracted(tuple(_without_overlaps(_entities(found))))


def _entities(found: Found) -> Iterator[Entity]:
    told: list[Entity] = []
    tagged = tag_note(found)
    for number, sentence in enumerate(found.reading.sentences):
        here = [entity for finder in _BY_SECTION.get(sentence.section, ()) for entity in finder(found, sentence)]
        if number in tagged:
            here = [*find_in_narrative(found, sentence, tagged[number]), *here]
        if sentence.section in (S.PRESENT_ILLNESS, S.NARRATIVE):
            _continue(found, sentence, told, here)
        told.extend(here)
    yield from told


def _continue(found: Found, sentence: Sentence, told: list[Entity], here: list[Entity]) -> None:
    """A sentence without a symptom of its own may go on about the one just named, up to three sentences before."""
    if any(entity.kind is EntityKind.SYMPTOM for entity in here) or not _GOES_ON.match(
        found.reading.lower, sentence.start
    ):
        return
    for number in range(len(told) - 1, max(len(told) - 12, -1), -1):
        entity = told[number]
        if entity.kind is EntityKind.SYMPTOM and entity.assertion is not Assertion.ABSENT:
            if sentence.start - entity.end < _REACH:
                told[number] = continued(found, sentence, entity)
            return


def _without_overlaps(entities: Iterable[Entity]) -> Iterator[Entity]:
    """Of overlapping entities the one found first stays; out in order of place."""
    kept: list[Entity] = []
    for entity in entities:
        if not any(entity.start < other.end and other.start < entity.end for other in kept[-60:]):
            kept.append(entity)
    yield from sorted(kept, key=lambda entity: (entity.start, entity.end))

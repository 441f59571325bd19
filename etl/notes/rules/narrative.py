"""Case reports: no headings, so the trained tagger and the phrase rules take the sections' place."""

from collections.abc import Iterator

from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Sentence
from etl.notes.rules.diagnoses import find_stated_diagnoses
from etl.notes.rules.found import Found
from etl.notes.rules.narrative_history import find_tagged_history
from etl.notes.rules.narrative_medications import find_tagged_medications
from etl.notes.rules.narrative_symptoms import find_tagged_symptoms
from etl.notes.rules.relatives import find_family_history
from etl.notes.tagger.tagger import TaggedSentence


def find_in_narrative(found: Found, sentence: Sentence, tagged: TaggedSentence) -> Iterator[Entity]:
    """Everything that one sentence of a case report states."""
    history = list(find_tagged_history(found, sentence, tagged))
    yield from (entity for entity in history if entity.kind is EntityKind.FAMILY_HISTORY)
    yield from find_family_history(found, sentence)
    yield from find_tagged_medications(found, sentence, tagged.entities)
    stated = list(find_stated_diagnoses(found, sentence))
    yield from (entity for entity in stated if entity.kind is EntityKind.DIAGNOSIS)
    yield from (entity for entity in history if entity.kind is not EntityKind.FAMILY_HISTORY)
    yield from (entity for entity in stated if entity.kind is not EntityKind.DIAGNOSIS)
    yield from find_tagged_symptoms(found, sentence, tagged.entities)

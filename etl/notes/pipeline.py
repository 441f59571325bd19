"""Note in, NoteExtraction out: one extractor for all kinds of entity, or one of its own for each."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from etl.caserecord import Diagnosis, Medication, MedicationRole, Mention, MentionKind, NoteEvidence
from etl.notes.complaint import chief_complaint
from etl.notes.entities import MEDICATION_KINDS, Entity, EntityKind, Extracted, Extractor
from etl.notes.extractors.rules import RulesExtractor
from etl.notes.note import Note, NoteExtraction
from etl.notes.reading import Reading, read
from etl.notes.rules.frequencies import spelt_out
from etl.notes.who import demographics, spokesperson
from foundation.errors import UserError
from terminology import concepts, drugs

_ROLES = {
    EntityKind.HOME_MEDICATION: MedicationRole.HOME,
    EntityKind.INPATIENT_MEDICATION: MedicationRole.INPATIENT,
    EntityKind.DISCHARGE_MEDICATION: MedicationRole.DISCHARGE,
}
_TERMS = {
    EntityKind.SYMPTOM: ("symptom", "condition"),
    EntityKind.MEDICAL_HISTORY: ("condition", "symptom"),
    EntityKind.SURGICAL_HISTORY: ("procedure",),
    EntityKind.FAMILY_HISTORY: ("condition", "symptom", "habit"),
    EntityKind.ALLERGY: ("allergen",),
    EntityKind.VITAL: ("vital",),
}
_LONGEST_TERM = 60
EXTRACTOR_NAMES = ("rules", "transformer", "llm")


class NotePipeline:
    """Extraction of notes. `extractors` is one name for every kind ("rules"), or kind → name; kinds left out are found
    by rules. `settings` holds each model extractor's own arguments: {"transformer": {...}, "llm": {...}}.

    Raises UserError for an unknown kind or extractor name, or settings that an extractor lacks.
    """

    def __init__(
        self, extractors: Mapping[str, str] | str = "rules", settings: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        self._names = _by_kind(extractors)
        self._extractors = {
            name: _made(name, (settings or {}).get(name, {})) for name in sorted(set(self._names.values()))
        }

    def extract(self, note: Note) -> NoteExtraction:
        """Everything that `note` gives. An empty note, or one of blanks alone, gives an empty extraction."""
        reading = read(note)
        entities, dropped = self._entities(reading)
        return _assembled(reading, entities, dropped)

    def entities(self, note: Note) -> tuple[Entity, ...]:
        """The entities alone, of all kinds, in order of place: what the measurements score."""
        return self._entities(read(note))[0]

    def _entities(self, reading: Reading) -> tuple[tuple[Entity, ...], int]:
        kept: list[Entity] = []
        dropped = 0
        for name, extractor in self._extractors.items():
            wanted = frozenset(kind for kind, chosen in self._names.items() if chosen == name)
            answer = extractor.extract(reading, wanted)
            sound = [entity for entity in answer.entities if entity.kind in wanted and _is_sound(reading, entity)]
            dropped += answer.dropped + _unsound(reading, answer)
            kept.extend(sound)
        return tuple(sorted(kept, key=lambda entity: (entity.start, entity.end, entity.kind))), dropped


def _by_kind(extractors: Mapping[str, str] | str) -> dict[EntityKind, str]:
    chosen: Mapping[str, str] = extractors if not isinstance(extractors, str) else dict.fromkeys(EntityKind, extractors)
    for kind, name in chosen.items():
        if kind not in set(EntityKind):
            raise UserError(f"extractors: “{kind}” is not a kind of entity", "use one of: " + ", ".join(EntityKind))
        if name not in EXTRACTOR_NAMES:
            raise UserError(f"extractors: “{name}” is not an extractor", "use one of: " + ", ".join(EXTRACTOR_NAMES))
    return {kind: chosen.get(kind, "rules") for kind in EntityKind}


def _made(name: str, settings: Mapping[str, Any]) -> Extractor:
    if name == "transformer":
        from etl.notes.extractors.transformer import TransformerExtractor

        return TransformerExtractor(**settings)
    if name == "llm":
        from etl.notes.extractors.llm import LlmExtractor

        return LlmExtractor(**settings)
    return RulesExtractor()


def _is_sound(reading: Reading, entity: Entity) -> bool:
    """A span within the note that is no de-identification blank and has a letter or a digit."""
    words = reading.plain[entity.start : entity.end]
    return 0 <= entity.start < entity.end <= len(reading.plain) and "__" not in words and any(map(str.isalnum, words))


def _unsound(reading: Reading, answer: Extracted) -> int:
    return sum(not _is_sound(reading, entity) for entity in answer.entities)


def _assembled(reading: Reading, entities: tuple[Entity, ...], dropped: int) -> NoteExtraction:
    kinds = {EntityKind(kind.value) for kind in MentionKind}
    mentions = [_mention(reading, entity) for entity in entities if entity.kind in kinds]
    return NoteExtraction(
        chief_complaint=chief_complaint(reading, entities),
        mentions=tuple(mentions),
        medications=tuple(
            _medication(reading, entity)
            for entity in entities
            if entity.kind in MEDICATION_KINDS and entity.assertion != "absent"
        ),
        diagnoses=_diagnoses(reading, entities),
        demographics_hints=demographics(reading),
        spokesperson=spokesperson(reading),
        dropped=dropped,
    )


def _evidence(reading: Reading, entity: Entity) -> tuple[NoteEvidence, ...]:
    quote = reading.note.text[entity.start : entity.end]
    return (NoteEvidence(note_id=reading.note.note_id, start=entity.start, end=entity.end, quote=quote),)


def _phrase(reading: Reading, entity: Entity) -> str:
    return " ".join(reading.note.text[entity.start : entity.end].split())


@lru_cache(maxsize=50_000)
def _concept(kind: EntityKind, phrase: str) -> str | None:
    """The terminology's key for a whole phrase, for extractors that give none."""
    kinds = _TERMS.get(kind)
    concept = concepts.lookup(phrase, kinds=kinds) if kinds and len(phrase) < _LONGEST_TERM else None
    return concept.key if concept else None


def _key(reading: Reading, entity: Entity) -> str | None:
    """The key as tables give it: a vital sign's by its name, a drug's single ingredient, else that of the phrase."""
    if entity.kind is EntityKind.HOME_MEDICATION:
        ingredients = drugs.normalise(_phrase(reading, entity)).ingredients
        return next(iter(ingredients)) if len(ingredients) == 1 else None
    if entity.kind is EntityKind.VITAL:
        name = entity.attributes.get("name", "").replace("_", " ")
        return _concept(entity.kind, name) or _concept(entity.kind, f"body {name}")
    return _concept(entity.kind, _phrase(reading, entity))


def _mention(reading: Reading, entity: Entity) -> Mention:
    return Mention(
        mention_id=f"{reading.note.note_id}:{entity.kind}:{entity.start}-{entity.end}",
        kind=MentionKind(entity.kind.value),
        text=_phrase(reading, entity),
        concept=entity.concept or _key(reading, entity),
        assertion=entity.assertion,
        historical=entity.historical,
        experiencer=entity.experiencer,
        attributes=_told(entity),
        evidence=_evidence(reading, entity),
    )


def _told(entity: Entity) -> dict[str, str]:
    """The attributes, a home drug's times in words that a patient can say; the record's drug keeps its own."""
    times = entity.attributes.get("frequency", "")
    if entity.kind is not EntityKind.HOME_MEDICATION or not times:
        return dict(entity.attributes)
    return dict(entity.attributes) | {"frequency": spelt_out(times)}


def _medication(reading: Reading, entity: Entity) -> Medication:
    name = _phrase(reading, entity)
    known = drugs.normalise(name)
    return Medication(
        name=name,
        ingredients=tuple(sorted(known.ingredients)),
        role=_ROLES[entity.kind],
        dose=entity.attributes.get("dose", ""),
        route=entity.attributes.get("route", ""),
        frequency=entity.attributes.get("frequency", ""),
        carrier_fluid=known.carrier_fluid,
        evidence=_evidence(reading, entity),
    )


def _diagnoses(reading: Reading, entities: tuple[Entity, ...]) -> tuple[Diagnosis, ...]:
    """Diagnoses in the note's order, each name once; ranks are the order."""
    named: dict[str, Entity] = {}
    for entity in entities:
        if entity.kind is EntityKind.DIAGNOSIS and entity.assertion != "absent":
            named.setdefault(_phrase(reading, entity).lower(), entity)
    return tuple(
        Diagnosis(
            code="",
            version="",
            rank=rank,
            name=_phrase(reading, entity),
            name_source="note",
            evidence=_evidence(reading, entity),
        )
        for rank, entity in enumerate(named.values(), start=1)
    )

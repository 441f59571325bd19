"""What an extractor finds, and the one interface of extractors."""

from collections.abc import Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

from etl.caserecord import Assertion
from etl.notes.reading import Reading


class EntityKind(StrEnum):
    """The kinds that extraction tells apart: those of MentionKind, drugs by role, and diagnoses."""

    SYMPTOM = "symptom"
    MEDICAL_HISTORY = "medical_history"
    SURGICAL_HISTORY = "surgical_history"
    SOCIAL_HISTORY = "social_history"
    FAMILY_HISTORY = "family_history"
    ALLERGY = "allergy"
    VITAL = "vital"
    EXAMINATION = "examination"
    LABORATORY = "laboratory"
    HOME_MEDICATION = "home_medication"
    INPATIENT_MEDICATION = "inpatient_medication"
    DISCHARGE_MEDICATION = "discharge_medication"
    DIAGNOSIS = "diagnosis"


MEDICATION_KINDS = frozenset(
    {EntityKind.HOME_MEDICATION, EntityKind.INPATIENT_MEDICATION, EntityKind.DISCHARGE_MEDICATION}
)


@dataclass(frozen=True, slots=True)
class Entity:
    """Characters [start, end) of a note, and what they state. `attributes` hold the note's own words."""

    kind: EntityKind
    start: int
    end: int
    concept: str | None = None
    assertion: Assertion = Assertion.PRESENT
    historical: bool = False
    experiencer: str = "patient"
    attributes: dict[str, str] = field(default_factory=dict)

    def with_attributes(self, attributes: dict[str, str]) -> "Entity":
        """The same entity with further attributes; those that it has stand."""
        return replace(self, attributes={**attributes, **self.attributes})


@dataclass(frozen=True, slots=True)
class Extracted:
    """An extractor's answer: entities in any order, and how many it had to drop for want of words in the note."""

    entities: tuple[Entity, ...]
    dropped: int = 0


class Extractor(Protocol):
    """Finds entities of the wanted kinds in a prepared note. It may give others; the pipeline drops them."""

    def extract(self, reading: Reading, kinds: Set[EntityKind]) -> Extracted:
        """Spans lie within the note. Raises UserError where a model that it needs is missing."""
        ...

"""The `llm` extractor: any chat model, section by section; what it does not quote is dropped and counted."""

import re
from collections.abc import Iterator, Set
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from chatmodels.interface import ChatModel, Message
from chatmodels.structured import complete_as
from etl.caserecord import Assertion
from etl.notes.entities import Entity, EntityKind, Extracted
from etl.notes.reading import Reading

_ATTRIBUTES = (
    "onset", "duration", "frequency", "severity", "character", "location", "radiation", "aggravating", "relieving",
    "dose", "route", "reaction", "value", "unit", "amount",
)  # fmt: skip
_LONGEST_PART = 3000


class QuotedAttribute(BaseModel):
    """One attribute in the note's own words."""

    model_config = ConfigDict(extra="forbid")
    name: str
    quote: str


class QuotedEntity(BaseModel):
    """What the model must give for each entity."""

    model_config = ConfigDict(extra="forbid")
    kind: EntityKind
    quote: str
    assertion: Literal["present", "absent", "possible"] = "present"
    historical: bool = False
    experiencer: str = "patient"
    attributes: list[QuotedAttribute] = Field(default_factory=list)


class QuotedEntities(BaseModel):
    """The model's whole answer for one part of a note."""

    model_config = ConfigDict(extra="forbid")
    entities: list[QuotedEntity] = Field(default_factory=list)


class LlmExtractor:
    """Extraction by `model`. Parts of a note are its sections, long ones cut at sentences (`longest_part` characters).

    Raises ChatModelError where the model fails after `attempts` replies: a note is extracted whole or not at all.
    """

    def __init__(
        self,
        model: ChatModel,
        longest_part: int = _LONGEST_PART,
        max_tokens: int = 2048,
        attempts: int = 3,
        seed: int | None = 0,
    ) -> None:
        self._model = model
        self._longest = longest_part
        self._max_tokens = max_tokens
        self._attempts = attempts
        self._seed = seed

    def extract(self, reading: Reading, kinds: Set[EntityKind]) -> Extracted:
        """Entities of the wanted kinds, each where its quote stands in the note."""
        entities: list[Entity] = []
        dropped = 0
        for start, end, heading in parts_of(reading, self._longest):
            answer, _ = complete_as(
                self._model, _messages(reading, start, end, heading, kinds), QuotedEntities,
                max_tokens=self._max_tokens, attempts=self._attempts, seed=self._seed,
            )  # fmt: skip
            found, lost = placed(reading.note.text, start, end, answer)
            entities.extend(entity for entity in found if entity.kind in kinds)
            dropped += lost
        return Extracted(tuple(entities), dropped)


def parts_of(reading: Reading, longest: int) -> Iterator[tuple[int, int, str]]:
    """(start, end, heading) of the parts that one call each reads: sections, cut at sentence ends where too long."""
    for section in reading.sections:
        if not reading.note.text[section.body : section.end].strip():
            continue
        start = section.body
        for sentence in reading.sentences:
            inside = section.body <= sentence.start < section.end
            if inside and sentence.end - start > longest and sentence.start > start:
                yield start, sentence.start, section.heading
                start = sentence.start
        yield start, section.end, section.heading


def placed(text: str, start: int, end: int, answer: QuotedEntities) -> tuple[list[Entity], int]:
    """The answer's entities at their places in text[start:end), and how many quotes are not there.

    A quote may differ from the note in white space alone. A quote that is given twice takes the next place.
    """
    entities: list[Entity] = []
    taken: dict[str, int] = {}
    dropped = 0
    for item in answer.entities:
        span = _find(text, taken.get(item.quote, start), end, item.quote) or _find(text, start, end, item.quote)
        if span is None:
            dropped += 1
            continue
        taken[item.quote] = span[1]
        attributes: dict[str, str] = {}
        for attribute in item.attributes:
            place = _find(text, start, end, attribute.quote)
            if place is None or attribute.name not in _ATTRIBUTES:
                dropped += 1
            else:
                attributes[attribute.name] = text[place[0] : place[1]]
        entities.append(
            Entity(
                item.kind,
                *span,
                None,
                Assertion(item.assertion),
                item.historical,
                item.experiencer.lower() or "patient",
                attributes,
            )
        )
    return entities, dropped


def _find(text: str, start: int, end: int, quote: str) -> tuple[int, int] | None:
    words = quote.split()
    if not words:
        return None
    pattern = re.compile(
        r"(?<!\w)" * words[0][0].isalnum() + r"\s+".join(map(re.escape, words)) + r"(?!\w)" * words[-1][-1].isalnum()
    )
    match = pattern.search(text, start, end)
    return match.span() if match else None


def _messages(reading: Reading, start: int, end: int, heading: str, kinds: Set[EntityKind]) -> list[Message]:
    prompt = files("etl.notes").joinpath("data/llm_prompt.txt").read_text(encoding="utf-8")
    instructions = prompt.format(kinds=", ".join(sorted(kinds)), attributes=", ".join(_ATTRIBUTES))
    title = f"Section: {heading}\n" if heading else ""
    return [
        Message(role="system", content=instructions),
        Message(role="user", content=f"{title}Text:\n{reading.note.text[start:end].strip()}"),
    ]

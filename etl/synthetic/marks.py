"""Text that carries its own annotation: marks travel with the words until the note is finished.

A mark is a pair of private-use characters around the words, the first followed by one character that numbers the
mark; so sentences may be joined, wrapped and misspelt, and the spans are read off the finished note.
"""

import re
from dataclasses import dataclass, field

OPEN, CLOSE, UNBREAKABLE = "\ue000", "\ue001", "\ue002"
AREA_OPEN, AREA_CLOSE = "\ue003", "\ue004"
_FIRST = 0xF0000


@dataclass
class Entity:
    """A statement to be marked; `attributes` are filled when the note is finished, as GOLD.md says."""

    kind: str
    assertion: str = "present"
    historical: bool = False
    experiencer: str = "patient"
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Span:
    """Characters [start, end) of the finished note and what they are."""

    start: int
    end: int
    entity: Entity


@dataclass(frozen=True)
class Area:
    """A section (named) or a stretch that is not annotated (`name` "unannotated")."""

    start: int
    end: int
    name: str


class Marks:
    """The marks of one note."""

    def __init__(self) -> None:
        self._marks: list[tuple[Entity | str, str]] = []

    def entity(self, words: str, entity: Entity) -> str:
        """`words` as an entity of the note."""
        return self._wrap(words, (entity, ""))

    def attribute(self, words: str, entity: Entity, name: str) -> str:
        """`words` as an attribute of `entity`."""
        return self._wrap(words, (entity, name))

    def area(self, words: str, name: str) -> str:
        """`words` as a section called `name`, or "unannotated"."""
        return self._wrap(words, (name, ""), AREA_OPEN, AREA_CLOSE)

    def finish(self, text: str) -> tuple[str, list[Span], list[Area]]:
        """The plain note, its entities in order of start, and its areas."""
        plain: list[str] = []
        opened: list[tuple[int, int]] = []
        spans: list[Span] = []
        areas: list[Area] = []
        position = 0
        characters = iter(text)
        for character in characters:
            if character in (OPEN, AREA_OPEN):
                opened.append((ord(next(characters)) - _FIRST, position))
            elif character in (CLOSE, AREA_CLOSE):
                number, start = opened.pop()
                self._close(number, start, "".join(plain)[start:position], spans, areas)
            else:
                plain.append(character)
                position += 1
        return "".join(plain), sorted(spans, key=lambda span: span.start), areas

    def _wrap(self, words: str, mark: tuple[Entity | str, str], before: str = OPEN, after: str = CLOSE) -> str:
        self._marks.append(mark)
        return f"{before}{chr(_FIRST + len(self._marks) - 1)}{words}{after}"

    def _close(self, number: int, start: int, words: str, spans: list[Span], areas: list[Area]) -> None:
        owner, name = self._marks[number]
        end = start + len(words)
        if isinstance(owner, str):
            areas.append(Area(start, end, owner))
        elif name:
            owner.attributes[name] = words
        else:
            spans.append(Span(start, end, owner))


MARK = re.compile(f"[{OPEN}{AREA_OPEN}].|[{CLOSE}{AREA_CLOSE}]")


def pieces(text: str) -> list[tuple[int, str]]:
    """`text` cut at its marks: (depth, piece); marks themselves have depth -1, and areas add no depth."""
    cut: list[tuple[int, str]] = []
    depth = position = 0
    for match in MARK.finditer(text):
        cut.append((depth, text[position : match.start()]))
        cut.append((-1, match.group()))
        depth += {OPEN: 1, CLOSE: -1}.get(match.group()[0], 0)
        position = match.end()
    cut.append((depth, text[position:]))
    return cut


def hold_together(text: str) -> str:
    """`text` with the spaces inside marks made unbreakable, so that wrapping cuts no entity."""
    return "".join(piece.replace(" ", UNBREAKABLE) if depth > 0 else piece for depth, piece in pieces(text))


def capitalise(text: str) -> str:
    """`text` with its first letter upper case, marks skipped."""
    for index, character in enumerate(text):
        if character.isalnum():
            return text[:index] + character.upper() + text[index + 1 :]
    return text

"""Reading brat standoff (text and annotation) as MACCROBAT2020 has it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from foundation.errors import UserError


@dataclass(frozen=True, slots=True)
class Annotation:
    """An entity: its label and characters [start, end) of the text. A discontinuous one gives one for each part."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Annotated:
    """One document with its entities; `negated` are the entities whose event has POLARITY NEG."""

    name: str
    text: str
    entities: tuple[Annotation, ...]
    negated: frozenset[tuple[int, int]]


def read_brat(folder: Path) -> Iterator[Annotated]:
    """Documents of `folder` by name: every .ann with its .txt. UserError naming file and line of a broken one."""
    for path in sorted(folder.glob("*.ann")):
        text_file = path.with_suffix(".txt")
        if not text_file.is_file():
            raise UserError(f"{path.name}: its text {text_file.name} is missing", "put the .txt beside the .ann")
        with text_file.open(encoding="utf-8", newline="") as file:
            text = file.read()
        yield _document(path, text)


def _document(path: Path, text: str) -> Annotated:
    spans: dict[str, list[Annotation]] = {}
    events: dict[str, str] = {}
    negated: set[str] = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        fields = line.split("\t")
        if line.startswith("T") and len(fields) >= 3:
            spans[fields[0]] = list(_parts(fields[1], path, number))
        elif line.startswith("E") and len(fields) >= 2:
            events[fields[0]] = fields[1].split()[0].partition(":")[2]
        elif (
            line.startswith("A") and len(fields) >= 2 and fields[1].startswith("POLARITY") and fields[1].endswith("NEG")
        ):
            parts = fields[1].split()
            if parts[-1] == "NEG":
                negated.add(parts[1])
    denied = {events.get(event, event) for event in negated}
    return Annotated(
        path.stem, text, tuple(part for name in spans for part in spans[name]),
        frozenset((part.start, part.end) for name in denied for part in spans.get(name, [])),
    )  # fmt: skip


def _parts(field: str, path: Path, number: int) -> Iterator[Annotation]:
    label, _, places = field.partition(" ")
    for place in places.split(";"):
        ends = place.split()
        if len(ends) != 2 or not all(end.isdigit() for end in ends):
            raise UserError(
                f"{path.name}, line {number}: “{place}” is not two offsets", "mend the line, or leave the file out"
            )
        yield Annotation(label, int(ends[0]), int(ends[1]))

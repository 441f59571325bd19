"""A doctor's words cut into sentences, and lexicons of patterns kept as data (`detectors/data/*.yaml`)."""

import re
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

_BOUNDARY = re.compile(r"(?<=[.?!])[\"'”’)]*\s+(?=[\"'“‘(]?[A-Z0-9])|(?<=[?!])\s+|\n+")
_TITLE = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|e\.g|i\.e|vs)\.$")


@cache
def document(name: str) -> dict[str, Any]:
    """A data file of the detectors, parsed once."""
    content: dict[str, Any] = yaml.safe_load(files("evaluator.detectors").joinpath("data", name).read_text("utf-8"))
    return content


@cache
def patterns(name: str, key: str) -> tuple[re.Pattern[str], ...]:
    """The patterns listed under `key` of data file `name`; `{macro}` stands for an entry of its `macros`."""
    content = document(name)
    macros: dict[str, str] = content.get("macros", {})
    return tuple(re.compile(_expanded(text, macros), re.IGNORECASE) for text in content.get(key) or ())


def _expanded(text: str, macros: dict[str, str]) -> str:
    for macro, meaning in macros.items():
        text = text.replace("{" + macro + "}", f"(?:{meaning})")
    return text


def first_match(name: str, key: str, text: str) -> re.Match[str] | None:
    """The first pattern's match of `key` in `text`; curly quotes are read as straight ones, places stay."""
    straight = text.translate(_STRAIGHT)
    return next((match for pattern in patterns(name, key) if (match := pattern.search(straight))), None)


_STRAIGHT = str.maketrans("’‘“”", "''\"\"")


@cache
def _cut(text: str) -> tuple[str, ...]:
    pieces: list[str] = []
    start = 0
    for match in _BOUNDARY.finditer(text):
        if _TITLE.search(text[start : match.start()]):
            continue
        pieces.append(text[start : match.end()].strip())
        start = match.end()
    pieces.append(text[start:].strip())
    return tuple(piece for piece in pieces if piece)


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text`, verbatim, in order."""
    return _cut(text)


def sentence_with(text: str, part: str) -> str:
    """The sentence of `text` that holds `part`, or the whole text."""
    return next((sentence for sentence in sentences(text) if part and part in sentence), text)

"""Which condition patterns can match at a word, by its first letter: a tenth of the work of trying all of them."""

import re

_SKIPPED = re.compile(r"\(\?<[!=][^)]*\)|\\b|\^")
_OTHER = ""


def alternatives(pattern: str) -> list[str]:
    """The parts of a pattern between bars that stand outside every group and class."""
    parts, depth, in_class, start, position = [], 0, False, 0, 0
    while position < len(pattern):
        char = pattern[position]
        if char == "\\":
            position += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and depth == 0:
            parts.append(pattern[start:position])
            start = position + 1
        position += 1
    return [*parts, pattern[start:]]


def first_letters(pattern: str) -> frozenset[str]:
    """Letters with which a match can begin; "" among them where that cannot be told."""
    return frozenset(letter for part in alternatives(pattern) for letter in _first(part))


def _first(part: str) -> frozenset[str]:
    skipped = _SKIPPED.match(part)
    if skipped:
        return _first(part[skipped.end() :])
    if part[:1].isalnum() and part[:1].isascii():
        rest = _first(part[2:]) if part[1:2] in {"?", "*"} else frozenset()
        return frozenset({part[0]}) | rest
    if part.startswith("(?:"):
        end = _closing(part)
        inner = first_letters(part[3:end])
        return inner | (_first(part[end + 2 :]) if part[end + 1 : end + 2] == "?" else frozenset())
    return frozenset({_OTHER})


def _closing(part: str) -> int:
    depth = 0
    position = 0
    while position < len(part):
        char = part[position]
        if char == "\\":
            position += 1
        elif char in "()":
            depth += 1 if char == "(" else -1
            if depth == 0:
                return position
        position += 1
    return len(part)

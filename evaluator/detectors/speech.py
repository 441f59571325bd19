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
    straight = text if text.isascii() else text.translate(_STRAIGHT)
    for pattern in patterns(name, key):
        if match := pattern.search(straight):
            return match
    return None


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


_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:[.,/]\d+)?")
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}
_NUMBERS |= {"thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "eighteen": "18", "twenty": "20"}
_NUMBERS |= {"seventeen": "17", "nineteen": "19", "thirty": "30", "forty": "40", "fifty": "50"}
_IRREGULAR = {
    form: base
    for base, forms in {
        "bite": "bit bitten", "break": "broke broken", "bleed": "bled", "lose": "lost", "die": "died dying dead death",
        "fall": "fell fallen", "feel": "felt", "swell": "swollen swelled", "shake": "shook shaken", "sleep": "slept",
        "wake": "woke woken", "drink": "drank drunk", "eat": "ate eaten", "throw": "threw thrown", "catch": "caught",
        "child": "children kid kids", "breathe": "breath breathing",
    }.items()
    for form in forms.split()
}  # fmt: skip
_RATING = re.compile(r"\b(\d{1,2})/10\b")
_ENDINGS = ("fulness", "ings", "ing", "edly", "ness", "ful", "ed", "ies", "es", "s", "ly", "e", "y")


@cache
def _function_words() -> frozenset[str]:
    return frozenset(document("function_words.yaml")["words"])


@cache
def stems(text: str) -> frozenset[str]:
    """The content words of `text` without endings, numbers as digits, strong verbs by their base; no function words."""
    words = _WORD.findall(_RATING.sub(r"\1 out of 10", text.lower().translate(_STRAIGHT)))
    plain = (_NUMBERS.get(word, _IRREGULAR.get(word, word)) for word in words if word not in _function_words())
    return frozenset(map(_stem, plain))


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if ending == "y" and word[-2:-1] in "aeiou":
            continue  # "kidney" as in "kidneys"
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word.removesuffix(ending)
            return stem[:-1] if len(stem) > 4 and stem[-1] == stem[-2] else stem
    return word

"""Words as one form: British or American, singular or plural, misspelt or not, -ing and -ed.

A form is not an English word (`headache` becomes `headach`); it only has to be the same for phrases and for text.
"""

import csv
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files

TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\s\w/\-'’&+]")
"""A word, or a punctuation mark that no phrase crosses. Hyphens and slashes part words and are crossed."""

SKIPPED = frozenset({"the", "a", "an", "my", "your", "his", "her", "their", "our", "any", "some", "this", "that"})
"""Words that may stand anywhere inside a phrase: "pain in (my) chest"."""

_VOWEL = re.compile(r"[aeiouy]")
_REMEMBERED = 200_000


@cache
def misspellings() -> dict[str, str]:
    """Common misspelling → right spelling, word by word (`data/concepts_misspellings.csv`)."""
    text = files("terminology").joinpath("data/concepts_misspellings.csv").read_text("utf-8")
    return {row["wrong"]: row["right"] for row in csv.DictReader(text.splitlines())}


def _american(word: str) -> str:
    word = word.replace("ae", "e").replace("oe", "e").replace("yse", "yze")
    if word.endswith("our"):
        word = word[:-3] + "or"
    return word.replace("ise", "ize").replace("isation", "ization")


def _singular(word: str) -> str:
    if word.endswith(("oses", "yses")) and len(word) >= 7:
        return word[:-2] + "is"
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_ending(word: str) -> str:
    for ending in ("ing", "ed"):
        root = word[: -len(ending)]
        if word.endswith(ending) and len(root) >= 3 and not word.endswith("eed") and _VOWEL.search(root):
            if root[-1] == root[-2] and root[-1] not in "lsfz":
                root = root[:-1]
            return root.removesuffix("e")
    return word.removesuffix("e") if len(word) >= 4 else word


def _plain_form(word: str) -> str:
    word = word.lower().replace("’", "'").removesuffix("'s").replace("'", "")
    word = misspellings().get(word, word)
    if len(word) <= 4:
        return word
    return _singular(_american(word) if len(word) >= 6 else word)


def _form(word: str) -> str:
    word = _plain_form(word)
    return word if len(word) <= 3 else _without_ending(_singular(word))


class _Forms(dict[str, str]):
    """Remembers each word's form; forgets all at once when a stream of rare words would fill memory."""

    def __init__(self, make: Callable[[str], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, word: str) -> str:
        if len(self) > _REMEMBERED:
            self.clear()
        form = self[word] = self._make(word)
        return form


FORMS = _Forms(_form)
"""`FORMS[word]` is the word's form inside a phrase: "hurting", "hurts" and "hurt" are one."""

PLAIN_FORMS = _Forms(_plain_form)
"""`PLAIN_FORMS[word]` is the form of a word that stands alone; keeps -ing and -ed, since "spine" is not "spinning"."""


def forms_of(text: str) -> tuple[str, ...]:
    """The forms of a phrase's words; those that may stand anywhere are left out after the first word.

    A last "a" is kept: there it is a letter ("hepatitis A") and no article.
    """
    tokens = TOKEN.findall(text)
    forms = [FORMS[token] for token in tokens]
    if text.isupper():
        return tuple(forms)
    last = len(forms) - 1
    kept = {0, last} if last > 0 and forms[last] == "a" else {0}
    return tuple(form for index, form in enumerate(forms) if index in kept or form not in SKIPPED)

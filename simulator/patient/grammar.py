"""Small grammar of names: articles, what one does or is rather than has, lists without repeats."""

import re

from simulator.patient.data_files import document
from simulator.patient.matching import content_words

_DETERMINER = re.compile(r"^(a|an|the|my|some|no|any|\d+)\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(r"(worst|best|most|first)\b", re.IGNORECASE)
_OPERATION = ("ectomy", "otomy", "ostomy", "plasty", "scopy", "pexy")
_VOWEL = re.compile(r"(?!u[nrst][eiao]|eu|one\b)[aeiou]|hour", re.IGNORECASE)


def with_article(name: str) -> str:
    """ "a headache", "an infection", "a urine infection"; plural and mass nouns stay as they are."""
    head = re.split(document("wording.yaml")["after_the_noun"], name)[0].split()[-1:]
    noun = re.split(r"[\s-]", head[0].lower())[-1] if head else ""
    countable = noun in document("wording.yaml")["countable"] or noun.endswith(_OPERATION)
    if _SUPERLATIVE.match(name):
        return f"the {name}"
    if not head or _DETERMINER.match(name) or not countable:
        return name
    return f"{'an' if _VOWEL.match(name) else 'a'} {name}"


def is_doing(name: str) -> bool:
    """Whether the name is something that one does or undergoes ("feeling sick"), said after "I've been"."""
    if " that " in name:
        return False
    first = name.split(" ", 1)[0].lower()
    words = document("wording.yaml")["doing"]
    return first in words["also"] or (first.endswith("ing") and first not in words["nouns"])


def listed(names: list[str]) -> str:
    """ "a, b and c"; each once."""
    unique = list(dict.fromkeys(names))
    return unique[0] if len(unique) == 1 else f"{', '.join(unique[:-1])} and {unique[-1]}"


def without_repeats(names: list[str]) -> list[str]:
    """The names without those that another says too, with more words ("pain" beside "sudden pain")."""
    said = list(dict.fromkeys(names))
    words = {name: content_words(name) for name in said}
    return [name for name in said if not any(words[name] < words[other] for other in said)]


def is_person(name: str) -> bool:
    """Whether the name is what someone is, not what they have: "hepatitis B carrier"."""
    return name.split(" ")[-1].lower() in document("wording.yaml")["persons"]

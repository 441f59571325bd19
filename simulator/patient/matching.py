"""Whether a fact is what an ask is about: by concept and its hierarchy, by drug class, by relative, by the words."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.asks import Ask
from simulator.patient.data_files import document
from simulator.patient.understanding.mentions import named
from terminology import concepts, drugs

_SEVERAL = re.compile(r",|(?<!^)\b(?:or|and)\b", re.IGNORECASE)
_STOP = frozenset(document("matching.yaml")["small_words"])


@cache
def _same() -> dict[str, frozenset[str]]:
    groups = [frozenset(group) for group in document("matching.yaml")["same"]]
    return {key: group for group in groups for key in group}


def alike(concept: str) -> frozenset[str]:
    """The keys that mean the same thing to ask for, the concept among them."""
    return _same().get(concept, frozenset((concept,)))


def _asserted(text: str) -> Iterator[str]:
    """What a statement names and does not itself deny ("woke up quickly without confusion", "not itchy")."""
    denied = re.compile(document("matching.yaml")["denied_part"], re.IGNORECASE)
    return (match.key for match in concepts.find(text) if not denied.search(text[: match.start]))


@lru_cache(maxsize=8192)
def _keys(domain: Domain, concept: str | None, text: str, absent: bool) -> frozenset[str]:
    """Every key that a fact answers to: its concept, its drugs' ingredients, or what its text names."""
    keys = set(alike(concept)) if concept else set()
    if domain in (Domain.MEDICATION, Domain.ALLERGY):
        keys.update(ingredient for match in drugs.find(text) for ingredient in match.ingredients)
    if not keys:
        keys.update((match.key for match in concepts.find(text)) if absent else _asserted(text))
    if domain is Domain.LIFESTYLE and not keys:
        words = document("matching.yaml")["habit_words"]
        keys.update(key for habit in words if re.search(words[habit], text, re.IGNORECASE) for key in alike(habit))
    return frozenset(keys)


def keys_of(fact: Fact) -> frozenset[str]:
    """The concept keys and ingredients that a fact is about."""
    return _keys(fact.domain, fact.concept, fact.text, fact.assertion is Assertion.ABSENT)


def named_in(fact: Fact) -> frozenset[str]:
    """Every concept that the fact's words name, its own among them or not."""
    return frozenset(match.key for match in concepts.find(fact.text))


def names(fact: Fact, concept: str) -> bool:
    """Whether the fact is about `concept` or something narrower ("pain" is answered by "chest pain")."""
    wanted, keys = alike(concept), keys_of(fact)
    if "+" in concept and keys >= set(concept.split("+")):
        return True
    for key in sorted(keys):
        if key in wanted or wanted.intersection(concepts.ancestors(key)) or wanted.intersection(drugs.classes(key)):
            return True
    return False


def of_system(fact: Fact, system: str) -> bool:
    """Whether the fact is about a body system ("skin", "respiratory")."""
    found = (concepts.get(key) for key in keys_of(fact))
    return any(concept is not None and concept.system == system for concept in found)


def covers_absence_of(fact: Fact, concept: str) -> bool:
    """Whether the fact's absence means the absence of `concept`: it is the same or wider, or says "none at all"."""
    if fact.assertion is not Assertion.ABSENT:
        return False
    wider = alike(concept).union(concepts.ancestors(concept))
    return bool(keys_of(fact) & wider) or (says_nothing(fact) and not (_is_felt(concept) and _is_of_illness(fact)))


def _is_felt(concept: str) -> bool:
    known = concepts.get(concept)
    return known is not None and known.kind == "symptom"


def _is_of_illness(fact: Fact) -> bool:
    """ "No past illness" says nothing of what is felt now."""
    return fact.domain is Domain.PAST_HISTORY


def says_nothing(fact: Fact) -> bool:
    """Whether the fact denies its whole domain ("no known drug allergies")."""
    pattern = document("matching.yaml")["nothing"].get(fact.domain.value)
    return bool(pattern and fact.assertion is Assertion.ABSENT and re.search(pattern, fact.text, re.IGNORECASE))


def content_words(text: str) -> frozenset[str]:
    """The words of a phrase that carry meaning, without plural endings."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words if word not in _STOP)


def says(fact: Fact, term: str) -> bool:
    """Whether the fact's own words hold every word of `term`: for what no terminology knows."""
    wanted = content_words(term)
    return bool(wanted) and wanted <= content_words(fact.text)


def is_called(fact: Fact, ask: Ask) -> bool:
    """Whether a name of the fact's concept stands in the question just where the asked thing is named.

    Some names belong to two concepts ("chest infection"); a person recognises the one that they have. In a clause that
    asks for several things only the place of the asked one counts; what the rules inferred has none, and then the
    clause must be simple.
    """
    asked = ask.words.lower()
    if not any(name in asked for name in _names(fact.concept, fact.text)):
        return False
    pattern = _names_pattern(fact.concept, fact.text)
    if pattern is None:
        return False
    places = _places(ask.words, ask.concept, ask.term)
    if places is None and _SEVERAL.search(ask.words):
        return False
    for found in pattern.finditer(ask.words):
        inside = [span for span in _spans(ask.words) if span[0] <= found.start() and found.end() <= span[1]]
        longer = any(end - start > found.end() - found.start() + 2 for start, end in inside)
        here = places is None or any(start < found.end() and found.start() < end for start, end in places)
        if here and not longer:
            return True
    return False


@lru_cache(maxsize=256)
def _places(words: str, concept: str | None, term: str) -> tuple[tuple[int, int], ...] | None:
    """Where the asked thing is named in the clause; None where it is not named by any of its own names."""
    pattern = _names_pattern(concept, term or (concept or "").replace("_", " "))
    found = [match.span() for match in pattern.finditer(words)] if pattern else []
    found += [(match.start, match.end) for match in concepts.find(words) if match.key == concept]
    found = found or [(mention.start, mention.end) for mention in named(words.lower()) if mention.key == concept]
    return tuple(found) or None


@lru_cache(maxsize=256)
def _spans(words: str) -> tuple[tuple[int, int], ...]:
    """Where the words name something, without an article that belongs to the wording ("the shaking")."""
    return tuple((m.start + 4 * m.text.lower().startswith("the "), m.end) for m in concepts.find(words))


@lru_cache(maxsize=8192)
def _names(key: str | None, text: str) -> tuple[str, ...]:
    """The names of a concept, or the text that none is known for, in small letters, longest first."""
    concept = concepts.get(key) if key else None
    wordings = (*concept.wordings(), concept.lay.split(" (")[0]) if concept else (text,)
    return tuple(sorted({name.lower() for name in wordings if len(name) > 3}, key=lambda name: (-len(name), name)))


@lru_cache(maxsize=4096)
def _names_pattern(key: str | None, text: str) -> re.Pattern[str] | None:
    names = _names(key, text)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE) if names else None


def relative_names(word: str) -> frozenset[str] | None:
    """The relatives that a doctor's word stands for; None for any of them."""
    data = document("relatives.yaml")
    name = data["same"].get(word.lower(), word.lower())
    if name in data["groups"]["anyone"] or name == "patient":
        return None
    return frozenset((name, *data["groups"].get(name, ())))


def is_relative(fact: Fact, word: str) -> bool:
    """Whether the fact's experiencer is (one of) the relatives asked for ("maternal aunt" is an aunt).

    A relative whose side the record does not say may be the one of either side.
    """
    wanted = relative_names(word)
    if wanted is None:
        return fact.experiencer != "patient" or fact.domain is Domain.FAMILY_HISTORY
    experiencer = fact.experiencer.lower()
    if experiencer.replace("-", " ") == word.lower().replace("-", " "):
        return True
    sided = word.lower().startswith(("maternal ", "paternal ")) and experiencer == word.lower().split()[-1]
    return sided or experiencer in wanted or _unsided(experiencer) in wanted


def _unsided(experiencer: str) -> str:
    """ "Maternal aunt" and "older brother" without what stands before; a "great uncle" stays one."""
    *before, name = experiencer.split() or [""]
    return name if set(before) <= set(document("relatives.yaml")["still"]) else experiencer

"""Drugs and allergens asked for: which facts may answer, and which belong to a class of drugs that was named."""

import re
from functools import cache, lru_cache

from kg.facts import Domain, Fact
from simulator.patient.asks import Ask
from simulator.patient.data_files import document
from simulator.patient.retrieved import PERSONAL
from terminology import concepts, drugs
from terminology.drug_table import class_words


def may_answer(ask: Ask, fact: Fact) -> bool:
    """Whether a fact's domain can answer the ask: taking a drug is no allergy to it, an allergy no taking nor habit.

    An allergy recorded as an illness ("latex allergy") answers for allergies, a habit for what is taken.
    """
    if ask.domain is Domain.ALLERGY:
        as_illness = fact.domain is Domain.PAST_HISTORY and re.search(
            document("matching.yaml")["allergic_illness"], fact.text, re.IGNORECASE
        )
        return fact.domain is Domain.ALLERGY or bool(as_illness)
    if ask.domain is Domain.MEDICATION:
        return fact.domain is Domain.MEDICATION or fact.domain in PERSONAL
    return ask.domain not in PERSONAL or fact.domain is not Domain.ALLERGY


def class_asked(ask: Ask) -> frozenset[str]:
    """The classes of drugs that the ask names by the class's own word ("antibiotics": "antibacterial"); else none."""
    if ask.domain not in (Domain.ALLERGY, Domain.MEDICATION):
        return frozenset()
    if ask.domain is Domain.MEDICATION and ask.term and (spoken := _spoken(ask.term.lower())):
        return spoken
    concept = concepts.get(ask.concept) if ask.concept else None
    names = concept.wordings() if concept else ((ask.concept or ask.term).replace("_", " "),)
    known = {_singular(name) for name in names}
    for word, name in _words_of_classes():
        if word in known and re.search(rf"\b{re.escape(word)}s?\b", ask.words.lower().replace("-", " ")):
            return frozenset({name})
    return frozenset()


def class_named(clause: str) -> list[tuple[int, int]]:
    """Where a clause in small letters names classes of drugs, by the class's word or by what its drugs are for."""
    return [match.span() for match in _spoken_pattern().finditer(clause)]


def of_class(fact: Fact, names: frozenset[str]) -> bool:
    """Whether a medicine or allergy is of a class: its own drugs, or most of those that its allergen stands for."""
    return fact.domain in (Domain.MEDICATION, Domain.ALLERGY) and bool(names & _classes(fact.concept, fact.text))


@lru_cache(maxsize=4096)
def _classes(key: str | None, text: str) -> frozenset[str]:
    concept = concepts.get(key) if key else None
    own = _ingredients(text) or ({key} if key and drugs.classes(key) else set())
    stands_for = own or (_ingredients("; ".join(concept.wordings())) if concept else set())
    each = [drugs.classes(ingredient) for ingredient in stands_for]
    most = 0 if own else len(each)  # a medicine of two drugs is of the classes of both
    found = frozenset(name for name in frozenset().union(*each) if 2 * sum(name in one for one in each) > most)
    named = {_singular(name) for name in (text, *(concept.wordings() if concept else ()))}
    return found | {name for word, name in _words_of_classes() if not own and word in named}


def _ingredients(text: str) -> set[str]:
    return {ingredient for match in drugs.find(text) for ingredient in match.ingredients}


@lru_cache(maxsize=1024)
def _spoken(name: str) -> frozenset[str]:
    """The classes of drugs for which a spoken name stands (data/drug_classes.yaml, else terminology's words)."""
    rules = document("drug_classes.yaml")
    for form, classes in rules["spoken"]:
        if re.fullmatch(form, name):
            return frozenset(classes)
    for form, classes in rules["purposes"]:
        if re.fullmatch(_purposed(form), name):
            return frozenset(classes)
    return frozenset(kind for word, kind in _words_of_classes() if word == _singular(name))


@cache
def _spoken_pattern() -> re.Pattern[str]:
    rules = document("drug_classes.yaml")
    spoken = [form for form, _ in rules["spoken"]]
    purposed = [_purposed(form) for form, _ in rules["purposes"]]
    known = (word for word, _ in _words_of_classes() if word not in rules["not_spoken"])
    words = [re.escape(word).replace(r"\ ", "[ -]") + "s?" for word in known]
    return re.compile(rf"\b(?:{'|'.join((*purposed, *spoken, *words))})(?!\w)")


def _purposed(purpose: str) -> str:
    """ "Thyroid tablets", "tablets for your thyroid"."""
    medicine = document("drug_classes.yaml")["medicine"]
    return rf"(?:{purpose}) {medicine}|(?:{medicine}|anything|something) for (?:your |the |an? )?(?:{purpose})"


def _singular(name: str) -> str:
    return re.sub(r"(?<=\w\w\w)s$", "", name.lower().replace("-", " "))


@cache
def _words_of_classes() -> tuple[tuple[str, str], ...]:
    """Words for classes of drugs with the class, the longest word first."""
    return tuple(sorted(((_singular(word), name) for word, name in class_words()), key=lambda row: -len(row[0])))

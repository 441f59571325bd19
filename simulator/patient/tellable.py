"""What a person tells unasked of all that a record holds: what is felt or known of oneself, not the chart's findings.

Asked for by name, everything recorded is answered; an open question ("anything else?") brings up only this.
"""

import re
from functools import lru_cache

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.chart import in_chart_words
from simulator.patient.data_files import document
from simulator.patient.matching import keys_of, named_in, says_nothing
from simulator.patient.wording import adds_to
from terminology import concepts

_FELT = frozenset({Domain.CHIEF_COMPLAINT, Domain.SYMPTOM})
_ILLNESS = frozenset({Domain.PAST_HISTORY, Domain.FAMILY_HISTORY})
_KINDS = {
    "felt": ("symptom",),
    "complained": ("symptom", "habit", "vital"),
    "ill": ("condition", "symptom", "procedure"),
}


def tellable(fact: Fact) -> bool:
    """Whether the fact comes up in answer to an open question."""
    if says_nothing(fact):
        return True
    if fact.assertion is not Assertion.ABSENT and _matches("negated", fact.text):
        return False
    if fact.domain is Domain.MEDICATION:
        return not _given_by_a_nurse(fact)
    if fact.domain in _FELT:
        return _of_kind(fact.text, fact.concept, "felt" if fact.domain is Domain.SYMPTOM else "complained")
    if fact.domain in _ILLNESS and fact.assertion is Assertion.ABSENT:
        concept = concepts.get(fact.concept) if fact.concept else None
        return concept is not None and concept.kind == "condition"
    return fact.domain not in _ILLNESS or _of_kind(fact.text, fact.concept, "ill")


def _given_by_a_nurse(fact: Fact) -> bool:
    """Whether the drug runs through a drip: nobody takes it at home."""
    route = f"{fact.attributes.get('route', '')} {fact.attributes.get('dose', '')} {fact.text}"
    return _matches("drip", route)


@lru_cache(maxsize=4096)
def _of_kind(text: str, key: str | None, kinds: str) -> bool:
    concept = concepts.get(key) if key else None
    if concept:
        return concept.kind in _KINDS[kinds] and key not in document("tellable.yaml")["unfelt"]
    if key or in_chart_words(text):
        return False
    return kinds != "felt" or _matches("complaint_words", text)


def _matches(name: str, text: str) -> bool:
    return re.search(document("tellable.yaml")[name], text, re.IGNORECASE) is not None


def told_already(fact: Fact, told: tuple[Fact, ...], narrower: bool = False) -> bool:
    """Whether facts that were told say the fact too: the same words, the same thing, or a kind of it.

    "Pain in both knees" says more than the pain that was told. With `narrower`, a kind of what was told counts too
    ("upper belly pain" after "belly pain", not after "pain").
    """
    if any(fact.text.lower() in other.text.lower() for other in told):
        return True
    known = {key for other in told for key in (*keys_of(other), *named_in(other))}
    more = any(adds_to(fact.text, key) for key in keys_of(fact)) or bool(fact.attributes.get("location"))
    return any(_is_told(key, known, narrower, more) for key in keys_of(fact))


def _is_told(key: str, known: set[str], narrower: bool, more: bool) -> bool:
    if key in known:
        return True
    if any(concepts.is_a(other, key) for other in known):
        return not more
    return narrower and any(concepts.is_a(key, other) and concepts.ancestors(other) for other in known)


def narrowest(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts without those that another says more exactly ("cough" beside "dry cough")."""
    return tuple(fact for fact in facts if not any(_wider(fact, other) for other in facts))


def _wider(fact: Fact, other: Fact) -> bool:
    keys, narrower = keys_of(fact), keys_of(other) - keys_of(fact)
    more = any(adds_to(fact.text, key) for key in keys) or bool(fact.attributes.get("location"))
    return not more and any(concepts.is_a(key, wide) for key in narrower for wide in keys)

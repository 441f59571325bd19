"""Asks of one turn that one answer settles: nobody says the same thing twice in a breath."""

from simulator.patient.asks import AskStatus, Attribute
from simulator.patient.data_files import document
from simulator.patient.disclose import Disclosure
from simulator.patient.retrieved import Finding

_OPEN = (Attribute.LIST, Attribute.ASSOCIATED)
_GENERAL = (Attribute.EXISTENCE, *_OPEN)


def without_echoes(disclosures: tuple[Disclosure, ...]) -> list[Disclosure]:
    """The disclosures to be said, without those that an earlier one of the same turn says already."""
    said: list[Disclosure] = []
    for disclosure in disclosures:
        if not any(_says(earlier, disclosure) for earlier in said):
            said.append(disclosure)
    return said


def _says(earlier: Disclosure, later: Disclosure) -> bool:
    """Whether the earlier answer says the later one too: its facts, its "no", its not knowing."""
    if (earlier.status, earlier.attribute) != (later.status, later.attribute):
        return False
    if earlier.status is AskStatus.GIVEN:
        told = {fact.fact_id for fact in (*earlier.facts, *(fact for _, fact in earlier.offered))}
        return {fact.fact_id for fact in later.facts} <= told and not later.offered
    if earlier.finding is later.finding is Finding.DETAIL_MISSING:
        return earlier.ask.attribute is later.ask.attribute
    return _topic(earlier) == _topic(later)


def _topic(disclosure: Disclosure) -> tuple[str, ...]:
    ask = disclosure.ask
    attribute = "" if ask.attribute in _GENERAL else ask.attribute.value
    return ask.domain.value, _named(disclosure), ask.term, attribute, ask.experiencer


def _named(disclosure: Disclosure) -> str:
    """The thing that the answer names; "" where it speaks of a whole domain ("no past health problems")."""
    concept = disclosure.ask.concept or ""
    return "" if concept in document("hearing.yaml")["general_concepts"] else concept

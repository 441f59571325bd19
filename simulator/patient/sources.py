"""Where the patient's facts come from: the patient's own graph, or facts in memory."""

from collections.abc import Iterable
from typing import Protocol

from etl.caserecord import Spokesperson
from kg.facts import Domain, Fact


class FactSource(Protocol):
    """What `kg.patient_view.PatientView` offers; the answer key is not behind it."""

    @property
    def spokesperson(self) -> Spokesperson | None:
        """Who answers where the patient cannot."""
        ...

    def facts(self, domain: Domain | None = None, concept: str | None = None) -> tuple[Fact, ...]:
        """Facts of one admission, all or of a domain or concept, in a fixed order."""
        ...

    def known_domains(self) -> frozenset[Domain]:
        """Domains that hold at least one fact."""
        ...


class FactsInMemory:
    """A fact source without a graph: for tests, and for facts of other people's cases."""

    def __init__(self, facts: Iterable[Fact], spokesperson: Spokesperson | None = None) -> None:
        self._facts = tuple(facts)
        self.spokesperson: Spokesperson | None = spokesperson

    def facts(self, domain: Domain | None = None, concept: str | None = None) -> tuple[Fact, ...]:
        """Facts in the order given, filtered."""
        return tuple(
            fact
            for fact in self._facts
            if (domain is None or fact.domain is domain) and (concept is None or fact.concept == concept)
        )

    def known_domains(self) -> frozenset[Domain]:
        """Domains that hold at least one fact."""
        return frozenset(fact.domain for fact in self._facts)

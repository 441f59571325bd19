"""What the encoder hears in an utterance: how probable each domain, each thing of a domain and each attribute is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute
from simulator.patient.understanding.conventions import equal_concept, related_concept

Floats = npt.NDArray[np.float32]
_LARGEST = 6.0


def class_names(ask: Ask) -> tuple[str, str]:
    """The classes of an ask: its domain, and its attribute (of a symptom's detail) or its thing."""
    if ask.domain is Domain.SYMPTOM_DETAIL:
        return f"D:{ask.domain}", f"A:{ask.attribute}"
    return f"D:{ask.domain}", f"C:{ask.domain}|{ask.concept or ask.term}"


@dataclass(frozen=True)
class Labels:
    """The encoder's classes in their order: "D:domain", "A:attribute of a symptom", "C:domain|concept".

    `usual` gives each "C:" class the attribute that is most often asked of it.
    """

    names: tuple[str, ...]
    usual: Mapping[str, str]

    def place(self, name: str) -> int | None:
        """The index of a class, None where there is none."""
        return _places(self.names).get(name)

    def of_domain(self, domain: Domain) -> tuple[tuple[int, str], ...]:
        """(index, concept) of the classes of a domain."""
        return _of_domain(self.names, domain)


@lru_cache(maxsize=8)
def _places(names: tuple[str, ...]) -> dict[str, int]:
    return {name: index for index, name in enumerate(names)}


@lru_cache(maxsize=256)
def _of_domain(names: tuple[str, ...], domain: Domain) -> tuple[tuple[int, str], ...]:
    start = f"C:{domain}|"
    return tuple((index, name.removeprefix(start)) for index, name in enumerate(names) if name.startswith(start))


@lru_cache(maxsize=50_000)
def _related(domain: Domain, one: str, other: str) -> bool:
    if one == other:
        return True
    return related_concept(Ask(domain=domain, concept=one or None), Ask(domain=domain, concept=other or None))


@lru_cache(maxsize=50_000)
def _equal(domain: Domain, one: str, other: str) -> bool:
    if one == other:
        return True
    return equal_concept(Ask(domain=domain, concept=one or None), Ask(domain=domain, concept=other or None))


@lru_cache(maxsize=20_000)
def _classes(names: tuple[str, ...], domain: Domain, concept: str) -> tuple[int, ...]:
    """The classes of a domain that mean a concept: the one of its name, else its synonyms, else all related to it."""
    exact = _places(names).get(f"C:{domain}|{concept}")
    if exact is not None:
        return (exact,)
    mine = _of_domain(names, domain)
    for same in (partial(_equal, domain), partial(_related, domain)):
        found = [index for index, name in mine if same(name, concept)]
        if found:
            return tuple(found)
    return ()


@dataclass(frozen=True)
class Heard:
    """Probabilities of all classes for one utterance, shape (classes,)."""

    labels_of: Labels
    chances: Floats

    def domain(self, domain: Domain) -> float:
        """How probable it is that something of the domain is asked."""
        return self._at(f"D:{domain}")

    def domains(self) -> float:
        """How many domains are asked, as an expectation."""
        return float(sum(self.domain(domain) for domain in Domain))

    def concept(self, domain: Domain, ask: Ask) -> float | None:
        """How probable the ask's thing is in a domain; None where the encoder has no class for it."""
        found = _classes(self.labels_of.names, domain, ask.concept or ask.term)
        return float(self.chances[list(found)].max()) if found else None

    def of(self, ask: Ask) -> float | None:
        """How probable the ask is: of a symptom's detail its attribute, else its thing in its domain."""
        if ask.domain is Domain.SYMPTOM_DETAIL:
            return self._at(f"A:{ask.attribute}")
        return self.concept(ask.domain, ask)

    def best_elsewhere(self, ask: Ask) -> float | None:
        """How probable the same thing is in the likeliest other domain."""
        found = [self.concept(domain, ask) for domain in Domain if domain is not ask.domain]
        return max((each for each in found if each is not None), default=None)

    def best_other(self, ask: Ask) -> float | None:
        """How probable the likeliest other thing of the ask's domain is."""
        if ask.domain is Domain.SYMPTOM_DETAIL:
            return max((self._at(f"A:{each}") for each in Attribute if each is not ask.attribute), default=None)
        mine = set(_classes(self.labels_of.names, ask.domain, ask.concept or ask.term))
        found = [self.chances[index] for index, _ in self.labels_of.of_domain(ask.domain) if index not in mine]
        return float(max(found)) if found else None

    def related(self, one: Ask, other: Ask) -> bool:
        """One thing, or a kind of the other."""
        return _related(one.domain, one.concept or one.term, other.concept or other.term)

    def equal(self, one: Ask, other: Ask) -> bool:
        """Two names of one thing."""
        return _equal(one.domain, one.concept or one.term, other.concept or other.term)

    def labels(self, least: float) -> Iterator[tuple[Domain, str | None, Attribute]]:
        """The classes of things at least so probable, likeliest first."""
        for index in self._likely("C:", least):
            domain, concept = self.labels_of.names[index].removeprefix("C:").split("|", 1)
            usual = self.labels_of.usual.get(self.labels_of.names[index], Attribute.EXISTENCE)
            yield Domain(domain), concept or None, Attribute(usual)

    def attributes(self, least: float) -> Iterator[Attribute]:
        """The attributes of a symptom at least so probable, likeliest first."""
        for index in self._likely("A:", least):
            yield Attribute(self.labels_of.names[index].removeprefix("A:"))

    def usual_attribute(self, domain: Domain, ask: Ask) -> Attribute | None:
        """The attribute most often asked of the ask's thing in a domain; None where the encoder does not know it."""
        found = _classes(self.labels_of.names, domain, ask.concept or ask.term)
        name = self.labels_of.names[found[0]] if found else ""
        return Attribute(self.labels_of.usual[name]) if name in self.labels_of.usual else None

    def _likely(self, start: str, least: float) -> Sequence[int]:
        order = np.argsort(-self.chances, kind="stable")
        return [int(i) for i in order if self.chances[i] >= least and self.labels_of.names[int(i)].startswith(start)]

    def _at(self, name: str) -> float:
        place = self.labels_of.place(name)
        return float(self.chances[place]) if place is not None else 0.0


def score(chance: float | None) -> float:
    """The logarithm of odds, at most 6 either way, in units of 3; 0 where there is no chance to speak of."""
    if chance is None:
        return 0.0
    kept = min(max(chance, 1e-6), 1 - 1e-6)
    return float(np.clip(np.log(kept / (1 - kept)), -_LARGEST, _LARGEST)) / 3

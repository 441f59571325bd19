"""Personas: how a patient talks. They never change a fact (data/personas.yaml)."""

from enum import StrEnum
from functools import cache
from itertools import product
from typing import Any

from foundation.errors import UserError
from foundation.records import Frozen
from simulator.patient.data_files import document


class Level(StrEnum):
    """A trait's strength."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Traits(Frozen):
    """The seven trait levels of PatientAgentBench (seeds/000, section 3.3)."""

    cooperation: Level
    anxiety: Level
    health_literacy: Level
    patience: Level
    symptom_clarity: Level
    urgency: Level
    communication: Level


class Persona(Frozen):
    """A manner of talking. `source` says where the type comes from."""

    name: str
    description: str
    source: str
    traits: Traits

    def rate(self, behaviour: str) -> float:
        """How strongly a behaviour of data/personas.yaml shows: a chance in [0, 1], or a count for `volunteered`."""
        rule = document("personas.yaml")["behaviour"][behaviour]
        return float(rule[getattr(self.traits, rule["trait"]).value])

    @property
    def brief(self) -> bool:
        """Answers in as few words as it can."""
        return self.traits.communication is Level.LOW

    @property
    def talkative(self) -> bool:
        """Answers at length."""
        return self.traits.communication is Level.HIGH

    @property
    def knows_clinical_words(self) -> bool:
        """Says "dyspnea" where others say "shortness of breath"."""
        return self.traits.health_literacy is Level.HIGH


@cache
def personas() -> dict[str, Persona]:
    """All personas by name: the named ones in file order, then the 32 Big-Five combinations."""
    data = document("personas.yaml")
    named = {name: _persona(name, entry) for name, entry in data["personas"].items()}
    return named | {persona.name: persona for persona in _big_five(data["big_five"])}


def load_persona(name: str) -> Persona:
    """The persona called `name`. Raises UserError with the known names."""
    known = personas()
    if name not in known:
        listed = ", ".join(key for key in known if "+" not in key and not key.endswith("-"))
        raise UserError(
            f"persona {name!r} is not known", f"use one of {listed}, or a Big-Five combination such as O+C-E+A+N-"
        )
    return known[name]


def _persona(name: str, entry: dict[str, Any]) -> Persona:
    return Persona(
        name=name, description=entry["description"], source=entry["source"], traits=Traits(**entry["traits"])
    )


def _big_five(data: dict[str, Any]) -> list[Persona]:
    factors: dict[str, Any] = data["factors"]
    found = []
    for levels in product(("high", "low"), repeat=len(factors)):
        traits = dict(data["base"])
        name = description = ""
        for (factor, effect), level in zip(factors.items(), levels, strict=True):
            traits |= effect[level]
            name += effect["letter"] + ("+" if level == "high" else "-")
            description += f"{', ' if description else ''}{level} {factor}"
        found.append(Persona(name=name, description=description, source="AIPatient, Big Five", traits=Traits(**traits)))
    return found

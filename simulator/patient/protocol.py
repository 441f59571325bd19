"""Protocols: the rules that a patient answers by (data/protocols/*.yaml)."""

from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import Field

from foundation.errors import UserError
from foundation.records import Frozen
from kg.facts import Domain
from simulator.patient.data_files import document


class Undocumented(StrEnum):
    """What a patient says of what the record is silent about; all but DENY are the status "unknown"."""

    UNKNOWN = "unknown"
    DENY = "deny"
    HEDGE = "hedge"
    NOT_TOLD = "not_told"
    PRIVATE = "private"
    NO_WORDS = "no_words"


class Protocol(Frozen):
    """One set of rules.

    `undocumented` maps a concept, a domain's value or "default" to its policy. `told` lists which findings a patient
    has been told of. `list_limit` is the number of facts that one answer lists; asked again, the patient goes on.
    `max_words` bounds a chat model's reply. `max_turns` is the number of question-answer turns (paper: 15).
    """

    name: str
    undocumented: dict[str, Undocumented]
    opening: tuple[Literal["age", "sex", "chief_complaint"], ...]
    told: frozenset[Literal["vital", "examination", "laboratory"]]
    list_limit: int = Field(ge=1)
    vagueness: bool
    withholding: bool
    volunteering: bool
    max_words: int = Field(ge=10)
    max_turns: int = Field(ge=1)

    def undocumented_policy(self, domain: Domain, concept: str | None = None) -> Undocumented:
        """The policy for a concept, else for its domain."""
        policies = self.undocumented
        return policies.get(concept or "", policies.get(domain.value, policies["default"]))


@cache
def protocol_names() -> tuple[str, ...]:
    """Names of the protocols that ship with the package."""
    folder = files("simulator.patient") / "data" / "protocols"
    return tuple(sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml")))


def load_protocol(name: str) -> Protocol:
    """The protocol called `name`. Raises UserError with the known names."""
    if name not in protocol_names():
        raise UserError(f"protocol {name!r} is not known", f"use one of {', '.join(protocol_names())}")
    return Protocol.model_validate(document(f"protocols/{name}.yaml"))

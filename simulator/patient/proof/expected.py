"""A question of a proof and what a right answer to it does with the facts."""

from dataclasses import dataclass

from kg.facts import Fact


@dataclass(frozen=True)
class Expected:
    """What a right answer does with the facts of `kind`.

    kind "fact": one of `facts` is given or denied as it is recorded; "detail": `value` of one of them is said;
    "silence": nothing is recorded; "silence_among": the same, in a question that asks for more; "all": each is said.
    """

    kind: str
    facts: tuple[Fact, ...] = ()
    attribute: str = ""
    concept: str = ""
    name: str = ""


@dataclass(frozen=True)
class ProofQuestion:
    """A question, the kind of wording, and what is expected (two expectations for a compound question)."""

    words: str
    kind: str
    expected: tuple[Expected, ...]

"""The registry of operators. To add one, write a function and decorate it:

    @operator(Dimension.QS, "suggestive_question")
    def tag_question(draft: Draft, choice: Choice) -> Gold | None: …

It changes the draft and returns what is now wrong in it (turn numbers from 1), or None where the case offers no place.
A module of your own is loaded by importing it before `bench_evaluator` is called.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from evaluator.findings import Dimension
from evaluator.planted.draft import Draft
from evaluator.planted.instance import Gold

TUNED_STYLES = ("plain", "formal", "colloquial")
HELD_OUT = "held_out"
STYLES = (*TUNED_STYLES, HELD_OUT)


@dataclass(frozen=True)
class Choice:
    """Which wording to take: a style, the number of the instance within it, and a seeded generator."""

    style: str
    number: int
    chance: random.Random

    def of(self, key: str) -> Any:
        """The wording of `key` (data/wordings.yaml) in this style; lists are used in turn."""
        return self.item(wordings()[key][self.style])

    def item(self, options: Any) -> Any:
        """The instance's item of a list, in turn."""
        return options[self.number % len(options)]

    def topics(self, key: str) -> dict[str, list[Any]]:
        """The wordings of `key` by topic, in this style."""
        found: dict[str, list[Any]] = wordings()[key][self.style]
        return found


Plant = Callable[[Draft, Choice], Gold | None]


@dataclass(frozen=True)
class Operator:
    """A named way to plant one failure pattern."""

    name: str
    dimension: Dimension
    pattern: str
    plant: Plant


_REGISTERED: dict[str, Operator] = {}


def operator(dimension: Dimension, pattern: str) -> Callable[[Plant], Plant]:
    """Register a function as an operator of a failure pattern."""

    def register(plant: Plant) -> Plant:
        name = f"{dimension.value}.{pattern}.{plant.__name__}"
        _REGISTERED[name] = Operator(name, dimension, pattern, plant)
        return plant

    return register


def operators() -> tuple[Operator, ...]:
    """All operators, by name; the ones that ship and those that were imported besides."""
    from evaluator.planted.operators import conduct, plan, questioning, summaries  # they register themselves

    assert conduct and plan and questioning and summaries
    return tuple(_REGISTERED[name] for name in sorted(_REGISTERED))


@cache
def wordings() -> dict[str, Any]:
    """`data/wordings.yaml`."""
    content: dict[str, Any] = yaml.safe_load(
        files("evaluator.planted").joinpath("data", "wordings.yaml").read_text("utf-8")
    )
    return content

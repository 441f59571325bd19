"""Drug lines of the disease scripts, and which of them an allergy rules out."""

import random
import re
from dataclasses import dataclass

from etl.synthetic.content import table

_LINE = re.compile(
    r"(?P<name>.+?) (?P<dose>[\d.,/-]+ ?(?:mg|mcg|g|units|mEq|mL|puffs?|drops?|tab|%)[^ ]*) (?P<route>\S+) (?P<freq>.+)"
)


@dataclass(frozen=True)
class DrugLine:
    """A prescription: name as ordered, dose with its unit, route and frequency in chart shorthand."""

    name: str
    dose: str
    route: str
    frequency: str


def parse(line: str) -> DrugLine:
    """A script's drug line; ValueError names a line that does not read "name dose unit route frequency"."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"not a drug line: {line!r}")
    return DrugLine(match["name"], match["dose"], match["route"], match["freq"])


def forbidden(name: str, allergens: tuple[str, ...]) -> bool:
    """Whether an allergy of the person rules out the drug called `name`."""
    lowered = name.lower()
    scripts = table("allergies.yaml")
    return any(drug in lowered for allergen in allergens for drug in scripts[allergen]["forbids"])


def choose(
    slots: tuple[tuple[str, ...], ...], allergens: tuple[str, ...], rng: random.Random, first: float = 0.7
) -> list[DrugLine]:
    """One line a slot: the first that no allergy forbids, or now and then another; a slot may stay empty."""
    chosen: list[DrugLine] = []
    for slot in slots:
        lines = [parse(line) for line in slot if line]
        allowed = [line for line in lines if not forbidden(line.name, allergens)]
        if allowed and not ("" in slot and rng.random() < 0.5):
            chosen.append(allowed[0] if rng.random() < first else rng.choice(allowed))
    return chosen

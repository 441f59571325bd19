"""Medicines as a person tells them: name, dose, times; one that the record holds under two names is told once."""

from kg.facts import Fact
from simulator.patient.wording import blank, spoken_name, spoken_value
from terminology import drugs

_TAKEN = ("dose", "route", "frequency")


def once_each(facts: list[Fact]) -> list[Fact]:
    """The medicines without those that another says too: the same drugs ("Lasix", "furosemide") and no less of it.

    Two doses of one drug are two medicines.
    """
    kept: list[Fact] = []
    for fact in sorted(facts, key=lambda fact: -len(_taken(fact))):
        if not any(_same(other, fact) and _taken(fact) <= _taken(other) for other in kept):
            kept.append(fact)
    return [fact for fact in facts if fact in kept]


def _same(one: Fact, other: Fact) -> bool:
    return _drugs(one) == _drugs(other)


def _drugs(fact: Fact) -> frozenset[str]:
    """The ingredients, or the words where no drug is known by them."""
    found = frozenset(ingredient for match in drugs.find(fact.text) for ingredient in match.ingredients)
    return found or frozenset((fact.text.lower(),))


def _taken(fact: Fact) -> set[str]:
    """What the record says of dose and times, in words; a dose may stand in the text."""
    told = {spoken_value(fact.attributes[name]).lower() for name in _TAKEN if not blank(fact.attributes.get(name, ""))}
    inside = spoken_value(fact.text).lower()
    return told | {word for word in inside.split() if word[:1].isdigit()}


def drug_name(fact: Fact, clinical: bool = False) -> str:
    """The name by which the record calls the medicine, brands with a capital letter."""
    name = spoken_value(fact.text, clinical=True) or spoken_name(fact, clinical)
    brand = drugs.normalise(name.split()[0].strip(",")) if name else None
    if brand and brand.resolved and name.split()[0].lower().strip(",") not in " ".join(brand.ingredients):
        return name[:1].upper() + name[1:]
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


def medicine(fact: Fact, clinical: bool = False) -> str:
    """A medicine with its dose and times, and its way unless that is by mouth: "metoprolol, 25 mg, twice a day"."""
    parts = [drug_name(fact, clinical)]
    for name in ("dose", "route", "frequency"):
        value = fact.attributes.get(name, "")
        said = "" if blank(value) else spoken_value(value, clinical)
        if said and said != "by mouth" and said.lower() not in " ".join(parts).lower():
            parts.append(said)
    return ", ".join(parts)

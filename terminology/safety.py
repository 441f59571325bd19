"""What a drug is for, what speaks against it, and what it must not be given with; each row names its source.

Rows speak of an ingredient or of a class of `terminology.drugs`. Severity "major" means: avoid; "moderate": caution.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from foundation.errors import UserError
from terminology import drug_conditions, drugs
from terminology.drug_table import DATA, ingredients, read_lines, read_rows, split

Severity = Literal["major", "moderate"]
_SEVERITIES: dict[str, Severity] = {"major": "major", "moderate": "moderate"}


@dataclass(frozen=True, slots=True)
class Indication:
    """`subject` (ingredient or class) is given for `condition`, a key of `terminology.drug_conditions`."""

    subject: str
    condition: str
    source: str


@dataclass(frozen=True, slots=True)
class Contraindication:
    """`condition` speaks against `subject`. `only_while_present`: a history of it does not count."""

    subject: str
    condition: str
    severity: Severity
    reason: str
    source: str
    only_while_present: bool = False


@dataclass(frozen=True, slots=True)
class AgeLimit:
    """Ages in whole years, both ends included, at which `subject` is to be avoided."""

    subject: str
    from_age: int
    to_age: int
    severity: Severity
    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class Interaction:
    """Two subjects (ingredients or classes) that do not go together."""

    a: str
    b: str
    severity: Severity
    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class AllergyConflict:
    """An allergy that speaks against `ingredient`, by itself or by cross-reactivity."""

    allergen: str
    ingredient: str
    severity: Severity
    reason: str
    source: str


@cache
def subjects(ingredient: str) -> frozenset[str]:
    """The ingredient, its classes and safety groups, without those that `safety_exceptions.csv` excepts it from."""
    groups = {
        row["group"]
        for row in read_rows(DATA / "safety_groups.csv", ("group", "members", "reason"))
        if ingredient in split(row["members"])
    }
    excepted = {
        row["subject"]
        for row in read_rows(DATA / "safety_exceptions.csv", ("subject", "ingredient", "reason"))
        if row["ingredient"] == ingredient
    }
    return frozenset(({ingredient} | drugs.classes(ingredient) | groups) - excepted)


def _severity(value: str, where: str) -> Severity:
    if value not in _SEVERITIES:
        raise UserError(f"{where}: severity {value!r}", "write major or moderate")
    return _SEVERITIES[value]


@cache
def _indication_rows() -> dict[str, tuple[Indication, ...]]:
    found: dict[str, list[Indication]] = {}
    for name, column in (
        ("safety_indications_classes.csv", "class"),
        ("safety_indications_ingredients.csv", "ingredient"),
    ):
        for row in read_rows(DATA / name, (column, "conditions", "source")):
            found.setdefault(row[column], []).extend(
                Indication(row[column], condition, row["source"]) for condition in split(row["conditions"])
            )
    return {subject: tuple(rows) for subject, rows in found.items()}


@cache
def indication_rows(ingredient: str) -> tuple[Indication, ...]:
    """Rows that say what the ingredient is for, by itself or by its classes."""
    own = sorted({ingredient} | drugs.classes(ingredient))
    return tuple(row for subject in own for row in _indication_rows().get(subject, ()))


@cache
def indications(ingredient: str) -> frozenset[str]:
    """Condition keys that the ingredient is given for; empty for an unknown one."""
    return frozenset(row.condition for row in indication_rows(ingredient))


@cache
def treats(ingredient: str, condition_key: str) -> tuple[Indication, ...]:
    """Rows by which the ingredient treats the condition, a wider or a directly narrower one; empty where it does not.

    `condition_key` is a key of `terminology.concepts` or of `terminology.drug_conditions`.
    """
    return treats_any(ingredient, drug_conditions.of_concept(condition_key))


def treats_any(ingredient: str, conditions: Iterable[str]) -> tuple[Indication, ...]:
    """As `treats`, for several keys of `terminology.drug_conditions` at once."""
    wanted = drug_conditions.with_narrower(drug_conditions.with_broader(frozenset(conditions)))
    return tuple(row for row in indication_rows(ingredient) if row.condition in wanted)


@cache
def _contraindication_rows() -> tuple[Contraindication, ...]:
    acute = {tuple(line.split()) for line in read_lines(DATA / "safety_acute_conditions.txt")}
    columns = ("subject", "condition", "severity", "reason", "source")
    return tuple(
        Contraindication(
            row["subject"],
            row["condition"],
            _severity(row["severity"], "safety_contraindications.csv"),
            row["reason"],
            row["source"],
            (row["condition"],) in acute or (row["subject"], row["condition"]) in acute,
        )
        for row in read_rows(DATA / "safety_contraindications.csv", columns)
    )


@cache
def contraindications(ingredient: str) -> tuple[Contraindication, ...]:
    """Conditions that speak against the ingredient, kidneys, liver and pregnancy among them."""
    own = subjects(ingredient)
    return tuple(row for row in _contraindication_rows() if row.subject in own)


@cache
def age_limits(ingredient: str) -> tuple[AgeLimit, ...]:
    """Ages at which the ingredient is to be avoided (Beers 2023 for older adults, FDA labels for children)."""
    columns = ("subject", "from_age", "to_age", "severity", "reason", "source")
    own = subjects(ingredient)
    return tuple(
        AgeLimit(
            row["subject"],
            int(row["from_age"]),
            int(row["to_age"]),
            _severity(row["severity"], "safety_ages.csv"),
            row["reason"],
            row["source"],
        )
        for row in read_rows(DATA / "safety_ages.csv", columns)
        if row["subject"] in own
    )


@cache
def _interaction_rows() -> dict[frozenset[str], Interaction]:
    found: dict[frozenset[str], Interaction] = {}
    for row in read_rows(DATA / "safety_interactions.csv", ("a", "b", "severity", "reason", "source")):
        severity = _severity(row["severity"], "safety_interactions.csv")
        pair = frozenset({row["a"], row["b"]})
        if pair not in found or severity == "major":
            found[pair] = Interaction(row["a"], row["b"], severity, row["reason"], row["source"])
    return found


@lru_cache(maxsize=65536)
def interaction(a: str, b: str) -> Interaction | None:
    """The gravest row for two different ingredients, in either order; None where nothing is known."""
    if a == b:
        return None
    rows = [
        row
        for one in sorted(subjects(a))
        for other in sorted(subjects(b))
        if (row := _interaction_rows().get(frozenset({one, other}))) is not None
    ]
    return min(rows, key=lambda row: row.severity != "major", default=None)


@dataclass(frozen=True, slots=True)
class _AllergyRow:
    key: str
    names: re.Pattern[str]
    members: str
    severity: Severity
    reason: str
    source: str


@cache
def _allergy_rows() -> tuple[_AllergyRow, ...]:
    columns = ("allergen", "names", "members", "severity", "reason", "source")
    return tuple(
        _AllergyRow(
            row["allergen"],
            re.compile(rf"(?<![a-z])(?:{row['names']})(?![a-z])"),
            row["members"],
            _severity(row["severity"], "safety_allergies.csv"),
            row["reason"],
            row["source"],
        )
        for row in read_rows(DATA / "safety_allergies.csv", columns)
    )


@lru_cache(maxsize=16384)
def allergy_conflict(allergen: str, ingredient: str) -> AllergyConflict | None:
    """The gravest conflict between an allergy and an ingredient; None where there is none.

    `allergen` is a concept key, a drug's or class's name, or the record's words ("Penicillins (hives)").
    The ingredient itself is always major; relatives by the rows of `safety_allergies.csv`.
    """
    words = allergen.lower().replace("_", " ")
    own = subjects(ingredient) | drugs.classes(ingredient)
    conflicts = [
        AllergyConflict(allergen, ingredient, row.severity, row.reason, row.source)
        for row in _allergy_rows()
        if row.members in own and row.names.search(words)
    ]
    if ingredient in _ingredients_named(words):
        conflicts.insert(0, AllergyConflict(allergen, ingredient, "major", "the drug itself", "record"))
    return min(conflicts, key=lambda conflict: conflict.severity != "major", default=None)


@lru_cache(maxsize=4096)
def _ingredients_named(words: str) -> frozenset[str]:
    named = {name for match in drugs.find(words) for name in match.ingredients}
    whole = drugs.normalise(words)
    return frozenset(named | set(whole.ingredients)) & ingredients().keys()

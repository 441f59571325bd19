"""The drug tables of `terminology/data`, read once: active ingredients, combinations, carrier fluids, noise words."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from foundation.errors import UserError

DATA = Path(__file__).parent / "data"
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Ingredient:
    """An active ingredient: its classes (mechanism first), other names and brands, what it is for in lay words."""

    name: str
    classes: tuple[str, ...]
    brands: tuple[str, ...]
    other_names: tuple[str, ...]
    used_for: str


def key_of(name: str) -> str:
    """The form under which names are compared: lower case, letters and digits only, one space between words."""
    return " ".join(_WORD.findall(name.lower()))


def read_rows(path: Path, columns: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Rows of a csv of `terminology/data`; raises UserError with file and row where columns do not fit."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != columns:
            raise UserError(
                f"{path.name}: the columns are {reader.fieldnames}", f"write the header {','.join(columns)}"
            )
        for number, row in enumerate(reader, start=2):
            if None in row or None in row.values():
                raise UserError(
                    f"{path.name}, row {number}: expected {len(columns)} fields", "quote a field that holds a comma"
                )
            yield {field: value.strip() for field, value in row.items()}


def read_lines(path: Path) -> tuple[str, ...]:
    """The lines of a word list, without comments (#) and empty lines."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def split(field: str) -> tuple[str, ...]:
    """A field's values, which stand between bars."""
    return tuple(part.strip() for part in field.split("|") if part.strip())


@cache
def ingredients() -> dict[str, Ingredient]:
    """Active ingredients by name, sorted; raises UserError where one stands in two rows."""
    found: dict[str, Ingredient] = {}
    columns = ("ingredient", "classes", "brands", "other_names", "used_for")
    for path in sorted(DATA.glob("drugs_ingredients_*.csv")):
        for row in read_rows(path, columns):
            name = row["ingredient"]
            if name in found:
                raise UserError(f"{path.name}: {name} stands in two rows", "merge the two rows into one")
            classes = split(row["classes"])
            brands, others = split(row["brands"]), split(row["other_names"])
            purposes = (class_purposes()[name] for name in classes if name in class_purposes())
            used_for = row["used_for"] or next(purposes, "")
            found[name] = Ingredient(name, classes, brands, others, used_for)
    return dict(sorted(found.items()))


@cache
def class_purposes() -> dict[str, str]:
    """What the drugs of a class are for, in lay words."""
    return {row["class"]: row["used_for"] for row in read_rows(DATA / "drugs_classes.csv", ("class", "used_for"))}


@cache
def class_words() -> tuple[tuple[str, str], ...]:
    """Words for whole classes ("antibiotic") with the class, as keys."""
    rows = read_rows(DATA / "drugs_class_words.csv", ("word", "class"))
    return tuple((key_of(row["word"]), row["class"]) for row in rows)


@cache
def names() -> dict[str, tuple[str, ...]]:
    """Every known name (ingredient, brand, abbreviation, combination) by its key, with sorted ingredients."""
    table: dict[str, tuple[str, ...]] = {}
    for row in read_rows(DATA / "drugs_combinations.csv", ("name", "ingredients")):
        table[key_of(row["name"])] = tuple(sorted(split(row["ingredients"])))
    for item in ingredients().values():
        for name in (*item.brands, *item.other_names):
            table.setdefault(key_of(name), (item.name,))
    for item in ingredients().values():
        table[key_of(item.name)] = (item.name,)
    return table


@cache
def noise_words() -> frozenset[str]:
    """Words that say salt, form, route, packaging or timing, and never which drug it is."""
    return frozenset(word for line in read_lines(DATA / "drugs_noise_words.txt") for word in line.split())


@cache
def carrier_pattern() -> re.Pattern[str]:
    """Whole names of infusion fluids, flushes, diluents and containers, in lower case."""
    rows = read_rows(DATA / "drugs_carrier_fluids.csv", ("pattern", "kind", "note"))
    return re.compile("|".join(f"(?:{row['pattern']})" for row in rows))

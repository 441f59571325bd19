"""Clinical concepts: what a record, a patient and a doctor may each call the same thing.

The tables are `data/concepts_<kind>.csv`: key, name (clinical), lay (as a patient says it), synonyms (clinical words
and abbreviations), phrases (as patients and doctors speak), system, parent and ICD-10-CM codes; lists are parted by
semicolons. "@pain(chest)" stands for every phrase that `data/concepts_macros.csv` gives for the macro "pain".
"""

import csv
import re
from collections.abc import Collection, Iterator
from functools import cache
from importlib.resources import files

from foundation.errors import UserError
from foundation.records import Frozen
from terminology import misspelt
from terminology.frequency import frequency
from terminology.phrasebook import Phrasebook

KINDS = ("symptom", "condition", "procedure", "test", "vital", "habit", "allergen", "relative")
"""In the order in which they win when one phrase names several alike (as their name, their lay name or otherwise)."""

_FILES = {
    "symptom": "symptoms",
    "condition": "conditions",
    "procedure": "procedures",
    "test": "tests",
    "vital": "vitals",
    "habit": "habits",
    "allergen": "allergens",
    "relative": "relatives",
}
_USUAL = 2000
"""Count in `terminology.frequency` from which an abbreviation in lower case is taken for the word."""

_MACRO = re.compile(r"@(\w+)\(([^)]*)\)")


class Concept(Frozen):
    """One thing with all its names. `icd10` codes are without dots; `parent` is the wider concept's key, or None.

    `synonyms` are clinical words and abbreviations, `phrases` what patients and doctors say; both are found in text.
    """

    key: str
    kind: str
    name: str
    lay: str
    synonyms: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    system: str = ""
    icd10: tuple[str, ...] = ()
    parent: str | None = None

    def wordings(self) -> tuple[str, ...]:
        """Every name, the clinical one first, each once."""
        return tuple(dict.fromkeys((self.name, self.lay, *self.synonyms, *self.phrases)))


class Match(Frozen):
    """A concept named in a text: `text` is exactly the characters from `start` to `end`."""

    start: int
    end: int
    key: str
    text: str


def get(key: str) -> Concept | None:
    """The concept with this key."""
    return _concepts().get(key)


def all_concepts(kind: str | None = None) -> tuple[Concept, ...]:
    """Every concept (of a kind), by key."""
    return tuple(_concepts()[key] for key in sorted(_concepts()) if kind in (None, _concepts()[key].kind))


def is_a(key: str, ancestor: str) -> bool:
    """Whether `key` is `ancestor` or stands somewhere below it ("left_arm_pain" is a "pain")."""
    return key == ancestor or ancestor in ancestors(key)


def ancestors(key: str) -> tuple[str, ...]:
    """The wider concepts of `key`, nearest first; empty for an unknown key."""
    found: list[str] = []
    concept = _concepts().get(key)
    while concept and concept.parent and concept.parent not in found:
        found.append(concept.parent)
        concept = _concepts().get(concept.parent)
    return tuple(found)


def lookup(term: str, kinds: Collection[str] | None = None, fuzzy: bool = False) -> Concept | None:
    """The concept that `term` as a whole names, also with qualifiers before it ("mild intermittent chest pain")."""
    if fuzzy:
        term = misspelt.mend(term, _known_words())
    named = _first_of_kind(_phrasebook(True).whole(term), kinds)
    words = term.split()
    while named is None and len(words) > 1 and words[0].lower().strip(",") in _qualifiers():
        words = words[1:]
        named = _first_of_kind(_phrasebook(True).whole(" ".join(words)), kinds)
    return named


def find(text: str, kinds: Collection[str] | None = None, fuzzy: bool = False, spoken: bool = True) -> list[Match]:
    """Concepts named in `text`, longest first at each place, left to right, not overlapping.

    Case, hyphens, plurals, -ing and -ed, British spelling and common misspellings do not matter. `fuzzy` also takes
    other misspellings of words of six letters or more, at some cost in time. `spoken` False, for charts, leaves out
    words that name a concept only in a consultation (`data/concepts_spoken_only.txt`: "period", "drink", "spirits").
    """
    wanted = None if kinds is None else _keys_of(frozenset(kinds))
    corrected = misspelt.corrections(text, _known_words()) if fuzzy else None
    return [
        Match.model_construct(start=start, end=end, key=key, text=text[start:end])
        for start, end, key in _phrasebook(spoken).find(text, wanted, corrected)
    ]


def _first_of_kind(keys: tuple[str, ...], kinds: Collection[str] | None) -> Concept | None:
    concepts = (_concepts()[key] for key in keys)
    return next((concept for concept in concepts if kinds is None or concept.kind in kinds), None)


@cache
def _concepts() -> dict[str, Concept]:
    table: dict[str, Concept] = {}
    for kind in KINDS:
        for concept in _read(kind):
            if concept.key in table:
                raise UserError(
                    f"terminology/data: the key {concept.key} is in two tables (the second is {kind})",
                    "give one of the two rows another key",
                )
            table[concept.key] = concept
    return table


def _read(kind: str) -> Iterator[Concept]:
    name = f"concepts_{_FILES[kind]}.csv"
    for line, row in enumerate(_rows(name), start=2):
        if None in row or None in row.values() or not row["key"] or not row["name"]:
            raise UserError(
                f"terminology/data/{name}, line {line}: key and name are needed, and eight columns",
                "put quotes around a field that holds a comma, and write lists with semicolons",
            )
        yield Concept(
            key=row["key"],
            kind=kind,
            name=row["name"],
            lay=row["lay"] or row["name"],
            synonyms=_expanded(row["synonyms"]),
            phrases=_expanded(row["phrases"]),
            system=row["system"],
            icd10=_parts(row["icd10"]),
            parent=row["parent"] or None,
        )


def _rows(name: str) -> Iterator[dict[str, str]]:
    text = files("terminology").joinpath("data", name).read_text("utf-8")
    return iter(csv.DictReader(text.splitlines()))


def _parts(field: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in field.split(";") if part.strip())


def _expanded(field: str) -> tuple[str, ...]:
    names: list[str] = []
    for part in _parts(field):
        macro = _MACRO.fullmatch(part)
        if macro:
            names += [pattern.replace("X", macro[2]) for pattern in _macros()[macro[1]]]
        else:
            names.append(part)
    return tuple(dict.fromkeys(names))


@cache
def _macros() -> dict[str, tuple[str, ...]]:
    return {row["macro"]: _parts(row["phrases"]) for row in _rows("concepts_macros.csv")}


@cache
def _phrasebook(spoken: bool) -> Phrasebook:
    book = Phrasebook(_is_word_too)
    left_out = frozenset() if spoken else frozenset(_lines_in("concepts_spoken_only.txt"))
    for wording, key in _by_weight():
        if wording not in left_out:
            book.add(wording, key)
    return book


def _by_weight() -> Iterator[tuple[str, str]]:
    """(wording, key): a concept's own name first, then its lay name, then what else it is called; allergens last.

    An allergen is nearly always something else too (opioids, a vaccine, food), and is meant where it is asked for.
    """
    allergens = [concept for concept in _concepts().values() if concept.kind == "allergen"]
    every = [concept for concept in _concepts().values() if concept.kind != "allergen"]
    yield from ((concept.name, concept.key) for concept in every)
    yield from ((concept.lay, concept.key) for concept in every)
    yield from ((wording, concept.key) for concept in (*every, *allergens) for wording in concept.wordings())


def _is_word_too(abbreviation: str) -> bool:
    """Whether an abbreviation's letters are also a word that people use ("TEN", "ENDS"): found in capitals only."""
    return abbreviation in _uppercase_only() or frequency(abbreviation) > _USUAL


@cache
def _uppercase_only() -> frozenset[str]:
    return frozenset(word for line in _lines_in("concepts_uppercase_only.txt") for word in line.split())


@cache
def _known_words() -> frozenset[str]:
    return _phrasebook(True).words()


@cache
def _qualifiers() -> frozenset[str]:
    return frozenset(word for line in _lines_in("concepts_qualifiers.txt") for word in line.split())


def _lines_in(name: str) -> list[str]:
    text = files("terminology").joinpath("data", name).read_text("utf-8")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


@cache
def _keys_of(kinds: frozenset[str]) -> frozenset[str]:
    return frozenset(key for key, concept in _concepts().items() if concept.kind in kinds)

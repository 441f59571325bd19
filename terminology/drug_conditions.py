"""Conditions that drugs are given for or against, as named in free text, coded diagnoses and concepts.

The tables `data/safety_conditions_*.csv` hold a key, its broader keys, ICD-10 and ICD-9 prefixes (without dots) and a
pattern for text. They cover what indications and contraindications speak of; `terminology.concepts` bridges lay words.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from foundation.errors import UserError
from terminology import concepts
from terminology.drug_condition_index import first_letters
from terminology.drug_table import DATA, read_lines, read_rows, split

_WORD_STARTS = "abcdefghijklmnopqrstuvwxyz0123456789"
_WORD_START = re.compile(r"(?<![a-z])[a-z]|(?<![a-z0-9])[0-9]")
_CLAUSE = 70
_COLUMNS = ("key", "broader", "icd10", "icd9", "pattern")
# Groups so wide that a drug for one of their members says nothing about another.
_WIDE = frozenset(
    {
        "pain", "infection", "bacterial_infection", "inflammation", "electrolyte_disorder", "autoimmune_disease",
        "itching", "agitation", "hyperglycemia", "seizure",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of the tables; `words` is its pattern as written, matched at the start of a word in lower case."""

    key: str
    broader: tuple[str, ...]
    icd10: tuple[str, ...]
    icd9: tuple[str, ...]
    words: str
    pattern: re.Pattern[str] | None


@cache
def conditions() -> dict[str, Condition]:
    """All conditions by key; raises UserError where a key stands twice or a broader key is unknown."""
    found: dict[str, Condition] = {}
    for path in sorted(DATA.glob("safety_conditions_*.csv")):
        for row in read_rows(path, _COLUMNS):
            if row["key"] in found:
                raise UserError(f"{path.name}: {row['key']} stands in two rows", "merge the two rows into one")
            found[row["key"]] = Condition(
                row["key"],
                split(row["broader"]),
                split(row["icd10"]),
                split(row["icd9"]),
                row["pattern"],
                _compiled(row["pattern"]),
            )
    for condition in found.values():
        for broader in condition.broader:
            if broader not in found:
                raise UserError(f"safety_conditions: {condition.key} has the unknown broader key {broader}", "add it")
    return found


def _compiled(pattern: str) -> re.Pattern[str] | None:
    return re.compile(rf"(?<![a-z])(?:{pattern})") if pattern else None


@cache
def _negated() -> re.Pattern[str]:
    words = "|".join(re.escape(line) for line in read_lines(DATA / "safety_negations.txt"))
    return re.compile(rf"\b(?:{words})\b[^.;,:]{{0,40}}$")


@cache
def _by_letter() -> dict[str, tuple[Condition, ...]]:
    """Conditions whose pattern can match at a word with this first letter or digit."""
    index: dict[str, list[Condition]] = {letter: [] for letter in _WORD_STARTS}
    for condition in conditions().values():
        if condition.pattern is not None:
            letters = first_letters(condition.words)
            for letter in index if "" in letters else sorted(letters):
                index[letter].append(condition)
    return {letter: tuple(found) for letter, found in index.items()}


@cache
def _any_by_letter() -> dict[str, re.Pattern[str]]:
    """For each first letter one pattern that matches wherever one of its conditions does: most words end here."""
    return {
        letter: re.compile("|".join(f"(?:{item.pattern.pattern})" for item in found if item.pattern))
        for letter, found in _by_letter().items()
        if found
    }


@lru_cache(maxsize=8192)
def _spans(text: str) -> tuple[tuple[int, int, str], ...]:
    """Start, end and key of every condition that the tables' patterns find and no negation covers."""
    lower = text.lower()
    index = _by_letter()
    any_of = _any_by_letter()
    found = []
    for word in _WORD_START.finditer(lower):
        start = word.start()
        letter = lower[start]
        if letter not in any_of or not any_of[letter].match(lower, start):
            continue
        for condition in index[letter]:
            match = condition.pattern.match(lower, start) if condition.pattern else None
            if match and match.end() > start:
                found.append((start, match.end(), condition.key))
    if not found:
        return ()
    return tuple(span for span in found if not _negated().search(lower[max(0, span[0] - _CLAUSE) : span[0]]))


def named_in(text: str) -> frozenset[str]:
    """Keys of conditions that a text names and does not negate, by the tables' patterns alone."""
    return frozenset(key for _, _, key in _spans(text))


@lru_cache(maxsize=8192)
def of_code(code: str, version: str) -> frozenset[str]:
    """Keys of conditions that an ICD code (with or without dot) of version "9" or "10" falls under."""
    plain = code.replace(".", "").upper()
    if not plain or version not in {"9", "10"}:
        return frozenset()
    return frozenset(
        condition.key
        for condition in conditions().values()
        if plain.startswith(condition.icd10 if version == "10" else condition.icd9)
    )


@lru_cache(maxsize=8192)
def of_concept(key: str) -> frozenset[str]:
    """Keys of conditions for a key of `terminology.concepts` (or of these tables), by its name and ICD-10 codes."""
    found = {key} & conditions().keys()
    concept = concepts.get(key)
    if concept is not None:
        found |= named_in(concept.name)
        if not found:  # a concept's codes are wider than its name
            found = {name for code in concept.icd10 if len(code) > 2 for name in of_code(code, "10")}
    elif not found:
        found = set(named_in(key.replace("_", " ")))
    return frozenset(found)


@lru_cache(maxsize=8192)
def in_text(text: str) -> frozenset[str]:
    """Keys of conditions that a text names, in clinical or lay words, and does not negate.

    The tables' patterns go first; concepts add what stands elsewhere in the text.
    """
    spans = _spans(text)
    found = {key for _, _, key in spans}
    lower = text.lower()
    for match in concepts.find(text, kinds=("condition", "symptom")):
        covered = any(start < match.end and match.start < end for start, end, _ in spans)
        if not covered and not _negated().search(lower[: match.start]):
            found |= of_concept(match.key)
    return frozenset(found)


@lru_cache(maxsize=8192)
def with_broader(keys: frozenset[str]) -> frozenset[str]:
    """The keys and every wider one ("septic_shock": sepsis, shock, bacterial_infection, …)."""
    found: set[str] = set()
    queue = list(keys)
    while queue:
        key = queue.pop()
        if key not in found and key in conditions():
            found.add(key)
            queue.extend(conditions()[key].broader)
    return frozenset(found)


@lru_cache(maxsize=8192)
def with_narrower(keys: frozenset[str]) -> frozenset[str]:
    """The keys and those directly below them, except below groups that are too wide to say anything."""
    narrow = keys - _WIDE
    return keys | {item.key for item in conditions().values() if narrow.intersection(item.broader)}

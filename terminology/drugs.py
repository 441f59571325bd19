"""Drug names to active ingredients, and drugs in running text.

One ingredient set on both sides of every comparison: brands, salts, strengths, release forms, routes and doses are
taken off, combinations are taken apart, carrier fluids are set apart, and what cannot be resolved says so.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from terminology import drug_table
from terminology.drug_spelling import nearest_name

_WORD = re.compile(r"[a-z0-9]+")
_MOST_WORDS = 6
_CLEAN = re.compile(r"\*\s*nf\s*\*|[™®†]", re.IGNORECASE)
# Names of salts that are drugs too: after another drug ("losartan potassium") they are its salt.
_SALT_LIKE = frozenset(
    {
        "potassium", "calcium", "magnesium", "zinc", "phosphate", "sodium phosphate", "sodium chloride",
        "potassium chloride", "sodium citrate", "potassium phosphate", "sodium bicarbonate", "iron", "copper",
        "tromethamine", "zinc sulfate",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DrugName:
    """A drug name resolved: `name` as written (trimmed), `ingredients` sorted, lower case, empty where unresolved.

    `carrier_fluid` marks infusion fluids, flushes, diluents and containers; they are resolved and have no ingredient.
    """

    name: str
    ingredients: tuple[str, ...]
    carrier_fluid: bool
    resolved: bool


@dataclass(frozen=True, slots=True)
class DrugMatch:
    """A drug in running text: characters [start, end), the words there, sorted active ingredients."""

    start: int
    end: int
    text: str
    ingredients: tuple[str, ...]


@lru_cache(maxsize=65536)
def normalise(name: str) -> DrugName:
    """Active ingredients of one drug name or order line ("Metoprolol Succinate XL 50 mg PO daily").

    Longest known names win; a salt's name after a drug is its salt. Unknown long words are compared with known
    names by spelling, at a high cut-off. Never raises; an empty or unknown name is unresolved.
    """
    trimmed = " ".join(_CLEAN.sub(" ", name).split())
    lower = trimmed.lower()
    if is_carrier_fluid(lower):
        return DrugName(trimmed, (), True, True)
    words = [(match.group(), match.start(), match.end()) for match in _WORD.finditer(lower)]
    found = _ingredients_in(words, lower)
    if not found:
        found = _misspelt(words)
    return DrugName(trimmed, tuple(sorted(found)), False, bool(found))


def is_carrier_fluid(name: str) -> bool:
    """Whether a lower-case name as a whole is an infusion fluid, flush, diluent or container."""
    plain = re.sub(
        r"\s+", " ", re.sub(r"\((?!.*flush)[^)]*(bag|bottle|iso-?osm|room|sw|dextrose|chloride)[^)]*\)", " ", name)
    )
    candidates = {name.strip(), plain.strip(), re.sub(r"[()]", "", name).strip()}
    return any(drug_table.carrier_pattern().fullmatch(candidate) for candidate in candidates if candidate)


def _ingredients_in(words: list[tuple[str, int, int]], lower: str) -> set[str]:
    """Ingredients of the longest known names among `words`, salts of an earlier drug left out."""
    names = drug_table.names()
    found: set[str] = set()
    position = 0
    previous_end = -1
    while position < len(words):
        length = _longest(words, position, names)
        if not length:
            position += 1
            continue
        key = " ".join(word for word, _, _ in words[position : position + length])
        gap = lower[previous_end : words[position][1]] if previous_end >= 0 else ""
        joined = key != "sodium chloride" and re.search(r"[-/+&]|\band\b", gap)
        if not (found and key in _SALT_LIKE and not joined):
            found.update(names[key])
        position += length
        previous_end = words[position - 1][2]
    return found


def _longest(words: list[tuple[str, int, int]], position: int, names: dict[str, tuple[str, ...]]) -> int:
    """Number of words of the longest known name that starts at `position`; 0 where there is none."""
    most = min(_MOST_WORDS, len(words) - position)
    key = " ".join(word for word, _, _ in words[position : position + most])
    for length in range(most, 0, -1):
        if key in names:
            return length
        key = key.rpartition(" ")[0]
    return 0


def _misspelt(words: list[tuple[str, int, int]]) -> set[str]:
    noise = drug_table.noise_words()
    found: set[str] = set()
    for word, _, _ in words:
        if word not in noise:
            nearest = nearest_name(word)
            if nearest is not None:
                found.update(drug_table.names()[nearest])
    return found


@cache
def _first_words() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Names for running text, as word tuples by their first word, the longest first."""
    left_out = {drug_table.key_of(line) for line in drug_table.read_lines(drug_table.DATA / "drugs_not_in_text.txt")}
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for key in drug_table.names():
        if key not in left_out and len(key) > 2:
            parts = tuple(key.split())
            by_first.setdefault(parts[0], []).append(parts)
    return {first: tuple(sorted(rest, key=lambda parts: (-len(parts), parts))) for first, rest in by_first.items()}


@cache
def _no_drug_suffix() -> re.Pattern[str]:
    endings = "|".join(drug_table.read_lines(drug_table.DATA / "drugs_text_suffixes.txt"))
    return re.compile(rf"-\s?(?:{endings})\b")


def find(text: str) -> list[DrugMatch]:
    """Drugs in running text, left to right, not overlapping; parts of one combination are one match.

    Words that are more often something else in text (laboratory values, "thyroid", "PEG") are left out, and so
    is "heparin-induced". Offsets are characters of `text`.
    """
    lower = text.lower()
    if len(lower) != len(text):  # some letters change length in lower case, and offsets must not
        lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    words = list(_WORD.finditer(lower))
    plain = [match.group() for match in words]
    starts = _first_words()
    matches: list[DrugMatch] = []
    position = 0
    while position < len(plain):
        candidates = starts.get(plain[position])
        length = _text_length(candidates, plain, position) if candidates else 0
        if length:
            _append(matches, text, lower, words[position].start(), words[position + length - 1].end(),
                    " ".join(plain[position : position + length]))  # fmt: skip
        position += length or 1
    return matches


def _text_length(candidates: tuple[tuple[str, ...], ...], plain: list[str], position: int) -> int:
    for parts in candidates:
        if len(parts) == 1 or tuple(plain[position : position + len(parts)]) == parts:
            return len(parts)
    return 0


def _append(matches: list[DrugMatch], text: str, lower: str, start: int, end: int, key: str) -> None:
    """Add a match; one that hangs on the last by a hyphen or slash joins it."""
    if _no_drug_suffix().match(lower, end):
        return
    ingredients = drug_table.names()[key]
    if matches and lower[matches[-1].end : start] in {"-", "/", "--", " / ", " - "}:
        last = matches.pop()
        ingredients = tuple(sorted({*last.ingredients, *ingredients}))
        start = last.start
    matches.append(DrugMatch(start, end, text[start:end], ingredients))


@cache
def classes(ingredient: str) -> frozenset[str]:
    """Classes of an active ingredient ("beta_blocker"); empty for an unknown one."""
    item = drug_table.ingredients().get(ingredient)
    return frozenset(item.classes) if item else frozenset()


def all_ingredients() -> tuple[str, ...]:
    """Names of all active ingredients, sorted."""
    return tuple(drug_table.ingredients())


def used_for(ingredient: str) -> str:
    """What the drug is for, in lay words; "" for an unknown one."""
    item = drug_table.ingredients().get(ingredient)
    return item.used_for if item else ""


@cache
def alternatives(ingredient: str) -> frozenset[str]:
    """Ingredients that may stand in for this one: the same mechanism, or a group of `drugs_interchange.csv`.

    The mechanism is the first class; classes of `drugs_no_interchange.txt` (vitamins, vaccines, …) give none.
    """
    item = drug_table.ingredients().get(ingredient)
    if item is None or not item.classes:
        return frozenset()
    mechanism = item.classes[0]
    same = {other.name for other in drug_table.ingredients().values() if other.classes[:1] == (mechanism,)}
    if mechanism in drug_table.read_lines(drug_table.DATA / "drugs_no_interchange.txt"):
        same = set()
    for group in _interchange_groups():
        if group & ({ingredient} | set(item.classes)):
            same |= {other.name for other in drug_table.ingredients().values() if group & {other.name, *other.classes}}
    return frozenset(same - {ingredient})


@cache
def _interchange_groups() -> tuple[frozenset[str], ...]:
    rows = drug_table.read_rows(drug_table.DATA / "drugs_interchange.csv", ("group", "members", "source"))
    return tuple(frozenset(drug_table.split(row["members"])) for row in rows)

"""Misspelt drug names: the nearest known name, where it is near and no other name is as near."""

from functools import cache, lru_cache

from rapidfuzz import fuzz, process

from terminology import drug_table

# Look-alike names (hydralazine, hydroxyzine) stay under 80; one wrong letter in a long word stays over 90.
_SHORTEST = 7
_CUT_OFF = 89.0
_MARGIN = 3.0


@cache
def _long_names() -> dict[str, list[str]]:
    by_letter: dict[str, list[str]] = {}
    for key in sorted(drug_table.names()):
        if len(key) >= _SHORTEST and " " not in key:
            by_letter.setdefault(key[0], []).append(key)
    return by_letter


@lru_cache(maxsize=16384)
def nearest_name(word: str) -> str | None:
    """The known one-word name that `word` (lower case) misspells; None under seven letters or where in doubt."""
    if len(word) < _SHORTEST or any(char.isdigit() for char in word):
        return None
    choices = _long_names().get(word[0], [])
    ranked = process.extract(word, choices, scorer=fuzz.ratio, limit=2, score_cutoff=_CUT_OFF - _MARGIN)
    if not ranked or ranked[0][1] < _CUT_OFF:
        return None
    table = drug_table.names()
    if len(ranked) > 1 and ranked[0][1] - ranked[1][1] < _MARGIN and table[ranked[0][0]] != table[ranked[1][0]]:
        return None
    return str(ranked[0][0])

"""Diagnosis names, brought to a form in which wording no longer matters."""

import re
from functools import lru_cache
from importlib.resources import files

import yaml
from rapidfuzz.distance import DamerauLevenshtein

WORDS = yaml.safe_load(files("evaluator.diagnosis").joinpath("words.yaml").read_text("utf-8"))
FILLERS = frozenset(WORDS["fillers"].split())
QUALIFIERS = FILLERS | frozenset(WORDS["qualifiers"].split())
EMPTY = frozenset(WORDS["empty"].split())
_SPELLINGS = (
    (r"\bhaem", "hem"),
    (r"aemia\b", "emia"),
    (r"\boe", "e"),
    (r"\btumour", "tumor"),
    (r"\bi\b", "1"),
    (r"\bii\b", "2"),
    (r"\biii\b", "3"),
    (r"'s\b|’s\b", ""),
    (r"\bcarcinoma in situ\b", "in situ carcinoma"),
)
_COMPOUND = re.compile(r"\s+(?:with|due to|secondary to|caused by|complicated by|complicating)\s+", re.IGNORECASE)
_LETTERED = re.compile(r"\b(hepatitis|influenza|type|group|vitamin|haemophilia|hemophilia) ([a-e])\b", re.IGNORECASE)
_PARENTHESES = re.compile(r"\(([^()]*)\)")
_SEPARATORS = re.compile(
    r"\s*(?:;|\n|\d\.\s|,? (?:and|with|plus|due to|secondary to|complicated by|vs\.?|or)\s|,)\s*", re.I
)


@lru_cache(maxsize=20_000)
def normalised(name: str) -> str:
    """Lower case, one spelling, no punctuation, no parentheses."""
    text = _LETTERED.sub(r"\1 \2\2", _PARENTHESES.sub(" ", name.lower()))  # "hepatitis A" is more than an article
    for pattern, replacement in _SPELLINGS:
        text = re.sub(pattern, replacement, text)
    return " ".join(re.sub(r"[^a-z0-9]+", " ", text).split())


@lru_cache(maxsize=20_000)
def words(name: str) -> frozenset[str]:
    """Content words, singular, without qualifiers."""
    return frozenset(_singular(word) for word in normalised(name).split() if word not in QUALIFIERS)


@lru_cache(maxsize=20_000)
def whole(name: str) -> frozenset[str]:
    """All words that mean anything, singular: content words and qualifiers, without fillers."""
    return frozenset(_singular(word) for word in normalised(name).split() if word not in FILLERS)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is", "as")):
        return word[:-1]
    return word


def alike(one: str, other: str) -> bool:
    """The same word, or one letter in eight mistyped (words of six letters and more)."""
    if one == other:
        return True
    shorter = min(len(one), len(other))
    return shorter >= 6 and DamerauLevenshtein.distance(one, other, score_cutoff=shorter // 6) <= shorter // 6


def parts(stated: str) -> tuple[str, ...]:
    """A stated diagnosis as a whole, its parts ("pneumonia with sepsis"), and what parentheses give ("MI (NSTEMI)")."""
    whole = stated.strip().rstrip(".")
    plain = _PARENTHESES.sub(" ", whole)
    inner = [found.strip() for found in _PARENTHESES.findall(whole) if len(found.strip()) > 1]
    pieces = [piece.strip() for piece in _SEPARATORS.split(plain) if piece and len(piece.strip()) > 2]
    return tuple(dict.fromkeys([whole, plain.strip(), *pieces, *inner]))


def compound(name: str) -> tuple[str, str]:
    """The main part and the other of "X with Y" or "X due to Y"; the other is "" where it says only a degree."""
    pieces = _COMPOUND.split(_PARENTHESES.sub(" ", name).strip(), maxsplit=1)
    if len(pieces) < 2 or not all(words(piece) - EMPTY for piece in pieces):
        return name, ""
    return pieces[0], pieces[1]


def alternatives(stated: str) -> tuple[str, ...]:
    """The different things that a stated diagnosis lists, separated by semicolons, commas, lines, numbers or "or"."""
    pieces = re.split(
        r"\s*(?:;|,|\n|/|\d+[.)]\s|\bor\b|\bversus\b|\bvs\b\.?)\s*", _PARENTHESES.sub(" ", stated), flags=re.I
    )
    return tuple(dict.fromkeys(text for piece in pieces if (text := normalised(piece)) and words(piece)))

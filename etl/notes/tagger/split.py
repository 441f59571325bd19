"""Which documents the tagger has seen, and which are held out when it is measured, decided by their names alone."""

import hashlib
from functools import cache
from importlib.resources import files

TRAINED_ON = "trained_on.txt"


def is_held_out(name: str) -> bool:
    """A quarter of all names: those whose SHA-256, as a number, divides by four."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 4 == 0


def fold_of(name: str, folds: int) -> int:
    """The part, 0 to `folds` - 1, that a document belongs to in cross-validation; nothing to do with `is_held_out`."""
    return int(hashlib.sha256(f"fold {name}".encode()).hexdigest(), 16) % folds


@cache
def trained_on() -> frozenset[str]:
    """Names of the documents that the shipped models learned from."""
    return frozenset(files("etl.notes.tagger").joinpath(TRAINED_ON).read_text(encoding="utf-8").split())

"""Which documents are held out from training, decided by their names alone."""

import hashlib


def is_held_out(name: str) -> bool:
    """A quarter of all names: those whose SHA-256, as a number, divides by four."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 4 == 0

"""Randomness that repeats: one seed and a path of names give one generator, on every machine."""

import hashlib
import random


def derived_seed(seed: int, *names: object) -> int:
    """A 64-bit seed for the stream called `names` under `seed`; independent of call order and of PYTHONHASHSEED."""
    label = "/".join(str(name) for name in names)
    digest = hashlib.sha256(f"{seed}|{label}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def generator(seed: int, *names: object) -> random.Random:
    """A generator of its own for the stream called `names` under `seed`."""
    return random.Random(derived_seed(seed, *names))

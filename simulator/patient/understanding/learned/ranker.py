"""How likely a candidate is asked: a small neural network over the numbers of evidence.py, run in numpy."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from simulator.patient.understanding.learned.shipping import shipped_file

Doubles = npt.NDArray[np.float64]
MODEL = files("simulator.patient.understanding.learned") / "ranker.npz"
_PARTS = ("mean", "spread", "first", "first_bias", "second", "second_bias")


@dataclass(frozen=True)
class Ranker:
    """Several networks of one hidden layer (rectified), their probabilities averaged.

    Shapes: mean and spread (features,), first (networks, features, hidden), first_bias (networks, hidden), second
    (networks, hidden), second_bias (networks,).
    """

    mean: Doubles
    spread: Doubles
    first: Doubles
    first_bias: Doubles
    second: Doubles
    second_bias: Doubles

    def chances(self, rows: Sequence[Sequence[float]]) -> Doubles:
        """The probability of each candidate, shape (candidates,)."""
        if not rows:
            return np.zeros(0)
        scaled = (np.array(rows, dtype=np.float64) - self.mean) / self.spread
        hidden = np.maximum(np.einsum("cf,nfh->nch", scaled, self.first) + self.first_bias[:, None, :], 0)
        scores = np.einsum("nch,nh->nc", hidden, self.second) + self.second_bias[:, None]
        chances: Doubles = (1 / (1 + np.exp(-scores))).mean(axis=0)
        return chances


def saved(ranker: Ranker, path: Path) -> None:
    """Writes a ranker: the same bytes for the same weights."""
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **{name: getattr(ranker, name) for name in _PARTS})


def loaded(path: Traversable = MODEL) -> Ranker:
    """The ranker of a file. Raises OSError where there is none."""
    with path.open("rb") as file:
        table = np.load(file)
        return Ranker(**{name: table[name] for name in _PARTS})


@cache
def shipped() -> Ranker:
    """The ranker as delivered, read once. Raises UserError where its file is missing or damaged."""
    with shipped_file("ranker.npz"):
        return loaded()

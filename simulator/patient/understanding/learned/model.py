"""The learned weights: logistic regressions over hashed features and the clause's sentence vector, in numpy."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Buckets = npt.NDArray[np.uint32]
MODEL = files("simulator.patient.understanding.learned") / "model.npz"
BUCKETS = 1 << 24
NOTHING = ""
ASKED, SILENT, ATTRIBUTE = "asked", "silent", "attribute"
HEADS = (ASKED, SILENT, ATTRIBUTE)
_FEATURE_SCALE, _VECTOR_SCALE = 6.0, 4.0


@dataclass(frozen=True)
class Head:
    """One decision: `known` are the buckets with weights, ascending, and `weights` has the shape (known, classes).

    `vector_weights` has the shape (dimensions of a sentence vector, classes).
    """

    classes: tuple[str, ...]
    known: Buckets
    weights: Floats
    vector_weights: Floats
    bias: Floats

    def probabilities(self, features: Sequence[Sequence[str]], vectors: Floats) -> Floats:
        """Of each class for each slot: shape (slots, classes)."""
        sums = np.stack([self._sum(names) for names in features])
        scores = sums + _VECTOR_SCALE * (vectors @ self.vector_weights) + self.bias
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)

    def best(self, features: Sequence[Sequence[str]], vectors: Floats) -> str:
        """The most probable class of one slot."""
        return self.classes[int(np.argmax(self.probabilities(features, vectors)[0]))]

    def _sum(self, names: Sequence[str]) -> Floats:
        found = buckets(names)
        rows = np.minimum(np.searchsorted(self.known, found), len(self.known) - 1)
        rows = rows[self.known[rows] == found]
        return np.asarray(self.weights[rows].sum(axis=0) * scale(len(rows)), dtype=np.float32)


def buckets(names: Sequence[str]) -> Buckets:
    """The buckets of feature names, each once, ascending."""
    return np.unique(np.array([zlib.crc32(name.encode()) % BUCKETS for name in names], dtype=np.uint32))


def scale(known: int) -> float:
    """The value of each of so many features of a slot: long clauses do not weigh more than short ones."""
    return float(_FEATURE_SCALE / np.sqrt(max(known, 1)))


def vector_scale() -> float:
    """The factor of sentence vectors beside the features."""
    return _VECTOR_SCALE


def saved(heads: dict[str, Head], path: Path) -> None:
    """Writes the heads as half floats: the same bytes for the same heads."""
    table: dict[str, npt.NDArray[np.generic]] = {}
    for name, each in heads.items():
        table[f"{name}.classes"] = np.array(each.classes)
        table[f"{name}.known"] = each.known
        table[f"{name}.weights"] = each.weights.astype(np.float16)
        table[f"{name}.vector_weights"] = each.vector_weights.astype(np.float16)
        table[f"{name}.bias"] = each.bias
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **table)


def loaded(path: Traversable = MODEL) -> dict[str, Head]:
    """The heads of a file by name. Raises OSError where there is none."""
    with path.open("rb") as file:
        table = np.load(file)
        return {
            name: Head(
                classes=tuple(str(each) for each in table[f"{name}.classes"]),
                known=table[f"{name}.known"],
                weights=table[f"{name}.weights"].astype(np.float32),
                vector_weights=table[f"{name}.vector_weights"].astype(np.float32),
                bias=table[f"{name}.bias"],
            )
            for name in HEADS
        }


@cache
def shipped() -> dict[str, Head]:
    """The heads as delivered, read once."""
    return loaded()

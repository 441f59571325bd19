"""The learned weights: logistic regressions over hashed features, with and without the clause's sentence vector."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Buckets = npt.NDArray[np.uint32]
Rows = npt.NDArray[np.intp]
MODEL = files("simulator.patient.understanding.learned") / "model.npz"
BUCKETS = 1 << 24
NOTHING = ""
ASKED, SILENT, ATTRIBUTE = "asked", "silent", "attribute"
HEADS = (ASKED, SILENT, ATTRIBUTE)
_FEATURE_SCALE, _VECTOR_SCALE = 6.0, 4.0


@dataclass(frozen=True)
class Weights:
    """A regression over hashed features: `features` has the shape (known buckets, classes), `bias` (classes,)."""

    features: Floats
    bias: Floats


@dataclass(frozen=True)
class Head:
    """One decision, learned twice: `alone` from the features only, `beside` from them and the sentence vector.

    `known` are the buckets with weights, ascending; `vector` has the shape (dimensions of a sentence vector, classes).
    """

    classes: tuple[str, ...]
    known: Buckets
    alone: Weights
    beside: Weights
    vector: Floats

    def probabilities(self, names: Sequence[str], vector: Floats | None = None) -> Floats:
        """Of each class for one slot, shape (classes,): without a sentence vector by what was learned without."""
        rows = self._rows(names)
        weights = self.alone if vector is None else self.beside
        scores = weights.features[rows].sum(axis=0) * scale(len(rows)) + weights.bias
        if vector is not None:
            scores += _VECTOR_SCALE * (vector @ self.vector)
        powers = np.exp(scores - scores.max())
        return np.asarray(powers / powers.sum(), dtype=np.float32)

    def best(self, names: Sequence[str], vector: Floats | None = None) -> str:
        """The most probable class of one slot."""
        return self.classes[int(np.argmax(self.probabilities(names, vector)))]

    def _rows(self, names: Sequence[str]) -> Rows:
        """The places in `known` of a slot's features, ascending; those never learned are left out."""
        found = buckets(names)
        rows = np.minimum(np.searchsorted(self.known, found), len(self.known) - 1)
        return np.asarray(rows[self.known[rows] == found], dtype=np.intp)


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
        table[f"{name}.vector"] = each.vector.astype(np.float16)
        for kind, weights in (("alone", each.alone), ("beside", each.beside)):
            table[f"{name}.{kind}"] = weights.features.astype(np.float16)
            table[f"{name}.{kind}.bias"] = weights.bias
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **table)


def loaded(path: Traversable = MODEL) -> dict[str, Head]:
    """The heads of a file by name. Raises OSError where there is none."""
    with path.open("rb") as file:
        table = np.load(file)
        return {name: _head(table, name) for name in HEADS}


def _head(table: Mapping[str, npt.NDArray[Any]], name: str) -> Head:
    alone, beside = (
        Weights(table[f"{name}.{kind}"].astype(np.float32), table[f"{name}.{kind}.bias"])
        for kind in ("alone", "beside")
    )
    classes = tuple(str(each) for each in table[f"{name}.classes"])
    return Head(classes, table[f"{name}.known"], alone, beside, table[f"{name}.vector"].astype(np.float32))


@cache
def shipped() -> dict[str, Head]:
    """The heads as delivered, read once."""
    return loaded()

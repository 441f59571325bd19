"""Fits the heads of the model: multinomial logistic regressions by scikit-learn's L-BFGS, deterministic."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from simulator.patient.asks import Ask
from simulator.patient.understanding.learned.examples import Example
from simulator.patient.understanding.learned.gold import domain_label
from simulator.patient.understanding.learned.model import (
    ASKED,
    ATTRIBUTE,
    SILENT,
    Buckets,
    Floats,
    Head,
    Weights,
    buckets,
    scale,
    vector_scale,
)
from simulator.patient.understanding.learned.slots import Slot, SlotKind

# A feature seen less often is not learned; the penalty was chosen by cross-validation (CARD.md).
_LEAST_SEEN, _INVERSE_PENALTY, _TOLERANCE, _STEPS = 3, 0.5, 0.001, 300


def fitted(examples: Sequence[Example]) -> dict[str, Head]:
    """The three heads, each with and without the sentence vector, learned from `examples`."""
    return {
        ASKED: _head(_chosen(examples, lambda slot, _: slot.kind is SlotKind.ASK, domain_label)),
        SILENT: _head(_chosen(examples, lambda slot, _: slot.kind is not SlotKind.ASK, domain_label)),
        ATTRIBUTE: _head(_chosen(examples, _answered, lambda ask: str(ask.attribute) if ask else "")),
    }


def _answered(slot: Slot, answer: Ask | None) -> bool:
    return slot.kind is not SlotKind.EMPTY and answer is not None


@dataclass(frozen=True)
class _Table:
    """Slots of one head: buckets of their features, their vectors (slots, 384) and their classes."""

    buckets: list[Buckets]
    vectors: Floats
    classes: list[str]


def _chosen(
    examples: Sequence[Example], wanted: Callable[[Slot, Ask | None], bool], named: Callable[[Ask | None], str]
) -> _Table:
    found, vectors, classes = [], [], []
    for example in examples:
        rows = zip(example.slots, example.features, example.vectors, example.answers, strict=True)
        for slot, names, vector, answer in rows:
            if wanted(slot, answer):
                found.append(buckets(names))
                vectors.append(vector)
                classes.append(named(answer))
    return _Table(found, np.array(vectors, dtype=np.float32), classes)


def _head(table: _Table) -> Head:
    known = _known(table.buckets)
    features = _matrix(table.buckets, known)
    both = sparse.hstack([features, sparse.csr_matrix(table.vectors * vector_scale())]).tocsr()
    alone, beside = _regression(features, table.classes), _regression(both, table.classes)
    count, weights = len(known), beside.coef_.T.astype(np.float32)
    return Head(
        classes=tuple(str(name) for name in beside.classes_),
        known=known,
        alone=Weights(alone.coef_.T.astype(np.float32), alone.intercept_.astype(np.float32)),
        beside=Weights(weights[:count], beside.intercept_.astype(np.float32)),
        vector=weights[count:],
    )


def _regression(columns: Any, classes: list[str]) -> LogisticRegression:
    return LogisticRegression(C=_INVERSE_PENALTY, tol=_TOLERANCE, max_iter=_STEPS).fit(columns, classes)


def _known(rows: list[Buckets]) -> Buckets:
    """Buckets in enough slots to learn from, ascending."""
    found, counts = np.unique(np.concatenate(rows), return_counts=True)
    return np.asarray(found[counts >= _LEAST_SEEN], dtype=np.uint32)


def _matrix(rows: list[Buckets], known: Buckets) -> Any:
    """Shape (slots, known), each row as model.Head weighs it."""
    kept = [np.flatnonzero(np.isin(known, row, assume_unique=True)) for row in rows]
    lengths = [len(columns) for columns in kept]
    values = np.concatenate([np.full(length, scale(length), dtype=np.float32) for length in lengths])
    start = np.concatenate([[0], np.cumsum(lengths)])
    return sparse.csr_matrix((values, np.concatenate(kept), start), shape=(len(rows), len(known)))

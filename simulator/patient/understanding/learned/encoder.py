"""Hears an utterance in its context: a small transformer in onnxruntime, int8 weights, one thread.

Four layers of all-MiniLM-L6-v2 trained on (network.py); its classes are in encoder.json.
"""

import json
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from chatmodels.openai_compatible import encodable
from simulator.patient.asks import DialogueContext
from simulator.patient.understanding.learned.heard import Heard, Labels
from simulator.patient.understanding.learned.shipping import shipped_file
from simulator.patient.understanding.spelling import mended
from simulator.patient.understanding.wording import kept
from terminology.word_pieces import session, tokenizer

FOLDER = files("simulator.patient.understanding.learned")
MODEL, CLASSES = FOLDER / "encoder.onnx", FOLDER / "encoder.json"
# Word pieces kept, from the end: of the utterance, of the doctor's words before, of the patient's answer to those.
UTTERANCE, DOCTOR, PATIENT = 64, 14, 16
_START, _STOP = 101, 102
_SENTENCE = re.compile(r"(?<=[.?!])\s+")
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
    """What the encoder makes of a doctor's words after the two turns before.

    Long words are heard in parts of whole sentences, each class as clearly as in the part where it is clearest. Raises
    UserError where a file of the encoder is missing or damaged.
    """
    return _heard(encodable(words), encodable(context.doctor_words), encodable(context.patient_words))


def parts(words: str) -> list[list[int]]:
    """The word pieces of an utterance in parts of at most UTTERANCE, cut at the ends of sentences if it has any."""
    found: list[list[int]] = [[]]
    for sentence in _SENTENCE.split(mended(kept(words).lower())):
        ids = _ids(sentence)
        for start in range(0, len(ids), UTTERANCE):
            piece = ids[start : start + UTTERANCE]
            if len(found[-1]) + len(piece) > UTTERANCE:
                found.append([])
            found[-1].extend(piece)
    return found


def pieces(words: str, doctor: str, patient: str) -> Pieces:
    """The encoder's input."""
    return _pieces(_ids(words)[-UTTERANCE:], doctor, patient)


def _pieces(part: list[int], doctor: str, patient: str) -> Pieces:
    spoken = [_START, *part, _STOP]
    before = [*_ids(doctor)[-DOCTOR:], _STOP, *_ids(patient)[-PATIENT:], _STOP]
    types = [0] * len(spoken) + [1] * len(before)
    return Pieces(np.array([spoken + before], dtype=np.int64), np.array([types], dtype=np.int64))


@lru_cache(maxsize=_REMEMBERED)
def _heard(words: str, doctor: str, patient: str) -> Heard:
    given = [_pieces(part, doctor, patient) for part in parts(words)]
    chances = [_session().run(None, {"ids": each.ids, "types": each.types})[0][0] for each in given]
    return Heard(classes(), np.max(np.asarray(chances, dtype=np.float32), axis=0))


@cache
def classes() -> Labels:
    """The encoder's classes, read once."""
    with shipped_file("encoder.json"):
        table = json.loads(CLASSES.read_text(encoding="utf-8"))
        return Labels(tuple(table["classes"]), table["usual_attributes"])


def _ids(text: str) -> list[int]:
    return list(_tokenizer().encode(text, add_special_tokens=False).ids) if text else []


@cache
def _tokenizer() -> Any:
    return tokenizer()


@cache
def _session() -> Any:
    with shipped_file("encoder.onnx"):
        return session(MODEL.read_bytes(), threads=1, without=_SLOWER)

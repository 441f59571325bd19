"""Clauses that no rule knows, compared with the question bank by sentence embeddings (all-MiniLM-L6-v2)."""

import hashlib
import json
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt
import yaml

from foundation.errors import UserError
from simulator.patient.asks import Ask
from simulator.patient.understanding.wording import RULES, cleaned
from terminology import embeddings

BANK = files("simulator.patient") / "data" / "question_bank.jsonl"
VECTORS = files("simulator.patient") / "data" / "question_bank_vectors.npz"
Vectors = npt.NDArray[np.float32]


def nearest(text: str) -> tuple[Ask, float] | None:
    """The bank's ask nearest to a cleaned clause, with its cosine similarity; None below the cut-off of the rules."""
    bank = question_bank()
    scores = _vectors() @ embeddings.embed([text])[0]
    best = int(np.argmax(scores))
    similarity = float(scores[best])
    return (bank[best][1], similarity) if similarity >= _cut_off() else None


@cache
def question_bank() -> tuple[tuple[str, Ask], ...]:
    """Wordings with what they ask: data/question_bank.jsonl (wording, domain, concept, attribute, experiencer)."""
    result = []
    for number, line in enumerate(BANK.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            result.append((str(row.pop("wording")), Ask.model_validate(row)))
        except (ValueError, KeyError) as error:
            raise UserError(
                f"simulator/patient/data/question_bank.jsonl, line {number}: no wording with its ask",
                "write wording, domain and where needed concept, attribute, experiencer",
            ) from error
    return tuple(result)


def bank_vectors() -> Vectors:
    """Vectors of the bank's wordings, computed: float32 of shape (wordings, 384)."""
    return embeddings.embed([cleaned(wording) for wording, _ in question_bank()])


def bank_digest() -> str:
    """SHA-256 of the bank, by which stored vectors are known to be of this bank."""
    return hashlib.sha256(BANK.read_bytes()).hexdigest()


@cache
def _vectors() -> Vectors:
    """Stored vectors where they are of this bank, so that the first question need not wait for their computing."""
    if VECTORS.is_file():
        with VECTORS.open("rb") as file:
            stored = np.load(file)
            if str(stored["digest"]) == bank_digest():
                return np.asarray(stored["vectors"], dtype=np.float32)
    return bank_vectors()


@cache
def _cut_off() -> float:
    return float(yaml.safe_load((RULES / "90_mentions.yaml").read_text(encoding="utf-8"))["prototype_similarity"])

"""How near phrases come in meaning to what was told or written: cosines of sentence vectors (MiniLM).

Used against accusations only: a phrase that has something near it is not called made up, and a fact that has some
written phrase near it is not called left out. Thresholds: docs/measurements.md.
"""

import re
from collections.abc import Iterable

from evaluator.evidence import EvaluationInput
from terminology.embeddings import embed

TOLD, WRITTEN = 0.55, 0.50
_PHRASE = re.compile(r"[,;.:()?!]\s*(?:(?:and|but|or)\s+)?|\s+(?:and|but|with|without|or)\s+")


def phrases(text: str) -> tuple[str, ...]:
    """What stands between commas, stops and conjunctions."""
    return tuple(phrase.strip() for phrase in _PHRASE.split(text) if phrase.strip())


def told_phrases(evidence: EvaluationInput) -> tuple[str, ...]:
    """The patient's phrases and the facts told, with their details."""
    spoken = (phrase for turn in evidence.transcript.turns for phrase in phrases(turn.patient.words))
    facts = (" ".join((fact.text, *fact.attributes.values())) for fact in evidence.disclosed)
    return tuple(dict.fromkeys((*phrases(evidence.transcript.opening), *spoken, *facts)))


def nearest(phrase: str, others: Iterable[str]) -> float:
    """The highest cosine of `phrase` to one of `others`; 0 where there is none."""
    texts = [phrase, *others]
    vectors = embed(texts)
    return float((vectors[1:] @ vectors[0]).max()) if len(texts) > 1 else 0.0

"""EX: clinical terms that stand unexplained, and alarming questions without their purpose.

A term counts once. It needs no explanation where the patient used it first or the doctor explains it in the same
words ("that is", brackets, "or in plain words").
"""

import re

from evaluator.detectors.detection import Detection
from evaluator.detectors.speech import first_match, sentence_with, sentences
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from simulator.consultation.transcript import Turn
from terminology import lay

NAME = "detector:clarity@1"
_LEXICON = "clarity.yaml"


def detect(evidence: EvaluationInput) -> Detection:
    """Unexplained terms (major or minor as terminology says) and questions that lack context."""
    turns = evidence.transcript.turns
    if not turns:
        return Detection()
    findings: list[Finding] = []
    heard = ""
    known: set[str] = set()
    used = 0
    for turn in turns:
        for match in lay.jargon(turn.doctor_words):
            term = match.term.lower()
            if term in known:
                continue
            known.add(term)
            if re.search(rf"\b{re.escape(term)}\b", heard):
                continue
            used += 1
            if not _explained(turn.doctor_words, match):
                findings.append(_term(turn, match))
        findings += _without_context(turn)
        heard += " " + turn.patient.words.lower()
    return Detection(
        findings=tuple(findings),
        assessed_patterns=("major_clarity_failure", "minor_clarity_failure", "lack_of_context_for_question"),
        opportunities={"clinical_terms_used": used, "questions_asked": len(turns)},
    )


def _explained(words: str, match: lay.JargonMatch) -> bool:
    """Whether lay words for the term, or words that introduce an explanation, stand beside it."""
    before, after = words[max(match.start - 80, 0) : match.start], words[match.end : match.end + 120]
    if match.lay and match.lay.lower() in (before + " " + after).lower():
        return True
    return bool(first_match(_LEXICON, "explains_after", after) or first_match(_LEXICON, "explains_before", before))


def _term(turn: Turn, match: lay.JargonMatch) -> Finding:
    lay_words = f" ({match.lay})" if match.lay else ""
    return Finding(
        dimension=Dimension.EX,
        pattern=f"{match.severity}_clarity_failure",
        turns=(turn.index,),
        quote=sentence_with(turn.doctor_words, match.term),
        reason=f"The term “{match.term}”{lay_words} is not explained.",
        decided_by=NAME,
    )


def _without_context(turn: Turn) -> list[Finding]:
    if first_match(_LEXICON, "purpose", turn.doctor_words):
        return []
    return [
        Finding(
            dimension=Dimension.EX,
            pattern="lack_of_context_for_question",
            turns=(turn.index,),
            quote=sentence,
            reason="A question that may alarm or puzzle comes without saying why it is asked.",
            decided_by=NAME,
        )
        for sentence in sentences(turn.doctor_words)
        if first_match(_LEXICON, "alarming", sentence)
    ]

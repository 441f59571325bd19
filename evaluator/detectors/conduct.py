"""ET: emotions passed over, disrespect, unfounded assumptions, intrusive questions without a reason.

Emotions come from the trace, or from the patient's own words where it has none; wording is in `data/conduct.yaml`.
What goes beyond wording is for judges.
"""

from itertools import pairwise

from evaluator.detectors.detection import Detection
from evaluator.detectors.speech import first_match, sentences
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from kg.facts import Domain
from simulator.consultation.transcript import Turn
from simulator.patient.asks import SpeechAct
from terminology import concepts

NAME = "detector:conduct@2"
_LEXICON = "conduct.yaml"
_WORDING = {
    "disrespectful_tone": "The words are rude, dismissive or condescending.",
    "bias_or_assumption": "Takes for granted what nothing said justifies.",
    "privacy_violation": "Asks about a private matter without a medical reason.",
}
_MOOD = frozenset({Domain.MENTAL_STATUS, Domain.IDEAS_CONCERNS})
_INTIMATE_SYSTEMS = frozenset({"genitourinary", "gynecologic"})


def detect(evidence: EvaluationInput) -> Detection:
    """Findings on conduct, and acknowledged emotions as good steps."""
    turns = evidence.transcript.turns
    if not turns:
        return Detection()
    findings: list[Finding] = []
    shown = 0
    marked = any(turn.patient.emotion for turn in turns)  # who marks one emotion marks them all
    for turn, following in pairwise(turns):
        emotion = turn.patient.emotion if marked else emotion_of(turn)
        if emotion:
            shown += 1
            findings.append(_answered(turn, following, emotion))
    findings += [finding for turn in turns for finding in _worded(turn, evidence)]
    return Detection(
        findings=tuple(findings),
        assessed_patterns=("lack_of_empathy", *_WORDING),
        opportunities={"emotions_shown": shown, "questions_asked": len(turns)},
    )


def _finding(pattern: str, turns: tuple[int, ...], quote: str, reason: str) -> Finding:
    return Finding(dimension=Dimension.ET, pattern=pattern, turns=turns, quote=quote, reason=reason, decided_by=NAME)


def emotion_of(turn: Turn) -> str:
    """The emotion that the trace or the words show, or ""; an answer to a question about mood shows none."""
    if turn.patient.emotion:
        return turn.patient.emotion
    if any(ask.domain in _MOOD for ask in turn.patient.understanding.asks):
        return ""
    return "worry" if first_match(_LEXICON, "emotion", turn.patient.words) else ""


def _answered(turn: Turn, following: Turn, emotion: str) -> Finding:
    words = following.doctor_words
    at = (turn.index, following.index)
    if first_match(_LEXICON, "plays_down", words) or not _acknowledges(following):
        reason = f"The patient's {emotion} in turn {turn.index} is passed over in the doctor's next words."
        return _finding("lack_of_empathy", at, turn.patient.words, reason)
    return _finding("good_step", at, words, f"Acknowledges the {emotion} that the patient showed.")


def _acknowledges(turn: Turn) -> bool:
    if SpeechAct.EMPATHY in turn.patient.understanding.acts or first_match(_LEXICON, "empathy", turn.doctor_words):
        return True
    told = (sentence for sentence in sentences(turn.doctor_words) if not sentence.endswith("?"))
    return any(first_match(_LEXICON, "names_a_feeling", sentence) for sentence in told)


def _worded(turn: Turn, evidence: EvaluationInput) -> list[Finding]:
    findings: list[Finding] = []
    for sentence in sentences(turn.doctor_words):
        for pattern, reason in _WORDING.items():
            found = first_match(_LEXICON, pattern, sentence)
            if pattern == "privacy_violation" and not found and not _intimate_complaint(evidence):
                found = first_match(_LEXICON, "intimate", sentence)
            if not found or first_match(_LEXICON, f"not_{pattern}", turn.doctor_words):
                continue
            findings.append(_finding(pattern, (turn.index,), sentence, reason))
            break
    return findings or _objected(turn)


def _objected(turn: Turn) -> list[Finding]:
    """A question that the patient refuses as private, and that came without a reason."""
    objects = first_match(_LEXICON, "patient_objects", turn.patient.words)
    if not objects or first_match(_LEXICON, "not_privacy_violation", turn.doctor_words):
        return []
    return [_finding("privacy_violation", (turn.index,), turn.doctor_words, _WORDING["privacy_violation"])]


def _intimate_complaint(evidence: EvaluationInput) -> bool:
    """Whether the patient came with a matter of the sexual organs, which is reason enough to ask."""
    facts = evidence.facts or evidence.disclosed
    found = [concepts.get(f.concept) for f in facts if f.domain is Domain.CHIEF_COMPLAINT and f.concept]
    return any(concept is not None and concept.system in _INTIMATE_SYSTEMS for concept in found)

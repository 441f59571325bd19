"""What reading alone does not prove: findings on untraced dialogue that need more than a trace would.

Understanding a question is sure enough to answer it, but not to say that two questions are one: "any complications at
birth?" and "was she born at term?" are one ask to it. So the words have to agree too.
"""

from collections.abc import Iterable

from evaluator.detectors.detection import Detection
from evaluator.detectors.speech import stems
from evaluator.findings import Finding
from evaluator.imported.dialogue import lexicon, listening
from evaluator.imported.matching import says
from simulator.consultation.transcript import Transcript, Turn

SHARED_WORDS = 0.75  # of the later question's content words that the earlier exchange must hold
LONGEST_ABBREVIATION = 4


def proved(detection: Detection, transcript: Transcript) -> Detection:
    """The detection without findings that the reading of `transcript` cannot bear."""
    kept = tuple(finding for finding in detection.findings if _proved(finding, transcript.turns))
    return detection.model_copy(update={"findings": kept})


def _proved(finding: Finding, turns: tuple[Turn, ...]) -> bool:
    if finding.pattern == "repetitive_question":
        return _asked_alike(turns[finding.turns[-1] - 1], turns[: finding.turns[-1] - 1])
    if finding.pattern == "suggestive_question":
        return not says("informs", finding.quote)
    if finding.pattern.endswith("_fabrication"):
        return not _abbreviation(finding.reason.split(" was ")[0])
    return True


def _asked_alike(turn: Turn, before: Iterable[Turn]) -> bool:
    """An earlier question, not the one just before it, in much the same words; no check of what was heard."""
    if says("checks", turn.doctor_words):
        return False
    for ask in turn.patient.understanding.asks:
        wanted = stems(ask.words or turn.doctor_words)
        answered = [
            t for t in before if t.index < turn.index - 1 and t.patient.words and not listening(t.patient.words)
        ]
        if not wanted or not any(
            len(wanted & stems(other.words)) >= SHARED_WORDS * len(wanted)
            for earlier in answered
            for other in earlier.patient.understanding.asks
            if other.domain is ask.domain and other.concept == ask.concept
        ):
            return False
    return True


def _abbreviation(text: str) -> bool:
    """Short forms of notes mean several things ("hrs", "PUs")."""
    return len(text) <= LONGEST_ABBREVIATION and " " not in text and text.lower() not in lexicon()["short_words"]

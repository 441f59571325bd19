"""What reading alone does not prove: findings on untraced dialogue that need more than a trace would.

Understanding a question is sure enough to answer it, but not to say that two questions are one: "any complications at
birth?" and "was she born at term?" are one ask to it. So the words have to agree too.
"""

import re
from collections.abc import Callable, Sequence

from etl.caserecord import Assertion
from evaluator.detectors.detection import Detection
from evaluator.detectors.questioning import is_suggestive
from evaluator.detectors.speech import stems
from evaluator.findings import Dimension, Finding
from evaluator.imported.answers import plain
from evaluator.imported.dialogue import lexicon, listening
from evaluator.imported.matching import says
from evaluator.statements import statements
from simulator.consultation.transcript import Transcript, Turn
from simulator.patient.asks import Ask, AskStatus
from terminology import concepts

# Leaving a line of questions shows in what follows; asks understood from speech are too noisy to say so.
NOT_BORNE = frozenset({"logical_gap", "minor_fabrication"})
NOT_BORNE_OF_NOTES = frozenset({"minor_omission"})
SHARED_WORDS = 0.75  # of the later question's content words that the earlier exchange must hold
LONGEST_ABBREVIATION = 4
LONGEST_SENTENCE = 40  # recordings without full stops: words that far apart say nothing together


def proved(detection: Detection, transcript: Transcript) -> Detection:
    """The detection without findings that the reading of `transcript` cannot bear."""
    left_out = NOT_BORNE | (NOT_BORNE_OF_NOTES if "major_fabrication" in detection.assessed_patterns else frozenset())
    kept = tuple(f for f in detection.findings if f.pattern not in left_out and _proved(f, transcript))
    assessed = tuple(name for name in detection.assessed_patterns if name not in left_out)
    return detection.model_copy(update={"findings": kept, "assessed_patterns": assessed})


def _proved(finding: Finding, transcript: Transcript) -> bool:
    check = _CHECKS.get(finding.dimension)
    return check is None or check(finding, transcript)


def _questioning(finding: Finding, transcript: Transcript) -> bool:
    position = finding.turns[-1] - 1
    turn, before = transcript.turns[position], transcript.turns[:position]
    if finding.pattern == "repetitive_question":
        return _asked_alike(turn, before)
    if finding.pattern == "suggestive_question":
        answer = before[-1].patient.words if before else ""
        asked, heard = stems(finding.quote) - _ANYTHING, stems(answer)
        echo = not asked or len(asked & heard) >= SHARED_WORDS * len(asked)
        own = _own_question(finding.quote, answer)
        left = own == finding.quote or is_suggestive(own, turn.doctor_words)
        return left and not (echo or says("informs", finding.quote))
    return finding.pattern != "unclear_question" or not says("one_question", finding.quote)


def _own_question(question: str, answer: str) -> str:
    """A question without its first clauses where these only repeat the answer just heard ("No rash, any fever?")."""
    heard, denied = stems(answer) | _ANYTHING, says("denied", plain(answer))
    question = _NO_THEN.sub("", question) if denied else question
    pieces = question.split(",")
    while len(pieces) > 1 and (words := stems(pieces[0])) <= heard and (words or denied):
        pieces = pieces[1:]
    return ",".join(pieces).strip()


def _conduct(finding: Finding, transcript: Transcript) -> bool:
    """Feelings as this reading finds them ("it's killing me" of a knee is none)."""
    if finding.pattern != "lack_of_empathy":
        return len(finding.quote.split()) <= LONGEST_SENTENCE
    return bool(transcript.turns[finding.turns[0] - 1].patient.emotion)


def _clarity(finding: Finding, transcript: Transcript) -> bool:
    """What is dictated is not said to the patient; short forms count only as they are written ("pt" is no "PT")."""
    term = _TERM.search(finding.reason)
    short = bool(term and len(term[1]) < LONGEST_ABBREVIATION and not term[1].isupper())
    return not (short or says("dictated", finding.quote))


def _integration(finding: Finding, transcript: Transcript) -> bool:
    """Notes say the same in other words, so of what they state only what goes against the patient's one voice counts;
    what they leave out is held to the reading where it is found (`evaluator.detectors.untraced`)."""
    if finding.pattern != "major_fabrication":
        return True
    term = finding.reason.split(" was ")[0]
    return "denie" in finding.reason and not _abbreviation(term) and _not_both_ways(term, finding, transcript)


def _not_both_ways(term: str, finding: Finding, transcript: Transcript) -> bool:
    """A contradiction counts only where all that was said of the thing points one way."""
    if "denie" not in finding.reason:
        return True
    wanted = stems(term)
    concepts_named = {s.concept for s in statements(term)}
    said = {
        s.assertion
        for turn in transcript.turns
        for s in statements(turn.patient.words, spoken=True)
        if s.concept in concepts_named or stems(s.text) == wanted
    }
    answered = {
        Assertion.ABSENT if o.status is AskStatus.DENIED else Assertion.PRESENT
        for turn in transcript.turns
        for o in turn.patient.outcomes
        if o.ask.concept in concepts_named and o.status in (AskStatus.DENIED, AskStatus.GIVEN)
    }
    return len(said | answered) == 1 and len(said) == 1


_CHECKS: dict[Dimension, Callable[[Finding, Transcript], bool]] = {
    Dimension.QS: _questioning,
    Dimension.ET: _conduct,
    Dimension.EX: _clarity,
    Dimension.II: _integration,
}
_TERM = re.compile("“(.+?)”")
_ANYTHING = stems("anything nothing that")
_NO_THEN = re.compile(r"^\W*no\W+(?:(?:ok|okay|um+|uh+m*|alright)\b\W*)+", re.IGNORECASE)
_THAT = re.compile(r"\b(?:that|those|these|this)\b", re.IGNORECASE)


def _asked_alike(turn: Turn, before: Sequence[Turn]) -> bool:
    """An earlier question, not the one just before it, in much the same words; no check of what was heard."""
    if says("checks", turn.doctor_words):
        return False
    for ask in turn.patient.understanding.asks:
        if _of_what_was_just_told(ask, before):
            return False
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


def _of_what_was_just_told(ask: Ask, before: Sequence[Turn]) -> bool:
    """Whether a question for a detail of "that" follows an answer that told of something."""
    last = before[-1].patient if before else None
    told = last is not None and any(outcome.status is AskStatus.GIVEN for outcome in last.outcomes)
    pointing = _THAT.search(ask.words) and not concepts.find(ask.words, kinds=("symptom", "condition"))
    return told and bool(pointing)


def _abbreviation(text: str) -> bool:
    """Short forms of notes mean several things ("hrs", "PUs")."""
    return len(text) <= LONGEST_ABBREVIATION and " " not in text and text.lower() not in lexicon()["short_words"]

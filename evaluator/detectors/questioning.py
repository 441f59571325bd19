"""QS: repetition, several topics in one sentence, leading and confrontational wording, jumps of topic.

What is repeated is decided by what was asked and answered (`repetition`), not by words; wording patterns are in
`data/questioning.yaml`, topics and which of them belong together in `data/topics.yaml`.
"""

import re
from functools import lru_cache
from itertools import pairwise

from evaluator.detectors.ambiguity import clarifies
from evaluator.detectors.asked import SYMPTOMATIC, WHOLE, cluster, clusters, related
from evaluator.detectors.detection import Detection
from evaluator.detectors.repetition import Memory, repeated_turn
from evaluator.detectors.speech import first_match, patterns, sentences, stems
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from kg.facts import Domain
from simulator.consultation.transcript import Turn
from simulator.patient.asks import Ask, AskStatus, DialogueContext
from simulator.patient.understand import Understander
from terminology import concepts

NAME = "detector:questioning@2"
_LEXICON = "questioning.yaml"
_RULES = Understander(embeddings=False)  # what only embeddings find is too unsure to count
_PATTERNS = (
    "logical_gap",
    "repetitive_question",
    "unclear_question",
    "suggestive_question",
    "confrontational_question",
)
_CIRCUMSTANCES = frozenset({"exposure"})  # no doctor turns to them between two symptoms
_OTHER_FAULTS = (("conduct.yaml", "privacy_violation"), ("conduct.yaml", "intimate"), ("clarity.yaml", "alarming"))
_LEAST_WORDS = 5  # of a question that leads elsewhere; shorter ones lean on what was said
_TOO_MANY = 3  # whole questions in one sentence
_RETURN = 2  # turns within which an interrupted line is taken up again


def detect(evidence: EvaluationInput) -> Detection:
    """Findings on how the doctor asked. Nothing is assessed without a question."""
    turns = evidence.transcript.turns
    if not turns:
        return Detection()
    findings: list[Finding] = []
    memory = Memory()
    following_up = follow_ups(turns)
    for turn in turns:
        earlier = 0 if turn.index in following_up else repeated_turn(turn, memory)
        if earlier:
            reason = f"Asks again for what was already answered in turn {earlier}."
            findings.append(_finding("repetitive_question", turn, turn.doctor_words, reason))
        findings += _worded(turn, repeated=bool(earlier))
        memory.remember(turn)
    gaps = [*_gaps(turns), *_off_topic(turns), *_thread_lost(turns)]
    findings += [gap for gap in gaps if not set(gap.turns) & following_up]
    findings = list({(f.pattern, f.turns): f for f in reversed(findings)}.values())  # once a turn
    findings.sort(key=lambda finding: finding.turns)
    return Detection(
        findings=tuple(findings), assessed_patterns=_PATTERNS, opportunities={"questions_asked": len(turns)}
    )


def follow_ups(turns: tuple[Turn, ...]) -> set[int]:
    """Turns that go after an unsure or vague answer just given, whatever else was understood of them."""
    found: set[int] = set()
    for turn, after in pairwise(turns):
        unsure = [o.ask for o in turn.patient.outcomes if o.status in (AskStatus.UNKNOWN, AskStatus.VAGUE)]
        if unsure and clarifies(after.doctor_words, unsure):
            found.add(after.index)
    return found


def _finding(pattern: str, turn: Turn, quote: str, reason: str) -> Finding:
    return Finding(
        dimension=Dimension.QS, pattern=pattern, turns=(turn.index,), quote=quote, reason=reason, decided_by=NAME
    )


# Wording


def _worded(turn: Turn, repeated: bool) -> list[Finding]:
    findings: list[Finding] = []
    for sentence in sentences(turn.doctor_words):
        topics = _unrelated_topics(sentence, turn)
        if topics:
            reason = f"One sentence asks about {topics[0]} and {topics[1]}, which do not belong together."
            findings.append(_finding("unclear_question", turn, sentence, reason))
        if first_match(_LEXICON, "confrontational", sentence):
            reason = "The wording blames or challenges the patient."
            findings.append(_finding("confrontational_question", turn, sentence, reason))
        elif not repeated and is_suggestive(sentence, turn.doctor_words):
            reason = "The wording expects a certain answer."
            findings.append(_finding("suggestive_question", turn, sentence, reason))
    return findings


def is_suggestive(sentence: str, words: str) -> bool:
    """Whether a question pushes towards an answer; a check of what was said does not."""
    if not first_match(_LEXICON, "suggestive", sentence):
        return False
    checks = r"\b(?:let me (?:check|sum)|to (?:confirm|sum up|summari)|have i got)"
    return not first_match(_LEXICON, "not_suggestive", sentence) and not re.search(checks, words, re.IGNORECASE)


def _unrelated_topics(sentence: str, turn: Turn) -> tuple[str, str] | None:
    """Two topics that one sentence asks about in parts of their own, and that do not belong together."""
    if not sentence.rstrip().endswith("?") and len(turn.patient.understanding.asks) < 2:
        return None
    if first_match(_LEXICON, "announced_list", turn.doctor_words):
        return None
    if first_match(_LEXICON, "open_end", sentence):
        return None
    frame = first_match(_LEXICON, "frame", sentence)
    sentence = sentence[frame.end() :] if frame else sentence
    parts = _parts(sentence, "part")
    return (
        _lost(parts, turn)
        or _many(parts)
        or _apart(parts, symptoms=True)
        or _apart(_parts(sentence, "noun_part"), symptoms=False)
    )


def _lost(parts: tuple[str, ...], turn: Turn) -> tuple[str, str] | None:
    """The first and last of three or more questions in one sentence that the answer shows was not followed."""
    if len(parts) < _TOO_MANY or not first_match("clarity.yaml", "at_a_loss", turn.patient.words):
        return None
    return f"“{parts[0].strip()}”", f"“{parts[-1].strip(' ?')}”"


def _many(parts: tuple[str, ...]) -> tuple[str, str] | None:
    """The first two topics of three or more whole questions, no two of which share one, run into one sentence."""
    questions = [part for part in parts if first_match(_LEXICON, "whole_question", part)]
    if len(questions) < _TOO_MANY:
        return None
    whole = [found for part in questions if (found := _topics(part))]
    apart = all(not set(one) & set(other) for i, one in enumerate(whole) for other in whole[i + 1 :])
    if len(whole) < _TOO_MANY or not apart:
        return None
    return whole[0][0].removeprefix("system:"), whole[1][0].removeprefix("system:")


def _parts(sentence: str, key: str) -> tuple[str, ...]:
    pieces = [sentence]
    for pattern in patterns(_LEXICON, key):
        pieces = [part for piece in pieces for part in pattern.split(piece)]
    return tuple(piece for piece in pieces if len(piece.split()) > 1)


@lru_cache(maxsize=4096)
def _topics(part: str) -> tuple[str, ...]:
    understood = _RULES.understand(part if part.rstrip().endswith("?") else f"{part}?", DialogueContext())
    if understood.confidence < 0.9:
        return ()
    return tuple(sorted({name for ask in understood.asks if _names_something(ask) for name in clusters(ask)}))


def _names_something(ask: Ask) -> bool:
    return not (ask.domain in SYMPTOMATIC and not ask.concept and ask.attribute not in WHOLE)


def _apart(parts: tuple[str, ...], symptoms: bool) -> tuple[str, str] | None:
    """The first two parts all of whose topics are unrelated; `symptoms` False leaves lists of symptoms alone."""
    if len(parts) < 2:
        return None
    topics = [found for part in parts if (found := _topics(part))]
    for i, ones in enumerate(topics):
        for others in topics[i + 1 :]:
            if any(related(one, other) for one in ones for other in others):
                continue
            symptomatic = all(name.startswith("system:") or name == "symptoms" for name in (*ones, *others))
            if symptoms or not symptomatic:
                return ones[0].removeprefix("system:"), others[0].removeprefix("system:")
    return None


# Jumps


def _gaps(turns: tuple[Turn, ...]) -> list[Finding]:
    """Questions about details of a symptom, left for something else without a word, and taken up again after."""
    findings: list[Finding] = []
    lines = [_line(turn) for turn in turns]
    for i in range(1, len(turns) - 1):
        here = lines[i]
        if "details" not in lines[i - 1] or not here or here & {"details", "symptoms"}:
            continue
        back = {"details", "symptoms"} if here <= _CIRCUMSTANCES else {"details"}
        returns = any(line & back for line in lines[i + 1 : i + 1 + _RETURN])
        if returns and not first_match(_LEXICON, "transition", turns[i].doctor_words):
            reason = f"Leaves the questions about the symptom (turn {turns[i - 1].index}) abruptly and returns to them."
            findings.append(_finding("logical_gap", turns[i], turns[i].doctor_words, reason))
    return findings


def _off_topic(turns: tuple[Turn, ...]) -> list[Finding]:
    """Questions in mid-interview that name nothing of a history and no word of what was said before."""
    findings: list[Finding] = []
    heard: frozenset[str] = frozenset()
    for turn in turns[:-1]:
        words = turn.doctor_words
        asked = stems(words)
        strange = words.rstrip().endswith("?") and len(words.split()) >= _LEAST_WORDS and len(asked) >= 2
        led = any(first_match(_LEXICON, key, words) for key in ("transition", "asks_for_more"))
        led = led or any(first_match(name, key, words) for name, key in _OTHER_FAULTS)
        if heard and strange and not led and not asked & heard and _names_nothing(turn):
            reason = "The question names nothing of a history and nothing that was said before."
            findings.append(_finding("logical_gap", turn, words, reason))
        heard |= asked | stems(turn.patient.words)
    return findings


def _thread_lost(turns: tuple[Turn, ...]) -> list[Finding]:
    """Questions at which the patient wonders, and that are no other fault."""
    reason = "The patient's answer shows that the question came out of nowhere."
    return [
        _finding("logical_gap", turn, turn.doctor_words, reason)
        for turn in turns[1:]
        if first_match(_LEXICON, "patient_loses_thread", turn.patient.words)
        if not first_match(_LEXICON, "transition", turn.doctor_words)
        if not any(first_match(name, key, turn.doctor_words) for name, key in _OTHER_FAULTS)
    ]


def _names_nothing(turn: Turn) -> bool:
    """Whether rules understood nothing of the question, and terminology knows none of its words."""
    understood = turn.patient.understanding
    clear = understood.confidence >= 0.5 and any(
        ask.concept or ask.domain is not Domain.OTHER for ask in understood.asks
    )
    named = turn.patient.disclosed or concepts.find(turn.doctor_words, spoken=True)
    return not clear and not understood.acts and not named


def _line(turn: Turn) -> frozenset[str]:
    """What a turn is about: details of a symptom, symptoms, or other clusters."""
    if turn.patient.understanding.confidence < 0.5:
        return frozenset()
    names: set[str] = set()
    for ask in turn.patient.understanding.asks:
        if ask.domain in SYMPTOMATIC:
            names.add("symptoms" if ask.attribute in WHOLE else "details")
        else:
            names.add(cluster(ask))
    return frozenset(names - {""})

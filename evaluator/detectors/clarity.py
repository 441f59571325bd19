"""EX: clinical terms that stand unexplained, and alarming questions without their purpose.

A term counts once, whatever its form, and a sentence with several terms once. A term that terminology calls major stays
major where the answer leaves it open that it was understood; the patient who finds the meaning, or answers at length,
was confused at most (minor), unless several such terms stand together or the patient says that nothing was understood.
It needs no explanation where the patient used it first (or it stood in the
opening as what the patient came with), or where the doctor explains it in the same words: "that is", brackets,
"or …", "we call it", its lay words beside it. Words that every patient hears daily are `routine_words`.
"""

import re
from collections.abc import Sequence
from functools import cache

from evaluator.detectors.detection import Detection
from evaluator.detectors.speech import document, first_match, patterns, sentence_with, sentences, stems
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from simulator.consultation.transcript import Turn
from simulator.patient.asks import AskStatus
from terminology import concepts, lay
from terminology.frequency import frequency

NAME = "detector:clarity@2"
MAJOR, MINOR = "major_clarity_failure", "minor_clarity_failure"
_LEXICON = "clarity.yaml"
_OWN = re.compile(r"\byour (?:(?:type|own|known|chronic|high|bad|old|two|2|one|1) ){0,2}$", re.IGNORECASE)
_FILLER = re.compile(r",?\s*\b(?:u+h+m*|u+m+|e+rm?)\b,?\s*", re.IGNORECASE)
_PLAIN_FIRST = re.compile(r"\b([\w-]+) or (?:any |an? |some )?$", re.IGNORECASE)  # "stiffness or rigidity"
_NATIVE = re.compile(r"ness(?:es)?$", re.IGNORECASE)  # an English word, however rare ("light-headedness")
_RARE = 1500  # times in about 10^9 words, below which a word is unusual
_ALIKE = 4  # first letters of two words of one family
_MOOD_TURNS = 6  # a low mood spoken of within these leads to questions about self-harm
_LONG_ANSWER = 4  # content words from which an answer shows that the question was followed
_MOOD = re.compile(r"\b(?:low mood|mood|depress|hopeless|sad|down|worthless|suicid|end it|no point)", re.IGNORECASE)


def detect(evidence: EvaluationInput) -> Detection:
    """Unexplained terms (major or minor as terminology says), explained ones, and questions that lack context."""
    turns = evidence.transcript.turns
    if not turns:
        return Detection()
    findings: list[Finding] = []
    heard = stems(evidence.transcript.opening)
    known: set[frozenset[str]] = set()
    used = 0
    before = ""
    for turn in turns:
        found: list[Finding] = []
        for match in terms(turn.doctor_words):
            term = stems(match.term)
            routine = _is_routine(term) or _within_routine(turn.doctor_words, match)
            if routine or term in known or (term and term <= heard.union(*known)):
                continue
            if _own_condition(turn.doctor_words, match) or _NATIVE.search(match.term):
                continue
            known.add(term)
            used += 1
            found.append(_term(turn, match))
        sentences_used = dict.fromkeys(finding.quote for finding in found)
        for sentence in sentences_used:
            findings += _one_failure(turn, [finding for finding in found if finding.quote == sentence])
        findings += _without_context(turn, before, _low(turns, turn.index), heard)
        heard |= stems(turn.patient.words)
        before = f"{turn.doctor_words} {turn.patient.words}"
    return Detection(
        findings=tuple(findings),
        assessed_patterns=(MAJOR, MINOR, "lack_of_context_for_question"),
        opportunities={"clinical_terms_used": used, "questions_asked": len(turns)},
    )


def _is_routine(term: frozenset[str]) -> bool:
    """Whether every patient hears the term, or each of its words, daily."""
    single = {word for words in _routine() if len(words) == 1 for word in words}
    return term in _routine() or (len(term) > 1 and term <= single)


def _within_routine(words: str, match: lay.JargonMatch) -> bool:
    """Whether the term is a word of a phrase that every patient hears daily ("chronic" of "chronic conditions")."""
    return any(one.start() <= match.start and match.end <= one.end() for one in _routine_phrases().finditer(words))


@cache
def _routine_phrases() -> re.Pattern[str]:
    phrases = (re.escape(words) for words in document(_LEXICON)["routine_words"] if " " in words)
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE)


@cache
def _routine() -> frozenset[frozenset[str]]:
    return frozenset(map(stems, document(_LEXICON)["routine_words"]))


def _own_condition(words: str, match: lay.JargonMatch) -> bool:
    """ "Your hypothyroidism": an illness that the patient is known to have needs no explanation."""
    owned = _OWN.search(words[: match.start])
    return bool(owned and concepts.lookup(match.term, kinds=("condition",)))


def terms(words: str) -> list[lay.JargonMatch]:
    """Clinical terms by terminology, and the few that `more_terms` adds."""
    found = lay.jargon(words)
    more: dict[str, str] = document(_LEXICON)["more_terms"]
    for term, plain in more.items():
        match = re.search(rf"\b{re.escape(term)}\b", words, re.IGNORECASE)
        if match and not any(one.start < match.end() and match.start() < one.end for one in found):
            at = {"start": match.start(), "end": match.end()}
            found.append(lay.JargonMatch(**at, term=match.group(), lay=plain, severity="minor"))
    return [*found, *_of_greek(words, found)]


def _of_greek(words: str, found: list[lay.JargonMatch]) -> list[lay.JargonMatch]:
    """Rare words of clinical build ("…uria", "…paresis") that no table knows."""
    taken = [(one.start, one.end) for one in found]
    return [
        lay.JargonMatch(start=match.start(), end=match.end(), term=match.group(), lay="", severity="major")
        for pattern in patterns(_LEXICON, "clinical_build")
        for match in pattern.finditer(words)
        if all(match.end() <= start or end <= match.start() for start, end in taken)
        if frequency(match.group().lower()) < _RARE and not concepts.find(match.group())
    ]


def explained(words: str, match: lay.JargonMatch) -> bool:
    """Whether lay words for the term, or words that introduce an explanation, stand beside it."""
    before = _FILLER.sub(" ", words[max(match.start - 80, 0) : match.start])
    after = _FILLER.sub(" ", words[match.end : match.end + 120])
    beside = stems(before) | stems(after)
    if match.lay and stems(match.lay) and stems(match.lay) <= beside:
        return True
    beside_it = first_match(_LEXICON, "explains_after", after) or first_match(_LEXICON, "explains_before", before)
    plain = _PLAIN_FIRST.search(before)
    if plain and any(word[:_ALIKE] == other[:_ALIKE] for word in stems(plain[1]) for other in stems(match.lay)):
        return True
    if match.term.lower().startswith("radiat") and first_match(_LEXICON, "directions", after):
        return True
    return bool(beside_it) or _said_first(words[: match.start], match)


def _said_first(before: str, match: lay.JargonMatch) -> bool:
    """Whether the sentence before says part of the meaning in plain words, and the term only names it."""
    naming = first_match(_LEXICON, "sums_up", before)
    if not naming:
        return False
    earlier = sentences(before[: naming.start() + 1])
    return bool(earlier and not earlier[-1].endswith("?") and stems(match.lay) & stems(earlier[-1]))


def _term(turn: Turn, match: lay.JargonMatch) -> Finding:
    quote = sentence_with(turn.doctor_words, match.term)
    if explained(turn.doctor_words, match):
        return _finding("good_step", turn, quote, f"Explains “{match.term}” in everyday words.")
    lay_words = f" ({match.lay})" if match.lay else ""
    return _finding(f"{match.severity}_clarity_failure", turn, quote, f"“{match.term}”{lay_words} is not explained.")


def _one_failure(turn: Turn, found: list[Finding]) -> list[Finding]:
    """What was explained well, and one failure a sentence: the gravest, as the patient's answer bears it out."""
    failures = [finding for finding in found if finding.pattern != "good_step"]
    if not failures:
        return found
    major = [finding for finding in failures if finding.pattern == MAJOR]
    worst = (major or failures)[0]
    if len(major) == 1 and _followed(turn, worst):
        worst = worst.model_copy(update={"pattern": MINOR})
    return [*(finding for finding in found if finding not in failures), worst]


def _followed(turn: Turn, failure: Finding) -> bool:
    """Whether the answer shows that the meaning was found (by a guess, in lay words, at length) or was not needed."""
    answer = turn.patient.words
    if first_match(_LEXICON, "guesses", answer):
        return True
    if first_match(_LEXICON, "at_a_loss", answer):
        return False
    if not failure.quote.endswith("?"):  # nothing had to be understood to answer
        return True
    meaning = stems(failure.reason) - stems(failure.quote)
    return bool(meaning & stems(answer)) or len(stems(answer)) >= _LONG_ANSWER


def _finding(pattern: str, turn: Turn, quote: str, reason: str) -> Finding:
    return Finding(
        dimension=Dimension.EX, pattern=pattern, turns=(turn.index,), quote=quote, reason=reason, decided_by=NAME
    )


def _low(turns: Sequence[Turn], index: int) -> bool:
    """Whether the patient told of a low mood within the turns before `index`."""
    recent = turns[max(index - 1 - _MOOD_TURNS, 0) : index - 1]
    given = (o.ask.concept for turn in recent for o in turn.patient.outcomes if o.status is AskStatus.GIVEN)
    return "low_mood" in given


def _without_context(turn: Turn, before: str, low: bool, heard: frozenset[str]) -> list[Finding]:
    """Alarming questions, unless their purpose is given, or the patient had spoken of the matter or of low mood."""
    if first_match(_LEXICON, "purpose", turn.doctor_words):
        return []
    low = low or bool(_MOOD.search(before))
    reason = "A question that may alarm or puzzle comes without saying why it is asked."
    asked = [sentence for sentence in sentences(turn.doctor_words) if sentence.endswith("?")]
    other = any(first_match("conduct.yaml", key, turn.doctor_words) for key in ("privacy_violation", "intimate"))
    if before and asked and not other and first_match(_LEXICON, "patient_alarmed", turn.patient.words):
        return [_finding("lack_of_context_for_question", turn, asked[-1], reason)]
    return [
        _finding("lack_of_context_for_question", turn, sentence, reason)
        for sentence in sentences(turn.doctor_words)
        if sentence.endswith(("?", ".")) and (found := first_match(_LEXICON, "alarming", sentence))
        if not stems(found.group()) <= heard
        if not (low and first_match(_LEXICON, "self_harm", sentence))
    ]

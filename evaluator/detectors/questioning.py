"""QS: repetition, several topics in one sentence, leading and confrontational wording, jumps of topic.

What is repeated is decided by what was asked and answered (the trace), not by words; wording patterns are in
`data/questioning.yaml`, topics in `data/topics.yaml`.
"""

from evaluator.detectors.asked import SYMPTOMATIC, Subject, cluster, related, subject
from evaluator.detectors.detection import Detection
from evaluator.detectors.speech import first_match, sentence_with, sentences
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from kg.facts import Domain, Fact
from simulator.consultation.transcript import Turn
from simulator.patient.asks import Ask, AskStatus, Attribute, SpeechAct

NAME = "detector:questioning@1"
_LEXICON = "questioning.yaml"
_ANSWERED = frozenset({AskStatus.GIVEN, AskStatus.DENIED, AskStatus.ASSUMED_DENIED})
_PATTERNS = (
    "logical_gap",
    "repetitive_question",
    "unclear_question",
    "suggestive_question",
    "confrontational_question",
)


def detect(evidence: EvaluationInput) -> Detection:
    """Findings on how the doctor asked. Nothing is assessed without a question."""
    turns = evidence.transcript.turns
    if not turns:
        return Detection()
    findings = [*_repetitions(turns), *(f for turn in turns for f in _worded(turn)), *_gaps(turns)]
    findings.sort(key=lambda finding: finding.turns)
    return Detection(
        findings=tuple(findings), assessed_patterns=_PATTERNS, opportunities={"questions_asked": len(turns)}
    )


def _finding(pattern: str, turn: Turn, quote: str, reason: str, *others: int) -> Finding:
    turns = (*others, turn.index)
    return Finding(dimension=Dimension.QS, pattern=pattern, turns=turns, quote=quote, reason=reason, decided_by=NAME)


# Repetition


def _repetitions(turns: tuple[Turn, ...]) -> list[Finding]:
    """Turns that ask nothing but what was answered, or told unasked, before."""
    answered: dict[Subject, int] = {}
    told: dict[str, Fact] = {}
    said_at: dict[str, int] = {}
    findings: list[Finding] = []
    for turn in turns:
        asks = [ask for ask in turn.patient.understanding.asks if ask.domain is not Domain.OTHER]
        earlier = [_answered_before(ask, answered, told, said_at, turns) for ask in asks]
        if asks and all(earlier) and not _asks_for_more(turn):
            first = min(index for index in earlier if index)
            reason = f"Asks again for what was already answered in turn {first}."
            findings.append(_finding("repetitive_question", turn, turn.doctor_words, reason, first))
        for outcome in turn.patient.outcomes:
            if outcome.status in _ANSWERED and not turn.patient.vague:
                answered.setdefault(subject(outcome.ask), turn.index)
        for fact in turn.patient.disclosed:
            if fact.concept and fact.experiencer == "patient":
                told.setdefault(fact.concept, fact)
                said_at.setdefault(fact.concept, turn.index)
    return findings


def _answered_before(
    ask: Ask, answered: dict[Subject, int], told: dict[str, Fact], said_at: dict[str, int], turns: tuple[Turn, ...]
) -> int:
    """The turn in which this ask was answered or its answer volunteered; 0 where it was not."""
    whole = ask.attribute in (Attribute.EXISTENCE, Attribute.LIST, Attribute.ASSOCIATED)
    if ask.concept and whole and _takes_as_known(ask):
        return 0
    if subject(ask) in answered:
        return answered[subject(ask)]
    if ask.concept and ask.experiencer == "patient" and ask.concept in told:
        fact = told[ask.concept]
        if whole:
            return said_at[ask.concept]
        value = fact.attributes.get(ask.attribute.value)
        return (
            next((t.index for t in turns if t.index >= said_at[ask.concept] and value and _says(t, value)), 0)
            if (value and subject(ask) not in answered and said_at[ask.concept] and _volunteered(fact, turns))
            else 0
        )
    return 0


def _volunteered(fact: Fact, turns: tuple[Turn, ...]) -> bool:
    return any(fact.fact_id in turn.patient.volunteered for turn in turns)


def _says(turn: Turn, value: str) -> bool:
    return value.lower() in turn.patient.words.lower()


def _takes_as_known(ask: Ask) -> bool:
    """ "Is the pain worse when you move?" does not ask whether there is pain, whatever was understood."""
    return bool(first_match(_LEXICON, "about_a_known_thing", ask.words))


def _asks_for_more(turn: Turn) -> bool:
    return bool(first_match(_LEXICON, "asks_for_more", turn.doctor_words))


# Wording


def _worded(turn: Turn) -> list[Finding]:
    findings: list[Finding] = []
    for sentence in sentences(turn.doctor_words):
        topics = _unrelated_topics(sentence, turn)
        if topics:
            reason = f"One sentence asks about {topics[0]} and {topics[1]}, which do not belong together."
            findings.append(_finding("unclear_question", turn, sentence, reason))
        if first_match(_LEXICON, "confrontational", sentence):
            reason = "The wording blames or challenges the patient."
            findings.append(_finding("confrontational_question", turn, sentence, reason))
        elif first_match(_LEXICON, "suggestive", sentence) and not first_match(_LEXICON, "not_suggestive", sentence):
            reason = "The wording expects a certain answer."
            findings.append(_finding("suggestive_question", turn, sentence, reason))
    return findings


def _unrelated_topics(sentence: str, turn: Turn) -> tuple[str, str] | None:
    asks = [
        a for a in turn.patient.understanding.asks if a.words and sentence_with(turn.doctor_words, a.words) == sentence
    ]
    clusters = list(dict.fromkeys(name for ask in asks if (name := cluster(ask))))
    if len(clusters) < 2 or first_match(_LEXICON, "announced_list", turn.doctor_words):
        return None
    if all(name == "symptoms" or name.startswith("system:") for name in clusters) and len(clusters) < 3:
        return None
    for i, one in enumerate(clusters):
        for other in clusters[i + 1 :]:
            if not related(one, other):
                return one.removeprefix("system:"), other.removeprefix("system:")
    return None


# Jumps


def _gaps(turns: tuple[Turn, ...]) -> list[Finding]:
    """A line of questions left for another without a word, and taken up again afterwards."""
    findings: list[Finding] = []
    lines = [_line(turn) for turn in turns]
    for i in range(1, len(turns) - 1):
        before, here, after = lines[i - 1], lines[i], lines[i + 1]
        if not before or not here or not after or here & before:
            continue
        leaves = not any(related(a, b) for a in before for b in here)
        returns = bool(after & before) and not after & here
        if leaves and returns and not first_match(_LEXICON, "transition", turns[i].doctor_words):
            reason = (
                f"Leaves the line of questions of turn {turns[i].index - 1} without a link and returns to it after."
            )
            findings.append(_finding("logical_gap", turns[i], turns[i].doctor_words, reason))
    return findings


def _line(turn: Turn) -> frozenset[str]:
    if SpeechAct.CLOSING in turn.patient.understanding.acts and not turn.patient.understanding.asks:
        return frozenset()
    names = {"symptoms" if a.domain in SYMPTOMATIC else cluster(a) for a in turn.patient.understanding.asks}
    return frozenset(name for name in names if name)

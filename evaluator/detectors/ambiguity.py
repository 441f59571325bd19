"""HR: vague and uncertain answers, and whether the doctor pursued them within three turns.

Only real ambiguity counts: what the patient blurred, or could know and was not sure of; never measurements, test
values or personal data. An answer in the very last turn counts only where the doctor ended by choice.
"""

from evaluator.detectors.asked import SYMPTOMATIC, WHOLE, attribute_group
from evaluator.detectors.detection import Detection
from evaluator.detectors.speech import first_match, stems
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from kg.facts import Domain
from simulator.consultation.transcript import TerminationReason, Transcript, Turn
from simulator.patient.asks import Ask, AskStatus, Attribute

NAME = "detector:ambiguity@1"
_LEXICON = "ambiguity.yaml"
WITHIN = 3
VAGUE, UNCERTAIN = "unclear_expression_not_clarified", "uncertain_answer_not_addressed"
_CANNOT_KNOW = frozenset({Domain.EXAMINATION, Domain.DEMOGRAPHICS, Domain.IDEAS_CONCERNS, Domain.OTHER})


def detect(evidence: EvaluationInput) -> Detection:
    """Ambiguous answers that nobody pursued; opportunities count all real ones."""
    transcript = evidence.transcript
    findings: list[Finding] = []
    counts = {"vague_answers": 0, "uncertain_answers": 0}
    pursued: list[Ask] = []
    for position, turn in enumerate(transcript.turns):
        if _at_the_cap(transcript, position):
            continue
        for pattern, name, asks in (
            (VAGUE, "vague_answers", _vague(turn)),
            (UNCERTAIN, "uncertain_answers", _unsure(turn)),
        ):
            fresh = [ask for ask in asks if not any(_same(ask, other) for other in pursued)]
            if not fresh:
                continue
            counts[name] += 1
            following = transcript.turns[position + 1 : position + 1 + WITHIN]
            by = next(
                (t for step, t in enumerate(following) if _pursues(t, fresh, step == 0) or _returns(turn, t, fresh)),
                None,
            )
            if by is not None:
                pursued.extend(fresh)
                findings.append(_followed(turn, by, name))
            else:
                findings.append(_finding(pattern, turn, fresh[0]))
    return Detection(
        findings=tuple(findings), assessed_patterns=(VAGUE, UNCERTAIN) if transcript.turns else (), opportunities=counts
    )


def _at_the_cap(transcript: Transcript, position: int) -> bool:
    last = position == len(transcript.turns) - 1
    closing = first_match("questioning.yaml", "asks_for_more", transcript.turns[position].doctor_words)
    return last and (bool(closing) or transcript.termination is not TerminationReason.CONCLUDED)


def _vague(turn: Turn) -> list[Ask]:
    asks = [o.ask for o in turn.patient.outcomes if o.status is AskStatus.VAGUE]
    if asks or not turn.patient.vague:
        return asks
    return [o.ask for o in turn.patient.outcomes][:1] or [Ask(domain=Domain.CHIEF_COMPLAINT)]


def _unsure(turn: Turn) -> list[Ask]:
    if first_match(_LEXICON, "no_uncertainty", turn.patient.words):
        return []
    return [o.ask for o in turn.patient.outcomes if o.status is AskStatus.UNKNOWN and _could_know(o.ask)]


def _could_know(ask: Ask) -> bool:
    if ask.domain in _CANNOT_KNOW:
        return False
    return not (ask.domain is Domain.TEST_RESULT and ask.attribute is not Attribute.EXISTENCE)


def _same(one: Ask, other: Ask) -> bool:
    """Whether `other` asks about the thing and the group of attributes of `one`."""
    if one.experiencer != other.experiencer:
        return False
    symptomatic = one.domain in SYMPTOMATIC and other.domain in SYMPTOMATIC
    if not symptomatic and one.domain is not other.domain:
        return False
    if one.concept and other.concept and one.concept != other.concept:
        return False
    if one.attribute in WHOLE:
        return bool(one.concept and one.concept == other.concept) or (not one.concept and not symptomatic)
    if other.attribute in WHOLE:
        return False
    return attribute_group(one.attribute.value) == attribute_group(other.attribute.value)


def _pursues(turn: Turn, asks: list[Ask], next_one: bool) -> bool:
    if next_one and first_match(_LEXICON, "clarifies", turn.doctor_words):
        return True
    named = {ask.concept for ask in turn.patient.understanding.asks if ask.concept}
    about_it = next_one or any(ask.concept in named for ask in asks)
    if about_it and clarifies(turn.doctor_words, asks):
        return True
    later = [ask for ask in turn.patient.understanding.asks if _meant(ask)]
    return any(_same(ask, again) for ask in asks for again in later)


def _returns(turn: Turn, later: Turn, asks: list[Ask]) -> bool:
    """Whether a later question takes up the content words of the one that got no clear answer, for no other detail."""
    groups = {attribute_group(ask.attribute.value) for ask in asks}
    others = [ask for ask in later.patient.understanding.asks if ask.attribute not in WHOLE]
    if any(attribute_group(ask.attribute.value) not in groups for ask in others):
        return False
    asked = stems(turn.doctor_words)
    return len(asked & stems(later.doctor_words)) >= max(2, len(asked) / 3)


def clarifies(words: str, asks: list[Ask]) -> bool:
    """Whether words offer choices or units that fit what was unclear ("days or weeks?", "out of ten")."""
    return any(first_match(_LEXICON, key, words) for key in sorted(_kinds(asks)))


def _kinds(asks: list[Ask]) -> set[str]:
    """The lexicons that fit what was unclear."""
    groups = {attribute_group(ask.attribute.value) for ask in asks}
    kinds = {f"clarifies_{name}" for name in groups & {"severity", "character"}}
    return kinds | ({"clarifies_time"} if groups & {"beginning", "rhythm"} else set())


def _meant(ask: Ask) -> bool:
    """Whether an ask for a beginning is one by its words ("how strong is it when it happens" is none)."""
    beginning = attribute_group(ask.attribute.value) == "beginning"
    return not (beginning and ask.words and not first_match(_LEXICON, "asks_beginning", ask.words))


def _followed(turn: Turn, by: Turn, name: str) -> Finding:
    return Finding(
        dimension=Dimension.HR,
        pattern="good_step",
        turns=(turn.index, by.index),
        quote=by.doctor_words,
        reason=f"Follows up the {name.split('_')[0]} answer of turn {turn.index}.",
        decided_by=NAME,
    )


def _finding(pattern: str, turn: Turn, ask: Ask) -> Finding:
    what = ask.concept or ask.term or ask.domain.value
    thing = f"{what.replace('_', ' ')}" + ("" if ask.attribute in WHOLE else f" ({ask.attribute.value})")
    kind = "vague" if pattern == VAGUE else "uncertain"
    reason = f"The {kind} answer about {thing} is not followed up within {WITHIN} turns."
    return Finding(
        dimension=Dimension.HR,
        pattern=pattern,
        turns=(turn.index,),
        quote=turn.patient.words,
        reason=reason,
        decided_by=NAME,
    )

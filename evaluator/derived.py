"""A patient's turn derived by reading, for dialogue that comes without a trace or with half of one.

Asks come from the understanding of the doctor's words; what became of them and which facts were told, from the
patient's words, unless the caller says so. Patterns are in `data/derived.yaml`.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import yaml

from etl.caserecord import Assertion
from evaluator.detectors.said import relatives_in
from evaluator.detectors.speech import sentences, stems
from evaluator.statements import statements
from foundation.records import Frozen
from kg.facts import Domain, Fact
from simulator.consultation.transcript import PatientTurn, Turn
from simulator.patient.asks import Ask, AskOutcome, AskStatus, Attribute, DialogueContext, Understanding
from simulator.patient.understand import understand
from terminology import drugs

_LEAST_WORDS, _MOST = 2, 0.6  # content words of a fact, and share of them, that make it told
_ONE_FIELD = frozenset(
    {
        *(frozenset({domain}) for domain in Domain if domain is not Domain.OTHER),
        frozenset({Domain.PAST_HISTORY, Domain.SURGICAL_HISTORY}),
        frozenset({Domain.SOCIAL_HISTORY, Domain.LIFESTYLE}),
        frozenset({Domain.SYMPTOM, Domain.SYMPTOM_DETAIL}),
        frozenset({Domain.SYMPTOM, Domain.CHIEF_COMPLAINT}),
    }
)
"""Domains that one question may be for."""


class Known(Frozen):
    """What is known of a turn beside its words; None where it has to be read from them."""

    asks: tuple[Ask, ...] | None = None
    statuses: tuple[AskStatus, ...] | None = None
    emotion: str | None = None
    told: tuple[str, ...] | None = None
    volunteered: tuple[str, ...] | None = None
    vague: bool | None = None
    speaker: str = "patient"


def derived_turns(
    exchanges: Sequence[tuple[str, str, Known]], facts: Iterable[Fact] = (), complaint: str | None = None
) -> tuple[Turn, ...]:
    """Turns from (doctor's words, patient's words, what is known beside); `complaint` is a concept key or None."""
    context = DialogueContext(chief_complaint=complaint, symptom=complaint)
    graph = tuple(facts)
    turns: list[Turn] = []
    for index, (doctor, patient, known) in enumerate(exchanges, 1):
        understanding = _understood(doctor, context)
        if known.asks is not None:
            understanding = understanding.model_copy(update={"asks": known.asks})
        side = _patient(doctor, patient, understanding, known, graph)
        turns.append(Turn(index=index, doctor_words=doctor, patient=side))
        context = context.after(doctor, understanding, patient)
    return tuple(turns)


@lru_cache(maxsize=8192)
def _understood(words: str, context: DialogueContext) -> Understanding:
    """Benchmarks read the same exchanges many times over."""
    return understand(words, context)


def _patient(
    doctor: str, words: str, understanding: Understanding, known: Known, facts: tuple[Fact, ...]
) -> PatientTurn:
    statuses = _statuses(understanding.asks, words, known)
    settled = any(status is not AskStatus.UNKNOWN for status in statuses) or not statuses
    answered = tuple(zip(understanding.asks, statuses, strict=True))
    told = _told(words, facts, known, answered) if settled or known.told is not None else ()
    outcomes = tuple(
        AskOutcome(ask=ask, status=status, fact_ids=tuple(f.fact_id for f in told if _answers(f, ask)))
        for ask, status in zip(understanding.asks, statuses, strict=True)
    )
    asked = {fact_id for outcome in outcomes for fact_id in outcome.fact_ids}
    offered = tuple(f.fact_id for f in told if f.fact_id not in asked) if known.told is None else ()
    vague = AskStatus.VAGUE in statuses if known.vague is None else known.vague
    return PatientTurn(
        words=words,
        understanding=understanding,
        outcomes=outcomes,
        disclosed=told,
        volunteered=offered if known.volunteered is None else known.volunteered,
        emotion=known.emotion,
        vague=vague,
        speaker=known.speaker,
    )


def _statuses(asks: tuple[Ask, ...], words: str, known: Known) -> tuple[AskStatus, ...]:
    """One status per ask: those given (a single one holds for all), else as the words read."""
    if known.statuses:
        given = known.statuses
        return tuple(given[min(position, len(given) - 1)] for position in range(len(asks)))
    return tuple(_read(ask, _own_part(ask, asks, words)) for ask in asks)


def _own_part(ask: Ask, asks: tuple[Ask, ...], words: str) -> str:
    """The answer without the sentences that speak of what else was asked ("Ten a day. I don't drink.")."""
    others = {other.concept for other in asks if other.concept} - {ask.concept}
    own = [s for s in sentences(words) if not others & {stated.concept for stated in statements(s, spoken=True)}]
    return " ".join(own) or words


def _read(ask: Ask, words: str) -> AskStatus:
    for status in (AskStatus.UNKNOWN, AskStatus.VAGUE):
        if _says(status.value, words):
            return status
    stated = [s for s in statements(words) if s.concept == ask.concept]
    if stated:
        return AskStatus.DENIED if stated[-1].assertion is Assertion.ABSENT else AskStatus.GIVEN
    return AskStatus.DENIED if _says("denied", words) else AskStatus.GIVEN


def reads_as(status: AskStatus, words: str) -> bool:
    """Whether a patient's words read as unknown, vague or denied."""
    return _says(status.value, words)


def _told(
    words: str, facts: tuple[Fact, ...], known: Known, answered: tuple[tuple[Ask, AskStatus], ...]
) -> tuple[Fact, ...]:
    """The facts listed for a turn, or those that the answer names, words in part, or gives or denies as asked."""
    if known.told is not None:
        return tuple(fact for fact in facts if fact.fact_id in known.told)
    named = {s.concept for s in statements(words)} | {name for d in drugs.find(words) for name in d.ingredients}
    lowered, said, relatives = words.lower(), stems(words), relatives_in(words)
    return tuple(
        f
        for f in facts
        if (f.concept and f.concept in named)
        or f.text.lower() in lowered
        or _worded(f, said)
        or any(_given(f, ask, status, said, relatives) for ask, status in answered)
    )


def _worded(fact: Fact, said: frozenset[str]) -> bool:
    """Whether the answer holds most of a fact's words, two at least."""
    own = stems(fact.text)
    return len(own & said) >= max(_LEAST_WORDS, _MOST * len(own))


def _given(fact: Fact, ask: Ask, status: AskStatus, said: frozenset[str], relatives: frozenset[str]) -> bool:
    """Whether an answer gives (or denies) the fact that was asked for, by concept, or by a word of its own."""
    absent = fact.assertion is Assertion.ABSENT
    if status not in ((AskStatus.DENIED, AskStatus.GIVEN) if absent else (AskStatus.GIVEN, AskStatus.VAGUE)):
        return False
    if ask.concept and ask.attribute is Attribute.EXISTENCE:
        same = fact.concept == ask.concept and fact.experiencer == ask.experiencer
        return same and (not absent or status is AskStatus.DENIED)
    if frozenset({fact.domain, ask.domain}) not in _ONE_FIELD or absent:
        return False
    if fact.domain is Domain.FAMILY_HISTORY and fact.experiencer in relatives:
        return True
    values = [value for value in map(stems, fact.attributes.values()) if value]
    return bool(stems(fact.text) & said) or any(value <= said and len(value) >= _LEAST_WORDS for value in values)


def _answers(fact: Fact, ask: Ask) -> bool:
    if ask.concept:
        return fact.concept == ask.concept
    return fact.domain is ask.domain or not ask.term


def _says(key: str, words: str) -> bool:
    straight = words.replace("’", "'")
    return any(pattern.search(straight) for pattern in _patterns(key))


@cache
def _patterns(key: str) -> tuple[re.Pattern[str], ...]:
    text = files("evaluator").joinpath("data", "derived.yaml").read_text("utf-8")
    content: dict[str, Any] = yaml.safe_load(text)
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in content[key])

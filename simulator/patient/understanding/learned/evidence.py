"""A candidate in numbers: who proposes it, what the encoder hears, what the rules ask beside it."""

import re
from collections.abc import Sequence

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute, DialogueContext
from simulator.patient.understanding.learned.candidates import Candidate, Source
from simulator.patient.understanding.learned.heard import Heard, score
from simulator.patient.understanding.learned.slots import ClauseReading

_MANY, _CLAUSES = 4, 6
_SPOKEN = re.compile(r"\b(?:u+m+|u+h+m*|erm?|hmm*|mm+|yeah|yep)\b|\b(\w+) \1\b", re.IGNORECASE)


def rows(
    found: Sequence[Candidate], readings: Sequence[ClauseReading], context: DialogueContext, heard: Heard
) -> list[list[float]]:
    """One row for each candidate; the columns are those of every call, in the order in which they are made here."""
    before = context.understanding.asks
    return [
        [
            *_proposed(each, found, heard),
            *_heard(each.ask, heard),
            *_clause(each, readings),
            *_domain(each, before, heard),
        ]
        for each in found
    ]


def _proposed(candidate: Candidate, found: Sequence[Candidate], heard: Heard) -> list[float]:
    ask = candidate.ask
    ruled = [other.ask for other in found if other.source is Source.RULES and other is not candidate]
    elsewhere = any(other.domain is not ask.domain and heard.related(other, ask) for other in ruled)
    return [
        *(float(candidate.source is source) for source in Source),
        float(any(other.domain is ask.domain for other in ruled)),
        float(elsewhere),
        min(len(ruled), _MANY) / _MANY,
    ]


def _heard(ask: Ask, heard: Heard) -> list[float]:
    mine = heard.of(ask)
    return [
        score(heard.domain(ask.domain)),
        score(mine),
        float(mine is None),
        score(heard.best_elsewhere(ask)),
        score(heard.best_other(ask)),
        min(heard.domains(), _MANY) / _MANY,
    ]


def _clause(candidate: Candidate, readings: Sequence[ClauseReading]) -> list[float]:
    ask, reading = candidate.ask, readings[candidate.clause]
    return [
        float(not ask.concept and not ask.term),
        float(bool(ask.term) and not ask.concept),
        float(ask.attribute is Attribute.EXISTENCE),
        float(reading.clause.asks),
        float(reading.clause.words.rstrip().endswith("?")),
        reading.sure,
        float(reading.decided == "embeddings"),
        min(len(readings), _CLAUSES) / _CLAUSES,
        float(spoken(readings)),
    ]


def _domain(candidate: Candidate, before: Sequence[Ask], heard: Heard) -> list[float]:
    ask, ruled = candidate.ask, candidate.source is Source.RULES
    mine = [float(ask.domain is domain) for domain in Domain]
    return [
        float(any(last.domain is ask.domain for last in before)),
        float(any(heard.related(last, ask) for last in before)),
        *mine,
        *(each * ruled for each in mine),
    ]


def spoken(readings: Sequence[ClauseReading]) -> bool:
    """Whether the words bear traces of speech: fillers, or a word said twice."""
    return any(_SPOKEN.search(each.clause.words) for each in readings)

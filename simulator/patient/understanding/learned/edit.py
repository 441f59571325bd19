"""Which candidates an utterance asks: the rules' reading edited by what the encoder hears."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kg.facts import Domain
from simulator.patient.asks import Ask, DialogueContext
from simulator.patient.understanding.learned.candidates import Candidate, Source, candidates, one_of_a_kind
from simulator.patient.understanding.learned.evidence import rows, spoken
from simulator.patient.understanding.learned.heard import Heard
from simulator.patient.understanding.learned.ranker import Doubles, Ranker, shipped
from simulator.patient.understanding.learned.slots import ClauseReading

# A candidate is asked from this probability; of a domain heard so clearly the likeliest candidate is, if it is not
# out of the question; of a plain question that nothing was found for, the rules' likeliest ask. What is plainly written
# stands as the rules read it, if none of their asks is less likely than STANDS (or ASKED, where it names nothing).
ASKED, CLEARLY, POSSIBLE, STANDS = 0.5, 0.9, 0.1, 0.2
_BESIDE = (Domain.SYMPTOM_DETAIL, Domain.FAMILY_HISTORY)


@dataclass(frozen=True)
class Edited:
    """The asks in the order of the words, and the least probability among the decisions that led to them."""

    asks: tuple[Ask, ...]
    confidence: float


def edited(
    readings: Sequence[ClauseReading],
    kept: Sequence[Ask],
    context: DialogueContext,
    heard: Heard,
    ranker: Ranker | None = None,
) -> Edited:
    """The asks of an utterance; `kept` are those that the rules leave standing. Without a clause nothing is asked."""
    if not readings:
        return Edited(tuple(kept), 1.0)
    found = candidates(readings, kept, heard)
    chances = (ranker or shipped()).chances(rows(found, readings, context, heard))
    ruled = [index for index, candidate in enumerate(found) if candidate.source is Source.RULES]
    stands = all(chances[index] >= (STANDS if _named(found[index].ask) else ASKED) for index in ruled)
    if stands and _plainly_written(readings, kept):
        return Edited(tuple(kept), min((float(chances[index]) for index in ruled), default=1.0))
    chosen = _chosen(found, chances, heard) or _plain(found, chances, readings)
    asks = [found[index].ask for index in sorted(chosen, key=lambda index: (found[index].clause, index))]
    asks += _unnamed(found, readings, heard)
    return Edited(tuple(asks), _confidence(chosen, chances))


def _plainly_written(readings: Sequence[ClauseReading], kept: Sequence[Ask]) -> bool:
    """Whole questions without a trace of speech, read by rules that are sure."""
    asking = [reading for reading in readings if reading.clause.asks]
    return bool(kept) and not spoken(readings) and all(_question(each) and each.sure >= 1 for each in asking)


def _named(ask: Ask) -> bool:
    return bool(ask.concept or ask.term)


def _chosen(found: Sequence[Candidate], chances: Doubles, heard: Heard) -> list[int]:
    """Indices of the candidates that are asked, likeliest first; a thing is asked in one domain only."""
    order = [int(index) for index in np.argsort(-chances, kind="stable")]
    best: dict[Domain, int] = {}
    for index in order:
        best.setdefault(found[index].ask.domain, index)
    clear = {index for domain, index in best.items() if heard.domain(domain) > CLEARLY and chances[index] >= POSSIBLE}
    chosen: list[int] = []
    for index in sorted(order, key=lambda index: index not in clear):
        asked = index in clear or (chances[index] >= ASKED and heard.domain(found[index].ask.domain) >= POSSIBLE)
        if asked and not any(_elsewhere(found[index].ask, found[other].ask) for other in chosen):
            chosen.append(index)
    return chosen


def _elsewhere(one: Ask, other: Ask) -> bool:
    """The same thing in another domain; its details and the family's may be asked beside it."""
    same = (one.concept or one.term) and (one.concept or one.term) == (other.concept or other.term)
    return bool(same) and one.domain is not other.domain and not {one.domain, other.domain} & set(_BESIDE)


def _unnamed(found: Sequence[Candidate], readings: Sequence[ClauseReading], heard: Heard) -> list[Ask]:
    """Domains that are clearly heard and of which nothing is a candidate: asked as a whole."""
    known = {candidate.ask.domain for candidate in found}
    silent = [domain for domain in Domain if domain not in known and heard.domain(domain) > CLEARLY]
    return (
        []
        if one_of_a_kind(readings[-1].clause.text)
        else [Ask(domain=domain, words=readings[-1].clause.words) for domain in silent]
    )


def _plain(found: Sequence[Candidate], chances: Doubles, readings: Sequence[ClauseReading]) -> list[int]:
    """The rules' likeliest ask where the utterance is plainly a question and nothing else was found."""
    ruled = [
        index
        for index, candidate in enumerate(found)
        if candidate.source is Source.RULES and _question(readings[candidate.clause])
    ]
    likeliest = max(ruled, key=lambda index: chances[index], default=None)
    possible = likeliest is not None and (chances[likeliest] >= POSSIBLE or not spoken(readings))
    return [likeliest] if likeliest is not None and possible else []


def _question(reading: ClauseReading) -> bool:
    return reading.clause.asks and reading.clause.words.rstrip().endswith("?")


def _confidence(chosen: Sequence[int], chances: Doubles) -> float:
    """How sure the least sure decision is: an ask taken, or the likeliest one left out."""
    left = [float(chance) for index, chance in enumerate(chances) if index not in set(chosen)]
    return min([float(chances[index]) for index in chosen] + [1 - max(left, default=0.0)])

"""Whether a text tells a fact again, in whatever words: its concept, lay name, details, drug, or the patient's words.

Used for what the summaries (II) and the reasoning (DX) leave out; it errs on the side of "told".
"""

import re
from typing import NamedTuple

from evaluator.detectors.said import named_in, near
from evaluator.detectors.speech import stems
from evaluator.evidence import EvaluationInput
from evaluator.statements import Statement, statements
from kg.facts import Domain, Fact
from terminology import concepts, drugs

MAJOR = frozenset({Domain.CHIEF_COMPLAINT, Domain.SYMPTOM, Domain.PAST_HISTORY, Domain.ALLERGY, Domain.MEDICATION})
CLAUSE = re.compile(r"\s*[;,.]\s+|\s*[;.]$|\s+(?:and|but)\s+")
_WRITTEN = re.compile(r"[,;.:()]\s*|\s+(?:and|but|with|without|or)\s+")
_MOST = 0.6  # of another fact's words, for a clause to be about that one
TWO_DETAILS = 2


class Telling(NamedTuple):
    """Where a fact was told: content words of the answer's clauses, and of exchanges that told nothing else."""

    clauses: tuple[frozenset[str], ...] = ()
    exchange: frozenset[str] = frozenset()


def tellings(evidence: EvaluationInput) -> dict[str, Telling]:
    """Fact id → how it was told."""
    found: dict[str, Telling] = {}
    for turn in evidence.transcript.turns:
        clauses = tuple(map(stems, CLAUSE.split(turn.patient.words)))
        alone = len({fact.concept or fact.text for fact in turn.patient.disclosed}) == 1
        exchange = stems(f"{turn.doctor_words} {turn.patient.words}") if alone else frozenset()
        for fact in turn.patient.disclosed:
            before = found.get(fact.fact_id, Telling())
            found[fact.fact_id] = Telling(before.clauses + clauses, before.exchange | exchange)
    return found


def retold(fact: Fact, text: str, told: tuple[Fact, ...], telling: Telling) -> bool:
    """Whether a text repeats the words in which a fact was told, where they speak of it and of no other fact."""
    words, itself = stems(text), stems(" ".join((fact.text, *fact.attributes.values())))
    others = [own for other in told if other.fact_id != fact.fact_id and (own := stems(other.text))]

    def elsewhere(clause: frozenset[str]) -> bool:
        return any(len(own & clause) >= _MOST * len(own) for own in others if own != stems(fact.text))

    own_words = (c for c in telling.clauses if c & itself and (len(c) > 1 or c <= stems(fact.text)))
    if any(clause <= words and not elsewhere(clause) for clause in own_words):
        return True
    written = (c for c in map(stems, _WRITTEN.split(text)) if len(c) > 1)
    return any(c <= telling.exchange | itself and c & telling.exchange and not elsewhere(c) for c in written)


def covered(fact: Fact, stated: tuple[Statement, ...], text: str, told: tuple[Fact, ...]) -> bool:
    """A broader word covers a fact, unless that word is another fact of its own ("cough" for "phlegm")."""
    if told_again(fact, text, told):
        return True
    own = {other.concept for other in told if other.concept and other.concept != fact.concept}
    keys = {s.concept for s in (*stated, *statements(text, spoken=True))} | {match.key for match in named_in(text)}
    concept = concepts.get(fact.concept) if fact.concept else None
    if concept and keys & {match.key for match in named_in(concept.lay)}:
        return True
    if fact.domain not in MAJOR and keys & {match.key for match in named_in(fact.text)}:
        return True
    if fact.concept and any(
        key == fact.concept or concepts.is_a(key, fact.concept) or (near(fact.concept, key) and key not in own)
        for key in keys
    ):
        return True
    if fact.domain is Domain.MEDICATION:
        wanted = set(drugs.normalise(fact.text).ingredients) | ({fact.concept} if fact.concept else set())
        return bool(wanted & {name for match in drugs.find(text) for name in match.ingredients}) or worded(fact, text)
    return worded(fact, text)


def told_again(fact: Fact, text: str, told: tuple[Fact, ...]) -> bool:
    """Whether the fact's details stand in the text: two of them, or one number that is this fact's alone."""
    words = stems(text)
    values = [value for value in map(stems, fact.attributes.values()) if value]
    kept = [value for value in values if value <= words]
    others = [v for f in told if f.fact_id != fact.fact_id for v in map(stems, f.attributes.values())]
    alone = [v for v in kept if len(v) > 1 and v not in others and any(word[0].isdigit() for word in v)]
    return len(kept) >= TWO_DETAILS or bool(alone and stems(fact.text) & words) or bool(alone and len(values) == 1)


def worded(fact: Fact, text: str) -> bool:
    """Whether most content words of the fact, or of its lay name, stand in the text (half, for context)."""
    concept = concepts.get(fact.concept) if fact.concept else None
    names = [fact.text, *([concept.name, concept.lay] if concept else [])]
    words = stems(text)
    least = 2 / 3 if fact.domain in MAJOR else 1 / 2
    return any(own and len(own & words) >= least * len(own) for own in map(stems, names)) or not any(map(stems, names))

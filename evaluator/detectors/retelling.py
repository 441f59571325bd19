"""Whether a text tells a fact again, in whatever words: its concept, lay name, details, drug, or the patient's words.

Used for what the summaries (II) and the reasoning (DX) leave out; it errs on the side of "told".
"""

import re

from evaluator.detectors.said import named_in, near
from evaluator.detectors.speech import stems
from evaluator.evidence import EvaluationInput
from evaluator.statements import Statement, statements
from kg.facts import Domain, Fact
from terminology import concepts, drugs

MAJOR = frozenset({Domain.CHIEF_COMPLAINT, Domain.SYMPTOM, Domain.PAST_HISTORY, Domain.ALLERGY, Domain.MEDICATION})
CLAUSE = re.compile(r"\s*[;,.]\s+|\s*[;.]$|\s+(?:and|but)\s+")
TWO_DETAILS = 2


def tellings(evidence: EvaluationInput) -> dict[str, tuple[frozenset[str], ...]]:
    """Fact id → content words of the clauses in which the patient told it."""
    found: dict[str, tuple[frozenset[str], ...]] = {}
    for turn in evidence.transcript.turns:
        clauses = tuple(map(stems, CLAUSE.split(turn.patient.words)))
        found |= {fact.fact_id: found.get(fact.fact_id, ()) + clauses for fact in turn.patient.disclosed}
    return found


def retold(fact: Fact, words: frozenset[str], told: tuple[Fact, ...], clauses: tuple[frozenset[str], ...]) -> bool:
    """Whether the summaries repeat the patient's own words for a fact, which speak of it and of no other fact."""
    itself = stems(" ".join((fact.text, *fact.attributes.values())))
    others = [own for other in told if other.fact_id != fact.fact_id and (own := stems(other.text))]
    return any(len(c) > 1 and c <= words and c & itself and not any(own & c for own in others) for c in clauses)


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

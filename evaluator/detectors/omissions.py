"""Facts that were told and that the category summaries leave out."""

from etl.caserecord import Assertion
from evaluator.detectors.integration_findings import LEFT_OUT, integration_finding
from evaluator.detectors.nearness import WRITTEN, nearest, phrases
from evaluator.detectors.retelling import MAJOR, Telling, covered, retold
from evaluator.detectors.said import near, relatives_in
from evaluator.detectors.speech import sentences, stems
from evaluator.detectors.untraced import Given
from evaluator.evidence import EvaluationInput
from evaluator.findings import Finding
from evaluator.statements import statements
from kg.facts import Domain, Fact
from simulator.consultation.transcript import FinalPlan

_EXPECTED = MAJOR | {Domain.SURGICAL_HISTORY, Domain.FAMILY_HISTORY, Domain.SOCIAL_HISTORY, Domain.LIFESTYLE}
_OF_NOW = (Domain.CHIEF_COMPLAINT, Domain.SYMPTOM)
_NAMED = {Domain.ALLERGY, Domain.MEDICATION}  # a near name is another substance
_KIND_DOMAINS = {"symptom": Domain.SYMPTOM, "condition": Domain.PAST_HISTORY, "allergen": Domain.ALLERGY}


def told_facts(evidence: EvaluationInput) -> tuple[Fact, ...]:
    """Facts told; without a graph, the concepts that the patient's words say are so."""
    if evidence.facts or evidence.disclosed:
        return evidence.disclosed
    found: dict[str, Fact] = {}
    for turn in evidence.transcript.turns:
        for s in statements(turn.patient.words):
            domain = _KIND_DOMAINS.get(s.kind)
            if domain and s.assertion is Assertion.PRESENT and not relatives_in(s.sentence):
                found.setdefault(s.concept, Fact(fact_id=s.concept, domain=domain, text=s.text, concept=s.concept))
    return tuple(found.values())


def left_out_facts(told: tuple[Fact, ...], plan: FinalPlan, how: dict[str, Telling], given: Given) -> list[Finding]:
    """Findings for the facts of `told` that neither the summaries nor, for drugs, the plan retell; one a fact.

    `how` is how each fact (by id) was told; `given` says whether a fact bears on what is in question.
    """
    summary = "\n".join(plan.category_summaries.values())
    drug_text = "\n".join([*plan.drugs, *plan.drug_reasons.values()])
    stated = statements(summary)
    context = _has_place(plan, "social", "lifestyle", "habit", "summary")
    listed = _has_place(plan, "medication", "drug")
    kept: list[Fact] = []
    missed: list[Fact] = []
    for fact in told:
        if fact.domain not in _EXPECTED or fact.assertion is Assertion.ABSENT:
            continue
        if not fact.concept and len(stems(fact.text)) < 2:
            continue
        if fact.domain in (Domain.SOCIAL_HISTORY, Domain.LIFESTYLE) and not context:
            continue
        in_plan = fact.domain is Domain.MEDICATION and not listed
        text = f"{summary}\n{drug_text}" if in_plan else summary
        if fact.domain is Domain.FAMILY_HISTORY:
            text = _of_family(plan)
        again = retold(fact, text, told, how.get(fact.fact_id, Telling()))
        here = statements(text) if fact.domain is Domain.FAMILY_HISTORY else stated
        (kept if again or covered(fact, here, text, told) else missed).append(fact)
    left_out: list[Fact] = []
    words = stems(summary)
    for fact in (fact for fact in missed if given.bears(fact, words)):
        if not any(_same_fact(fact, other) for other in (*kept, *left_out)) and not _written(fact, summary):
            left_out.append(fact)
    return [_left_out(fact) for fact in left_out]


def _left_out(fact: Fact) -> Finding:
    pattern = "major_omission" if fact.domain in MAJOR else "minor_omission"
    return integration_finding(pattern, "", f"{LEFT_OUT} {fact.text}.")


def _written(fact: Fact, summary: str) -> bool:
    """Whether some phrase of any category is near a fact of now or of the past in meaning."""
    return fact.domain in MAJOR - _NAMED and nearest(fact.text, phrases(summary)) >= WRITTEN


def _of_family(plan: FinalPlan) -> str:
    """What the summaries say of relatives: the category of that name, and sentences that name one elsewhere."""
    own = [text for name, text in plan.category_summaries.items() if "family" in name.lower()]
    spoken = [s for text in plan.category_summaries.values() for s in sentences(text)]
    return "\n".join([*own, *(s for s in spoken if relatives_in(s) or "family" in s.lower())])


def _same_fact(one: Fact, other: Fact) -> bool:
    """Whether two facts are about one thing: the complaint and its details, or one above the other in a domain."""
    if one.domain in _OF_NOW and other.domain in _OF_NOW and one.concept and one.concept == other.concept:
        return True
    return one.domain is other.domain and bool(one.concept and other.concept and near(one.concept, other.concept))


def _has_place(plan: FinalPlan, *parts: str) -> bool:
    """Whether the plan's format has a category of such a name."""
    return any(part in name.lower() for name in plan.category_summaries for part in parts)

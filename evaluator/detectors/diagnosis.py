"""DX: the final diagnosis against the references, how one-sided the questions were, and the reasoning (`reasoning`)."""

from evaluator.detectors.detection import Detection
from evaluator.detectors.reasoning import assumptions, finding, flawed, mismatch, omissions, related
from evaluator.detectors.speech import stems
from evaluator.diagnosis.matching import Grade, best_match
from evaluator.evidence import EvaluationInput
from evaluator.findings import Finding
from kg.facts import Domain
from simulator.consultation.transcript import FinalPlan
from simulator.patient.asks import Attribute

PATTERNS = {
    Grade.EXACT: "match_exact",
    Grade.PARTIAL: "match_partial",
    Grade.MINOR: "match_minorly_incorrect",
    Grade.MAJOR: "match_majorly_incorrect",
}
LEAST_QUESTIONS = 3
SYMPTOM_DOMAINS = (Domain.CHIEF_COMPLAINT, Domain.SYMPTOM, Domain.SYMPTOM_DETAIL, Domain.REVIEW_OF_SYSTEMS)


def detect(evidence: EvaluationInput) -> Detection:
    """All that names, codes and the trace can say about diagnosis and reasoning."""
    plan = evidence.transcript.plan
    matched = _match(evidence, plan)
    assessed = list(PATTERNS.values()) if matched else []
    findings = list(matched)
    if plan is not None:
        assessed += ["flawed_reasoning_process", "diagnosis_reasoning_mismatch"]
        findings += [*flawed(plan), *mismatch(plan, evidence)]
        if evidence.transcript.traced:
            assessed += ["incorrect_assumption", "information_omission", "diagnostic_questioning_bias"]
            findings += [*assumptions(evidence, plan), *omissions(evidence, plan), *_single_track(evidence)]
    opportunities = {"references": len(evidence.answer_key.diagnoses) if evidence.answer_key else 0}
    return Detection(findings=tuple(findings), assessed_patterns=tuple(assessed), opportunities=opportunities)


def _match(evidence: EvaluationInput, plan: FinalPlan | None) -> list[Finding]:
    """The grade of the final diagnosis; no plan at all is majorly incorrect, since a plan is always asked for."""
    references = evidence.answer_key.diagnoses if evidence.answer_key else ()
    if not references:
        return []
    if plan is None:
        return [finding("match_majorly_incorrect", "", "No final diagnosis was given although it was asked for.")]
    best = best_match(plan.diagnosis, references)
    assert best is not None
    reason = f"Nearest to the reference diagnosis “{best.reference}” (rank {best.rank}): {best.why}."
    return [finding(PATTERNS[best.grade], plan.diagnosis, reason)]


def _single_track(evidence: EvaluationInput) -> list[Finding]:
    """Three or more questions about symptoms, all along one line beside the complaint: nothing else was considered."""
    complaints = {f.concept for f in evidence.facts if f.domain is Domain.CHIEF_COMPLAINT and f.concept}
    things: list[tuple[str, int]] = []
    count = 0
    for turn in evidence.transcript.turns:
        for ask in turn.patient.understanding.asks:
            if ask.domain not in SYMPTOM_DOMAINS or ask.domain is Domain.CHIEF_COMPLAINT:
                continue
            if ask.domain is Domain.REVIEW_OF_SYSTEMS or ask.attribute in (Attribute.LIST, Attribute.ASSOCIATED):
                return []
            count += 1
            if thing := ask.concept or ask.term:
                things.append((thing, turn.index))
    lines = [pair for pair in things if not related(pair[0], complaints)] or things
    if not lines or count < LEAST_QUESTIONS or any(not _one_thing(thing, lines[0][0]) for thing, _ in lines):
        return []
    turn = evidence.transcript.turns[lines[0][1] - 1]
    if lines != things and len(lines) < LEAST_QUESTIONS:
        return []
    reason = f"All {count} questions about symptoms stay with one complaint; no other cause was explored."
    return [finding("diagnostic_questioning_bias", turn.doctor_words, reason, (turn.index,))]


def _one_thing(thing: str, first: str) -> bool:
    """Whether a symptom, or words that no concept was found for, is along the first one's line."""
    return related(thing, {first}) or stems(first.replace("_", " ")) <= stems(thing)

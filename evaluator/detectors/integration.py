"""II: the category summaries against what was said: left out, made up, denials turned to doubt, doubt to certainty.

Major where the fact bears on diagnosis or treatment: symptoms of now, past conditions and procedures, allergies, home
medication. Minor: relatives' illnesses, habits, work and home. A denial that is left out costs nothing; "not
available" and "not mentioned" claim nothing. Habits, work and home are expected only where the format has a category
for them; without one for medication, home medication counts as kept where the plan's drugs name it.
"""

from evaluator.detectors.detection import Detection
from evaluator.detectors.fabrications import fabricated
from evaluator.detectors.integration_findings import DENIED_ALLERGY, LEFT_OUT
from evaluator.detectors.omissions import left_out_facts, told_facts
from evaluator.detectors.retelling import tellings
from evaluator.detectors.said import Said
from evaluator.detectors.untraced import Given
from evaluator.evidence import EvaluationInput
from evaluator.findings import Finding
from kg.facts import Domain


def detect(evidence: EvaluationInput) -> Detection:
    """Nothing is assessed without category summaries."""
    plan = evidence.transcript.plan
    if plan is None or not plan.category_summaries:
        return Detection()
    said = Said(evidence)
    told = told_facts(evidence)
    omissions = left_out_facts(told, plan, tellings(evidence), Given(evidence.transcript))
    fabrications = [f for name, text in plan.category_summaries.items() for f in fabricated(name, text, said)]
    if any(DENIED_ALLERGY in f.reason for f in fabrications):  # the same fault, said once
        allergies = {f"{LEFT_OUT} {fact.text}." for fact in told if fact.domain is Domain.ALLERGY}
        omissions = [f for f in omissions if f.reason not in allergies]
    return Detection(
        findings=(*omissions, *_first_of_each(fabrications)),
        assessed_patterns=("major_omission", "minor_omission", "major_fabrication", "minor_fabrication"),
        opportunities={"facts_disclosed": len(told)},
    )


def _first_of_each(findings: list[Finding]) -> list[Finding]:
    """One finding a sentence and pattern: a sentence that is made up is one fabrication, however much it names."""
    return list({(finding.quote, finding.pattern): finding for finding in reversed(findings)}.values())[::-1]

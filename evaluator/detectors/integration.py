"""II: the category summaries against what was said: left out, made up, denials turned to doubt, doubt to certainty.

Major where the fact bears on diagnosis or treatment (symptoms of now, allergies, home medication, past conditions).
"Not available" and "not mentioned" claim nothing.
"""

from etl.caserecord import Assertion
from evaluator.detectors.detection import Detection
from evaluator.detectors.speech import document
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from evaluator.statements import Statement, statements
from kg.facts import Domain, Fact
from simulator.consultation.transcript import Transcript
from simulator.patient.asks import AskStatus
from terminology import concepts, drugs

NAME = "detector:integration@1"
_SUMMARISED = {
    Domain.CHIEF_COMPLAINT: "symptoms", Domain.SYMPTOM: "symptoms", Domain.PAST_HISTORY: "medical_history",
    Domain.SURGICAL_HISTORY: "medical_history", Domain.FAMILY_HISTORY: "family_history", Domain.ALLERGY: "allergies",
}  # fmt: skip
_MAJOR = frozenset({Domain.CHIEF_COMPLAINT, Domain.SYMPTOM, Domain.PAST_HISTORY, Domain.ALLERGY, Domain.MEDICATION})


def detect(evidence: EvaluationInput) -> Detection:
    """Omissions need the disclosed facts of a trace; fabrications only the words."""
    plan = evidence.transcript.plan
    if plan is None or not plan.category_summaries:
        return Detection()
    summary = "\n".join(plan.category_summaries.values())
    stated = [s for text in plan.category_summaries.values() for s in statements(text)]
    told = [fact for fact in evidence.disclosed if fact.domain in _SUMMARISED]
    omissions = [_omitted(fact) for fact in told if fact.concept and not _covered(fact, stated, summary)]
    fabrications = _fabricated(evidence.transcript, plan.category_summaries)
    assessed = ["major_fabrication", "minor_fabrication"]
    if told or evidence.transcript.traced:
        assessed = ["major_omission", "minor_omission", *assessed]
    return Detection(
        findings=(*omissions, *fabrications),
        assessed_patterns=tuple(assessed),
        opportunities={"facts_disclosed": len(told), "statements_in_summaries": len(stated)},
    )


def _finding(pattern: str, quote: str, reason: str) -> Finding:
    return Finding(dimension=Dimension.II, pattern=pattern, quote=quote, reason=reason, decided_by=NAME)


def _omitted(fact: Fact) -> Finding:
    major = fact.domain in _MAJOR and fact.assertion is not Assertion.ABSENT
    pattern = "major_omission" if major else "minor_omission"
    return _finding(pattern, "", f"Told, but not in the summaries: {fact.text}.")


def _covered(fact: Fact, stated: list[Statement], summary: str) -> bool:
    assert fact.concept
    if any(_near(fact.concept, s.concept) for s in stated):
        return True
    if any(fact.concept in match.ingredients for match in drugs.find(summary)):
        return True
    concept = concepts.get(fact.concept)
    names = {fact.text.lower(), fact.concept.replace("_", " "), concept.lay.lower() if concept else ""} - {""}
    return fact.assertion is Assertion.ABSENT or any(name in summary.lower() for name in names)


def _near(one: str, other: str) -> bool:
    return one == other or concepts.is_a(one, other) or concepts.is_a(other, one)


def _fabricated(transcript: Transcript, summaries: dict[str, str]) -> list[Finding]:
    present, absent = _said(transcript)
    headings = document("integration.yaml")["headings"]
    findings: dict[str, Finding] = {}
    for text in summaries.values():
        for s in statements(text):
            if (
                s.concept not in headings
                and s.assertion is Assertion.PRESENT
                and not s.hypothetical
                and not any(_near(s.concept, c) for c in present)
            ):
                how = "was denied" if any(_near(s.concept, c) for c in absent) else "was never said"
                pattern = "major_fabrication" if s.kind in ("symptom", "condition", "allergen") else "minor_fabrication"
                findings.setdefault(s.concept, _finding(pattern, s.sentence, f"{s.text} {how}."))
    return list(findings.values())


def _said(transcript: Transcript) -> tuple[set[str], set[str]]:
    """Concepts that were said to be so, or at least spoken of without denial, and those denied."""
    present: set[str] = set()
    absent: set[str] = set()
    for text in (transcript.opening, *(turn.patient.words for turn in transcript.turns)):
        for s in statements(text, spoken=True):
            (absent if s.assertion is Assertion.ABSENT else present).add(s.concept)
    if not transcript.traced:
        present |= _recounted(transcript)
    for turn in transcript.turns:
        for fact in turn.patient.disclosed:
            if fact.concept:
                (absent if fact.assertion is Assertion.ABSENT else present).add(fact.concept)
        for o in turn.patient.outcomes:
            if o.ask.concept and o.status in (AskStatus.DENIED, AskStatus.ASSUMED_DENIED):
                absent.add(o.ask.concept)
            elif o.ask.concept and o.status in (AskStatus.GIVEN, AskStatus.VAGUE):
                present.add(o.ask.concept)
    return present, absent


def _recounted(transcript: Transcript) -> set[str]:
    """Without a trace or a graph: what the doctor tells of the chart, and is not asking for."""
    told: set[str] = set()
    for turn in transcript.turns:
        asked = {ask.concept for ask in turn.patient.understanding.asks}
        told |= {s.concept for s in statements(turn.doctor_words) if s.assertion is Assertion.PRESENT} - asked
    return told

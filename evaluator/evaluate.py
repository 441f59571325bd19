"""Transcript in, Scorecard out."""

from collections.abc import Callable, Mapping, Sequence

from evaluator.detectors.detection import Detection
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding, Outcomes, Scorecard
from evaluator.quotes import quoted
from evaluator.rubric import Rubric, load
from evaluator.scoring import score, weighted_average
from simulator.consultation.transcript import TerminationReason

Detector = Callable[[EvaluationInput], Detection]

SCORED = frozenset(
    {
        TerminationReason.CONCLUDED,
        TerminationReason.CONCLUDED_AT_CAP,
        TerminationReason.NO_FINAL_ANSWER,
        TerminationReason.PROTOCOL_VIOLATION,
    }
)


def compose(
    evidence: EvaluationInput,
    detections: Mapping[Dimension, Sequence[Detection]],
    outcomes: Outcomes,
    evaluator: str,
    rubric: Rubric | None = None,
) -> Scorecard:
    """A scorecard from what detectors and judges found: quotes checked, scores recomputed."""
    rubric = rubric or load()
    transcript = evidence.transcript
    found: list[Finding] = [f for d in Dimension for detection in detections.get(d, ()) for f in detection.findings]
    kept, aside = quoted(found, evidence.words)
    assessed = {d: [p for detection in detections.get(d, ()) for p in detection.assessed_patterns] for d in Dimension}
    opportunities = {
        d: {key: n for detection in detections.get(d, ()) for key, n in detection.opportunities.items()}
        for d in Dimension
    }
    scores = score(kept, rubric, assessed, opportunities)
    average, stands_on = weighted_average({s.dimension: s.score for s in scores}, rubric)
    return Scorecard(
        case_id=transcript.case_id,
        doctor=transcript.doctor.name,
        rubric_version=rubric.identity,
        evaluator=evaluator,
        findings=kept,
        scores=scores,
        weighted_average=average,
        assessed_dimensions=stands_on,
        outcomes=outcomes,
        set_aside=len(aside),
    )


def unscored(evidence: EvaluationInput, evaluator: str, rubric: Rubric | None = None) -> Scorecard:
    """The scorecard of a consultation that infrastructure, the patient or a person ended: no score, with the reason."""
    transcript = evidence.transcript
    return Scorecard(
        case_id=transcript.case_id,
        doctor=transcript.doctor.name,
        rubric_version=(rubric or load()).identity,
        evaluator=evaluator,
        not_scored=transcript.termination.value,
    )

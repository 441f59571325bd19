"""Transcript in, Scorecard out."""

from collections.abc import Callable, Mapping, Sequence

from chatmodels.usage import total
from evaluator.detectors.detection import Detection
from evaluator.diagnosis.sufficiency import dialogue_sufficient
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Scorecard
from evaluator.judges.aggregation import Aggregation, aggregated, agreed
from evaluator.judges.judge import Judgement
from evaluator.outcomes import outcomes
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
    detections: Mapping[Dimension, Detection],
    judgements: Sequence[Judgement],
    evaluator: str,
    rubric: Rubric,
    aggregation: Aggregation = "majority",
) -> Scorecard:
    """A scorecard from what detectors and judges found: quotes checked, scores recomputed from what is left."""
    words = evidence.words
    detected, aside = quoted([f for d in Dimension if d in detections for f in detections[d].findings], words)
    checked = [_checked(judgement, words) for judgement in judgements]
    sound = [judgement for judgement, _ in checked]
    assessed = {d: _assessed(d, detections, sound) for d in Dimension}
    opportunities = {d: detections[d].opportunities for d in detections}
    by_judge = {j.judge: [f for d in j.detections.values() for f in d.findings] for j in sound}
    if aggregation == "majority" or len(sound) < 2:
        judged = list(agreed(sound)) if len(sound) > 1 else [f for found in by_judge.values() for f in found]
        findings = [*detected, *judged]
        scores = score(findings, rubric, assessed, opportunities)
        own = {
            name: {s.dimension: s.score for s in score([*detected, *found], rubric, assessed)}
            for name, found in by_judge.items()
        }
    else:
        findings = [*detected, *(f for found in by_judge.values() for f in found)]
        scores, own = aggregated(detected, by_judge, rubric, assessed, opportunities, aggregation)
    average, stands_on = weighted_average({s.dimension: s.score for s in scores}, rubric)
    return Scorecard(
        case_id=evidence.transcript.case_id,
        doctor=evidence.transcript.doctor.name,
        rubric_version=rubric.identity,
        evaluator=evaluator,
        findings=tuple(findings),
        scores=scores,
        weighted_average=average,
        assessed_dimensions=stands_on,
        outcomes=outcomes(evidence, findings, _sufficient(evidence)),
        judges=own,
        judge_usage=total(j.usage for j in judgements),
        set_aside=len(aside) + sum(count for _, count in checked),
    )


def _sufficient(evidence: EvaluationInput) -> bool | None:
    return dialogue_sufficient(evidence.facts, evidence.disclosed) if evidence.transcript.traced else None


def _assessed(
    dimension: Dimension, detections: Mapping[Dimension, Detection], judgements: Sequence[Judgement]
) -> list[str]:
    parts = [detections[dimension]] if dimension in detections else []
    parts += [j.detections[dimension] for j in judgements if dimension in j.detections]
    return [pattern for part in parts for pattern in part.assessed_patterns]


def _checked(judgement: Judgement, words: str) -> tuple[Judgement, int]:
    """The judgement without findings that quote what nobody said, and how many these were."""
    count = 0
    kept: dict[Dimension, Detection] = {}
    for dimension, detection in judgement.detections.items():
        sound, aside = quoted(detection.findings, words)
        kept[dimension] = detection.model_copy(update={"findings": sound})
        count += len(aside)
    return judgement.model_copy(update={"detections": kept}), count


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

"""The whole evaluator: detectors for what the trace proves, judges (if any) for the rest."""

from collections.abc import Sequence

from chatmodels.interface import ChatModel
from evaluator.detectors.detection import Detection
from evaluator.detectors.registry import DETECTORS
from evaluator.evaluate import compose
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Scorecard
from evaluator.judges.aggregation import Aggregation
from evaluator.judges.judge import Judge, Mode
from evaluator.rubric import Rubric, load


class Panel:
    """Detectors and a panel of judges.

    Hybrid: with judges, patterns that the rubric calls provable are the detectors', all others the judges'. Without
    judges the detectors decide whatever they can. `mode` "compact" asks each judge once, "dimension" at most 8 times.
    """

    def __init__(
        self,
        judges: Sequence[ChatModel] = (),
        rubric: Rubric | None = None,
        *,
        mode: Mode = "dimension",
        aggregation: Aggregation = "majority",
        seed: int = 0,
    ) -> None:
        self._rubric = rubric or load()
        self._judges = [Judge(model, self._rubric, mode=mode, seed=seed) for model in judges]
        self._aggregation = aggregation

    @property
    def name(self) -> str:
        """ "detectors", or "detectors+judge,judge"."""
        return "+".join(["detectors", *([",".join(judge.name for judge in self._judges)] if self._judges else [])])

    def evaluate(self, evidence: EvaluationInput) -> Scorecard:
        """Findings, scores and outcome metrics of one consultation. Raises ChatModelError where a judge fails."""
        detections = {dimension: detect(evidence) for dimension, detect in DETECTORS.items()}
        if self._judges:
            asked = self._for_judges(detections)
            detections = {d: _without(detection, asked.get(d, ())) for d, detection in detections.items()}
            judgements = [judge.judge(evidence, asked) for judge in self._judges]
        else:
            judgements = []
        return compose(evidence, detections, judgements, self.name, self._rubric, self._aggregation)

    def _for_judges(self, detections: dict[Dimension, Detection]) -> dict[Dimension, tuple[str, ...]]:
        """Patterns that are not provable, or that no detector could decide on this transcript."""
        asked: dict[Dimension, tuple[str, ...]] = {}
        for dimension, content in self._rubric.dimensions.items():
            decided = detections[dimension].assessed_patterns if dimension in detections else ()
            open_ones = tuple(n for n, p in content.patterns.items() if not (p.provable and n in decided))
            if open_ones:
                asked[dimension] = open_ones
        return asked


def _without(detection: Detection, patterns: Sequence[str]) -> Detection:
    return detection.model_copy(
        update={
            "findings": tuple(f for f in detection.findings if f.pattern not in patterns),
            "assessed_patterns": tuple(p for p in detection.assessed_patterns if p not in patterns),
        }
    )

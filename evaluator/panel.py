"""The whole evaluator: detectors for what the trace proves, judges (if any) for the rest."""

from collections.abc import Sequence

from chatmodels.interface import ChatModel
from evaluator.detectors.registry import DETECTORS
from evaluator.evaluate import compose
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Scorecard
from evaluator.outcomes import outcomes
from evaluator.rubric import Rubric, load


class Panel:
    """Detectors and a panel of judges; `name` says which, for the scorecard."""

    def __init__(self, judges: Sequence[ChatModel] = (), rubric: Rubric | None = None) -> None:
        self._judges = tuple(judges)
        self._rubric = rubric or load()

    @property
    def name(self) -> str:
        """ "detectors", or "detectors+judge,judge"."""
        return "+".join(["detectors", *([",".join(j.name for j in self._judges)] if self._judges else [])])

    def evaluate(self, evidence: EvaluationInput) -> Scorecard:
        """Every dimension's findings, scores and outcome metrics of one consultation."""
        detections = {dimension: [detect(evidence)] for dimension, detect in DETECTORS.items()}
        findings = [f for found in detections.values() for d in found for f in d.findings]
        return compose(evidence, detections, outcomes(evidence, findings), self.name, self._rubric)


def dimensions_detected() -> tuple[Dimension, ...]:
    """Dimensions that some detector speaks to."""
    return tuple(DETECTORS)

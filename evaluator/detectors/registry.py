"""Every detector by its dimension; the evaluator runs them all."""

from collections.abc import Callable

from evaluator.detectors import (
    ambiguity,
    clarity,
    conduct,
    coverage,
    diagnosis,
    integration,
    medication,
    questioning,
)
from evaluator.detectors.detection import Detection
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension

DETECTORS: dict[Dimension, Callable[[EvaluationInput], Detection]] = {
    Dimension.QS: questioning.detect,
    Dimension.IC: coverage.detect,
    Dimension.HR: ambiguity.detect,
    Dimension.ET: conduct.detect,
    Dimension.EX: clarity.detect,
    Dimension.II: integration.detect,
    Dimension.DX: diagnosis.detect,
    Dimension.MS: medication.detect,
}

"""Every detector by its dimension; the evaluator runs them all."""

from collections.abc import Callable

from evaluator.detectors import diagnosis, medication
from evaluator.detectors.detection import Detection
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension

DETECTORS: dict[Dimension, Callable[[EvaluationInput], Detection]] = {
    Dimension.DX: diagnosis.detect,
    Dimension.MS: medication.detect,
}

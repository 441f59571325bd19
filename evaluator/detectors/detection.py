"""What a detector hands back."""

from pydantic import Field

from evaluator.findings import Finding
from foundation.records import Frozen


class Detection(Frozen):
    """Findings of one dimension, the patterns that were decided (found or not), and opportunity counts."""

    findings: tuple[Finding, ...] = ()
    assessed_patterns: tuple[str, ...] = ()
    opportunities: dict[str, int] = Field(default_factory=dict)

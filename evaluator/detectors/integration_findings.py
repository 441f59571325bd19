"""What the integration detector writes: its findings, its name, and the reasons that several files share."""

from evaluator.findings import Dimension, Finding

NAME = "detector:integration@2"
LEXICON = "integration.yaml"
LEFT_OUT = "Told, but not in the summaries:"
DENIED_ALLERGY = "although allergies were told"


def integration_finding(pattern: str, quote: str, reason: str) -> Finding:
    """A finding of dimension II in the detector's name; `quote` is a sentence of the summaries or ""."""
    return Finding(dimension=Dimension.II, pattern=pattern, quote=quote, reason=reason, decided_by=NAME)

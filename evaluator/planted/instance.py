"""One labelled consultation of the benchmark."""

from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension
from foundation.records import Frozen


class Gold(Frozen):
    """A failure that is there. `turns` empty: not tied to a turn (or the label does not say).

    `brings` names patterns ("IC.minor_omission") that cannot but follow from it and are not counted as false.
    """

    dimension: Dimension
    pattern: str
    turns: tuple[int, ...] = ()
    quote: str = ""
    brings: tuple[str, ...] = ()


class Instance(Frozen):
    """A consultation with all its failures.

    `kind` is "planted", "clean", "look_alike" or "handwritten"; `operator` and `style` say how it was made;
    `base` names the clean consultation that it was made from.
    """

    instance_id: str
    kind: str
    evidence: EvaluationInput
    gold: tuple[Gold, ...] = ()
    operator: str = ""
    style: str = ""
    base: str = ""

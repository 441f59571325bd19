"""One chat model as judge: findings with quotes; what it counts or scores by itself is not read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from chatmodels.interface import ChatModel, Usage
from chatmodels.structured import complete_as
from chatmodels.usage import total
from evaluator.detectors.detection import Detection
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from evaluator.judges.prompt import Asked, messages
from evaluator.rubric import Rubric
from foundation.records import Frozen

Mode = Literal["dimension", "compact"]


class _Reported(BaseModel):
    model_config = ConfigDict(extra="ignore")

    dimension: str = ""
    pattern: str = ""
    turns: list[int] = Field(default_factory=list)
    quote: str = ""
    reason: str = ""
    confidence: float | None = None


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore")

    findings: list[_Reported]


class Judgement(Frozen):
    """What one judge found: a Detection for each dimension it was asked about, its cost, and findings out of scope."""

    judge: str
    detections: dict[Dimension, Detection]
    usage: Usage = Usage()
    out_of_scope: int = 0


class Judge:
    """A judge of the patterns that it is asked about: a call a dimension (at most 8), or one in all ("compact")."""

    def __init__(
        self, model: ChatModel, rubric: Rubric, *, mode: Mode = "dimension", seed: int = 0, max_tokens: int = 2000
    ) -> None:
        self._model, self._rubric, self._mode, self._seed = model, rubric, mode, seed
        self._max_tokens = max_tokens

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def judge(self, evidence: EvaluationInput, asked: Asked) -> Judgement:
        """Findings about the patterns `asked`. Raises ChatModelError where a call gives nothing usable."""
        reported: list[_Reported] = []
        usages: list[Usage] = []
        for part in self._calls(asked):
            reply, usage = complete_as(
                self._model,
                messages(evidence, part, self._rubric),
                _Reply,
                schema=_schema(part),
                max_tokens=self._max_tokens,
                temperature=0.0,
                seed=self._seed,
            )
            reported += reply.findings
            usages.append(usage)
        return self._judgement(reported, asked, len(evidence.transcript.turns), total(usages))

    def _calls(self, asked: Asked) -> Iterator[Asked]:
        if self._mode == "compact":
            yield asked
        else:
            yield from ({dimension: patterns} for dimension, patterns in asked.items())

    def _judgement(self, reported: Sequence[_Reported], asked: Asked, turns: int, usage: Usage) -> Judgement:
        findings: dict[Dimension, list[Finding]] = {dimension: [] for dimension in asked}
        out_of_scope = 0
        for item in reported:
            finding = self._finding(item, asked, turns)
            if finding is None:
                out_of_scope += 1
            elif finding not in findings[finding.dimension]:
                findings[finding.dimension].append(finding)
        detections = {
            dimension: Detection(findings=tuple(findings[dimension]), assessed_patterns=tuple(patterns))
            for dimension, patterns in asked.items()
        }
        return Judgement(judge=self.name, detections=detections, usage=usage, out_of_scope=out_of_scope)

    def _finding(self, item: _Reported, asked: Asked, turns: int) -> Finding | None:
        dimension = next((d for d in asked if d.value == item.dimension), None)
        if dimension is None or item.pattern not in asked[dimension]:
            return None
        confidence = item.confidence if item.confidence is not None and 0 <= item.confidence <= 1 else None
        return Finding(
            dimension=dimension,
            pattern=item.pattern,
            turns=tuple(sorted({turn for turn in item.turns if 1 <= turn <= turns})),
            quote=item.quote,
            reason=item.reason or "no reason given",
            decided_by=f"judge:{self.name}",
            confidence=confidence,
        )


def _schema(asked: Asked) -> Mapping[str, Any]:
    text: dict[str, Any] = {"type": "string", "maxLength": 300}
    finding = {
        "type": "object",
        "properties": {
            "dimension": {"enum": [dimension.value for dimension in asked]},
            "pattern": {"enum": sorted({pattern for patterns in asked.values() for pattern in patterns})},
            "turns": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 15}, "maxItems": 6},
            "quote": text,
            "reason": text,
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        },
        "required": ["dimension", "pattern", "turns", "quote", "reason", "confidence"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"findings": {"type": "array", "items": finding, "maxItems": 20}},
        "required": ["findings"],
        "additionalProperties": False,
    }

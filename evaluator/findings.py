"""Finding and Scorecard: what the evaluator hands on."""

from enum import StrEnum

from pydantic import Field

from chatmodels.interface import Usage
from foundation.records import Frozen


class Dimension(StrEnum):
    """The paper's eight dimensions, by its abbreviations (Table 3, Supplementary Table 3)."""

    QS = "QS"
    IC = "IC"
    HR = "HR"
    ET = "ET"
    EX = "EX"
    II = "II"
    DX = "DX"
    MS = "MS"


class Finding(Frozen):
    """One occurrence of a failure pattern, or of something done well (`pattern` "good_step", no penalty).

    `turns` are turn indices from 1, empty where the plan alone shows it. `quote` is verbatim from the transcript
    (doctor's words, patient's words or the plan); empty only for an omission, which has nothing to quote.
    `decided_by` is "detector:<name>@<version>" or "judge:<model>".
    """

    dimension: Dimension
    pattern: str
    turns: tuple[int, ...] = ()
    quote: str = ""
    reason: str
    decided_by: str
    confidence: float | None = Field(default=None, ge=0, le=1)


class DimensionScore(Frozen):
    """A dimension's score in [0, 5], or None for not assessed. `assessed_patterns` are those somebody decided.

    `opportunities` counts what could have gone wrong (questions asked, uncertain answers given, …).
    """

    dimension: Dimension
    score: float | None
    penalty: float = 0.0
    assessed_patterns: tuple[str, ...] = ()
    opportunities: dict[str, int] = Field(default_factory=dict)


class Outcomes(Frozen):
    """Supplementary Note 1 for one case; None where undefined (no reference, no plan).

    `medication_f1` follows the paper (TP = max(|R| - FP, 0), precision TP / (TP + FP), recall TP / (TP + FN):
    see `evaluator.outcomes`); `matched_*` are set-based on active ingredients.
    """

    diagnosis_correct: bool | None = None
    diagnosis_match: str | None = None
    medication_f1: float | None = None
    matched_precision: float | None = None
    matched_recall: float | None = None
    matched_f1: float | None = None
    unsafe: bool | None = None
    mismatch_rate: float | None = None
    dialogue_sufficient: bool | None = None


class Scorecard(Frozen):
    """Scores of one consultation, recomputable from `findings` and the rubric of version `rubric_version`.

    `judges` holds each judge's own scores where there is a panel.
    `weighted_average` is over `assessed_dimensions` with weights renormalised; None where none was assessed.
    `set_aside` counts findings whose quote is not in the transcript.
    """

    case_id: str
    doctor: str
    rubric_version: str
    evaluator: str
    findings: tuple[Finding, ...] = ()
    scores: tuple[DimensionScore, ...] = ()
    weighted_average: float | None = None
    assessed_dimensions: tuple[Dimension, ...] = ()
    outcomes: Outcomes = Outcomes()
    judges: dict[str, dict[Dimension, float | None]] = Field(default_factory=dict)
    judge_usage: Usage = Usage()
    set_aside: int = 0
    not_scored: str = ""

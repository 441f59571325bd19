"""One self-contained HTML page for a run: no script, font or picture from elsewhere."""

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import jinja2

from batch.report.figures import legend_names, pattern_rates, radar, svg
from batch.summary import DoctorSummary, Result, notes
from etl.caserecord import Diagnosis
from evaluator.findings import Dimension, Finding
from evaluator.rubric import load

DECIDES = {
    "match_exact": "exact",
    "match_partial": "partial",
    "match_minorly_incorrect": "minor",
    "match_majorly_incorrect": "major",
}


def anchor(key: str) -> str:
    """An HTML id for a consultation's key."""
    return "c-" + re.sub(r"[^A-Za-z0-9]+", "-", key).strip("-")


def render(
    run: str,
    summaries: Sequence[DoctorSummary],
    found: Sequence[Result],
    references: dict[str, tuple[Diagnosis, ...]],
    provenance: dict[str, str],
) -> str:
    """The page. `references`: case id → reference diagnoses. It holds record text: treat it as such."""
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: files("batch.report").joinpath(name).read_text("utf-8")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["words"] = lambda name: str(name).replace("_", " ")
    return environment.get_template("page.html.j2").render(
        run=run,
        summaries=summaries,
        notes=notes(summaries),
        dimensions=list(Dimension),
        names=legend_names(),
        rubric=load(),
        provenance=provenance,
        radar=svg(radar(summaries)),
        patterns=svg(pattern_rates(summaries)),
        cases=[_case(result, references) for result in found],
    )


def _case(result: Result, references: dict[str, tuple[Diagnosis, ...]]) -> dict[str, Any]:
    card, transcript = result.scorecard, result.transcript
    turns = [
        {"turn": turn, "findings": [f for f in card.findings if f.turns and turn.index == max(f.turns)]}
        for turn in transcript.turns
    ]
    plan_findings = [f for f in card.findings if not f.turns]
    main = references.get(transcript.case_id, ())
    return {
        "id": anchor(result.key),
        "result": result,
        "card": card,
        "transcript": transcript,
        "scores": {score.dimension: score for score in card.scores},
        "turns": turns,
        "plan_findings": _ordered(plan_findings),
        "match": DECIDES.get(card.outcomes.diagnosis_match or "", card.outcomes.diagnosis_match or "n/a"),
        "references": main,
    }


def _ordered(findings: Sequence[Finding]) -> list[Finding]:
    order = list(Dimension)
    return sorted(findings, key=lambda f: (order.index(f.dimension), f.pattern == "good_step"))

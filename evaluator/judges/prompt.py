"""What a judge is shown: the rubric's patterns, and of the consultation only what a dimension may see."""

from collections.abc import Mapping, Sequence
from importlib.resources import files

from chatmodels.interface import Message
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension
from evaluator.rubric import Rubric

PROMPT = files("evaluator.judges").joinpath("data", "prompt.txt").read_text("utf-8")
Asked = Mapping[Dimension, Sequence[str]]


def messages(evidence: EvaluationInput, asked: Asked, rubric: Rubric) -> list[Message]:
    """The two messages of one call about the patterns `asked`; neither names the doctor."""
    sees = {sight for dimension in asked for sight in rubric.dimensions[dimension].sees}
    parts = [_dialogue(evidence)]
    for sight, show in (("summaries", _summaries), ("plan", _plan), ("facts", _facts), ("references", _references)):
        if sight in sees:
            parts.append(show(evidence))
    return [
        Message(role="system", content=PROMPT.format(patterns=_patterns(asked, rubric))),
        Message(role="user", content="\n\n".join(part for part in parts if part)),
    ]


def _patterns(asked: Asked, rubric: Rubric) -> str:
    lines: list[str] = []
    for dimension, names in asked.items():
        content = rubric.dimensions[dimension]
        lines.append(f"{dimension.value}: {content.name}")
        lines += [f"  {name}: {content.patterns[name].meaning}" for name in names]
    return "\n".join(lines)


def _dialogue(evidence: EvaluationInput) -> str:
    transcript = evidence.transcript
    said = [f"Turn {t.index}\nClinician: {t.doctor_words}\nPatient: {t.patient.words}" for t in transcript.turns]
    return "\n".join([f"Known before: {transcript.opening}", *said])


def _summaries(evidence: EvaluationInput) -> str:
    plan = evidence.transcript.plan
    if plan is None:
        return "Summaries: none were given."
    lines = [f"{name.replace('_', ' ')}: {text}" for name, text in plan.category_summaries.items()]
    return "\n".join(["Clinician's summaries", *lines])


def _plan(evidence: EvaluationInput) -> str:
    plan = evidence.transcript.plan
    if plan is None:
        return "Plan: none was given."
    drugs = [f"{drug}: {plan.drug_reasons.get(drug, '(no reason given)')}" for drug in plan.drugs]
    return "\n".join([f"Final diagnosis: {plan.diagnosis}", f"Reasoning: {plan.reasoning}", "Drugs", *drugs])


def _facts(evidence: EvaluationInput) -> str:
    lines = [
        f"- {fact.domain.value}: {fact.text} ({fact.assertion.value}, {fact.experiencer})" for fact in evidence.facts
    ]
    return "\n".join(["What the patient's record holds", *lines]) if lines else ""


def _references(evidence: EvaluationInput) -> str:
    key = evidence.answer_key
    if key is None:
        return ""
    diagnoses = [f"- {d.name}" for d in sorted(key.diagnoses, key=lambda d: d.rank)]
    drugs = sorted({f"- {m.name} ({m.role.value})" for m in key.medications if not m.carrier_fluid})
    return "\n".join(["Reference diagnoses", *diagnoses, "Reference drugs", *drugs])

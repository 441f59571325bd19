"""Clean consultations (data/cases/*.yaml) as drafts that operators change before they become evidence.

A turn carries what it adds to the category summaries and to the reasoning, so that a draft without the turn has
neither: an operator that takes something out leaves no second failure behind.
"""

import copy
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from evaluator.evidence import EvaluationInput
from evaluator.planted.fields import Record
from evaluator.planted.handwritten import instance

CATEGORIES = ("symptoms", "medical_history", "family_history", "vital_signs", "allergies", "medications")


@dataclass
class Step:
    """One exchange. `tag` says what it is about ("onset", "allergy"); `also` a second thing that it covers."""

    doctor: str
    patient: str
    tag: str = ""
    status: str | None = None
    told: list[str] = field(default_factory=list)
    summary: dict[str, str] = field(default_factory=dict)
    reasoning: str = ""
    emotion: str | None = None
    also: str = ""


@dataclass
class Draft:
    """A consultation that can still be changed; positions count from 0, turn numbers of findings from 1."""

    case: dict[str, Any]
    steps: list[Step]
    diagnosis: str
    differentials: list[str]
    argument: str
    drugs: dict[str, str]
    reasoning: str | None = None
    added_summaries: list[tuple[str, str]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The case's name ("chest_pain")."""
        return str(self.case["case_id"]).split(":")[-1]

    @property
    def complaint(self) -> str:
        """The main complaint in everyday words."""
        return str(self.case["it"])

    @property
    def absent(self) -> list[str]:
        """Symptoms that the patient was asked for and does not have."""
        return list(self.case["absent"])

    def planted(self, key: str) -> list[Any]:
        """What the case offers to an operator."""
        return list(self.case.get("planted", {}).get(key) or ())

    def positions(self, *tags: str) -> list[int]:
        """Where the steps of these tags stand."""
        return [i for i, step in enumerate(self.steps) if step.tag in tags]

    def remove(self, *tags: str) -> int:
        """Take out the steps of these tags; returns how many."""
        kept = [step for step in self.steps if step.tag not in tags]
        removed = len(self.steps) - len(kept)
        self.steps = kept
        return removed

    def full_reasoning(self) -> str:
        """The reasoning: what was found, then the argument."""
        if self.reasoning is not None:
            return self.reasoning
        found = [step.reasoning for step in self.steps if step.reasoning]
        listed = ", ".join(found[:-1]) + (" and " if len(found) > 1 else "") + (found[-1] if found else "")
        return f"The patient reports {listed}. {self.argument}" if found else self.argument

    def summaries(self) -> dict[str, str]:
        """Category summaries, put together from the steps and what operators added."""
        parts: dict[str, list[str]] = {category: [] for category in CATEGORIES}
        for step in self.steps:
            for category, text in step.summary.items():
                parts.setdefault(category, []).append(text)
        joined = {category: _sentence(texts) for category, texts in parts.items()}
        for category, sentence in self.added_summaries:
            before = joined.get(category, "")
            joined[category] = sentence if before in ("", "Not available.") else f"{before} {sentence}"
        return joined

    def evidence(self) -> EvaluationInput:
        """The draft as the evaluator sees a consultation."""
        turns = [
            {
                "doctor": step.doctor,
                "patient": step.patient,
                "status": step.status,
                "emotion": step.emotion,
                "facts": step.told,
            }
            for step in self.steps
        ]
        plan = {
            "diagnosis": self.diagnosis,
            "differentials": self.differentials,
            "reasoning": self.full_reasoning(),
            "drugs": list(self.drugs),
            "drug_reasons": {drug: reason for drug, reason in self.drugs.items() if reason},
            "category_summaries": self.summaries(),
        }
        content = {k: self.case[k] for k in ("case_id", "opening", "facts", "references")}
        return instance(Record({**content, "turns": turns, "plan": plan}, self.name), self.name).evidence


def _sentence(texts: list[str]) -> str:
    if not texts:
        return "Not available."
    joined = ", ".join(texts)
    return joined[:1].upper() + joined[1:] + "."


def clean_drafts() -> tuple[Draft, ...]:
    """A fresh copy of every clean consultation, by name."""
    return tuple(_draft(copy.deepcopy(content)) for content in _contents())


@cache
def _contents() -> tuple[dict[str, Any], ...]:
    folder = files("evaluator.planted").joinpath("data", "cases")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    return tuple(yaml.safe_load(folder.joinpath(name).read_text("utf-8")) for name in names)


def _draft(content: dict[str, Any]) -> Draft:
    plan = content["plan"]
    steps = [
        Step(
            doctor=turn["d"],
            patient=turn["p"],
            tag=turn.get("tag", ""),
            status=turn.get("s", "given"),
            told=list(turn.get("f", ())),
            summary=dict(turn.get("sum", {})),
            reasoning=turn.get("r", ""),
            also=turn.get("also", ""),
        )
        for turn in content["turns"]
    ]
    return Draft(
        case=content,
        steps=steps,
        diagnosis=plan["diagnosis"],
        differentials=list(plan["differentials"]),
        argument=plan["argument"],
        drugs=dict(plan["drugs"]),
    )

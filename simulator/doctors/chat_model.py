"""A chat model as the clinician, by the paper's protocol (Supplementary Note 2) in our own words."""

from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from chatmodels.interface import ChatModel, ChatModelError, Message, Usage
from chatmodels.structured import parse_object
from chatmodels.usage import total
from simulator.consultation.transcript import FinalPlan, Participant
from simulator.doctors.interface import Conclusion, ConsultationView, DoctorError, Question

PROMPT = files("simulator.doctors").joinpath("data", "chat_model_prompt.txt").read_text("utf-8")
CONCLUDE = 'This was the last turn: you must now answer with the form whose type is "answer".'
ATTEMPTS = 3
LONGEST_REPLY = 100_000
"""Characters; no consultation holds more, and reading megabytes of a runaway model would stop the others."""


class _Move(BaseModel):
    """Either of the two answer formats; unknown fields are ignored, since models add some."""

    model_config = ConfigDict(extra="ignore")

    type: Literal["question", "answer"]
    content: str | dict[str, Any] = ""
    diagnosis: str = ""
    differentials: list[str] = Field(default_factory=list)
    diagnosis_reasoning: str = ""
    recommended_drugs: list[str] = Field(default_factory=list)
    drug_reasoning: dict[str, str] = Field(default_factory=dict)
    category_summaries: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: object) -> object:
        """A null is a field left out; null entries of lists and mappings are left out too."""
        if not isinstance(given, dict):
            return given
        return {name: _said(value) for name, value in given.items() if value is not None}


def _said(value: object) -> object:
    if isinstance(value, list):
        return [item for item in value if item is not None]
    if isinstance(value, dict):
        return {name: item for name, item in value.items() if item is not None}
    return value


_TEXTS = {"type": "object", "additionalProperties": {"type": "string", "maxLength": 400}}
QUESTION_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"type": {"const": "question"}, "content": {"type": "string", "minLength": 1, "maxLength": 400}},
    "required": ["type", "content"],
}
ANSWER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "type": {"const": "answer"},
        "diagnosis": {"type": "string", "minLength": 1, "maxLength": 300},
        "differentials": {"type": "array", "items": {"type": "string", "maxLength": 100}, "maxItems": 5},
        "diagnosis_reasoning": {"type": "string", "maxLength": 4000},
        "recommended_drugs": {"type": "array", "items": {"type": "string", "maxLength": 80}, "maxItems": 20},
        "drug_reasoning": _TEXTS,
        "category_summaries": _TEXTS,
    },
    "required": ["type", "diagnosis", "diagnosis_reasoning", "recommended_drugs", "drug_reasoning"],
}


class ChatModelDoctor:
    """The model under test. `max_tokens` bounds each reply; `seed` is passed on where the provider takes it."""

    def __init__(self, model: ChatModel, *, seed: int, max_tokens: int = 2000, temperature: float | None = 0.0) -> None:
        self._model, self._seed, self._max_tokens, self._temperature = model, seed, max_tokens, temperature

    @property
    def participant(self) -> Participant:
        """Model, endpoint and the settings that matter."""
        settings = {"max_tokens": str(self._max_tokens), "temperature": str(self._temperature), "seed": str(self._seed)}
        return Participant(kind="chat_model", name=self._model.name, settings=settings)

    def respond(self, view: ConsultationView) -> Question | Conclusion:
        """One call a turn; up to three where the reply is in neither form.

        Raises DoctorError where the model answers but never in form, ChatModelError where it does not answer.
        """
        schema = ANSWER_SCHEMA if view.must_conclude else {"anyOf": [QUESTION_SCHEMA, ANSWER_SCHEMA]}
        usages: list[Usage] = []
        empty = 0
        for attempt in range(ATTEMPTS):
            reply = self._model.complete(
                _messages(view),
                schema=schema,
                max_tokens=self._max_tokens,
                temperature=self._temperature,
                seed=self._seed + attempt,
            )
            usages.append(reply.usage)
            empty += not reply.text.strip()
            move = _move(reply.text) if len(reply.text) <= LONGEST_REPLY else None
            if move is not None and not (view.must_conclude and move.type == "question"):
                return _respond(move, total(usages))
        if empty == ATTEMPTS:
            raise ChatModelError(f"{self._model.name}: {ATTEMPTS} empty replies")
        if view.must_conclude:
            return Question(words="", usage=total(usages))
        raise DoctorError(f"{self._model.name}: no reply in either form")


def _messages(view: ConsultationView) -> list[Message]:
    prompt = PROMPT.format(
        max_turns=view.max_turns,
        turn=view.turn,
        opening=view.opening,
        conclude=CONCLUDE if view.must_conclude else "",
    )
    said = "\n".join(f"You: {e.question}\nPatient: {e.answer}" for e in view.exchanges) or "(nothing has been said yet)"
    return [
        Message(role="system", content=prompt),
        Message(role="user", content=f"The conversation so far:\n{said}"),
    ]


def _move(text: str) -> _Move | None:
    found = parse_object(text)
    if found is None:
        return None
    inner = found.get("content")
    if isinstance(inner, dict):  # the paper's form nests the answer under "content"
        found = {**inner, "type": found.get("type")}
    try:
        move = _Move.model_validate(found)
    except ValueError:
        return None
    usable = move.diagnosis.strip() if move.type == "answer" else str(move.content).strip()
    return move if usable else None


def _respond(move: _Move, usage: Usage) -> Question | Conclusion:
    if move.type == "question":
        return Question(words=str(move.content).strip(), usage=usage)
    plan = FinalPlan(
        diagnosis=move.diagnosis.strip(),
        differentials=tuple(move.differentials),
        reasoning=move.diagnosis_reasoning,
        drugs=tuple(move.recommended_drugs),
        drug_reasons=move.drug_reasoning,
        category_summaries=move.category_summaries,
    )
    return Conclusion(plan=plan, usage=usage)

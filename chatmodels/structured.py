"""JSON out of what a model wrote: fenced, prefaced or cut off (pitfall 10)."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from chatmodels.interface import ChatModel, ChatModelError, Message, Usage
from chatmodels.usage import total

Model = TypeVar("Model", bound=BaseModel)
_FENCE = re.compile(r"```(?:json)?\s*(.*?)(?:```|\Z)", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)


def parse_object(text: str) -> dict[str, Any] | None:
    """The first JSON object in `text`, or None: thoughts, fences, prefaces and afterthoughts are passed over."""
    plain = _THOUGHT.sub("", text)
    fenced = _FENCE.search(plain)
    for candidate in ([fenced.group(1)] if fenced else []) + [plain]:
        start = candidate.find("{")
        while start >= 0:
            try:
                value, _ = json.JSONDecoder(strict=False).raw_decode(candidate, start)
            except RecursionError:  # nested beyond all sense: no reply of ours has more than a few levels
                return None
            except ValueError:  # no JSON, or a number of thousands of digits
                start = candidate.find("{", start + 1)
                continue
            return value if isinstance(value, dict) else None
    return None


def complete_as(
    model: ChatModel,
    messages: Sequence[Message],
    shape: type[Model],
    *,
    schema: Mapping[str, Any] | None = None,
    max_tokens: int = 1024,
    attempts: int = 3,
    temperature: float | None = None,
    seed: int | None = None,
) -> tuple[Model, Usage]:
    """A validated object of `shape` and what all attempts cost.

    Raises ChatModelError after `attempts` replies that are no such object (empty, cut off, wrong shape).
    """
    usages: list[Usage] = []
    problem = "no reply"
    for attempt in range(attempts):
        repeat_seed = None if seed is None else seed + attempt
        reply = model.complete(
            messages,
            schema=schema or shape.model_json_schema(),
            max_tokens=max_tokens,
            temperature=temperature,
            seed=repeat_seed,
        )
        usages.append(reply.usage)
        found = parse_object(reply.text)
        if found is None:
            problem = f"no JSON object (finish reason {reply.finish_reason})"
            continue
        try:
            return shape.model_validate(found), total(usages)
        except ValidationError as error:
            problem = f"wrong shape at {'.'.join(str(part) for part in error.errors()[0]['loc'])}"
    raise ChatModelError(f"{model.name}: {problem} after {attempts} attempts")

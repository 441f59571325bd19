"""A stand-in for a chat model, for tests and dry runs: it says so in its name and calls nobody."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chatmodels.interface import Message, Reply, Usage

Script = Callable[[Sequence[Message]], str]


class ScriptedModel:
    """Answers from `script`: a function of the messages, or replies in turn (the last one repeats)."""

    def __init__(self, script: Script | Sequence[str], name: str = "scripted") -> None:
        self._script = script
        self._name = name
        self.calls: list[Sequence[Message]] = []

    @property
    def name(self) -> str:
        """Its name, always marked as scripted."""
        return self._name if self._name.startswith("scripted") else f"scripted:{self._name}"

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float | None = None,
        seed: int | None = None,
    ) -> Reply:
        """The scripted reply, with zero-cost usage of one call."""
        self.calls.append(messages)
        script = self._script
        text = script(messages) if callable(script) else script[min(len(self.calls), len(script)) - 1]
        return Reply(text=text, usage=Usage(calls=1, prompt_tokens=0, completion_tokens=0, cost_usd=0.0))

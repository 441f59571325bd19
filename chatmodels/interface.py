"""One interface to every chat model; imports none of the stages."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from foundation.records import Frozen


class Message(Frozen):
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


class Usage(Frozen):
    """What a call cost. None means unknown, never zero; `calls` counts attempts that reached the provider."""

    calls: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None


class Reply(Frozen):
    """What a model said. `finish_reason` as the provider gives it ("stop", "length", …)."""

    text: str
    usage: Usage
    finish_reason: str = "stop"


class ChatModelError(Exception):
    """The provider failed after bounded retries: an infrastructure failure, never a score. Holds no record text."""


class ChatModel(Protocol):
    """A chat model by name and endpoint; safe to call from several threads."""

    @property
    def name(self) -> str:
        """What identifies model and endpoint in transcripts and in the self-judging check."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float | None = None,
        seed: int | None = None,
    ) -> Reply:
        """One completion. `schema` is a JSON schema that the text must satisfy (structured output).

        Raises ChatModelError after bounded retries; UserError for a wrong key, address or model name.
        """
        ...

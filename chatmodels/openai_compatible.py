"""Any OpenAI-compatible endpoint (a provider, vLLM, llama.cpp), through the official SDK."""

import logging
import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any, cast

import openai
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam

from chatmodels.endpoint import Endpoint
from chatmodels.interface import ChatModelError, Message, Reply, Usage
from foundation.errors import UserError

log = logging.getLogger(__name__)

# What newer models refuse, and what they take instead (None: leave it out).
SUBSTITUTES = {"max_tokens": "max_completion_tokens", "temperature": None, "seed": None}


def encodable(text: str) -> str:
    """The text without unpaired surrogates, which no file or database takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


class OpenAICompatible:
    """A chat model at `endpoint`. Retries (429, 5xx, time-outs) are the SDK's, bounded and backed off.

    A parameter that the model refuses is replaced or left out once, said once in the log, and remembered.
    """

    def __init__(self, endpoint: Endpoint, *, timeout_s: float = 120.0, max_retries: int = 4) -> None:
        endpoint.require_fit()
        key = os.environ.get(endpoint.api_key_variable, "")
        if not key and not endpoint.on_loopback:
            raise UserError(
                f"no key for {endpoint.name}: the environment variable {endpoint.api_key_variable} is empty",
                f"export {endpoint.api_key_variable}=…",
            )
        self._endpoint = endpoint
        # No redirects: another host was never declared fit. No proxy to this machine: HTTP_PROXY would see the record.
        client = openai.DefaultHttpxClient(
            follow_redirects=False, trust_env=not endpoint.on_loopback, timeout=timeout_s
        )
        self._client = openai.OpenAI(
            api_key=key or "not-needed",
            base_url=endpoint.address,
            timeout=timeout_s,
            max_retries=max_retries,
            http_client=client,
        )
        self._refused: set[str] = set()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Model and host."""
        return self._endpoint.name

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float | None = None,
        seed: int | None = None,
    ) -> Reply:
        """See `ChatModel.complete`."""
        wanted: dict[str, Any] = {"max_tokens": max_tokens, "temperature": temperature, "seed": seed}
        wanted = {key: value for key, value in wanted.items() if value is not None}
        if schema is not None:
            wanted["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": dict(schema), "strict": True},
            }
        for _ in range(1 + len(SUBSTITUTES)):
            try:
                return self._reply(self._create(messages, self._adapted(wanted)))
            except openai.BadRequestError as error:
                if not self._learn(error, wanted):
                    raise ChatModelError(f"{self.name} refused the request (HTTP 400)") from error
        raise ChatModelError(f"{self.name} refused the request (HTTP 400)")

    def _create(self, messages: Sequence[Message], options: dict[str, Any]) -> ChatCompletion:
        try:
            completion = self._client.chat.completions.create(
                model=self._endpoint.model,
                messages=cast("list[ChatCompletionMessageParam]", [m.model_dump() for m in messages]),
                **options,
            )
        except openai.AuthenticationError as error:
            raise UserError(f"{self.name} refused the key", f"check {self._endpoint.api_key_variable}") from error
        except openai.NotFoundError as error:
            raise UserError(f"{self.name}: no such model or address", "check model name and base URL") from error
        except openai.BadRequestError:
            raise
        except openai.OpenAIError as error:
            raise ChatModelError(f"{self.name}: {type(error).__name__}") from error
        if not isinstance(completion, ChatCompletion) or not completion.choices:
            raise ChatModelError(f"{self.name}: the answer is not a chat completion")
        return completion

    def _adapted(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        adapted = dict(wanted)
        for parameter in sorted(self._refused):
            value = adapted.pop(parameter, None)
            substitute = SUBSTITUTES[parameter]
            if substitute and value is not None:
                adapted[substitute] = value
        return adapted

    def _learn(self, error: openai.BadRequestError, wanted: Mapping[str, Any]) -> bool:
        """Remember which parameter the provider names as refused; False where it names none that we can change."""
        body = error.body if isinstance(error.body, dict) else {}
        named = f"{body.get('param') or ''} {body.get('message') or error.message}"
        with self._lock:
            for parameter in SUBSTITUTES:
                if parameter in wanted and parameter not in self._refused and parameter in named:
                    self._refused.add(parameter)
                    log.warning("%s refuses %s; adapted for this run", self.name, parameter)
                    return True
        return False

    def _reply(self, completion: ChatCompletion) -> Reply:
        choice, counted = completion.choices[0], completion.usage
        prompt = counted.prompt_tokens if counted else None
        completed = counted.completion_tokens if counted else None
        usage = Usage(
            calls=1, prompt_tokens=prompt, completion_tokens=completed, cost_usd=self._cost(prompt, completed)
        )
        return Reply(
            text=encodable(choice.message.content or ""), usage=usage, finish_reason=choice.finish_reason or "unknown"
        )

    def _cost(self, prompt: int | None, completed: int | None) -> float | None:
        price_in, price_out = self._endpoint.price_in, self._endpoint.price_out
        if prompt is None or completed is None or price_in is None or price_out is None:
            return None
        return (prompt * price_in + completed * price_out) / 1_000_000

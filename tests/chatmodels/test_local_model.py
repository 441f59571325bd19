"""The real SDK against a real local model: structure only, never meaning."""

import http.server
import json
import threading
from collections.abc import Iterator

import pytest

from chatmodels.endpoint import Endpoint
from chatmodels.interface import ChatModelError, Message
from chatmodels.openai_compatible import OpenAICompatible
from chatmodels.structured import parse_object
from foundation.errors import UserError

HELLO = [Message(role="user", content="Say hello.")]


@pytest.mark.local_model
def test_chat_and_usage(local_model_url: str) -> None:
    model = OpenAICompatible(Endpoint(model="smollm2", base_url=local_model_url, price_in=1.0, price_out=2.0))
    reply = model.complete(HELLO, max_tokens=16, temperature=0.0, seed=1)
    assert reply.text and reply.usage.calls == 1
    assert reply.usage.prompt_tokens and reply.usage.completion_tokens and reply.usage.cost_usd


@pytest.mark.local_model
def test_structured_output(local_model_url: str) -> None:
    schema = {
        "type": "object",
        "properties": {"word": {"type": "string", "maxLength": 12}},
        "required": ["word"],
        "additionalProperties": False,
    }
    model = OpenAICompatible(Endpoint(model="smollm2", base_url=local_model_url))
    found = parse_object(model.complete(HELLO, schema=schema, max_tokens=60, temperature=0.0).text)
    assert found is not None and set(found) == {"word"}


class _Refusing(http.server.BaseHTTPRequestHandler):
    """A stub for what cannot be had here: a provider that refuses parameters (400), is busy (429), or the key (401)."""

    busy = 0

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if body["model"] == "busy":
            type(self).busy += 1
            return self._send(429, {"error": {"message": "slow down"}})
        if body["model"] == "locked":
            return self._send(401, {"error": {"message": "bad key"}})
        for name in ("max_tokens", "temperature"):
            if name in body:
                return self._send(400, {"error": {"message": f"Unsupported parameter: {name}", "param": name}})
        message = {"role": "assistant", "content": json.dumps(sorted(body))}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return self._send(
            200, {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        )

    def _send(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def refusing() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Refusing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


def test_refused_parameters_are_learnt_once(refusing: str) -> None:
    model = OpenAICompatible(Endpoint(model="new", base_url=refusing))
    reply = model.complete(HELLO, max_tokens=5, temperature=0.5)
    assert json.loads(reply.text) == ["max_completion_tokens", "messages", "model"]
    assert reply.usage.prompt_tokens is None and reply.usage.cost_usd is None
    assert model._refused == {"max_tokens", "temperature"}


def test_busy_is_retried_a_bounded_number_of_times(refusing: str) -> None:
    _Refusing.busy = 0
    with pytest.raises(ChatModelError, match="RateLimitError"):
        OpenAICompatible(Endpoint(model="busy", base_url=refusing), max_retries=2).complete(HELLO)
    assert _Refusing.busy == 3


def test_wrong_key_is_the_users_to_mend(refusing: str) -> None:
    with pytest.raises(UserError, match="OPENAI_API_KEY"):
        OpenAICompatible(Endpoint(model="locked", base_url=refusing)).complete(HELLO)

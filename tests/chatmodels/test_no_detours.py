"""Record text goes where it was declared fit to go, and nowhere else: no redirect, no proxy in between."""

import http.server
import json
import threading
from collections.abc import Iterator

import pytest

from chatmodels.endpoint import Endpoint
from chatmodels.interface import ChatModelError, Message
from chatmodels.openai_compatible import OpenAICompatible
from chatmodels.structured import parse_object

SECRET = [Message(role="user", content="words of a record")]


class _Thief(http.server.BaseHTTPRequestHandler):
    """A stub of a host that nobody declared fit: it remembers what reaches it."""

    taken: list[bytes] = []  # noqa: RUF012 — one list for the whole stub

    def do_POST(self) -> None:
        self.taken.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


class _Redirecting(_Thief):
    """A stub of an endpoint that sends its callers elsewhere."""

    target = ""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(307)
        self.send_header("Location", self.target)
        self.send_header("Content-Length", "0")
        self.end_headers()


class _Surrogate(_Thief):
    """A stub of a model whose words no file can hold."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        message = {"role": "assistant", "content": "broken \ud800 words"}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        body = json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())


@pytest.fixture
def serve() -> Iterator[object]:
    servers: list[http.server.ThreadingHTTPServer] = []

    def start(handler: type[http.server.BaseHTTPRequestHandler]) -> str:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()


@pytest.fixture(autouse=True)
def _nothing_taken() -> None:
    _Thief.taken.clear()


def test_a_redirect_is_not_followed(serve) -> None:  # type: ignore[no-untyped-def]
    _Redirecting.target = f"{serve(_Thief)}/v1/chat/completions"
    model = OpenAICompatible(Endpoint(model="m", base_url=f"{serve(_Redirecting)}/v1"), max_retries=0)
    with pytest.raises(ChatModelError):
        model.complete(SECRET)
    assert _Thief.taken == []


def test_no_proxy_stands_before_this_machine(serve, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, serve(_Thief))
    with pytest.raises(ChatModelError):
        OpenAICompatible(Endpoint(model="m", base_url="http://127.0.0.1:9/v1"), max_retries=0).complete(SECRET)
    assert _Thief.taken == []


def test_unpaired_surrogates_are_replaced(serve) -> None:  # type: ignore[no-untyped-def]
    reply = OpenAICompatible(Endpoint(model="m", base_url=f"{serve(_Surrogate)}/v1")).complete(SECRET)
    assert reply.model_dump_json() and reply.text.startswith("broken ")


@pytest.mark.parametrize("text", ['{"a":' * 200_000, '{"a":' + "1" * 5_000 + "}"])
def test_senseless_json_is_no_reply_and_no_crash(text: str) -> None:
    assert parse_object(text) is None

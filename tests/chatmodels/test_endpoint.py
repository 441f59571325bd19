"""Keys, addresses and the refusal to send records to an endpoint that is not declared fit."""

import pytest

from chatmodels.endpoint import Endpoint, endpoint_from
from chatmodels.openai_compatible import OpenAICompatible
from foundation.errors import UserError


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/v1", "http://localhost:9/v1", "http://[::1]:8/v1"])
def test_loopback_is_fit(url: str) -> None:
    Endpoint(model="m", base_url=url).require_fit()


@pytest.mark.parametrize("url", ["https://models.example/v1", "http://10.0.0.8/v1", "http://127.0.0.1.example/v1"])
def test_elsewhere_is_refused_before_the_first_call(url: str) -> None:
    with pytest.raises(UserError, match="fit_for_records"):
        OpenAICompatible(Endpoint(model="m", base_url=url))


def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(UserError, match="MY_KEY"):
        OpenAICompatible(
            Endpoint(model="m", base_url="https://models.example/v1", fit_for_records=True, api_key_variable="MY_KEY")
        )


def test_short_form() -> None:
    assert endpoint_from("qwen@http://127.0.0.1:1/v1").name == "qwen@127.0.0.1:1"
    with pytest.raises(UserError):
        endpoint_from("@http://127.0.0.1:1/v1")


@pytest.mark.parametrize(
    "url",
    [
        "http://[::1",
        "http://127.0.0.1:abc/v1",
        "http://127.0.0.1:99999/v1",
        "http://a\u2100b/v1",
        "http://a..b/v1",
        "http:///v1",
        "ftp://127.0.0.1/v1",
        "127.0.0.1:8000/v1",
        "http://a b/v1",
        "http://a/\ud800",
        "http://user:word@127.0.0.1/v1",
    ],
)
def test_an_address_that_is_none_is_refused_when_read(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="base_url") as error:
        endpoint_from(f"m@{url}")
    assert "word" not in error.value.problem.replace("password", "")
    monkeypatch.setenv("OPENAI_BASE_URL", url.encode("utf-8", "replace").decode())
    if "\ud800" not in url:
        with pytest.raises(UserError, match="OPENAI_BASE_URL"):
            _ = endpoint_from("m").address


@pytest.mark.parametrize("model", ["", "  ", "m\ud800"])
def test_a_model_needs_a_name(model: str) -> None:
    with pytest.raises(UserError, match="model"):
        endpoint_from(model)

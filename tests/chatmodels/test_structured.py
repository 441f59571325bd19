"""Replies as models really write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from chatmodels.interface import ChatModelError, Message, Usage
from chatmodels.scripted import ScriptedModel
from chatmodels.structured import complete_as, parse_object
from chatmodels.usage import total


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '```json\n{"a": 1}\n```',
        'Sure! Here it is:\n```\n{"a": 1}\n```\nHope it helps {not json}',
        'I think {maybe} so: {"a": 1} and more',
        '<think>{"a": 2}</think>{"a": 1}',
        '```json\n{"a": 1}',
    ],
)
def test_found(text: str) -> None:
    assert parse_object(text) == {"a": 1}


@pytest.mark.parametrize("text", ["", "no", '{"a": 1', "[1]", "<think>{"])
def test_not_found(text: str) -> None:
    assert parse_object(text) is None


@given(st.text())
def test_never_raises(text: str) -> None:
    parse_object(text)


class Shape(BaseModel):
    a: int


def test_retries_are_bounded_and_counted() -> None:
    model = ScriptedModel(["", '{"b": 1}', '{"a": 3}'])
    value, usage = complete_as(model, [Message(role="user", content="x")], Shape)
    assert (value.a, usage.calls) == (3, 3)
    with pytest.raises(ChatModelError, match="3 attempts"):
        complete_as(ScriptedModel(["never"]), [], Shape)


def test_unknown_cost_stays_unknown() -> None:
    known = Usage(calls=1, prompt_tokens=1, completion_tokens=1, cost_usd=0.5)
    assert total([known, known]).cost_usd == 1.0
    assert total([known, Usage(calls=1)]).cost_usd is None
    assert total([known, Usage()]).cost_usd == 0.5
    assert total([]) == Usage()

"""Adding up what calls cost, without turning unknown into zero (pitfall 15)."""

from collections.abc import Iterable
from typing import TypeVar

from chatmodels.interface import Usage

Number = TypeVar("Number", int, float)


def total(usages: Iterable[Usage]) -> Usage:
    """The sum; a part that made calls and does not know its tokens or cost makes that sum unknown."""
    parts = [usage for usage in usages if usage.calls]
    return Usage(
        calls=sum(part.calls for part in parts),
        prompt_tokens=_sum(part.prompt_tokens for part in parts),
        completion_tokens=_sum(part.completion_tokens for part in parts),
        cost_usd=_sum(part.cost_usd for part in parts),
    )


def _sum(values: Iterable[Number | None]) -> Number | None:
    known = list(values)
    if not known or any(value is None for value in known):
        return None
    return sum(value for value in known if value is not None)

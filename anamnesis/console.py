"""What a person sees: progress bars on stderr, tables, and JSON where a script asked for it."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import BaseModel
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

Item = TypeVar("Item")
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


@contextmanager
def progress(label: str, total: int | None, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar for long work; the block calls it with the count done so far. Nothing is drawn where stderr is a file."""
    bar = Progress(
        TextColumn("[bold]{task.description:<26}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=err,
        disable=quiet or not err.is_terminal,
    )
    with bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.update(task, completed=done)


def counted(items: Iterable[Item], step: Callable[[int], None]) -> Iterator[Item]:
    """The items as they come, each told to `step` as the count so far."""
    for number, item in enumerate(items, 1):
        yield item
        step(number)


def emit(content: BaseModel | Mapping[str, Any] | list[Any], as_json: bool, otherwise: Callable[[], None]) -> None:
    """Print `content` as one JSON document, or call `otherwise` to print it for a person."""
    if not as_json:
        otherwise()
        return
    plain = content.model_dump(mode="json") if isinstance(content, BaseModel) else content
    json.dump(plain, sys.stdout, ensure_ascii=False, indent=1, default=str)
    sys.stdout.write("\n")


def say(text: str) -> None:
    """A line for a person, on stderr, so that stdout stays for results."""
    err.print(text)

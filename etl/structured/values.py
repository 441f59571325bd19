"""Values as databases give them, brought to one form: engines differ in how they return times and numbers."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any


def text_of(value: Any) -> str:
    """The value as text without blanks around it; "" for NULL."""
    return "" if value is None else str(value).strip()


def time_of(value: Any) -> datetime | None:
    """A time from a timestamp, a date or ISO 8601 text; None for NULL and for what is no time."""
    if value is None or isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    try:
        return datetime.fromisoformat(str(value).strip())
    except ValueError:
        return None


def iso(value: Any) -> str:
    """A time as ISO 8601 text, "" where there is none."""
    time = time_of(value)
    return "" if time is None else time.isoformat()


def number_text(value: float) -> str:
    """A number as a person writes it: 98.6, 120, never 120.0."""
    return f"{value:.10g}"


def row_key(row: Any, columns: Iterable[str]) -> str:
    """`column=value` pairs that find the row; times as SQL writes them ("2150-01-31 13:45:00")."""
    pairs = []
    for name in columns:
        value = getattr(row, name)
        pairs.append(f"{name}={text_of(value)}")
    return "; ".join(pairs)

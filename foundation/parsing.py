"""Text, JSON and YAML that somebody else wrote: parsed, or one UserError that says where and what to mend."""

import json
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from foundation.errors import UserError

_NO_YAML = (yaml.YAMLError, ValueError, RecursionError, ArithmeticError, AttributeError, LookupError, TypeError)
"""What PyYAML's constructors let through: 2020-99-99 is a ValueError, `!!timestamp x` an AttributeError, and so on."""


def read_text(path: Path) -> str:
    """The file's text, a byte order mark taken off. Raises UserError where it cannot be opened or is not UTF-8."""
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(
            f"{path}: not UTF-8 (byte {error.start + 1})", "save the file as UTF-8, without another encoding"
        ) from None
    except OSError as error:
        raise UserError(
            f"{path} cannot be read: {error.strerror}", "give a file that exists and may be read"
        ) from error


def parsed_json(text: str, where: str) -> Any:
    """The content of a JSON text; `where` names file and line. Raises UserError."""
    try:
        return _encodable(json.loads(text), text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{where}: no JSON that can be read ({_reason(error)})", "repair the syntax there") from None


def parsed_yaml(text: str, where: str) -> Any:
    """The content of a YAML text; `where` names the file. Raises UserError."""
    try:
        return _encodable(yaml.safe_load(text), text)
    except _NO_YAML as error:
        raise UserError(
            f"{where}: not YAML that can be read ({_reason(error)})", "repair the indentation or the values there"
        ) from None


def refused(error: ValidationError, where: str, fix: str) -> UserError:
    """What pydantic found first, as a UserError: place, field and what was expected, never the value."""
    first = error.errors(include_input=False, include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    return UserError(f"{where}{f', field {field}' if field else ''}: {first['msg'][:300]}", fix)


def _encodable(content: Any, text: str) -> Any:
    r"""The content; ValueError where an escape such as \ud800 stands for half a character, which no file can hold."""
    if "\\ud" in text.lower():
        json.dumps(content, ensure_ascii=False, default=str, skipkeys=True).encode()
    return content


def _reason(error: Exception) -> str:
    """Why, without a word of the text."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, line {error.lineno}, column {error.colno}"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeEncodeError):
        return "an escape is half a character"
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return f"line {mark.line + 1}, column {mark.column + 1}"
    return "a number or date that is too long or impossible" if isinstance(error, ValueError) else type(error).__name__

"""What pydantic refused, in words for the person who wrote the file."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError


def explained(error: ValidationError, model: type[BaseModel]) -> str:
    """The first mistake of `error`, raised by validating `model`: "field cases: …", or "unknown field `case`; …".

    No value of the file is repeated, unless a validator of `model` chose to.
    """
    return _sentence(error, model, ())


def _sentence(error: ValidationError, model: type[BaseModel], above: tuple[int | str, ...]) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = (*above, *first["loc"])
    raised = first.get("ctx", {}).get("error")
    if isinstance(raised, ValidationError):  # a validator that read a part by its own model
        return _sentence(raised, model, where)
    if first["type"] == "extra_forbidden":
        return _unknown(where, model)
    message = str(raised) if isinstance(raised, ValueError | AssertionError) else first["msg"]
    return f"field {_path(where)}: {message[:300]}" if where else message[:300]


def _unknown(where: tuple[int | str, ...], model: type[BaseModel]) -> str:
    *above, name = where
    near = get_close_matches(str(name), sorted(_fields_at(above, model)), n=1)
    place = f" of {_path(above)}" if above else ""
    return f"unknown field `{name}`{place}" + (f"; did you mean `{near[0]}`?" if near else "")


def _fields_at(where: Iterable[int | str], model: type[BaseModel]) -> set[str]:
    """Names of the fields that may stand at a place; list positions and union tags on the way name no field."""
    here = {model}
    for part in where:
        annotations = [
            m.model_fields[part].annotation for m in here if isinstance(part, str) and part in m.model_fields
        ]
        if annotations:
            here = {inner for annotation in annotations for inner in _models(annotation)}
    return {name for each in here for name in each.model_fields}


def _models(annotation: Any) -> set[type[BaseModel]]:
    """The models within an annotation: `tuple[Step, ...] | None` → {Step}."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation}
    return {model for part in get_args(annotation) for model in _models(part)}


def _path(where: Iterable[int | str]) -> str:
    return ".".join(str(part) for part in where)

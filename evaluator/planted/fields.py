"""An object of a hand-written consultation: its fields, whatever their spelling, each in the form that it must have."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from evaluator.planted.spellings import SPELLINGS
from foundation.errors import UserError

_Scalar = str | int | float
_Object = dict[Any, Any]
_Alone = BeforeValidator(lambda value: [value] if isinstance(value, str) else value)
"""One text alone is a list of one."""
_FORMS: dict[str, tuple[TypeAdapter[Any], str]] = {
    "turns": (TypeAdapter(list[Any]), "a list of turns"),
    "facts": (TypeAdapter(list[_Scalar | _Object] | _Object), "a list of facts, or facts by domain"),
    "findings": (TypeAdapter(list[str | _Object]), "a list of findings, each an object or a text"),
    "termination": (TypeAdapter(str), "a word"),
    "doctor": (TypeAdapter(_Scalar), "the doctor's words"),
    "asks": (TypeAdapter(list[str | _Object]), "a list of asks, each an object or a text"),
    "told": (TypeAdapter(Annotated[list[_Scalar], _Alone]), "a list of facts' ids"),
    "volunteered": (TypeAdapter(Annotated[list[_Scalar], _Alone]), "a list of facts' ids"),
    "plan": (TypeAdapter(_Object | str), "an object with diagnosis and drugs"),
    "differentials": (TypeAdapter(Annotated[list[_Scalar | _Object], _Alone]), "a list of diagnoses"),
    "drugs": (
        TypeAdapter(Annotated[list[str | _Object | Annotated[list[Any], Field(min_length=1)]] | _Object, _Alone]),
        "a list of drugs, or an object of drugs and reasons",
    ),
    "drug_reasons": (
        TypeAdapter(_Object | list[Annotated[list[Any], Field(min_length=2, max_length=2)]]),
        "an object of drugs and reasons",
    ),
    "diagnoses": (TypeAdapter(Annotated[list[str | _Object], _Alone]), "a list of diagnoses, each a name or an object"),
    "medications": (TypeAdapter(Annotated[list[str | _Object], _Alone]), "a list of drugs, each a name or an object"),
}
"""The form of each field that is more than a word, whatever its spelling; others are read as text or left out."""


class Record:
    """A parsed object whose fields may be spelt in several ways; `origin` is for messages."""

    def __init__(self, content: dict[str, Any], origin: str) -> None:
        self.content = content
        self.origin = origin

    @classmethod
    def of_turn(cls, content: Any, origin: str) -> "Record":
        """A turn: an object, or a pair of words."""
        if isinstance(content, list | tuple) and len(content) >= 2:
            return cls({"doctor": content[0], "patient": content[1]}, origin)
        if not isinstance(content, dict):
            raise UserError(f"{origin}: a turn is an object with doctor and patient", "see docs/evaluator.md")
        return cls(content, origin)

    def get(self, field: str, default: Any = None) -> Any:
        """The field under the first spelling that is there. Raises UserError where its form is another."""
        names = SPELLINGS.get(field, (field,))
        name = next((name for name in names if self.content.get(name) is not None), None)
        if name is None:
            return default
        return self._formed(field, name, self.content[name])

    def _formed(self, field: str, name: str, value: Any) -> Any:
        if field not in _FORMS:
            return value
        form, words = _FORMS[field]
        try:
            return form.validate_python(value, strict=True)
        except ValidationError:
            raise UserError(
                f"{self.origin}, {name}: expected {words}", "see docs/evaluator.md for the format"
            ) from None

    def text(self, field: str) -> str:
        """The field as text, "" where it is missing or not text."""
        value = self.get(field)
        return str(value) if isinstance(value, str | int | float) else ""

    def nested(self, field: str) -> "Record":
        """The field as a record, empty where it is missing or no object."""
        value = self.get(field)
        return Record(value if isinstance(value, dict) else {}, f"{self.origin}, {field}")


def as_word(value: Any) -> str:
    """A value as one lower-case word, spaces and hyphens as underscores."""
    return re.sub(r"[\s-]+", "_", str(value).strip().lower())

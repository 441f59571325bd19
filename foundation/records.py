"""The base of every type that one stage hands to the next."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable record; unknown fields are refused, so that a misspelt field is an error and not a loss."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_enum_values=False)

"""Where a chat model is, and whether record text may go there."""

import ipaddress
import os
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator

from foundation.errors import UserError
from foundation.invalid import explained
from foundation.records import Frozen

DEFAULT_BASE_URL = "https://api.openai.com/v1"


class Endpoint(Frozen):
    """A model at an address. The key itself is never stored: `api_key_variable` names the environment variable.

    `fit_for_records` declares that record text may be sent there (an agreement, or one's own machine); loopback is
    fit by itself. Prices in US dollars per million tokens; None is unknown and stays unknown in every total.
    """

    model: str
    base_url: str = ""
    api_key_variable: str = "OPENAI_API_KEY"
    fit_for_records: bool = False
    price_in: float | None = Field(default=None, ge=0)
    price_out: float | None = Field(default=None, ge=0)

    @field_validator("model")
    @classmethod
    def _model_is_named(cls, model: str) -> str:
        if not model.strip():
            raise ValueError("a model without a name")
        if any("\ud800" <= character <= "\udfff" for character in model):
            raise ValueError("half a character (a lone surrogate) is no part of a model's name")
        return model

    @field_validator("base_url")
    @classmethod
    def _address_is_one(cls, base_url: str) -> str:
        return checked_address(base_url) if base_url else ""

    @property
    def address(self) -> str:
        """The base URL: as given, else OPENAI_BASE_URL (UserError where that is none), else the provider's own."""
        if self.base_url:
            return self.base_url
        try:
            return checked_address(os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL)
        except ValueError as error:
            raise UserError(f"OPENAI_BASE_URL: {error}", "set it to an address, or unset it") from None

    @property
    def name(self) -> str:
        """Model and host, as transcripts and the self-judging check know it."""
        return f"{self.model}@{urlsplit(self.address).netloc}"

    @property
    def on_loopback(self) -> bool:
        """Whether the address is this machine."""
        host = urlsplit(self.address).hostname or ""
        if host == "localhost":
            return True
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False

    def require_fit(self) -> None:
        """Raise UserError unless record text may be sent to this endpoint (pitfall 19)."""
        if not (self.fit_for_records or self.on_loopback):
            raise UserError(
                f"record text would go to {urlsplit(self.address).netloc}, which is not declared fit for it",
                "set `fit_for_records: true` for this endpoint if your agreement allows it, or serve the model on "
                "127.0.0.1",
            )


def checked_address(url: str) -> str:
    """The address itself. Raises ValueError unless it is http(s)://host, with or without port and path.

    A user or password in it is refused, for addresses are stored with transcripts and keys are not.
    """
    try:
        parts = urlsplit(url)
        well_formed = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        (parts.hostname or "").encode("idna")
        url.encode()
    except ValueError:
        well_formed = False
    if not well_formed or any(c.isspace() or not c.isprintable() for c in url):
        raise ValueError("the address is none; expected one such as http://127.0.0.1:8000/v1")
    if parts.username is not None:
        raise ValueError("the address holds a user or password; name the key's variable in api_key_variable")
    return url


def endpoint_from(text: str) -> Endpoint:
    """An endpoint from "model" or "model@base_url", as command lines and experiment files write it."""
    model, _, base_url = text.partition("@")
    try:
        return Endpoint(model=model, base_url=base_url)
    except ValidationError as error:
        raise UserError(
            f"an endpoint that cannot be read: {explained(error, Endpoint)}",
            "write model or model@http://127.0.0.1:8000/v1",
        ) from None

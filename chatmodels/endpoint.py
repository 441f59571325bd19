"""Where a chat model is, and whether record text may go there."""

import ipaddress
import os
from urllib.parse import urlsplit

from pydantic import Field

from foundation.errors import UserError
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

    @property
    def address(self) -> str:
        """The base URL: as given, else OPENAI_BASE_URL, else the provider's own."""
        return self.base_url or os.environ.get("OPENAI_BASE_URL", "") or DEFAULT_BASE_URL

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


def endpoint_from(text: str) -> Endpoint:
    """An endpoint from "model" or "model@base_url", as command lines and experiment files write it."""
    model, _, base_url = text.partition("@")
    if not model:
        raise UserError("an endpoint without a model name", "write model or model@http://127.0.0.1:8000/v1")
    return Endpoint(model=model, base_url=base_url)

"""Replies kept on disk, so that scoring again costs nothing; the repeat index is part of the key."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from chatmodels.interface import ChatModel, Message, Reply, Usage
from foundation.files import write_atomically


class CachedModel:
    """`model` with its replies under `folder`. Another `repeat` asks anew, as a test-retest must.

    The folder holds what the model was told and said: keep it as you keep the records. A damaged entry is asked anew.
    """

    def __init__(self, model: ChatModel, folder: Path, repeat: int = 0) -> None:
        self._model, self._folder, self._repeat = model, folder, repeat

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float | None = None,
        seed: int | None = None,
    ) -> Reply:
        """The kept reply (which costs nothing now), or the model's, then kept; empty replies are not kept."""
        asked = [self.name, self._repeat, [m.model_dump() for m in messages], schema, max_tokens, temperature, seed]
        key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        path = self._folder / key[:2] / f"{key}.json"
        kept = _read(path)
        if kept is not None:
            return kept.model_copy(update={"usage": Usage()})
        reply = self._model.complete(messages, schema=schema, max_tokens=max_tokens, temperature=temperature, seed=seed)
        if reply.text.strip():
            write_atomically(path, reply.model_dump_json())
        return reply


def _read(path: Path) -> Reply | None:
    try:
        return Reply.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None

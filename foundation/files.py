"""Files that are either whole or absent, whatever kills the process."""

import hashlib
import os
import threading
from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write `content` to `path` through a temporary file in the same folder, flushed to disk before the rename.

    Raises OSError (a full disk, no permission); the former content of `path` then stands unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode("utf-8") if isinstance(content, str) else content
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def sha256_of(path: Path) -> str:
    """Hex digest of a file's bytes, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

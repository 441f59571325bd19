"""Where the start cache of the embedded server's Java runtime lies, and what the runtime is told about it.

A Java runtime loads its classes and learns which methods are hot in its first seconds, which halves the load rate of a
first build. An ahead-of-time cache (JEP 483, 514 and 515; the runtime that the package brings is Java 25) keeps both
from a training session (`kg.warm_start`). A cache that fits another runtime or other options is ignored by the runtime;
one that is damaged would crash it, so its digest is kept beside it and a cache that does not agree with it is not used.
"""

import os
import sys
from importlib.metadata import version
from pathlib import Path

from foundation.files import sha256_of, write_atomically

PLACE = "ANAMNESIS_GRAPH_START_CACHE"
"""Names the cache's file; empty for the installation's own, `off` for none."""
OUTPUT = "ANAMNESIS_GRAPH_START_CACHE_OUTPUT"
"""Names the file that a training session writes when it ends; unset in every other session."""


def cache_path() -> Path:
    """The cache's file: beside the packages it belongs to, so that it goes with the virtual environment."""
    name = f"graph-server-{version('arcadedb-embedded')}.aot"
    return Path(os.environ.get(PLACE) or Path(sys.prefix) / "share" / "anamnesis" / name)


def java_options() -> list[str]:
    """The runtime's options; none where there is no sound cache."""
    if output := os.environ.get(OUTPUT):
        return [f"-XX:AOTCacheOutput={output}"]
    path = cache_path()
    return [f"-XX:AOTCache={path}"] if is_sound(path) else []


def is_sound(path: Path) -> bool:
    """Whether the file has the digest that was noted when it was made (52 MB: some 30 ms)."""
    try:
        return _digest_path(path).read_text(encoding="ascii").strip() == sha256_of(path)
    except (OSError, ValueError):
        return False


def note_digest(path: Path) -> None:
    """Note the digest of a cache that has just been made. Raises OSError where the folder cannot be written."""
    write_atomically(_digest_path(path), sha256_of(path))


def _digest_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")

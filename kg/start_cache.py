"""Where the start cache of the embedded server's Java runtime lies, and what the runtime is told about it.

A Java runtime loads its classes and learns which methods are hot in its first seconds, which halves the load rate of a
first build. An ahead-of-time cache (JEP 483, 514 and 515; the runtime that the package brings is Java 25) keeps both
from a training session (`kg.warm_start`). A cache that is damaged, or fits another runtime or other options, is ignored
by the runtime and is no error.
"""

import os
import sys
from importlib.metadata import version
from pathlib import Path

PLACE = "ANAMNESIS_GRAPH_START_CACHE"
"""Names the cache's file; empty for the installation's own, `off` for none."""
OUTPUT = "ANAMNESIS_GRAPH_START_CACHE_OUTPUT"
"""Names the file that a training session writes when it ends; unset in every other session."""


def cache_path() -> Path:
    """The cache's file: beside the packages it belongs to, so that it goes with the virtual environment."""
    name = f"graph-server-{version('arcadedb-embedded')}.aot"
    return Path(os.environ.get(PLACE) or Path(sys.prefix) / "share" / "anamnesis" / name)


def java_options() -> str:
    """The runtime's options; empty where there is no cache."""
    if output := os.environ.get(OUTPUT):
        return f"-XX:AOTCacheOutput={output}"
    path = cache_path()
    return f"-XX:AOTCache={path}" if path.is_file() else ""

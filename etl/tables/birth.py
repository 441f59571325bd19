"""A DuckDB file is born whole: DuckDB writes three headers one by one, and a file killed between them never opens."""

import os
import tempfile
from pathlib import Path

import duckdb

HEADERS = 3 * 4096
"""Bytes of the smallest file that DuckDB opens (its storage format: a main header and two database headers)."""
_SAME = slice(8, 124)
"""Bytes that DuckDB writes alike into every file of its version: magic word, storage version, names of the version."""
_EMPTY = (slice(140, 4096), slice(4096 + 64, 8192), slice(8192 + 64, HEADERS))
"""What follows each header's fields (among them, from 124 to 140, the database's own number): zeros."""


def ensure_born(path: Path) -> None:
    """Make an empty database where none is, or where one was cut off before its first headers were written."""
    if path.exists() and (not path.is_file() or path.stat().st_size >= HEADERS):
        return
    with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as folder:
        whole = Path(folder) / path.name
        duckdb.connect(whole).close()
        if path.exists():
            if _unborn(path.read_bytes(), whole.read_bytes()):
                whole.replace(path)
        else:
            _move_if_absent(whole, path)


def _move_if_absent(whole: Path, path: Path) -> None:
    try:
        os.link(whole, path)
    except FileExistsError:  # another process was quicker
        return
    except OSError:  # a file system without hard links
        whole.replace(path)


def _unborn(begun: bytes, whole: bytes) -> bool:
    """Empty, or no more than this DuckDB's beginning: nothing was ever stored. Another program's file is not that."""
    if not begun:
        return True
    alike = _SAME.stop <= len(begun) < HEADERS and begun[_SAME] == whole[_SAME]
    return alike and not any(any(begun[empty]) for empty in _EMPTY)

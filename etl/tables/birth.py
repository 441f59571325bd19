"""A DuckDB file is born whole: DuckDB writes three headers one by one, and a file killed between them never opens."""

import os
import tempfile
from pathlib import Path

import duckdb

HEADERS = 3 * 4096
"""Bytes of the smallest file that DuckDB opens (its storage format: a main header and two database headers)."""
_MAGIC = slice(8, 12), b"DUCK"


def ensure_born(path: Path) -> None:
    """Make an empty database where none is, or where one was cut off before its first headers were written."""
    if path.exists() and not _unborn(path):
        return
    with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as folder:
        whole = Path(folder) / path.name
        duckdb.connect(whole).close()
        if path.exists():
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


def _unborn(path: Path) -> bool:
    """Empty, or DuckDB's beginning without its headers; nothing was ever stored. Another program's file is not."""
    if not path.is_file() or path.stat().st_size >= HEADERS:
        return False
    begun = path.read_bytes()
    place, magic = _MAGIC
    return not begun or begun[place] == magic

"""csv and JSON files of documents, read row by row with errors that say where."""

import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from etl.tables.files import decode, open_bytes, read_header
from foundation.errors import UserError

_PIECE = 1 << 22
csv.field_size_limit(256 * 1024 * 1024)


@contextmanager
def open_csv(
    path: Path, required: Sequence[str], one_of: Sequence[str] = ()
) -> Iterator[Iterator[dict[str, str | None]]]:
    """The rows of a csv (or csv.gz) file by lower-case column name.

    Raises UserError for a missing file or column, another delimiter, and a damaged archive.
    """
    if not path.is_file():
        raise UserError(f"{path}: no such file.", "Name the csv file of the source.")
    names = [name.lower() for name in read_header(path)]
    missing = [name for name in required if name not in names]
    if one_of and not set(one_of) & set(names):
        missing.append(" or ".join(one_of))
    if missing:
        raise UserError(f"{path.name}: column {', '.join(missing)} is missing.", "Use the file as published.")
    with open_bytes(path) as file:
        lines = (decode(line)[0] for line in file)
        next(lines)
        yield csv.DictReader(lines, fieldnames=names)


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) for every line of a JSON-lines file. Raises UserError for a line that is no object."""
    if not path.is_file():
        raise UserError(f"{path}: no such file.", "Name the .jsonl file of the source.")
    with open_bytes(path) as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, _object(decode(line)[0], f"{path.name}, line {number}")


def json_array(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON array, one at a time, so that a large file does not have to fit into memory."""
    if not path.is_file():
        raise UserError(f"{path}: no such file.", "Name the JSON file of the source.")
    decoder = json.JSONDecoder()
    with open_bytes(path) as file:
        buffer, place, ended = "", 0, False
        while True:
            while place < len(buffer) and buffer[place] in " \t\r\n,[]":
                place += 1
            try:
                value, place = decoder.raw_decode(buffer, place)
            except json.JSONDecodeError as error:
                if ended and place == len(buffer):
                    return
                if ended:
                    raise UserError(
                        f"{path.name}: not a JSON array of objects.", "Use the file as published."
                    ) from error
                piece = file.read(_PIECE)
                ended = not piece
                buffer, place = buffer[place:] + decode(piece + file.readline())[0], 0
                continue
            if isinstance(value, dict):
                yield value


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{where}: not JSON.", "Use the file as published, one object a line.") from error
    if not isinstance(value, dict):
        raise UserError(f"{where}: not a JSON object.", "Use the file as published, one object a line.")
    return value

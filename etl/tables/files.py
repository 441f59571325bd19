"""Which file holds which table, and what its header says."""

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from etl.tables.layout import RELEASES, Layout, TableLayout, layout
from foundation.errors import UserError
from foundation.records import Frozen

DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)
SUFFIXES = (".csv", ".csv.gz")
_DELIMITERS = {";": "';'", "\t": "a tab", "|": "'|'"}


class SourceFile(Frozen):
    """A table's file. `header` as written; `columns` maps lower-case column names to their place."""

    path: Path
    header: tuple[str, ...]
    columns: dict[str, int]
    ignored: tuple[str, ...] = ()


def stem_of(path: Path) -> str | None:
    """The file's name without .csv or .csv.gz, in lower case; None for other files."""
    name = path.name.lower()
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if name.endswith(suffix):
            return name.removesuffix(suffix)
    return None


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """The file's bytes, unpacked where the content (not the name) is gzip. Raises UserError where it is damaged."""
    with path.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        try:
            yield cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else raw
        except DAMAGED as error:
            raise UserError(
                f"{path.name}: the gzip file is damaged or was cut short; nothing of it was kept.",
                "Copy or download the file again (compare its checksum) and repeat the command.",
            ) from error


def decode(line: bytes) -> tuple[str, bool]:
    """A line as text, and whether it was not UTF-8 (then read as Windows-1252, or Latin-1 where that fails too)."""
    try:
        return line.decode("utf-8"), False
    except UnicodeDecodeError:
        pass
    try:
        return line.decode("cp1252"), True
    except UnicodeDecodeError:
        return line.decode("latin-1"), True


def _header_line(path: Path) -> str:
    with open_bytes(path) as file:
        first = file.readline()
    if first.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UserError(f"{path.name}: the file is UTF-16.", "Save it as UTF-8 (csv) and repeat the command.")
    return decode(first)[0].removeprefix("\ufeff").rstrip("\r\n")


def read_header(path: Path) -> tuple[str, ...]:
    """The column names as written. Raises UserError for an empty file or another delimiter than the comma."""
    line = _header_line(path)
    if not line.strip():
        raise UserError(f"{path.name}: the first line is empty; column names were expected.", "Restore the header.")
    fields = tuple(field.strip() for field in next(csv.reader(io.StringIO(line))))
    if len(fields) == 1:
        for delimiter, shown in _DELIMITERS.items():
            if delimiter in line:
                raise UserError(
                    f"{path.name}: columns are separated by {shown}; a comma was expected.",
                    "Save the file as comma-separated csv and repeat the command.",
                )
    return fields


def source_file(path: Path, table: TableLayout, ignored: tuple[str, ...] = ()) -> SourceFile:
    """The file with its header checked against the table. Raises UserError naming every missing required column."""
    header = read_header(path)
    places: dict[str, int] = {}
    for place, name in enumerate(header):
        if name.lower() in places:
            raise UserError(f"{path.name}: column {name.lower()} stands twice in the header.", "Remove one of them.")
        places[name.lower()] = place
    missing = [column.name for column in table.columns if column.required and column.name not in places]
    if missing:
        raise UserError(
            f"{path.name}: column {', '.join(missing)} is missing from the header.",
            f"Use the {table.name} file as published, or rename the column to the published name.",
        )
    return SourceFile(path=path, header=header, columns=places, ignored=ignored)


def find_file(folder: Path, plan: Layout, table: TableLayout) -> tuple[Path | None, tuple[str, ...]]:
    """The file of a table and the names of other files that could have been meant.

    An exact name wins; else a longer name that begins with the table's ("LABEVENTS_partial.csv"), unless it is, or
    begins with, the name of a longer-named table of the release.
    """
    exact: list[Path] = []
    longer: list[Path] = []
    names = {entry.name for entry in plan.tables} | set(plan.others)
    for sub in plan.modules[table.module]:
        place = folder / sub
        for path in sorted(place.iterdir()) if place.is_dir() else []:
            stem = stem_of(path)
            if stem is None or not path.is_file():
                continue
            if stem == table.name:
                exact.append(path)
            elif stem.startswith(table.name) and not stem[len(table.name)].isalnum():
                meant = max((name for name in names if stem.startswith(name)), key=len)
                if meant == table.name:
                    longer.append(path)
    found = exact or longer
    return (found[0], tuple(path.name for path in found[1:])) if found else (None, ())


def detect_release(folder: Path, otherwise: str | None = None) -> str:
    """ "mimic3" or "mimic4", by the columns of the patients table.

    A folder without that table is taken for `otherwise`, where it has tables of that release. Raises UserError where
    nothing is recognised.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder.", "Name the folder that holds the csv or csv.gz files.")
    for release in RELEASES:
        plan = layout(release)
        path, _ = find_file(folder, plan, plan.table("patients"))
        if path is None:
            continue
        columns = {name.lower() for name in read_header(path)}
        if "anchor_age" in columns:
            return "mimic4"
        if "dob" in columns:
            return "mimic3"
    if otherwise and any(find_file(folder, layout(otherwise), table)[0] for table in layout(otherwise).tables):
        return otherwise
    raise UserError(
        f"{folder}: neither MIMIC-III nor MIMIC-IV was recognised: no patients file with a column dob or anchor_age.",
        "Name the folder that holds PATIENTS.csv (MIMIC-III) or the folders hosp, icu, note (MIMIC-IV).",
    )

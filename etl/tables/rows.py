"""Rows of a csv file, checked value by value: what every engine is given, and what is refused and why."""

import csv
import re
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from etl.tables.files import SourceFile, decode, open_bytes
from etl.tables.layout import Column, TableLayout
from foundation.errors import UserError
from foundation.records import Frozen

Value = str | int | float | datetime | None
Row = tuple[Value, ...]
_INTEGER = re.compile(r"-?\d+(\.0+)?")
_EATEN = re.compile(r"\d+\.0+|\d+(\.\d+)?[eE]\+\d+|[\dEV]\d?")
_MOST_DIGITS = 40  # leading zeros included
csv.field_size_limit(256 * 1024 * 1024)


class Reject(Frozen):
    """A row that was not kept. `line` is the physical line on which it begins; `reason` holds no record text."""

    line: int
    field: str
    reason: str


class ReadingNotes:
    """What reading a file showed: lines that were not UTF-8, and codes that a spreadsheet has rewritten."""

    def __init__(self) -> None:
        self.recoded_lines = 0
        self.rewritten_codes = 0
        self.first_rewritten = 0
        self.leading_zeros = 0


class NotAllowed(ValueError):
    """A value that its column does not allow; the message names the expected form, never the value."""


def looks_rewritten(code: str) -> bool:
    """Whether a code has a form that no ICD code has and that a spreadsheet gives: 250.0, 1E+05, or fewer than three
    characters (ICD-9 and ICD-10 categories have three)."""
    return _EATEN.fullmatch(code) is not None


def check_value(text: str, column: Column) -> Value:
    """The value in its column's type; None for an empty one. Raises NotAllowed."""
    text = text.strip() if column.type != "text" else text
    if text == "":
        return None
    if column.type == "integer":
        if _INTEGER.fullmatch(text) is None:
            raise NotAllowed("expected a whole number")
        return _whole(text.split(".")[0])
    if column.type == "number":
        try:
            return float(text)
        except ValueError:
            raise NotAllowed("expected a number") from None
    if column.type == "time":
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            raise NotAllowed("expected a time such as 2150-01-31 13:45:00") from None
    if column.type == "code" and looks_rewritten(text):
        raise NotAllowed("not an ICD code: looks like a number that a spreadsheet has rewritten")
    return text


def _whole(digits: str) -> int:
    """The number. Raises NotAllowed where no database's integer holds it; Python itself refuses 4,300 digits."""
    if len(digits) > _MOST_DIGITS or not -(2**63) <= (value := int(digits)) < 2**63:
        raise NotAllowed("expected a whole number of at most 64 bits")
    return value


def _lines(file: BinaryIO, notes: ReadingNotes) -> Iterator[str]:
    for number, line in enumerate(file):
        text, recoded = decode(line)
        notes.recoded_lines += recoded
        yield text.removeprefix("\ufeff") if number == 0 else text


def _checked(fields: list[str], columns: list[tuple[int, Column]], line: int, notes: ReadingNotes) -> Row | Reject:
    values: list[Value] = []
    for place, column in columns:
        try:
            values.append(check_value(fields[place], column))
        except NotAllowed as error:
            if column.type == "code":
                notes.rewritten_codes += 1
                notes.first_rewritten = notes.first_rewritten or line
            return Reject(line=line, field=column.name, reason=str(error))
        if column.type == "code":
            notes.leading_zeros += fields[place].startswith("0")
    return tuple(values)


def read_rows(source: SourceFile, table: TableLayout, notes: ReadingNotes) -> Iterator[Row | Reject]:
    """Every data row in file order, as a tuple in the order of the table's columns that the file has, or its Reject.

    Raises UserError for a damaged archive and for a quotation mark that is never closed.
    """
    columns = [(source.columns[c.name], c) for c in table.columns if c.name in source.columns]
    width = len(source.header)
    with open_bytes(source.path) as file:
        reader = csv.reader(_lines(file, notes), strict=True)
        next(reader)
        begins = reader.line_num + 1
        while True:
            try:
                fields = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                begins = _after_bad_record(source, begins, reader.line_num, error)
                yield Reject(line=begins, field="", reason="quotation marks inside a quoted field are not doubled")
                begins = reader.line_num + 1
                continue
            line, begins = begins, reader.line_num + 1
            if not fields:
                continue
            if len(fields) != width:
                yield Reject(line=line, field="", reason=f"expected {width} fields, found {len(fields)}")
                continue
            yield _checked(fields, columns, line, notes)


def _after_bad_record(source: SourceFile, begins: int, last: int, error: csv.Error) -> int:
    if "unexpected end of data" in str(error):
        raise UserError(
            f"{source.path.name}: a quotation mark opened at line {begins} is never closed; nothing of the file was "
            "kept, because every row after it would be lost.",
            "Close the quotation mark at that line, or use the file as published.",
        ) from error
    return min(begins, last)

"""CaseRecords on disk: one JSON object a line, sorted by case_id."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from etl.caserecord import CaseRecord
from foundation.errors import UserError


def write_cases(path: Path | str, cases: Iterable[CaseRecord]) -> int:
    """Write the cases sorted by case_id; the file is either whole or what it was before. Returns their number.

    Memory stays small whatever the number of cases: they are written as they come and put in order on disk.
    Raises UserError where two cases have one case_id.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    places: dict[str, tuple[int, int]] = {}
    with tempfile.TemporaryFile(dir=path.parent) as unsorted:
        for case in cases:
            if case.case_id in places:
                raise UserError(
                    f"Two cases are called {case.case_id}.",
                    "Extract each source once, and give text files and cohort rows different names.",
                )
            line = case.model_dump_json().encode("utf-8") + b"\n"
            places[case.case_id] = (unsorted.tell(), len(line))
            unsorted.write(line)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            with temporary.open("wb") as file:
                for case_id in sorted(places):
                    start, length = places[case_id]
                    unsorted.seek(start)
                    file.write(unsorted.read(length))
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    return len(places)


def read_cases(path: Path | str) -> Iterator[CaseRecord]:
    """The cases of a file in its order. Raises UserError naming the line and the field of what is not a CaseRecord."""
    path = Path(path)
    if not path.is_file():
        raise UserError(f"{path}: no such file.", "Run `anamnesis etl extract` first, or name its output.")
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                yield CaseRecord.model_validate_json(line)
            except ValidationError as error:
                first = error.errors(include_input=False, include_url=False)[0]
                field = ".".join(str(part) for part in first["loc"]) or "the line"
                raise UserError(
                    f"{path.name}, line {number}: {field} is not as a CaseRecord has it ({first['type']}).",
                    "Write the file again with `anamnesis etl extract`.",
                ) from None

"""The wordings that a proof's questions are asked in: the package's own, real doctors', or a file's."""

import json
from pathlib import Path

from foundation.errors import UserError
from simulator.patient.data_files import document
from simulator.patient.proof.real_wordings import real_wordings

Wordings = dict[str, list[str]]


def own_wordings() -> Wordings:
    """The wordings of data/bench_wordings.yaml."""
    data = document("bench_wordings.yaml")
    return {kind: list(words) for kind, words in data.items() if kind not in ("common_symptoms", "symptom_attributes")}


def read_wordings(path: Path) -> Wordings:
    """Other people's wordings, JSONL of {"kind", "words"}; kinds as in data/bench_wordings.yaml, {x} as there.

    "shared" stands for real doctors' wordings (`proof.real_wordings`), the package's own where those have none.

    Raises UserError with line and field.
    """
    if str(path) == "shared":
        return own_wordings() | real_wordings()
    found: Wordings = {}
    for number, row in read_rows(path, ("kind", "words")):
        if row["kind"] not in own_wordings():
            raise UserError(f"{path}, line {number}, kind: {row['kind']!r}", f"use one of {', '.join(own_wordings())}")
        found.setdefault(row["kind"], []).append(row["words"])
    return found


def read_rows(path: Path, fields: tuple[str, ...]) -> list[tuple[int, dict[str, str]]]:
    """Rows of a JSONL file that must hold the string fields. Raises UserError with line and field."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}", "give a JSONL file") from error
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise UserError(f"{path}, line {number} is not JSON", "write one JSON object a line") from error
        missing = [name for name in fields if not isinstance(row, dict) or not isinstance(row.get(name), str)]
        if missing:
            raise UserError(f"{path}, line {number}: {missing[0]} must be a string", f"give {', '.join(fields)}")
        rows.append((number, row))
    return rows

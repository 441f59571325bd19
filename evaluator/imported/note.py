"""A clinician's own note of a dialogue as a final plan: category summaries and the diagnosis, nothing else.

Headings are data (`data/note_headings.yaml`); lines before the first heading are symptoms.
"""

import re
from functools import cache
from importlib.resources import files

import yaml

from simulator.consultation.transcript import FinalPlan

_HEADING = re.compile(r"^\s*[•*-]?\s*(?P<name>[A-Za-z][A-Za-z/ ]{0,40}?)\s*(?P<mark>[:.\-?]+|$)\s*(?P<rest>.*)$")
_MARKS = re.compile(r"^[\s•*\d.)-]+")


def plan_of(note: str) -> FinalPlan | None:
    """The plan, or None where the note is empty or has no summary. Drugs and reasons are not read from a note."""
    parts: dict[str, list[str]] = {}
    category = "symptoms"
    for line in note.splitlines():
        found = _category(line)
        if found:
            category, line = found
        if line.strip():
            parts.setdefault(category, []).append(line.strip())
    summaries = {name: "\n".join(lines) for name, lines in parts.items() if name not in ("assessment", "other")}
    if not summaries:
        return None
    diagnosis = next(iter(parts.get("assessment", [])), "")
    return FinalPlan(diagnosis=_MARKS.sub("", diagnosis), category_summaries=summaries)


def _category(line: str) -> tuple[str, str] | None:
    """(category, rest of the line) where the line begins with a known heading, marked as one."""
    match = _HEADING.match(line)
    if match is None:
        return None
    name = " ".join(match["name"].lower().split())
    alone = not match["rest"] and not match["mark"]
    if name not in _headings() or not (
        alone or ":" in match["mark"] or match["name"].isupper() or match["name"] in _SHORT
    ):
        return None
    return _headings()[name], match["rest"]


_SHORT = frozenset({"Imp", "PMHx", "DHx", "SHx", "FHx", "DDx", "Plan", "Hx"})


@cache
def _headings() -> dict[str, str]:
    text = files("evaluator.imported").joinpath("data", "note_headings.yaml").read_text("utf-8")
    return {name: category for category, names in yaml.safe_load(text).items() for name in names}

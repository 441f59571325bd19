"""Vital signs at presentation, with units and limits of plausibility from `vitals.csv`.

Item ids are those of CareVue (below 220000, MIMIC-III) and MetaVision (220000 and above, MIMIC-III and IV).
"""

import csv
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources

from etl.caserecord import Mention, MentionKind, TableEvidence
from etl.structured.naming import concept_key
from etl.structured.values import number_text
from foundation.records import Frozen

PRESENTATION_HOURS = 24
"""A value counts as taken at presentation when it is the first of its kind, within so many hours of admission."""
SOURCES = ("triage", "chartevents", "omr", "synthea")
"""In the order in which they are preferred."""


class VitalItem(Frozen):
    """How a source records a vital sign. `part` is systolic, diastolic, both ("120/80") or "".

    `low` and `high` are the limits of plausibility, inclusive, in `unit`.
    """

    source: str
    item: str
    name: str
    part: str
    unit: str
    low: float
    high: float

    def plausible(self, value: float | None) -> bool:
        """Whether a living person can have this value."""
        return value is not None and self.low <= value <= self.high


class Reading(Frozen):
    """One value of a vital sign; `value` is as recorded, `time` ISO 8601 or ""."""

    item: VitalItem
    value: str
    time: str
    evidence: TableEvidence


@cache
def vital_items(source: str) -> dict[str, VitalItem]:
    """The items of a source (chartevents, triage, omr) by the id or name that the source gives them."""
    text = resources.files(__package__).joinpath("vitals.csv").read_text("utf-8")
    rows = [VitalItem.model_validate(row) for row in csv.DictReader(text.splitlines())]
    return {row.item: row for row in rows if row.source == source}


def vital_mentions(case_id: str, readings: Iterable[Reading]) -> tuple[list[Mention], list[Reading]]:
    """One mention a vital sign, and the readings that were not needed (later ones, or of a less preferred source)."""
    ordered = sorted(readings, key=lambda r: (SOURCES.index(r.item.source), r.time, r.evidence.row_key))
    chosen: dict[tuple[str, str], Reading] = {}
    spare: list[Reading] = []
    for reading in ordered:
        slot = (reading.item.name, reading.item.part)
        if slot in chosen or _slot_taken(chosen, reading):
            spare.append(reading)
        else:
            chosen[slot] = reading
    mentions = []
    for name in sorted({name for name, _ in chosen}):
        parts = [chosen[slot] for slot in sorted(chosen, reverse=True) if slot[0] == name]
        mentions.append(_mention(case_id, name, parts))
    return mentions, spare


def _slot_taken(chosen: dict[tuple[str, str], Reading], reading: Reading) -> bool:
    """Blood pressure comes as one text or in two parts, of which one source is enough."""
    others = [found for (name, _), found in chosen.items() if name == reading.item.name]
    return any(found.item.source != reading.item.source for found in others)


def _mention(case_id: str, name: str, parts: Sequence[Reading]) -> Mention:
    if len(parts) == 2:
        value = "/".join(part.value for part in parts)  # systolic sorts after diastolic, hence the reversed order
    else:
        value = parts[0].value
        name = f"{parts[0].item.part} {name}" if parts[0].item.part in ("systolic", "diastolic") else name
    unit = parts[0].item.unit
    attributes = {"value": value, "unit": unit}
    if parts[0].time:
        attributes["time"] = parts[0].time
    return Mention(
        mention_id=f"{case_id}/vital/{name.replace(' ', '-')}",
        kind=MentionKind.VITAL,
        text=f"{name} {value} {unit}",
        concept=concept_key(parts[0].item.name, "vital"),
        attributes=attributes,
        evidence=tuple(part.evidence for part in parts),
    )


def reading_of(source: str, item: str, raw: str, time: str, evidence: TableEvidence) -> Reading | None:
    """A reading where the item is known and the value plausible; None otherwise. `raw` is a number or "120/80"."""
    found = vital_items(source).get(item)
    if found is None:
        return None
    numbers = [_number(part) for part in raw.split("/")]
    wanted = 2 if found.part == "both" else 1
    if len(numbers) != wanted or not all(found.plausible(number) for number in numbers):
        return None
    value = "/".join(number_text(number) for number in numbers if number is not None)
    return Reading(item=found, value=value, time=time, evidence=evidence)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None

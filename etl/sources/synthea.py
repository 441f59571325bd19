"""Synthea's csv export: patients, encounters, conditions, medications, allergies, observations.

A case is an encounter at which an illness was recorded. Its conditions and prescriptions are the answer key; what the
patient had or took before it is history and home medication. Names, addresses and numbers of people are never read.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal

from etl.caserecord import (
    Admission,
    CaseRecord,
    Demographics,
    Diagnosis,
    Medication,
    MedicationRole,
    Mention,
    MentionKind,
    TableEvidence,
)
from etl.sources.tabular_text import open_csv
from etl.structured.account import Account
from etl.structured.demographics import age_from_birth, group_of
from etl.structured.draft import Extractor
from etl.structured.naming import concept_key, drug
from etl.structured.values import time_of
from etl.structured.vitals import Reading, reading_of, vital_mentions
from foundation.errors import UserError

SOURCE = "synthea"
Row = Mapping[str, str | None]
_COLUMNS = {
    "patients": ("id", "birthdate", "gender", "race", "marital"),
    "encounters": ("id", "start", "stop", "patient", "encounterclass"),
    "conditions": ("start", "stop", "patient", "encounter", "code", "description"),
    "medications": ("start", "stop", "patient", "encounter", "code", "description"),
    "allergies": ("start", "patient", "encounter", "code", "description", "description1"),
    "observations": ("date", "patient", "encounter", "category", "code", "description", "value", "units"),
}
_SOCIAL = ("(finding)", "(person)", "(situation)")
_MARITAL = {"M": "MARRIED", "S": "SINGLE", "D": "DIVORCED", "W": "WIDOWED"}


def cases(
    folder: Path | str, extractor: Extractor | None = None, account: Account | None = None
) -> Iterator[CaseRecord]:
    """One case for every encounter at which an illness began, by its id. There are no notes, so nothing is extracted.

    Raises UserError where a table or a column is missing.
    """
    account = account or Account()
    account.source = SOURCE
    tables = {name: _read(Path(folder), name) for name in _COLUMNS}
    books = _Books(tables)
    by_patient = {name: _grouped(tables[name], "patient") for name in _COLUMNS if name != "patients"}
    for person in tables["patients"]:
        chart = {name: rows.get(person["id"], []) for name, rows in by_patient.items()}
        for encounter in sorted(chart["encounters"], key=lambda row: (row["start"] or "", row["id"] or "")):
            if any(_is_illness(row) for row in chart["conditions"] if row["encounter"] == encounter["id"]):
                books.use("patients", person)
                books.use("encounters", encounter)
                account.cases += 1
                yield _case(person, encounter, chart, books)
    books.close(account)


def _read(folder: Path, name: str) -> list[Row]:
    path = next(
        (folder / f"{name}{suffix}" for suffix in (".csv", ".csv.gz") if (folder / f"{name}{suffix}").is_file()), None
    )
    if path is None:
        raise UserError(f"{folder}: no {name}.csv or {name}.csv.gz.", "Name the folder of Synthea's csv export.")
    with open_csv(path, required=_COLUMNS[name]) as rows:
        return [dict(row) for row in rows]


def _grouped(rows: Iterable[Row], column: str) -> dict[str | None, list[Row]]:
    groups: dict[str | None, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row[column]].append(row)
    return groups


class _Books:
    """Which rows stand in some case: a row of history may stand in several, and counts once."""

    def __init__(self, tables: Mapping[str, list[Row]]) -> None:
        self._tables = tables
        self._used: dict[str, set[int]] = defaultdict(set)

    def use(self, table: str, row: Row) -> None:
        self._used[table].add(id(row))

    def close(self, account: Account) -> None:
        for table, rows in self._tables.items():
            account.rows(table, len(rows))
            account.used(table, len(self._used[table]))
            for row in rows:
                if id(row) not in self._used[table]:
                    account.rejected(table, _why_unused(table, row))


def _why_unused(table: str, row: Row) -> str:
    if table == "observations":
        return "of another kind than a vital sign, or no case's first value"
    return "without an illness" if table in ("patients", "encounters") else "of no case's time"


def _is_illness(row: Row) -> bool:
    return not (row["description"] or "").endswith(_SOCIAL)


def _plain(row: Row) -> str:
    return (
        (row["description"] or "").rsplit(" (", 1)[0]
        if (row["description"] or "").endswith(")")
        else row["description"] or ""
    )


def _evidence(table: str, row: Row) -> tuple[TableEvidence, ...]:
    return (TableEvidence(table=table, row_key=f"encounter={row['encounter']}; code={row['code']}"),)


def _case(person: Row, encounter: Row, chart: Mapping[str, list[Row]], books: _Books) -> CaseRecord:
    case_id, begins = f"{SOURCE}:{encounter['id']}", encounter["start"] or ""
    mentions = _mentions(case_id, encounter, chart, books)
    here = [row for row in chart["conditions"] if row["encounter"] == encounter["id"] and _is_illness(row)]
    for row in here:
        books.use("conditions", row)
    return CaseRecord(
        case_id=case_id,
        source=SOURCE,
        subject_id=person["id"] or "",
        hadm_id=encounter["id"] or "",
        demographics=_demographics(person, begins),
        admission=Admission(
            admitted=begins, discharged=encounter["stop"] or "", admission_type=encounter["encounterclass"] or ""
        ),
        chief_complaint=next(
            (entry.text for entry in mentions if entry.kind is MentionKind.SYMPTOM and not entry.historical), ""
        ),
        mentions=tuple(mentions),
        diagnoses=tuple(
            Diagnosis(
                code="",
                version="",
                rank=rank,
                name=_plain(row),
                name_source="dictionary",
                evidence=_evidence("conditions", row),
            )
            for rank, row in enumerate(here, start=1)
        ),
        medications=tuple(_medications(encounter, chart["medications"], books)),
    )


def _demographics(person: Row, begins: str) -> Demographics:
    born, admitted = time_of(person["birthdate"]), time_of(begins)
    age, over_89 = (
        age_from_birth(born, admitted.replace(tzinfo=None)) if isinstance(admitted, datetime) else (None, False)
    )
    sex: Literal["F", "M", ""] = "F" if person["gender"] == "F" else "M" if person["gender"] == "M" else ""
    race = "hispanic" if person.get("ethnicity") == "hispanic" else person["race"] or ""
    marital = _MARITAL.get(person["marital"] or "")
    return Demographics(
        age=age,
        age_over_89=over_89,
        sex=sex,
        race=race or None,
        race_group=group_of("race", race),
        marital_status=marital,
        marital_group=group_of("marital", marital),
    )


def _mentions(case_id: str, encounter: Row, chart: Mapping[str, list[Row]], books: _Books) -> list[Mention]:
    day = (encounter["start"] or "")[:10]
    said: dict[tuple[MentionKind, str], list[Row]] = {}
    for row in chart["conditions"]:
        if (row["start"] or "") <= day and not (row["encounter"] == encounter["id"] and _is_illness(row)):
            said.setdefault((_kind_of(row), row["code"] or ""), []).append(row)
            books.use("conditions", row)
    for row in chart["allergies"]:
        if (row["start"] or "") <= day:
            said.setdefault((MentionKind.ALLERGY, row["code"] or ""), []).append(row)
            books.use("allergies", row)
    mentions = [_mention(case_id, kind, rows, day) for (kind, _), rows in said.items()]
    return [*_vitals(case_id, encounter, chart["observations"], books), *mentions]


def _kind_of(row: Row) -> MentionKind:
    """A finding is a symptom where the terminology knows it as one, and else a circumstance of life."""
    if _is_illness(row):
        return MentionKind.MEDICAL_HISTORY
    return MentionKind.SYMPTOM if concept_key(_plain(row), "symptom") else MentionKind.SOCIAL_HISTORY


_CONCEPT_KINDS = {
    MentionKind.MEDICAL_HISTORY: "condition",
    MentionKind.SYMPTOM: "symptom",
    MentionKind.SOCIAL_HISTORY: "habit",
    MentionKind.ALLERGY: "allergen",
}


def _mention(case_id: str, kind: MentionKind, rows: list[Row], day: str) -> Mention:
    """What was recorded several times is one statement, of the past where every time is over."""
    table = "allergies" if kind is MentionKind.ALLERGY else "conditions"
    reaction = rows[0].get("description1") or ""
    return Mention(
        mention_id=f"{case_id}/{kind.value}/{rows[0]['code']}",
        kind=kind,
        text=_plain(rows[0]),
        concept=concept_key(_plain(rows[0]), _CONCEPT_KINDS[kind]),
        historical=all(row.get("stop") and (row["stop"] or "") < day for row in rows),
        attributes={"reaction": reaction.rsplit(" (", 1)[0]} if reaction else {},
        evidence=tuple(place for row in rows for place in _evidence(table, row)),
    )


def _vitals(case_id: str, encounter: Row, rows: Iterable[Row], books: _Books) -> list[Mention]:
    readings: dict[str, tuple[Reading, Row]] = {}
    for row in sorted(rows, key=lambda row: row["date"] or ""):
        if row["encounter"] != encounter["id"]:
            continue
        (evidence,) = _evidence("observations", row)
        reading = reading_of(SOURCE, row["code"] or "", row["value"] or "", row["date"] or "", evidence)
        if reading is not None:
            readings.setdefault(row["code"] or "", (reading, row))
    mentions, spare = vital_mentions(case_id, (reading for reading, _ in readings.values()))
    for reading, row in readings.values():
        if reading not in spare:
            books.use("observations", row)
    return mentions


def _medications(encounter: Row, rows: Iterable[Row], books: _Books) -> Iterator[Medication]:
    begins = encounter["start"] or ""
    treating = MedicationRole.INPATIENT if encounter["encounterclass"] == "inpatient" else MedicationRole.DISCHARGE
    for row in rows:
        taken = (row["start"] or "") < begins and (not row["stop"] or row["stop"] > begins)
        if row["encounter"] != encounter["id"] and not taken:
            continue
        books.use("medications", row)
        known = drug(row["description"] or "")
        yield Medication(
            name=row["description"] or "",
            ingredients=known.ingredients,
            role=treating if row["encounter"] == encounter["id"] else MedicationRole.HOME,
            carrier_fluid=known.carrier_fluid,
            evidence=_evidence("medications", row),
        )

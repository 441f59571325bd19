"""What in a record still looks like a name, a date, a telephone or record number.

The patterns are `deidentification_patterns.csv`; placeholders that de-identification leaves ([**...**], ___) are
blanked first. HIPAA's safe harbour list (45 CFR 164.514(b)(2)) is the guide: this finds what has a form, and does not
replace a proper de-identification. Presidio was weighed and not taken: it needs a statistical name model of several
hundred megabytes, trained on news and web text and not on charts.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from etl.caserecord import CaseRecord, NoteEvidence
from etl.notes.note import Note, NoteExtraction
from etl.sources.registry import extract_cases
from foundation.errors import UserError
from foundation.files import write_atomically
from foundation.records import Frozen

FIRST_SHIFTED_YEAR = 2100
"""MIMIC moves dates to the years 2100 to 2200; such a date identifies nobody."""

_PLACEHOLDERS = re.compile(r"\[\*\*.*?\*\*\]|\*\*[A-Z-]+(?:\[[^\]]*\])?|_{2,}", re.S)
_BLANK = "\x00"  # no letter, digit or space, so that no pattern reaches over a placeholder
_YEAR = re.compile(r"\b(\d{4})\b")


class Suspicion(Frozen):
    """A place that looks like an identifier. `where` is a note id or "<case_id> <field>"; the words are not kept."""

    case_id: str
    where: str
    kind: str
    start: int
    end: int


class DeidentificationReport(Frozen):
    """All suspicions, and of how many texts."""

    texts: int
    suspicions: tuple[Suspicion, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Suspicions by kind."""
        return dict(sorted(Counter(suspicion.kind for suspicion in self.suspicions).items()))

    def of_cases(self, case_ids: Collection[str]) -> "DeidentificationReport":
        """The part that is about these cases."""
        kept = tuple(suspicion for suspicion in self.suspicions if suspicion.case_id in case_ids)
        return self.model_copy(update={"suspicions": kept})


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    folder = resources.files("etl").joinpath("deidentification_patterns.csv")
    rows = csv.DictReader(folder.read_text("utf-8").splitlines())
    names = "|".join(_given_names())
    return tuple(
        (row["kind"], re.compile(row["pattern"].replace("{given_name}", f"(?:{names})"), _flags(row["case"])))
        for row in rows
    )


def _flags(case: str) -> int:
    return re.IGNORECASE if case == "any" else 0


@cache
def _given_names() -> tuple[str, ...]:
    text = resources.files("etl").joinpath("deidentification_given_names.txt").read_text("utf-8")
    return tuple(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))


def find_identifiers(text: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of everything that looks like an identifier, in order; each place under its first kind."""
    plain = _PLACEHOLDERS.sub(lambda match: _BLANK * len(match.group()), text)
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, int, str]] = []
    for kind, pattern in _patterns():
        for match in pattern.finditer(plain):
            start, end = match.span()
            if any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            if kind == "date" and _shifted(match.group()):
                continue
            taken.append((start, end))
            found.append((start, end, kind))
    for start, end, kind in sorted(found):
        yield kind, start, end


def _shifted(date: str) -> bool:
    years = [int(year) for year in _YEAR.findall(date)]
    return bool(years) and min(years) >= FIRST_SHIFTED_YEAR


def check_notes(notes: Iterable[Note]) -> DeidentificationReport:
    """Look through notes."""
    return _report((note.case_id, note.note_id, note.text) for note in notes)


def check_cases(cases: Iterable[CaseRecord]) -> DeidentificationReport:
    """Look through every piece of free text that the cases hold: complaints, statements, attributes, quotes, names."""
    return _report(place for case in cases for place in _texts_of(case))


def check_source(
    name: str, address: str | Path, schemas: Mapping[str, str] | None = None, **options: Any
) -> DeidentificationReport:
    """Look through every note of a source (see `etl.sources.extract_cases` for the arguments), one at a time."""
    reports: list[DeidentificationReport] = []

    def check(note: Note) -> NoteExtraction:
        reports.append(check_notes([note]))
        return NoteExtraction()

    for _ in extract_cases(name, address, check, schemas, **options):
        pass
    return joined(reports)


def joined(reports: Iterable[DeidentificationReport]) -> DeidentificationReport:
    """Several reports as one."""
    every = list(reports)
    suspicions = tuple(suspicion for report in every for suspicion in report.suspicions)
    return DeidentificationReport(texts=sum(report.texts for report in every), suspicions=suspicions)


def _texts_of(case: CaseRecord) -> Iterator[tuple[str, str, str]]:
    yield case.case_id, f"{case.case_id} chief_complaint", case.chief_complaint
    for mention in case.mentions:
        yield case.case_id, f"{mention.mention_id} text", mention.text
        for name, value in mention.attributes.items():
            if name != "time":
                yield case.case_id, f"{mention.mention_id} {name}", value
        for place in mention.evidence:
            if isinstance(place, NoteEvidence) and place.quote != mention.text:
                yield case.case_id, f"{mention.mention_id} quote", place.quote
    for diagnosis in case.diagnoses:
        yield case.case_id, f"{case.case_id} diagnosis {diagnosis.rank}", diagnosis.name
    for field in ("occupation", "living_situation"):
        yield case.case_id, f"{case.case_id} {field}", getattr(case.demographics, field) or ""


def _report(texts: Iterable[tuple[str, str, str]]) -> DeidentificationReport:
    suspicions: list[Suspicion] = []
    count = 0
    for case_id, where, text in texts:
        count += 1
        for kind, start, end in find_identifiers(text):
            suspicions.append(Suspicion(case_id=case_id, where=where, kind=kind, start=start, end=end))
    return DeidentificationReport(texts=count, suspicions=tuple(suspicions))


def write_report(path: Path, report: DeidentificationReport) -> None:
    """The suspicions as a csv file of places, without the words that stand there."""
    output = io.StringIO()
    writer = csv.DictWriter(output, fieldnames=list(Suspicion.model_fields), lineterminator="\n")
    writer.writeheader()
    writer.writerows(suspicion.model_dump() for suspicion in report.suspicions)
    write_atomically(path, output.getvalue())


def require_clean(report: DeidentificationReport, path: Path) -> None:
    """Write the report; raises UserError where anything in it looks like an identifier."""
    write_report(path, report)
    if report.suspicions:
        kinds = ", ".join(f"{count} {kind}" for kind, count in report.counts.items())
        raise UserError(
            f"The cohort is declared de-identified, but its records hold what looks like: {kinds}.",
            f"Look at the places in {path.name}; de-identify the notes, or set deidentified: false in the cohort file.",
        )

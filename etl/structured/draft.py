"""A CaseRecord in the making, and the drafts of a batch with the rule by which a row finds its admission."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from etl.caserecord import Admission, CaseRecord, Demographics, Diagnosis, Medication, Mention, Spokesperson
from etl.notes.note import Note, NoteExtraction
from etl.structured.account import Account
from etl.structured.vitals import Reading


class Draft:
    """What is known of one admission so far."""

    def __init__(self, source: str, subject_id: str, hadm_id: str) -> None:
        self.case_id = f"{source}:{hadm_id}"
        self.source = source
        self.subject_id = subject_id
        self.hadm_id = hadm_id
        self.demographics = Demographics()
        self.admission = Admission()
        self.chief_complaint = ""
        self.readings: list[Reading] = []
        self.mentions: list[Mention] = []
        self.diagnoses: list[Diagnosis] = []
        self.medications: list[Medication] = []
        self.note_ids: list[str] = []
        self.spokesperson: Spokesperson | None = None

    def case_record(self) -> CaseRecord:
        """The finished record."""
        return CaseRecord(
            case_id=self.case_id,
            source=self.source,
            subject_id=self.subject_id,
            hadm_id=self.hadm_id,
            demographics=self.demographics,
            admission=self.admission,
            chief_complaint=self.chief_complaint,
            mentions=tuple(self.mentions),
            diagnoses=tuple(self.diagnoses),
            medications=tuple(self.medications),
            note_ids=tuple(self.note_ids),
            spokesperson=self.spokesperson,
        )


class Drafts:
    """The drafts of one batch by hadm_id, and why other admissions were refused."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.by_hadm: dict[int, Draft] = {}
        self.refused: dict[int, str] = {}

    def place(self, table: str, row: Any, rows: int = 1) -> Draft | None:
        """The draft to which a row (with subject_id and hadm_id) belongs; None where there is none, which is counted.

        The caller counts the row as used, or as rejected for a reason of its own.
        """
        if row.hadm_id is None:
            self.account.rejected(table, "without an admission id", rows)
            return None
        hadm_id = int(row.hadm_id)
        draft = self.by_hadm.get(hadm_id)
        if draft is None:
            reason = "of an admission that was refused" if hadm_id in self.refused else "of an unknown admission"
            self.account.rejected(table, reason, rows)
            return None
        if str(row.subject_id) != draft.subject_id:
            self.account.rejected(table, "of another patient than its admission's", rows)
            return None
        return draft

    def count_unused(self, table: str, rows: Iterable[Any]) -> None:
        """Count rows that go into no record; each stands for `alike` rows and has subject_id, hadm_id and `reason`."""
        for row in rows:
            if self.place(table, row, int(row.alike)) is not None:
                self.account.rejected(table, row.reason, int(row.alike))


Extractor = Callable[[Note], NoteExtraction]


@dataclass(frozen=True)
class Context:
    """What turning rows into facts needs besides the rows.

    `key` are the columns that name a row of the table at hand; `dictionary` maps (code, version) to the source's name
    of a diagnosis, `tests` item ids to names of laboratory tests.
    """

    key: tuple[str, ...] = ()
    dictionary: Mapping[tuple[str, str], str] = field(default_factory=dict)
    tests: Mapping[int, str] = field(default_factory=dict)
    extractor: Extractor | None = None

"""What every source of documents has in common: a document in, a CaseRecord out."""

from collections.abc import Iterable, Iterator

from etl.caserecord import CaseRecord, Demographics, Diagnosis, Medication, Mention, MentionKind, NoteEvidence
from etl.notes.note import Note
from etl.structured.account import Account
from etl.structured.draft import Draft, Extractor
from etl.structured.notes import read_note
from foundation.records import Frozen


class Document(Frozen):
    """One document about one patient, and what its source says of the patient beside it.

    `record_id` is unique in the source; `text` is kept as read. `mentions`, `diagnoses` and `medications` are what the
    source gives in a structured form.
    """

    record_id: str
    text: str
    category: str = "case report"
    subject_id: str = ""
    demographics: Demographics = Demographics()
    chief_complaint: str = ""
    mentions: tuple[Mention, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    medications: tuple[Medication, ...] = ()


def case_of(source: str, document: Document, extractor: Extractor | None, account: Account) -> CaseRecord:
    """The document as a CaseRecord; without an extractor it holds only what the source gives in a structured form."""
    draft = Draft(source, document.subject_id or document.record_id, document.record_id)
    draft.demographics = document.demographics
    draft.mentions.extend(document.mentions)
    draft.diagnoses.extend(document.diagnoses)
    draft.medications.extend(document.medications)
    note = Note(
        note_id=f"{source}:{document.record_id}", case_id=draft.case_id, category=document.category, text=document.text
    )
    read_note(draft, note, extractor, account)
    draft.mentions = _without_repeats(draft.mentions, len(document.mentions))
    draft.chief_complaint = document.chief_complaint or draft.chief_complaint
    account.cases += 1
    return draft.case_record()


def _without_repeats(mentions: list[Mention], given: int) -> list[Mention]:
    """Drop what was read inside the words of a statement that the source itself gives (the first `given`).

    A symptom whose concept is open keeps what was read inside it.
    """
    spans = [
        place
        for mention in mentions[:given]
        if mention.concept or mention.kind is not MentionKind.SYMPTOM
        for place in mention.evidence
        if isinstance(place, NoteEvidence)
    ]
    return [
        mention
        for number, mention in enumerate(mentions)
        if number < given
        or not any(
            span.start <= place.start and place.end <= span.end
            for place in mention.evidence
            if isinstance(place, NoteEvidence)
            for span in spans
        )
    ]


def cases_of(
    source: str, table: str, documents: Iterable[Document | str], extractor: Extractor | None, account: Account | None
) -> Iterator[CaseRecord]:
    """The documents as cases. A string in the place of a document is the reason why that row of `table` is none.

    Empty documents, and those whose text was there before, are refused and counted.
    """
    account = account or Account()
    account.source = source
    seen: set[int] = set()
    for document in documents:
        account.rows(table, 1)
        reason = document if isinstance(document, str) else _fault(document, seen)
        if reason or isinstance(document, str):
            account.rejected(table, reason)
            continue
        account.used(table)
        seen.add(hash(document.text))
        yield case_of(source, document, extractor, account)


def _fault(document: Document, seen: set[int]) -> str:
    if not document.text.strip():
        return "empty or blank"
    return "a second copy of an earlier text" if hash(document.text) in seen else ""

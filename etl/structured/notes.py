"""Notes of an admission: read by whatever extractor is given, and merged with what the tables say."""

from collections.abc import Iterable
from typing import Any

from etl.caserecord import Diagnosis, Medication, Mention
from etl.notes.note import Note, NoteExtraction
from etl.structured.account import Account
from etl.structured.draft import Context, Draft, Drafts, Extractor
from etl.structured.values import iso


def add_notes(drafts: Drafts, rows: Iterable[Any], context: Context) -> None:
    """Read each note into its draft.

    Rows have `table`, subject_id, hadm_id, note_id, category, written (a time or a number) and text.

    Without an extractor notes are listed in `note_ids` and count as used, but give no mention.
    """
    for row in sorted(rows, key=lambda row: (row.hadm_id is None, row.hadm_id, _written(row.written), row.note_id)):
        draft = drafts.place(row.table, row)
        if draft is None:
            continue
        text = row.text or ""
        if not text.strip():
            drafts.account.rejected(row.table, "empty or blank")
            continue
        drafts.account.used(row.table)
        note = Note(note_id=f"{draft.source}:{row.note_id}", case_id=draft.case_id, category=row.category, text=text)
        read_note(draft, note, context.extractor, drafts.account)


def _written(value: Any) -> str:
    """A time or a sequence number, as text that sorts."""
    return f"{value:020d}" if isinstance(value, int) else iso(value)


def read_note(draft: Draft, note: Note, extractor: Extractor | None, account: Account) -> None:
    """Read one note into a draft: what it says is added, and fills what the tables leave open."""
    draft.note_ids.append(note.note_id)
    if extractor is None:
        return
    found = extractor(note)
    account.notes_read += 1
    account.notes_dropped += found.dropped
    draft.chief_complaint = found.chief_complaint or draft.chief_complaint
    draft.spokesperson = draft.spokesperson or found.spokesperson
    draft.mentions.extend(_with_new_ids(draft, found.mentions))
    _add_medications(draft, found.medications)
    _add_note_diagnoses(draft, found.diagnoses)
    _fill_demographics(draft, found)


def _with_new_ids(draft: Draft, mentions: Iterable[Mention]) -> list[Mention]:
    """Ids stay as the extractor gave them unless two notes gave the same."""
    taken = {mention.mention_id for mention in draft.mentions}
    kept = []
    for mention in mentions:
        if mention.mention_id in taken:
            mention = mention.model_copy(update={"mention_id": f"{mention.mention_id}/{len(draft.note_ids)}"})
        taken.add(mention.mention_id)
        kept.append(mention)
    return kept


def _add_medications(draft: Draft, medications: Iterable[Medication]) -> None:
    """A drug that is already there in the same role gains evidence, and what was not known of its dose."""
    places = {_slot(known): number for number, known in enumerate(draft.medications)}
    for medication in medications:
        place = places.setdefault(_slot(medication), len(draft.medications))
        if place == len(draft.medications):
            draft.medications.append(medication)
            continue
        known = draft.medications[place]
        update: dict[str, Any] = {"evidence": tuple(dict.fromkeys((*known.evidence, *medication.evidence)))}
        if not (known.dose or known.route or known.frequency):
            update |= {"dose": medication.dose, "route": medication.route, "frequency": medication.frequency}
        draft.medications[place] = known.model_copy(update=update)


def _slot(medication: Medication) -> tuple[object, ...]:
    drug = medication.ingredients or (medication.name.lower(),)
    return drug, medication.role, medication.carrier_fluid


def _add_note_diagnoses(draft: Draft, diagnoses: Iterable[Diagnosis]) -> None:
    """Names that notes assert follow the coded ones; a name that is already there only gains evidence."""
    for diagnosis in sorted(diagnoses, key=lambda entry: entry.rank):
        same = [n for n, known in enumerate(draft.diagnoses) if known.name.lower() == diagnosis.name.lower()]
        if same:
            known = draft.diagnoses[same[0]]
            draft.diagnoses[same[0]] = known.model_copy(
                update={"evidence": tuple(dict.fromkeys((*known.evidence, *diagnosis.evidence)))}
            )
        else:
            rank = max((known.rank for known in draft.diagnoses), default=0) + 1
            draft.diagnoses.append(diagnosis.model_copy(update={"rank": rank}))


def _fill_demographics(draft: Draft, found: NoteExtraction) -> None:
    known, hints = draft.demographics, found.demographics_hints
    update: dict[str, Any] = {
        "sex": known.sex or hints.sex,
        "occupation": known.occupation or hints.occupation,
        "living_situation": known.living_situation or hints.living_situation,
    }
    if known.age is None and not known.age_over_89:
        update |= {"age": hints.age, "age_over_89": hints.age_over_89}
    draft.demographics = known.model_copy(update=update)

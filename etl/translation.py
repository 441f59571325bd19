"""Records in another language: a chat model's draft, a person's review, and only then extraction. The original stays.

The list that goes out and comes back is a csv file with original and translation side by side; the person corrects
`translation` in place and writes yes into `reviewed` and a name into `by`.
"""

import csv
import io
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from pathlib import Path

from chatmodels.interface import ChatModel, ChatModelError, Message
from etl.notes.note import Note, NoteExtraction
from etl.sources.tabular_text import open_csv
from foundation.errors import UserError
from foundation.files import write_atomically
from foundation.records import Frozen

COLUMNS = ("note_id", "case_id", "category", "original", "draft", "translation", "model", "reviewed", "by", "comment")
_FOREIGN_SHARE = 0.1


class Translation(Frozen):
    """One note in two languages. `draft` is the model's; `translation` what stands after review."""

    note_id: str
    case_id: str
    category: str = ""
    original: str
    draft: str
    translation: str
    model: str
    reviewed: bool = False
    by: str = ""
    comment: str = ""


def needs_translation(text: str) -> bool:
    """Whether more than a tenth of the letters are not Latin (Chinese, Japanese, Korean, Cyrillic, Arabic, …)."""
    letters = [character for character in text if character.isalpha()]
    foreign = sum(not unicodedata.name(character, "").startswith(("LATIN", "GREEK")) for character in letters)
    return bool(letters) and foreign > _FOREIGN_SHARE * len(letters)


def draft_translations(
    notes: Iterable[Note], model: ChatModel, seed: int | None = None, every: bool = False
) -> tuple[list[Translation], list[str]]:
    """(drafts of the notes that need a translation, ids of notes on which the model failed, to be tried again).

    `every` is for languages in Latin script, which cannot be told from English by their letters.
    """
    prompt = resources.files("etl").joinpath("translation_prompt.txt").read_text("utf-8")
    drafts: list[Translation] = []
    failed: list[str] = []
    for note in notes:
        if not (every or needs_translation(note.text)):
            continue
        messages = (Message(role="system", content=prompt), Message(role="user", content=note.text))
        try:
            reply = model.complete(messages, max_tokens=max(1024, 4 * len(note.text)), temperature=0.0, seed=seed)
        except ChatModelError:
            failed.append(note.note_id)
            continue
        if not reply.text.strip() or reply.finish_reason == "length":
            failed.append(note.note_id)
            continue
        drafts.append(_draft(note, reply.text.strip(), model.name))
    return drafts, failed


def _draft(note: Note, text: str, model: str) -> Translation:
    return Translation(
        note_id=note.note_id,
        case_id=note.case_id,
        category=note.category,
        original=note.text,
        draft=text,
        translation=text,
        model=model,
    )


def write_review(path: Path, translations: Iterable[Translation]) -> None:
    """Write the list for the reviewer (UTF-8 with a mark, so that spreadsheets show every script)."""
    output = io.StringIO()
    writer = csv.DictWriter(output, fieldnames=COLUMNS, lineterminator="\n")
    writer.writeheader()
    for entry in translations:
        writer.writerow({**entry.model_dump(), "reviewed": "yes" if entry.reviewed else ""})
    write_atomically(path, "\ufeff" + output.getvalue())


def read_review(path: Path) -> dict[str, Translation]:
    """The translations by note_id as they came back, reviewed or not.

    Raises UserError naming the line of: a note that stands twice, an empty translation, a review without a name, a
    `reviewed` that is neither yes nor empty, and a note of which the original was changed beyond its line ends.
    """
    found: dict[str, Translation] = {}
    with open_csv(path, required=COLUMNS) as rows:
        for number, row in enumerate(rows, start=1):
            cells = {name: row.get(name) or "" for name in COLUMNS}
            where = f"{path.name}, row {number}"
            reviewed = cells.pop("reviewed").strip().lower()
            if reviewed not in ("yes", "no", ""):
                raise UserError(f"{where}: reviewed must be yes, or empty.", "Correct the cell.")
            if cells["note_id"] in found:
                raise UserError(f"{where}: the note stands twice.", "Keep one row a note.")
            if not cells["translation"].strip():
                raise UserError(f"{where}: translation is empty.", "Write it, or delete the row to leave the note out.")
            if reviewed == "yes" and not cells["by"].strip():
                raise UserError(f"{where}: by is empty.", "Write who reviewed the translation.")
            found[cells["note_id"]] = Translation(**cells, reviewed=reviewed == "yes")
    return found


def reading_translations(
    extractor: Callable[[Note], NoteExtraction], translations: Mapping[str, Translation]
) -> Callable[[Note], NoteExtraction]:
    """An extractor that reads the reviewed translation in the place of a note in another language.

    Evidence then names the note "<note_id>:translation", and its spans count that text. Raises UserError for a note
    that needs a translation and has none that a person has reviewed.
    """

    def extract(note: Note) -> NoteExtraction:
        entry = translations.get(note.note_id)
        if entry is None and not needs_translation(note.text):
            return extractor(note)
        if entry is None or not entry.reviewed:
            state = "has not been translated" if entry is None else "was translated, but nobody has reviewed it"
            raise UserError(f"Note {note.note_id} {state}.", "Review the translation list (columns reviewed and by).")
        update = {"text": entry.translation, "note_id": f"{note.note_id}:translation"}
        return extractor(note.model_copy(update=update))

    return extract

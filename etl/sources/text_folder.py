"""A plain folder of text files, one patient each: `<name>.txt`. Annotation files beside them (brat) are not read."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from etl.caserecord import CaseRecord
from etl.notes.note import Note
from etl.sources.narrative import Document, cases_of
from etl.structured.account import Account
from etl.structured.draft import Extractor
from etl.tables.files import decode
from foundation.errors import UserError

SOURCE = "text"


def cases(
    folder: Path | str,
    extractor: Extractor | None = None,
    account: Account | None = None,
    source: str = SOURCE,
    category: str = "case report",
) -> Iterator[CaseRecord]:
    """One case for every .txt file of the folder and its subfolders, by name.

    `source` goes before the file's name in case ids. Raises UserError where there is no text file, or two of one name.
    """
    paths = text_files(Path(folder))
    documents = (Document(record_id=path.stem, text=read_text(path), category=category) for path in paths)
    return cases_of(source, "files", documents, extractor, account)


def notes(folder: Path | str, source: str = SOURCE, category: str = "case report") -> Iterator[Note]:
    """The same files as notes, with the ids that their cases give them; for translation and for checks."""
    for path in text_files(Path(folder)):
        name = f"{source}:{path.stem}"
        yield Note(note_id=name, case_id=name, category=category, text=read_text(path))


def text_files(folder: Path) -> list[Path]:
    """The text files in the order of their names."""
    paths = sorted(folder.rglob("*.txt"), key=lambda path: (path.stem, str(path))) if folder.is_dir() else []
    if not paths:
        raise UserError(f"{folder}: no .txt file there.", "Name the folder that holds one text file a patient.")
    for first, second in pairwise(paths):
        if first.stem == second.stem:
            raise UserError(
                f"Two text files are called {first.name}: in {first.parent} and in {second.parent}.",
                "Give every patient's file a name of its own.",
            )
    return paths


def read_text(path: Path) -> str:
    """The file's text, line endings as they are. UTF-8 or UTF-16 with its mark; a line that is neither is read as
    Windows-1252, so that mixed files lose nothing."""
    data = path.read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return "\n".join(decode(line)[0] for line in lines)

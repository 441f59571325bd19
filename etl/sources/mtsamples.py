"""MTSamples as csv files hold it: label, description (the note's title), text. Line breaks became commas there."""

from collections.abc import Iterator
from pathlib import Path

from etl.caserecord import CaseRecord
from etl.sources.narrative import Document, cases_of
from etl.sources.tabular_text import open_csv
from etl.structured.account import Account
from etl.structured.draft import Extractor

SOURCE = "mtsamples"
_TEXT_COLUMNS = ("text", "transcription")


def cases(
    path: Path | str,
    extractor: Extractor | None = None,
    account: Account | None = None,
    titled: str = "",
) -> Iterator[CaseRecord]:
    """One case a row, called by its row number; `titled` ("discharge summary") keeps rows whose title has the words.

    Raises UserError where the columns are not there.
    """
    return cases_of(SOURCE, "notes", _documents(Path(path), titled.lower()), extractor, account)


def _documents(path: Path, titled: str) -> Iterator[Document | str]:
    with open_csv(path, required=("description",), one_of=_TEXT_COLUMNS) as rows:
        for number, row in enumerate(rows, start=1):
            title = (row["description"] or "").strip()
            if titled and titled not in title.lower():
                yield "of another title than asked for"
                continue
            text = next((row[name] for name in _TEXT_COLUMNS if row.get(name)), "")
            yield Document(record_id=f"{number:04d}", text=text or "", category=title)

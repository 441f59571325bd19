"""What a load did, table by table."""

from collections.abc import Callable
from typing import Literal

from foundation.records import Frozen

Progress = Callable[[str, int, int], None]
"""Called with a table's name, how many tables are done, and how many there are."""


class TableLoad(Frozen):
    """One table: `rows_in` data rows of the file = `rows_out` rows in the database + `rows_rejected`.

    `state`: loaded now; kept from an earlier load of the same file; absent (no file); failed (`problem` says why).
    `missing_columns` are optional columns that the file lacks; `notes` are things worth knowing about the file.
    """

    table: str
    file: str = ""
    state: Literal["loaded", "kept", "absent", "failed"]
    rows_in: int = 0
    rows_out: int = 0
    rows_rejected: int = 0
    missing_columns: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    fix: str = ""


class LoadReport(Frozen):
    """One load of a folder into a database."""

    release: str
    tables: tuple[TableLoad, ...]

    def table(self, name: str) -> TableLoad:
        """The entry of a table; KeyError where the release has none of that name."""
        for entry in self.tables:
            if entry.table == name:
                return entry
        raise KeyError(name)

    @property
    def lines(self) -> tuple[str, ...]:
        """The report as text, one line a table."""
        return tuple(_line(entry) for entry in self.tables)


def _line(entry: TableLoad) -> str:
    if entry.state in ("absent", "failed"):
        return f"{entry.table}: {entry.state}{': ' + entry.problem if entry.problem else ''}"
    line = f"{entry.table}: {entry.state}, {entry.rows_in} in, {entry.rows_out} out, {entry.rows_rejected} rejected"
    if entry.missing_columns:
        line += f"; without {', '.join(entry.missing_columns)}"
    return "; ".join((line, *entry.notes))

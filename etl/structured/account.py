"""Where every row went: into a CaseRecord, or counted under the reason why not."""

from collections import Counter, defaultdict

from foundation.records import Frozen


class TableAccount(Frozen):
    """One table: `rows` read = `used` in CaseRecords + the sum of `rejected` by reason."""

    table: str
    rows: int
    used: int
    rejected: dict[str, int]

    @property
    def balanced(self) -> bool:
        """Whether every row is accounted for."""
        return self.rows == self.used + sum(self.rejected.values())


class ExtractionReport(Frozen):
    """What an extraction read and made. `notes_dropped` counts entities that the notes' words did not bear out."""

    source: str
    cases: int
    tables: tuple[TableAccount, ...]
    absent_tables: tuple[str, ...] = ()
    notes_read: int = 0
    notes_dropped: int = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """The report as text, one line a table."""
        lines = [f"{self.source}: {self.cases} cases, {self.notes_read} notes read"]
        for entry in self.tables:
            reasons = "".join(f"; {count} {reason}" for reason, count in sorted(entry.rejected.items()))
            lines.append(f"{entry.table}: {entry.rows} rows, {entry.used} used{reasons}")
        if self.absent_tables:
            lines.append(f"not in the source: {', '.join(self.absent_tables)}")
        return tuple(lines)


class Account:
    """Counts rows as an extraction goes; `report` gives the state so far."""

    def __init__(self, source: str = "") -> None:
        self.source = source
        self.cases = 0
        self.notes_read = 0
        self.notes_dropped = 0
        self.absent_tables: tuple[str, ...] = ()
        self._rows: Counter[str] = Counter()
        self._used: Counter[str] = Counter()
        self._rejected: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def rows(self, table: str, count: int) -> None:
        """So many rows of the table exist."""
        self._rows[table] += count

    def used(self, table: str, count: int = 1) -> None:
        """So many rows stand in a CaseRecord."""
        self._used[table] += count

    def rejected(self, table: str, reason: str, count: int = 1) -> None:
        """So many rows stand in no CaseRecord, for this reason."""
        if count:
            self._rejected[table][reason] += count

    def report(self) -> ExtractionReport:
        """The counts so far."""
        names = sorted({*self._rows, *self._used, *self._rejected})
        tables = tuple(
            TableAccount(
                table=name,
                rows=self._rows[name],
                used=self._used[name],
                rejected=dict(sorted(self._rejected[name].items())),
            )
            for name in names
        )
        return ExtractionReport(
            source=self.source,
            cases=self.cases,
            tables=tables,
            absent_tables=self.absent_tables,
            notes_read=self.notes_read,
            notes_dropped=self.notes_dropped,
        )

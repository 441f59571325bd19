"""All that is known about the evaluator on real consultations: scores, the hand check, the clinicians' checklists."""

from collections.abc import Iterator
from pathlib import Path

from evaluator.imported.checklists import ChecklistReport, against_checklists
from evaluator.imported.hand_check import Agreement, Precision, agreement, judged, precision, still_made
from evaluator.realworld import DialogueReport
from foundation.records import Frozen

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


class RealWorldProof(Frozen):
    """`hand_check` is the first sample, `second_sample` the later one; `today` is what the report's findings still
    include of the first."""

    report: DialogueReport
    hand_check: tuple[Precision, ...]
    second_sample: tuple[Precision, ...]
    today: tuple[Precision, ...]
    readings: Agreement
    checklists: ChecklistReport | None

    def tables(self) -> Iterator[Table]:
        """The report's tables, then how often findings were right, then the checklists."""
        yield from self.report.tables()
        if not self.hand_check:
            return
        now = {row.pattern: row for row in self.today}
        yield (
            f"Hand-checked findings: share that is right (two readings agree on {self.readings.equal.shown()})",
            ("pattern", "judged", "first reading", "second reading", "still made", "right of these"),
            [_precision_row(row, now.get(row.pattern)) for row in self.hand_check],
        )
        if self.second_sample:
            yield (
                "Second sample, after faults were mended (one reading)",
                ("pattern", "judged", "right"),
                [(row.pattern, str(row.judged), row.first.shown()) for row in self.second_sample],
            )
        if self.checklists is not None:
            yield (
                "Share of checklist items that were not elicited, against the coverage score (Spearman)",
                ("items", "rho", "consultations"),
                [
                    ("all", self.checklists.all_items.shown(), str(self.checklists.all_items.n)),
                    ("critical", self.checklists.critical_items.shown(), str(self.checklists.critical_items.n)),
                ],
            )


def _precision_row(row: Precision, now: Precision | None) -> tuple[str, ...]:
    left = (str(now.judged), now.first.shown()) if now else ("0", "n/a")
    return (row.pattern, str(row.judged), row.first.shown(), row.second.shown(), *left)


def prove(folder: Path, report: DialogueReport) -> RealWorldProof:
    """The proof of a report over the dialogues in `folder`, with the hand-checked findings of those alone."""
    names = {one.dialogue_id for one in report.dialogues}
    rows = [row for row in judged() if row.dialogue_id in names and row.round == 1]
    later = [row for row in judged() if row.dialogue_id in names and row.round == 2]
    made = still_made(rows, [(one.dialogue_id, f) for one in report.dialogues for f in one.scorecard.findings])
    return RealWorldProof(
        report=report,
        hand_check=precision(rows) if rows else (),
        second_sample=precision(later) if later else (),
        today=precision(made) if made else (),
        readings=agreement(rows),
        checklists=against_checklists(folder, report.dialogues),
    )

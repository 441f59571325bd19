"""CaseRecords into the graph: batches, idempotent, safe with other writers, one whole case or none of it."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from etl.caserecord import CaseRecord
from foundation.records import Frozen
from kg.keys import distinct
from kg.queries import build as queries
from kg.queries.definition import CONSTRAINTS
from kg.rows import Rows
from kg.store import GraphStore, Reader, Row, Transaction

BATCH_ENTRIES = 2000
"""Mentions, diagnoses and medications of one transaction, so that its memory does not follow the cohort's size."""
Checked = tuple[CaseRecord, str]


class BuildReport(Frozen):
    """What a build did. Nodes and relationships are those of the written cases, shared nodes counted once.

    `withheld` counts mentions of the written cases that would have named a diagnosis to the patient (`kg.known`).
    """

    cases: int = 0
    written: int = 0
    unchanged: int = 0
    nodes: int = 0
    relationships: int = 0
    withheld: int = 0
    seconds: float = 0.0

    @property
    def nodes_per_second(self) -> float:
        """Load rate over the whole build, 0 where nothing was written."""
        return self.nodes / self.seconds if self.seconds else 0.0


def build(store: GraphStore, cases: Iterable[CaseRecord], progress: Callable[[int], None] | None = None) -> BuildReport:
    """Write the cases; those whose content is already there are left alone, changed ones are replaced.

    `progress` is told the number of cases done so far. Cases that are in the graph but not among `cases` stay.
    Raises UserError, naming case and field, on a key that is null, odd or used twice.
    """
    start = time.perf_counter()
    create_schema(store)
    tally = _Tally()
    for batch in _batches(distinct(cases)):
        rows, unchanged = store.write(partial(_write, batch=batch))
        tally.add(rows, len(batch), unchanged)
        if progress is not None:
            progress(tally.cases)
    return tally.report(time.perf_counter() - start)


class _Tally:
    """What the batches so far have written."""

    def __init__(self) -> None:
        self.cases = self.unchanged = self.own_nodes = self.relationships = self.withheld = 0
        self.shared: set[tuple[str, str]] = set()

    def add(self, rows: Rows, cases: int, unchanged: int) -> None:
        self.cases += cases
        self.unchanged += unchanged
        self.own_nodes += rows.count_own_nodes()
        self.relationships += rows.count_relationships()
        self.withheld += rows.withheld
        self.shared |= rows.shared_keys()

    def report(self, seconds: float) -> BuildReport:
        return BuildReport(
            cases=self.cases,
            written=self.cases - self.unchanged,
            unchanged=self.unchanged,
            nodes=self.own_nodes + len(self.shared),
            relationships=self.relationships,
            withheld=self.withheld,
            seconds=seconds,
        )


def create_schema(store: GraphStore) -> None:
    """Make every constraint that is not there yet, once a store; each in a transaction of its own, as Neo4j wants."""
    if not store.has_schema:
        for statement in CONSTRAINTS:
            store.write(_statement(statement))
        store.has_schema = True


def _statement(cypher: str) -> Callable[[Transaction], list[Row]]:
    return lambda transaction: transaction.run(cypher)


def _write(transaction: Transaction, batch: Sequence[Checked]) -> tuple[Rows, int]:
    """Write a batch's new and changed cases; returns their rows and the number of unchanged ones."""
    found = transaction.run(queries.DIGESTS, case_ids=[case.case_id for case, _ in batch])
    known = {row["case_id"]: row["digest"] for row in found}
    pending = [(case, digest) for case, digest in batch if known.get(case.case_id) != digest]
    changed = [case.case_id for case, _ in pending if case.case_id in known]
    if changed:
        for statement in queries.CLEAR_CASES:
            transaction.run(statement, case_ids=changed)
    rows = Rows()
    for case, digest in pending:
        rows.add(case, digest)
    if pending:
        _write_rows(transaction, rows)
    return rows, len(batch) - len(pending)


def _write_rows(transaction: Transaction, rows: Rows) -> None:
    # Shared nodes first and in key order, so that concurrent writers meet on them in the same order.
    transaction.run(queries.PATIENTS, rows=[rows.patients[key] for key in sorted(rows.patients)])
    transaction.run(queries.CONCEPTS, rows=[{"key": key} for key in sorted(rows.concepts)])
    transaction.run(queries.ADMISSIONS, rows=rows.admissions)
    transaction.run(queries.PATIENT_SUMMARY, keys=sorted(rows.patients))
    transaction.run(queries.FAMILY_MEMBERS, rows=list(rows.members.values()))
    for (label, relationship), entries in rows.on_admission.items():
        transaction.run(queries.nodes_of_admissions(label, relationship), rows=entries)
    for (parent, label, relationship), entries in rows.on_node.items():
        transaction.run(queries.nodes_of_nodes(parent, label, relationship), rows=entries)


def _batches(cases: Iterable[Checked]) -> Iterator[list[Checked]]:
    batch: list[Checked] = []
    entries = 0
    for case, digest in cases:
        batch.append((case, digest))
        entries += 1 + len(case.mentions) + len(case.diagnoses) + len(case.medications)
        if entries >= BATCH_ENTRIES:
            yield batch
            batch, entries = [], 0
    if batch:
        yield batch


def case_digests(store: Reader, case_ids: Sequence[str]) -> dict[str, str]:
    """The digests of the records that the graph holds under these case ids; absent ones are left out."""
    return {row["case_id"]: row["digest"] for row in store.read(queries.DIGESTS, case_ids=list(case_ids))}

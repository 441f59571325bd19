"""Batches of a build: cases whose rows are ready, and the transaction that writes them, whole cases or none."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from etl.caserecord import CaseRecord
from kg.queries import build as queries
from kg.rows import Rows
from kg.store import Reader, Row, Transaction

BATCH_ENTRIES = 2000
"""Mentions, diagnoses and medications of one transaction, so that its memory does not follow the cohort's size."""
Checked = tuple[CaseRecord, str]


@dataclass(frozen=True)
class Prepared:
    """A batch on its way: how many cases it has, those that the graph did not hold alike, and the rows of these."""

    size: int
    pending: Sequence[Checked]
    rows: Rows


@dataclass(frozen=True)
class Written:
    """What one transaction did with a batch of `size` cases."""

    size: int
    unchanged: int
    rows: Rows


def prepare(store: Reader, batch: Sequence[Checked]) -> Prepared:
    """Leave out what the graph holds alike now, and make the rows of the rest."""
    pending = _unlike(batch, case_digests(store, [case.case_id for case, _ in batch]))
    return Prepared(len(batch), pending, _rows(pending))


def write(transaction: Transaction, batch: Prepared) -> Written:
    """Write a batch's new and changed cases, less those that another writer has written alike in the meantime."""
    known = _digests(transaction.run, [case.case_id for case, _ in batch.pending])
    pending = _unlike(batch.pending, known)
    changed = [case.case_id for case, _ in pending if case.case_id in known]
    if changed:
        for statement in queries.CLEAR_CASES:
            transaction.run(statement, case_ids=changed)
    rows = batch.rows if len(pending) == len(batch.pending) else _rows(pending)
    if pending:
        _write_rows(transaction, rows)
    return Written(batch.size, batch.size - len(pending), rows)


def _unlike(cases: Sequence[Checked], known: Mapping[str, str]) -> list[Checked]:
    return [(case, digest) for case, digest in cases if known.get(case.case_id) != digest]


def _rows(cases: Sequence[Checked]) -> Rows:
    rows = Rows()
    for case, digest in cases:
        rows.add(case, digest)
    return rows


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


def batches(cases: Iterable[Checked]) -> Iterator[list[Checked]]:
    """The cases in their order, in lists of about `BATCH_ENTRIES` entries; no case is divided."""
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
    return _digests(store.read, case_ids)


def _digests(ask: Callable[..., list[Row]], case_ids: Sequence[str]) -> dict[str, str]:
    return {row["case_id"]: row["digest"] for row in ask(queries.DIGESTS, case_ids=list(case_ids))}

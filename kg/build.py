"""CaseRecords into the graph: batches, idempotent, safe with other writers, one whole case or none of it."""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from etl.caserecord import CaseRecord
from foundation.records import Frozen
from kg.batches import Written, batches, case_digests, prepare, write
from kg.keys import distinct
from kg.queries.definition import CONSTRAINTS
from kg.store import GraphStore

__all__ = ["BuildReport", "build", "case_digests", "create_schema"]


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
    tally = _Tally()
    for written in _written(store, cases):
        tally.add(written)
        if progress is not None:
            progress(tally.cases)
    return tally.report(time.perf_counter() - start)


def _written(store: GraphStore, cases: Iterable[CaseRecord]) -> Iterator[Written]:
    """Write batch after batch in their order. While the server works on one, this thread prepares the next.

    At most two batches are in memory. An error of either side is raised once the batch on its way is through.
    """
    with ThreadPoolExecutor(1, "graph-writer") as writer:
        schema = writer.submit(create_schema, store)
        on_its_way: Future[Written] | None = None
        for batch in batches(distinct(cases)):
            prepared = prepare(store, batch)
            schema.result()
            if on_its_way is not None:
                yield on_its_way.result()
            on_its_way = writer.submit(store.write, partial(write, batch=prepared))
        schema.result()
        if on_its_way is not None:
            yield on_its_way.result()


class _Tally:
    """What the batches so far have written."""

    def __init__(self) -> None:
        self.cases = self.unchanged = self.own_nodes = self.relationships = self.withheld = 0
        self.shared: set[tuple[str, str]] = set()

    def add(self, written: Written) -> None:
        rows = written.rows
        self.cases += written.size
        self.unchanged += written.unchanged
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
    """Make every constraint that is not there yet, once a store, in a transaction that holds nothing else."""
    if not store.has_schema:
        store.write(lambda transaction: [transaction.run(statement) for statement in CONSTRAINTS])
        store.has_schema = True

"""A build in batches: the next is prepared while one is written, and what others write in between is respected."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from etl.caserecord import CaseRecord
from foundation.errors import UserError
from kg import batches
from kg.answer_key import case_ids
from kg.build import build
from kg.keys import distinct
from kg.store import GraphStore, Result, Transaction
from tests.kg.samples import plain_case, rich_case, whole_graph

MENTIONS = 19
IN_A_BATCH = 3


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_ENTRIES", IN_A_BATCH * (1 + MENTIONS))


class _Pulled:
    """Cases that count how many of them have been asked for."""

    def __init__(self, cases: list[CaseRecord]) -> None:
        self.cases = cases
        self.count = 0

    def __iter__(self) -> Iterator[CaseRecord]:
        for case in self.cases:
            self.count += 1
            yield case


def test_one_batch_is_prepared_ahead_and_no_more(embedded: GraphStore) -> None:
    pulled = _Pulled([plain_case(number, MENTIONS) for number in range(IN_A_BATCH * 4)])
    done: list[tuple[int, int]] = []
    report = build(embedded, pulled, lambda cases: done.append((cases, pulled.count)))
    assert report.written == 12
    assert [cases for cases, _ in done] == [3, 6, 9, 12]
    assert [ahead for _, ahead in done] == [6, 9, 12, 12]


def test_what_another_writer_wrote_in_between_is_left_alone(store: GraphStore) -> None:
    cases = [rich_case(f"test:{number}", str(number)) for number in range(3)]
    build(store, cases)
    expected = whole_graph(store)
    store.write(lambda work: work.run("MATCH (n) DETACH DELETE n"))
    prepared = batches.prepare(store, list(distinct(cases)))
    build(store, cases[:1])
    written = store.write(partial(batches.write, batch=prepared))
    assert (written.size, written.unchanged, len(written.rows.admissions)) == (3, 1, 2)
    assert whole_graph(store) == expected


def test_changed_in_between_is_replaced(store: GraphStore) -> None:
    case = rich_case()
    prepared = batches.prepare(store, list(distinct([case])))
    build(store, [case.model_copy(update={"chief_complaint": "fever", "mentions": case.mentions[:1]})])
    store.write(partial(batches.write, batch=prepared))
    after = whole_graph(store)
    store.write(lambda work: work.run("MATCH (n) DETACH DELETE n"))
    build(store, [case])
    assert after == whole_graph(store)


def test_a_case_that_is_refused_ends_the_build_after_the_batch_on_its_way(embedded: GraphStore) -> None:
    good = [plain_case(number, MENTIONS) for number in range(IN_A_BATCH + 1)]
    bad = plain_case(99).model_copy(update={"hadm_id": None})
    with pytest.raises(UserError, match="hadm_id"):
        build(embedded, itertools.chain(good, [bad]))
    assert set(case_ids(embedded)) == {case.case_id for case in good[:IN_A_BATCH]}


def test_a_write_that_fails_ends_the_build(embedded: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(work: Callable[[Transaction], Result]) -> Result:
        raise UserError("the disk is full", "make room")

    monkeypatch.setattr(embedded, "write", failing)
    pulled = _Pulled([plain_case(number, MENTIONS) for number in range(IN_A_BATCH * 4)])
    with pytest.raises(UserError, match="disk is full"):
        build(embedded, pulled)
    assert pulled.count <= IN_A_BATCH * 2
    monkeypatch.undo()
    assert case_ids(embedded) == ()

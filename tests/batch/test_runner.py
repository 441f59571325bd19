"""The runner against work that fails on purpose (a stand-in for the clinic, and it says so)."""

import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from batch.consultations import Consultation, State
from batch.runner import Runner
from batch.store import RunStore, open_store
from chatmodels.interface import ChatModelError, Usage
from evaluator.findings import Scorecard
from simulator.consultation.transcript import Participant, TerminationReason, Transcript


class FailingClinic:
    """A stand-in: transcripts are empty; `judge_fails` and `provider_fails` name consultations that fail once."""

    def __init__(self, judge_fails: set[str] = frozenset(), provider_fails: set[str] = frozenset()) -> None:  # type: ignore[assignment]
        self.judge_fails, self.provider_fails = set(judge_fails), set(provider_fails)
        self.held: list[str] = []

    def transcript(self, item: Consultation) -> Transcript:
        self.held.append(item.case_id)
        failed = item.case_id in self.provider_fails
        self.provider_fails.discard(item.case_id)
        someone = Participant(kind="checklist", name=item.doctor)
        return Transcript(
            case_id=item.case_id,
            protocol="p",
            seed=item.seed,
            doctor=someone,
            patient=someone,
            opening="",
            termination=TerminationReason.INFRASTRUCTURE_ERROR if failed else TerminationReason.CONCLUDED,
            plan_usage=Usage(calls=1, cost_usd=1.0),
        )

    def scorecard(self, transcript: Transcript) -> Scorecard:
        if transcript.case_id in self.judge_fails:
            self.judge_fails.discard(transcript.case_id)
            raise ChatModelError("the judge is away")
        return Scorecard(case_id=transcript.case_id, doctor="d", rubric_version="r", evaluator="e")


@pytest.fixture
def items() -> list[Consultation]:
    return [Consultation(key=f"c{i}", case_id=f"c{i}", doctor="d", seed=i, persona="p") for i in range(6)]


@pytest.fixture
def store(tmp_path: Path, items: list[Consultation]) -> RunStore:
    store = open_store(tmp_path / "runs.sqlite")
    store.register("r", "f", {}, {})
    store.plan("r", items)
    return store


def test_a_judge_that_fails_costs_no_consultation(store: RunStore, items: list[Consultation]) -> None:
    clinic = FailingClinic(judge_fails={"c2", "c4"})
    first = Runner(store, "r", clinic, workers=2).run(items)
    assert (first.done_now, first.failed) == (4, 2)
    second = Runner(store, "r", clinic, workers=2).run(items)
    assert (second.done_now, second.done_before, second.failed, second.left) == (2, 4, 0, 0)
    assert sorted(clinic.held) == sorted(item.case_id for item in items), "no consultation was held twice"


def test_a_provider_that_fails_is_run_again_and_never_scored(store: RunStore, items: list[Consultation]) -> None:
    clinic = FailingClinic(provider_fails={"c1"})
    assert Runner(store, "r", clinic, workers=1).run(items).failed == 1
    assert store.states("r") == {State.DONE: 5, State.FAILED: 1}
    assert Runner(store, "r", clinic, workers=1).run(items).done_now == 1
    assert clinic.held.count("c1") == 2


def test_a_budget_stops_the_run_and_its_sum_goes_on(store: RunStore, items: list[Consultation]) -> None:
    first = Runner(store, "r", FailingClinic(), workers=1, budget_usd=2.5).run(items)
    assert (first.done_now, first.left, first.stopped_by, first.known_cost_usd) == (3, 3, "budget", 3.0)
    second = Runner(store, "r", FailingClinic(), workers=1, budget_usd=3.0).run(items)
    assert (second.done_now, second.stopped_by) == (0, "budget")
    third = Runner(store, "r", FailingClinic(), workers=1).run(items)
    assert (third.done_now, third.known_cost_usd) == (3, 6.0)


def test_what_another_living_process_holds_is_not_left(store: RunStore, items: list[Consultation]) -> None:
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        begun = psutil.Process(other.pid).create_time()
        store.claim("r", "c1", f"{socket.gethostname()}|{other.pid}|{begun:.3f}")
        beside = Runner(store, "r", FailingClinic(), workers=2).run(items)
        assert (beside.done_now, beside.failed, beside.left, beside.elsewhere) == (5, 0, 0, 1)
    finally:
        other.kill()
        other.wait()
    alone = Runner(store, "r", FailingClinic(), workers=2).run(items)
    assert (alone.done_now, alone.left, alone.elsewhere) == (1, 0, 0)


def test_what_a_process_held_that_died_meanwhile_is_left(store: RunStore, items: list[Consultation]) -> None:
    class DyingNeighbour(FailingClinic):
        def transcript(self, item: Consultation) -> Transcript:
            if item.key == "c0":
                store.claim("r", "c5", f"{socket.gethostname()}|{2**22 + 1}|0.000")
            return super().transcript(item)

    summary = Runner(store, "r", DyingNeighbour(), workers=1).run(items)
    assert (summary.done_now, summary.left, summary.elsewhere) == (5, 1, 0)


def test_an_error_of_ours_is_raised_and_the_consultation_given_back(
    store: RunStore, items: list[Consultation], monkeypatch: pytest.MonkeyPatch
) -> None:
    clinic = FailingClinic()
    monkeypatch.setattr(clinic, "scorecard", lambda transcript: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Runner(store, "r", clinic, workers=2).run(items)
    assert set(store.states("r")) == {State.PENDING}


def test_a_full_disk_loses_the_consultation_in_flight_and_no_other(
    store: RunStore, items: list[Consultation], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlalchemy.exc import OperationalError

    finish = store.finish

    def full(run: str, key: str, **values: object) -> None:
        if key == "c3":
            raise OperationalError("insert", {}, Exception("database or disk is full"))
        finish(run, key, **values)

    monkeypatch.setattr(store, "finish", full)
    with pytest.raises(OperationalError):
        Runner(store, "r", FailingClinic(), workers=1).run(items)
    monkeypatch.undo()
    assert store.states("r")[State.DONE] == 3
    assert Runner(store, "r", FailingClinic(), workers=1).run(items).done_now == 3

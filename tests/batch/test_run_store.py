"""Claims, resume and drift of the run store, with real SQLite and real processes."""

import json
import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

from batch.consultations import Consultation, State
from batch.ownership import is_alive, take_up_orphans, this_process
from batch.store import RunStore, open_store
from foundation.errors import UserError


def _planned(count: int) -> list[Consultation]:
    return [Consultation(key=f"c{i}", case_id=f"c{i}", doctor="d", seed=i, persona="p") for i in range(count)]


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    store = open_store(tmp_path / "runs.sqlite")
    store.register("r", "f" * 64, {"seeds": [0]}, {"version": "1"})
    store.plan("r", _planned(40))
    return store


def test_planning_twice_adds_nothing(store: RunStore) -> None:
    store.plan("r", _planned(40))
    assert len(store.rows("r")) == 40


def test_drift_is_refused_with_the_difference(store: RunStore) -> None:
    assert store.register("r", "f" * 64, {"seeds": [0]}, {"version": "1"})
    with pytest.raises(UserError, match=r"seeds: \[0\] → \[1\]"):
        store.register("r", "e" * 64, {"seeds": [1]}, {"version": "1"})


def _claim_all(path: Path, owner: str, claimed: "multiprocessing.Queue[list[str]]") -> None:
    store = open_store(path)
    claimed.put([row["key"] for row in store.rows("r") if store.claim("r", row["key"], owner)])


def test_two_processes_never_claim_one_consultation(store: RunStore, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    claimed: multiprocessing.Queue[list[str]] = context.Queue()
    workers = [context.Process(target=_claim_all, args=(tmp_path / "runs.sqlite", n, claimed)) for n in "ab"]
    for worker in workers:
        worker.start()
    keys = claimed.get(timeout=60) + claimed.get(timeout=60)
    for worker in workers:
        worker.join()
    assert sorted(keys) == sorted(f"c{i}" for i in range(40))


def test_only_the_dead_lose_their_claims(store: RunStore) -> None:
    gone = subprocess.run(
        [sys.executable, "-c", "from batch.ownership import this_process; print(this_process())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert is_alive(this_process()) and not is_alive(gone)
    store.claim("r", "c0", gone)
    store.claim("r", "c1", this_process())
    store.claim("r", "c2", "another-host|1|0.000")
    store.release("r", "c3", State.FAILED)
    assert take_up_orphans(store, "r") == 2
    states = {row["key"]: row["state"] for row in store.rows("r")}
    assert (states["c0"], states["c1"], states["c2"], states["c3"]) == ("pending", "running", "running", "pending")


def test_revision_grows_with_scorecards(store: RunStore) -> None:
    before = store.revision("r")
    store.finish("r", "c0", transcript="{}", scorecard=json.dumps({}))
    store.rescore("r", "c0", "{}")
    assert store.revision("r") == before + 2
    assert store.states("r") == {"done": 1, "pending": 39}


def test_unknown_run_names_those_there_are(store: RunStore) -> None:
    with pytest.raises(UserError, match="choose one of: r"):
        store.run("other")

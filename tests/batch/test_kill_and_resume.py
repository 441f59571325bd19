"""kill -9 in the middle of a real run: the same command goes on, repeats nothing, and ends with the same bytes."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Command

EXPERIMENT = """
name: {name}
cohort: {home}/cohorts/sample.jsonl
doctors: [checklist, statistical]
personas: [cooperative, confused]
seeds: [0, 1]
workers: 1
"""


def _rows(home: Path, run: str, columns: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(home / "runs.sqlite") as store:
        return store.execute(f"select {columns} from consultations where run = ? order by key", (run,)).fetchall()


def _start(home: Path, file: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", "from anamnesis.cli import main; main()", "run", str(file)]
    environment = os.environ | {"ANAMNESIS_HOME": str(home)}
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)


def _wait_for(home: Path, run: str, done: int) -> None:
    for _ in range(600):
        time.sleep(0.1)
        try:
            if sum(state == "done" for (state,) in _rows(home, run, "state")) >= done:
                return
        except sqlite3.OperationalError:
            continue
    pytest.fail("the run did not get going")


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_run_goes_on_after(end: signal.Signals, demo_home: Path, tmp_path: Path, anamnesis: Command) -> None:
    whole, broken = tmp_path / "whole.yaml", tmp_path / "broken.yaml"
    names = f"whole-{end.name}", f"broken-{end.name}"
    whole.write_text(EXPERIMENT.format(name=names[0], home=demo_home), "utf-8")
    broken.write_text(EXPERIMENT.format(name=names[1], home=demo_home), "utf-8")
    process = _start(demo_home, broken)
    _wait_for(demo_home, names[1], 4)
    process.send_signal(end)
    code = process.wait(timeout=60)
    assert code == (130 if end is signal.SIGINT else -signal.SIGKILL)
    kept = {
        key: attempts for key, attempts, state in _rows(demo_home, names[1], "key, attempts, state") if state == "done"
    }
    assert 4 <= len(kept) < len(_rows(demo_home, names[1], "key"))
    anamnesis("run", str(broken), home=demo_home)
    anamnesis("run", str(whole), home=demo_home)
    after = dict(_rows(demo_home, names[1], "key, attempts"))
    assert all(after[key] == attempts for key, attempts in kept.items())
    content = "key, transcript, scorecard"
    assert _rows(demo_home, names[1], content) == _rows(demo_home, names[0], content)


@pytest.mark.slow
def test_two_processes_share_one_run(demo_home: Path, tmp_path: Path) -> None:
    file = tmp_path / "two.yaml"
    file.write_text(EXPERIMENT.format(name="two", home=demo_home), "utf-8")
    both = [_start(demo_home, file) for _ in range(2)]
    codes = [process.wait(timeout=200) for process in both]
    rows = _rows(demo_home, "two", "state, attempts")
    assert set(rows) == {("done", 1)} and 0 in codes


def test_other_settings_under_the_same_name_are_refused(demo_home: Path, tmp_path: Path, anamnesis: Command) -> None:
    file = tmp_path / "drift.yaml"
    text = EXPERIMENT.format(name="drift", home=demo_home).replace("seeds: [0, 1]", "seeds: [0]\ncases: 1")
    file.write_text(text, "utf-8")
    anamnesis("run", str(file), home=demo_home)
    file.write_text(text.replace("cases: 1", "cases: 2"), "utf-8")
    done = anamnesis("run", str(file), home=demo_home, check=False)
    assert done.returncode == 2 and "cases: 1 → 2" in done.stderr

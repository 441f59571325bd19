"""The demonstration: every stage on the sample cohort, each reused where it is done already."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import psutil
from filelock import FileLock, Timeout

from anamnesis import __version__
from anamnesis.console import counted, progress, say
from anamnesis.running import run_experiment, write_report
from anamnesis.workspace import Workspace
from batch.experiment import Experiment
from batch.store import open_store
from batch.summary import DoctorSummary, results, summarise
from etl.cases import write_cases
from etl.notes.pipeline import NotePipeline
from etl.sources import extract_cases
from etl.synthetic import generate
from etl.tables import load
from foundation.errors import UserError
from foundation.files import write_atomically
from foundation.records import Frozen
from simulator.doctors.registry import doctor_spec

T = TypeVar("T")


class Finished(Frozen):
    """What the demonstration made. `seconds` and `peak_mib` are by stage; reused stages take next to nothing."""

    run: str
    report: Path
    summaries: tuple[DoctorSummary, ...]
    seconds: dict[str, float]
    peak_mib: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return self.model_dump(mode="json")


class Demo:
    """One demonstration in a workspace; the same arguments give the same bytes, and a second run reuses the first."""

    def __init__(self, place: Workspace, *, patients: int, cases: int, seed: int, workers: int) -> None:
        self._place, self._patients, self._cases, self._seed, self._workers = place, patients, cases, seed, workers
        self._admissions = patients + max(1, patients // 12)
        self._folder = place.home / "sample"
        self._seconds: dict[str, float] = {}
        self._peak: dict[str, float] = {}

    def run(self) -> Finished:
        """All stages in order; a second demonstration in the same workspace waits for the first."""
        lock = FileLock(self._place.home / "demo.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            say("another demonstration works in this workspace; waiting for it …")
            lock.acquire()
        try:
            return self._stages()
        finally:
            lock.release()

    def _stages(self) -> Finished:
        self._stage("sample tables", self._folder / "PATIENTS.csv", self._write_sample)
        self._stage("database", self._place.database("sample"), self._load)
        self._stage("case records", self._place.cohort("sample"), self._extract)
        experiment = self._experiment()
        summary = self._timed("consultations and scores", lambda: run_experiment(experiment, self._place))
        if undone := summary.failed + summary.left + summary.elsewhere:
            raise UserError(f"{undone} consultations are undone", "run the same command again")
        report = self._timed("report", lambda: write_report(experiment.name, self._place))
        found = summarise(results(open_store(self._place.runs), experiment.name))
        return Finished(
            run=experiment.name,
            report=report,
            summaries=tuple(found),
            seconds=self._seconds,
            peak_mib=self._peak,
        )

    def _experiment(self) -> Experiment:
        plain = (self._patients, self._cases, self._seed) == (60, 24, 0)
        return Experiment(
            name="demo" if plain else f"demo-{self._patients}-{self._cases}-{self._seed}",
            cohort=self._place.cohort("sample"),
            doctors=(doctor_spec("checklist"), doctor_spec("statistical")),
            personas=("cooperative", "anxious", "terse", "stoic", "skeptical", "confused"),
            seeds=(self._seed,),
            cases=self._cases,
            workers=self._workers,
        )

    def _stage(self, name: str, product: Path, make: Callable[[], None]) -> None:
        """Make `product` unless it stands there, made by the same version with the same arguments."""
        marker = product.with_name(product.name + ".made")
        wanted = json.dumps([__version__, self._patients, self._admissions, self._seed])
        if product.exists() and marker.exists() and marker.read_text("utf-8") == wanted:
            self._seconds[name] = 0.0
            say(f"{name}: reused")
            return
        marker.unlink(missing_ok=True)
        self._timed(name, make)
        write_atomically(marker, wanted)

    def _timed(self, name: str, make: Callable[[], T]) -> T:
        started = time.perf_counter()
        result = make()
        self._seconds[name] = round(time.perf_counter() - started, 2)
        self._peak[name] = round(psutil.Process().memory_info().rss / 2**20, 1)
        return result

    def _write_sample(self) -> None:
        generate(self._folder, patients=self._patients, admissions=self._admissions, seed=self._seed)

    def _load(self) -> None:
        target = self._place.database("sample")
        target.parent.mkdir(parents=True, exist_ok=True)
        with progress("tables", None) as step:
            load(self._folder, target, "mimic3", lambda _, done, total: step(done))

    def _extract(self) -> None:
        with progress("case records", self._admissions) as step:
            found = extract_cases("mimic3", self._place.database("sample"), NotePipeline().extract, prefix="sample")
            write_cases(self._place.cohort("sample"), counted(found, step))

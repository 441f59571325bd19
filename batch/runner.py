"""Runs an experiment: concurrent consultations, each stored whole the moment that it is scored."""

import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Protocol

from sqlalchemy.exc import SQLAlchemyError

from batch.consultations import Consultation, State, planned, selected
from batch.experiment import Experiment
from batch.ownership import is_alive, take_up_orphans, this_process
from batch.store import RunStore
from chatmodels.interface import ChatModelError
from chatmodels.usage import total
from etl.caserecord import CaseRecord
from evaluator.findings import Scorecard
from foundation.records import Frozen
from kg.keys import GRAPH_VERSION, checked
from simulator.consultation.transcript import TerminationReason, Transcript

log = logging.getLogger(__name__)


class Work(Protocol):
    """What is done for one consultation: hold it, then score it."""

    def transcript(self, item: Consultation) -> Transcript:
        """Hold the consultation."""
        ...

    def scorecard(self, transcript: Transcript) -> Scorecard:
        """Score it. Raises ChatModelError where a judge fails."""
        ...


RERUN = frozenset(
    {TerminationReason.INFRASTRUCTURE_ERROR, TerminationReason.PATIENT_ERROR, TerminationReason.CANCELLED}
)


class RunSummary(Frozen):
    """What a call of `run` did: consultations done now, done before, failed by infrastructure, and left undone.

    `elsewhere` counts those that another living process holds and goes on with; they are not among `left`.
    """

    run: str
    done_now: int
    done_before: int
    failed: int
    left: int
    elsewhere: int = 0
    known_cost_usd: float
    stopped_by: str = ""


class Runner:
    """One process's share of a run. Several may work on one run at once: consultations are claimed one by one."""

    def __init__(self, store: RunStore, run: str, work: Work, *, workers: int, budget_usd: float | None = None) -> None:
        self._store, self._run, self._work = store, run, work
        self._workers, self._budget = workers, budget_usd
        self._owner = this_process()
        self._stop = threading.Event()
        self._spent = 0.0

    def run(self, items: Sequence[Consultation], on_done: Callable[[], None] = lambda: None) -> RunSummary:
        """Work through `items` that are pending; Ctrl-C gives back what is in flight and passes on."""
        take_up_orphans(self._store, self._run)
        before = self._store.rows(self._run, State.DONE)
        self._spent = sum(row["cost_usd"] or 0.0 for row in before)
        pending = {row["key"] for row in self._store.rows(self._run, State.PENDING)}
        queue = iter([item for item in items if item.key in pending])
        outcomes: list[State] = []
        with ThreadPoolExecutor(self._workers, thread_name_prefix="consultation") as pool:
            try:
                for outcome in self._results(pool, queue):
                    outcomes.append(outcome)
                    on_done()
            except BaseException:
                self._stop.set()
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        return self._summary(len(before), outcomes)

    def _results(self, pool: ThreadPoolExecutor, queue: Iterator[Consultation]) -> Iterator[State]:
        """Keep as many in flight as there are workers, so that a stop loses no more than these."""
        flying: set[Future[State | None]] = set()
        while True:
            while len(flying) < self._workers and not self._broke():
                item = next(queue, None)
                if item is None:
                    break
                flying.add(pool.submit(self._one, item))
            if not flying:
                return
            landed, flying = wait(flying, return_when=FIRST_COMPLETED)
            for future in landed:
                state = future.result()
                if state is not None:
                    yield state

    def _broke(self) -> bool:
        return self._stop.is_set() or (self._budget is not None and self._spent >= self._budget)

    def _one(self, item: Consultation) -> State | None:
        """Claim, consult, score, store. None where another process had claimed it."""
        if not self._store.claim(self._run, item.key, self._owner):
            return None
        try:
            held = self._store.transcript(self._run, item.key)
            transcript = Transcript.model_validate_json(held) if held else self._work.transcript(item)
            if self._stop.is_set():
                return self._give_back(item, State.PENDING, "cancelled")
            if transcript.termination in RERUN:
                return self._give_back(item, State.FAILED, transcript.termination.value)
            self._keep_transcript(item, transcript)
            self._keep(item, transcript, self._work.scorecard(transcript))
        except ChatModelError as error:
            return self._give_back(item, State.FAILED, f"judge: {type(error).__name__}")
        except BaseException:
            with suppress(SQLAlchemyError):
                self._store.release(self._run, item.key)
            raise
        return State.DONE

    def _give_back(self, item: Consultation, state: State, why: str) -> State:
        self._store.release(self._run, item.key, state)
        log.warning("%s: %s", item.key, why)
        return state

    def _keep_transcript(self, item: Consultation, transcript: Transcript) -> None:
        """Keep what was paid for before the judges speak: where they fail, only they are asked again."""
        self._store.hold(self._run, item.key, transcript.canonical_json())

    def _keep(self, item: Consultation, transcript: Transcript, scorecard: Scorecard) -> None:
        usage = total(
            [*(u for t in transcript.turns for u in (t.doctor_usage, t.patient.usage)), transcript.plan_usage]
        )
        self._spent += usage.cost_usd or 0.0
        self._store.finish(
            self._run,
            item.key,
            transcript=transcript.canonical_json(),
            scorecard=scorecard.model_dump_json(),
            timing=json.dumps(timing(transcript)),
            cost_usd=usage.cost_usd if usage.calls else 0.0,
            calls=usage.calls,
        )

    def _summary(self, before: int, outcomes: Sequence[State]) -> RunSummary:
        done, failed = outcomes.count(State.DONE), outcomes.count(State.FAILED)
        running = self._store.rows(self._run, State.RUNNING)
        elsewhere = sum(row["owner"] != self._owner and is_alive(row["owner"]) for row in running)
        left = len(self._store.rows(self._run, State.PENDING)) + len(running) - elsewhere
        stopped = "budget" if left and self._broke() else ""
        return RunSummary(
            run=self._run,
            done_now=done,
            done_before=before,
            failed=failed,
            left=left,
            elsewhere=elsewhere,
            known_cost_usd=round(self._spent, 6),
            stopped_by=stopped,
        )


def timing(transcript: Transcript) -> Mapping[str, list[float]]:
    """Wall-clock latencies in milliseconds, kept beside the transcript and not in it."""
    return {
        "doctor_ms": [round(turn.doctor_latency_ms, 3) for turn in transcript.turns],
        "patient_ms": [round(turn.patient.latency_ms, 3) for turn in transcript.turns],
    }


def register(
    store: RunStore, experiment: Experiment, cohort_digest: str, rubric: str, version: str, cohort: Sequence[CaseRecord]
) -> list[Consultation]:
    """Make or find the run, enter its consultations, and give them back in order. UserError where settings drifted."""
    provenance = {
        "cohort_sha256": cohort_digest,
        "rubric": rubric,
        "version": version,
        "graph_version": GRAPH_VERSION.hex(),
        "case_digests": {case.case_id: checked(case) for case in selected(experiment, cohort)},
    }
    fingerprint = experiment.fingerprint(cohort_digest, rubric, version)
    store.register(experiment.name, fingerprint, experiment.settled, provenance)
    items = planned(experiment, cohort)
    store.plan(experiment.name, items)
    return items

"""What `run`, `score`, `report` and `demo` share: a run over a workspace."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from sqlalchemy.exc import OperationalError

from anamnesis import __version__
from anamnesis.console import progress
from anamnesis.workspace import Workspace
from batch.clinic import Clinic
from batch.consultations import State, planned
from batch.experiment import Experiment
from batch.report.page import render
from batch.runner import Runner, RunSummary, register
from batch.store import RunStore, open_store
from batch.summary import results, summarise
from etl.caserecord import CaseRecord
from etl.cases import read_cases
from evaluator.rubric import load
from foundation.errors import UserError
from foundation.files import sha256_of, write_atomically
from foundation.records import Frozen
from kg.answer_key import answer_key
from kg.build import build, case_digests
from kg.keys import GRAPH_VERSION
from kg.store import GraphStore, connect
from simulator.consultation.transcript import Transcript

TOKENS_A_TURN_IN, TOKENS_A_TURN_OUT = 1500, 120


class Forecast(Frozen):
    """What an experiment would do. Tokens are a rough upper guess; cost is None where a price is not known."""

    consultations: int
    model_calls: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None

    @property
    def sentence(self) -> str:
        """For a person."""
        cost = "unknown (no price given)" if self.cost_usd is None else f"about ${self.cost_usd:.2f}"
        return (
            f"{self.consultations} consultations, at most {self.model_calls} calls, about {self.tokens_in:,} tokens "
            f"in and {self.tokens_out:,} out; cost {cost}. Nothing was called."
        )


def cohort_of(path: Path) -> list[CaseRecord]:
    """The cohort's cases; UserError where the file is absent or empty."""
    cases = list(read_cases(path))
    twice = [name for name, count in Counter(case.case_id for case in cases).items() if count > 1]
    if twice:
        raise UserError(
            f"{path}: case {twice[0]} stands twice", "keep one of the two lines, or extract the cohort again"
        )
    if not cases:
        raise UserError(f"{path}: no case in it", "write one with `anamnesis etl extract`")
    return cases


def estimate(experiment: Experiment) -> Forecast:
    """Consultations, calls, tokens and cost, without calling anybody."""
    items = planned(experiment, cohort_of(experiment.cohort))
    turns = experiment.max_turns + 1
    models = [spec.endpoint for spec in experiment.doctors if spec.endpoint]
    models_of_patient = [each for each in (experiment.patient_model, experiment.understanding_model) if each]
    patient = len(models_of_patient)
    per_doctor = len(items) // len(experiment.doctors)
    calls = per_doctor * turns * len(models) + len(items) * (turns * patient + 8 * len(experiment.judges))
    prices = [(e.price_in, e.price_out) for e in [*models, *experiment.judges]]
    each_in, each_out = per_doctor * turns * TOKENS_A_TURN_IN, per_doctor * turns * TOKENS_A_TURN_OUT
    known = [each_in * a / 1e6 + each_out * b / 1e6 for a, b in prices if a is not None and b is not None]
    cost = 0.0 if not prices and not patient else sum(known) if len(known) == len(prices) and not patient else None
    return Forecast(
        consultations=len(items),
        model_calls=calls,
        tokens_in=calls * TOKENS_A_TURN_IN,
        tokens_out=calls * TOKENS_A_TURN_OUT,
        cost_usd=cost,
    )


def run_experiment(experiment: Experiment, place: Workspace) -> RunSummary:
    """Run or resume, with a progress bar; the graph is brought up to date with the cohort first."""
    cohort = cohort_of(experiment.cohort)
    store = open_store(place.runs)
    with connect(place.graph) as graph:
        clinic = Clinic(experiment, cohort, graph, place.home / "judgements")
        items = register(store, experiment, sha256_of(experiment.cohort), load().identity, __version__, cohort)
        with progress("patient graph", len(cohort)) as step:
            build(graph, cohort, step)
        runner = Runner(store, experiment.name, clinic, workers=experiment.workers, budget_usd=experiment.budget_usd)
        done = len(store.rows(experiment.name, State.DONE))
        with progress("consultations", len(items)) as step:
            count = iter(range(done + 1, len(items) + 1))
            step(done)
            return _kept(lambda: runner.run(items, lambda: step(next(count, len(items)))))


def _kept(work: Callable[[], RunSummary]) -> RunSummary:
    """A store that cannot be written (a full disk) is the user's to mend; what was finished is kept."""
    try:
        return work()
    except OperationalError as error:
        raise UserError(
            f"the run store cannot be written ({type(error.orig).__name__})",
            "free disk space or mend the permissions, then give the same command again: it goes on from there",
        ) from error


def rescore(run: str, place: Workspace) -> int:
    """Score every finished consultation again from its transcript.

    Raises UserError where the graph now holds another record under one of its case ids: the transcript would be
    compared with a stranger's answers.
    """
    store = open_store(place.runs)
    settings = json.loads(store.run(run)["experiment"])
    rows = store.rows(run, State.DONE)
    with connect(place.graph) as graph:
        _refuse_other_records(graph, store, run)
        experiment = Experiment.model_validate({**settings, "cohort": "unused"})
        clinic = Clinic(experiment, [], graph, place.home / "judgements")
        with progress("scores", len(rows)) as step:
            for index, row in enumerate(rows, 1):
                card = clinic.scorecard(Transcript.model_validate_json(row["transcript"]))
                store.rescore(run, row["key"], card.model_dump_json())
                step(index)
    return len(rows)


def _refuse_other_records(graph: GraphStore, store: RunStore, run: str) -> None:
    provenance = json.loads(store.run(run)["provenance"])
    if provenance.get("graph_version") != GRAPH_VERSION.hex():
        return  # another version of the program wrote other digests; nothing can be told from them
    known: dict[str, str] = provenance.get("case_digests", {})
    now = case_digests(graph, list(known))
    changed = sorted(case for case, digest in known.items() if now.get(case) != digest)
    if changed:
        raise UserError(
            f"run {run}: the graph holds another record of {changed[0]} than was consulted ({len(changed)} differ)",
            "build the graph from the run's own cohort again (`anamnesis graph build`), or run the experiment anew",
        )


def write_report(run: str, place: Workspace, target: Path | None = None) -> Path:
    """Write the report page and return its path."""
    store = open_store(place.runs)
    found = results(store, run)
    if not found:
        raise UserError(f"run {run} has no finished consultation yet", "finish it: anamnesis run <its experiment file>")
    with connect(place.graph) as graph:
        references = {case: answer_key(graph, case).diagnoses for case in {r.transcript.case_id for r in found}}
    page = render(run, summarise(found), found, references, json.loads(store.run(run)["provenance"]))
    path = target or place.report(run)
    write_atomically(path, page)
    return path

"""Measures a graph server: load rate, and latency of what a patient's turn asks. `python -m kg.measure [BOLT_URI]`.

The cohort has the size of the paper's (Table 7: 437 patients, 9,682 nodes). Without an address, an embedded server of
a temporary folder is measured, from its first statement on; the cases are left in a server that was given.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles

import psutil

from etl.caserecord import CaseRecord, Mention, MentionKind, NoteEvidence
from foundation.records import Frozen
from kg import server
from kg.build import build
from kg.patient_view import PatientView
from kg.store import GraphStore, connect

PATIENTS = 437
NODES = 9_682
CONCEPTS = 50
ROUNDS = 3
ASKS = 400
_KINDS = tuple(kind for kind in MentionKind if kind is not MentionKind.FAMILY_HISTORY)


class Latency(Frozen):
    """Milliseconds over `ASKS` calls."""

    median: float
    p95: float


class Measurement(Frozen):
    """`load_seconds` of each successive load of the cohort; the first finds the server cold.

    `processor_seconds` are those of the client and, where it is the embedded one, of the server; `machine_load` is the
    mean number of runnable processes in the minute before, to be held against the number of cores.
    """

    agent: str
    machine_load: float
    nodes: int
    relationships: int
    load_seconds: tuple[float, ...]
    processor_seconds: tuple[float, ...]
    nodes_per_second: tuple[float, ...]
    one_query: Latency
    first_use_of_a_case: Latency
    later_use: Latency


def measure(store: GraphStore, server_process: psutil.Process | None = None) -> Measurement:
    """Load the cohort `ROUNDS` times under different sources, then ask."""
    load = os.getloadavg()[0]
    reports, processor = [], [_processor_seconds(server_process)]
    for number in range(ROUNDS):
        reports.append(build(store, cohort(f"measure{number}")))
        processor.append(_processor_seconds(server_process))
    view = PatientView(store, "measure0:7")
    view.facts()
    numbers = iter(range(ASKS))
    return Measurement(
        agent=store.agent(),
        machine_load=round(load, 1),
        nodes=reports[0].nodes,
        relationships=reports[0].relationships,
        load_seconds=tuple(round(report.seconds, 2) for report in reports),
        processor_seconds=tuple(round(after - before, 2) for before, after in pairwise(processor)),
        nodes_per_second=tuple(round(report.nodes_per_second) for report in reports),
        one_query=_latency(lambda: view.query("symptom")),
        first_use_of_a_case=_latency(lambda: PatientView(store, f"measure0:{next(numbers)}").facts()),
        later_use=_latency(view.facts),
    )


def _processor_seconds(server_process: psutil.Process | None) -> float:
    if server_process is None:
        return time.process_time()
    times = server_process.cpu_times()
    return time.process_time() + float(times.user + times.system)


def cohort(source: str) -> Iterator[CaseRecord]:
    """`PATIENTS` cases that make `NODES` nodes: patients, admissions, concepts and mentions of all direct kinds."""
    mentions = NODES - 2 * PATIENTS - CONCEPTS
    for number in range(PATIENTS):
        count = mentions // PATIENTS + (number < mentions % PATIENTS)
        yield CaseRecord(
            case_id=f"{source}:{number}",
            source=source,
            subject_id=str(number),
            hadm_id=str(number),
            mentions=tuple(_mention(number, position) for position in range(count)),
        )


def _mention(number: int, position: int) -> Mention:
    return Mention(
        mention_id=f"m{position}",
        kind=_KINDS[position % len(_KINDS)],
        text=f"statement {position} of the record",
        concept=f"measured_{(number + position) % CONCEPTS}",
        evidence=(NoteEvidence(note_id=f"n{number}", start=position, end=position + 9, quote="statement"),),
    )


def _latency(call: Callable[[], object]) -> Latency:
    milliseconds = []
    for _ in range(ASKS):
        start = time.perf_counter()
        call()
        milliseconds.append((time.perf_counter() - start) * 1000)
    return Latency(median=round(median(milliseconds), 2), p95=round(quantiles(milliseconds, n=20)[-1], 2))


def main() -> None:
    """Print the measurement as JSON."""
    if len(sys.argv) > 1:
        with connect(uri=sys.argv[1]) as store:
            print(measure(store).model_dump_json(indent=2))
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            process = psutil.Process(server.serve(Path(folder)).pid)
            with connect(Path(folder)) as store:
                print(measure(store, process).model_dump_json(indent=2))
        finally:
            server.stop(Path(folder))


if __name__ == "__main__":
    main()

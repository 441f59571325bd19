"""How fast the detectors score: 15-turn consultations one by one, and many in several processes.

Two kinds of consultation: the checklist doctor with a cohort's patients (all eight dimensions, sentences that recur as
they do in a run), and 15-turn windows of real dialogue (six dimensions, words that nobody has read before).
Understanding is part of a transcript, not of scoring, and is not timed.
"""

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from etl.caserecord import CaseRecord
from etl.cases import read_cases
from evaluator.evidence import EvaluationInput
from evaluator.imported.dialogue import Dialogue
from evaluator.imported.reading import evidence_of
from evaluator.imported.sources import read_dialogues
from evaluator.panel import Panel
from evaluator.realworld import in_processes, scorecard_of
from foundation.records import Frozen
from kg.facts import AnswerKey
from simulator.consultation.loop import MAX_TURNS, consult
from simulator.doctors.checklist import ChecklistDoctor
from simulator.patient.agent import Patient
from simulator.patient.persona import load_persona
from simulator.patient.proof.cohort import facts_of
from simulator.patient.protocol import load_protocol
from simulator.patient.sources import FactsInMemory

PERSONAS = ("cooperative", "anxious", "terse", "organized")


class SpeedReport(Frozen):
    """Milliseconds per consultation, of processor time and of wall time, once the tables are loaded; seconds for all.

    `all_seconds` is wall time of scoring `consultations` in `processes` fresh processes, start and table loading
    included; None where not measured.
    """

    what: str
    consultations: int
    median_cpu_ms: float
    p95_cpu_ms: float
    median_wall_ms: float
    processes: int = 1
    all_seconds: float | None = None

    def text(self) -> str:
        """One line."""
        whole = f"; all in {self.all_seconds:.1f} s, {self.processes} processes" if self.all_seconds else ""
        return (
            f"{self.what}: {self.consultations} consultations, median {self.median_cpu_ms:.1f} ms of processor time "
            f"(95th percentile {self.p95_cpu_ms:.1f}), {self.median_wall_ms:.1f} ms of wall time{whole}"
        )


def held(cases: Sequence[CaseRecord], consultations: int) -> Iterator[EvaluationInput]:
    """So many consultations of the checklist doctor, over cases, then personas, then seeds; all different."""
    protocol = load_protocol("realistic")
    rounds = ((seed, persona) for seed in count() for persona in PERSONAS)
    made = 0
    for seed, name in rounds:
        for case in cases:
            if made == consultations:
                return
            facts = tuple(facts_of(case))
            patient = Patient(FactsInMemory(facts, case.spokesperson), load_persona(name), protocol, seed)
            transcript = consult(
                ChecklistDoctor(seed=seed), patient, case_id=case.case_id, protocol="realistic", seed=seed
            )
            key = AnswerKey(case_id=case.case_id, diagnoses=case.diagnoses, medications=case.medications)
            yield EvaluationInput(transcript=transcript, facts=facts, answer_key=key)
            made += 1


def windows(dialogues: Sequence[Dialogue], consultations: int) -> Iterator[EvaluationInput]:
    """So many runs of 15 turns of real dialogue, each read once."""
    made = 0
    for dialogue in dialogues:
        evidence = evidence_of(dialogue)
        turns = evidence.transcript.turns
        for start in range(0, len(turns) - MAX_TURNS + 1, MAX_TURNS):
            if made == consultations:
                return
            window = tuple(t.model_copy(update={"index": i}) for i, t in enumerate(turns[start : start + MAX_TURNS], 1))
            transcript = evidence.transcript.model_copy(update={"turns": window})
            yield EvaluationInput(transcript=transcript)
            made += 1


def score(evidence: EvaluationInput) -> tuple[float, float]:
    """(seconds of processor time, seconds of wall time) for one scorecard."""
    cpu, wall = time.process_time(), time.perf_counter()
    if evidence.transcript.traced:
        Panel().evaluate(evidence)
    else:
        scorecard_of(evidence)
    return time.process_time() - cpu, time.perf_counter() - wall


def bench_speed(what: str, evidences: Sequence[EvaluationInput], processes: int = 1) -> SpeedReport:
    """Time `evidences` one by one in this process after a first one; with `processes` above 1 also all at once."""
    score(evidences[0])
    times = [score(evidence) for evidence in evidences[1:]]
    cpu = sorted(1000 * seconds for seconds, _ in times)
    whole = None
    if processes > 1:
        start = time.perf_counter()
        list(in_processes(score, evidences, processes))
        whole = time.perf_counter() - start
    return SpeedReport(
        what=what,
        consultations=len(evidences),
        median_cpu_ms=statistics.median(cpu),
        p95_cpu_ms=cpu[int(0.95 * (len(cpu) - 1))],
        median_wall_ms=statistics.median(1000 * seconds for _, seconds in times),
        processes=processes,
        all_seconds=whole,
    )


def main() -> None:
    """`python -m evaluator.speed --cohort cases.jsonl --data ../shared/data --consultations 1000 --processes 2`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--cohort", type=Path, help="a cohort's cases.jsonl")
    parser.add_argument("--data", type=Path, help="a folder of real dialogues")
    parser.add_argument("--consultations", type=int, default=100)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    if given.cohort:
        made = list(held(list(read_cases(given.cohort)), given.consultations))
        print(bench_speed("checklist doctor", made, given.processes).text())
    if given.data:
        read = list(windows(read_dialogues(given.data), given.consultations))
        print(bench_speed("windows of real dialogue", read, given.processes).text())


if __name__ == "__main__":
    main()

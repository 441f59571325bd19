"""One consultation for `consult` and `talk`: choose the case, hold it, show it, score it."""

import io
import sys
from pathlib import Path

from rich.markup import escape

from anamnesis.console import out
from anamnesis.running import cohort_of
from anamnesis.workspace import Workspace
from batch.clinic import Clinic
from batch.consultations import Consultation
from batch.experiment import Experiment
from etl.caserecord import CaseRecord
from evaluator.findings import Dimension, Scorecard
from evaluator.rubric import load
from foundation.errors import UserError
from foundation.seeds import generator
from kg.answer_key import answer_key
from kg.build import build
from kg.store import connect
from simulator.consultation.loop import MAX_TURNS
from simulator.consultation.transcript import TerminationReason, Transcript, Turn
from simulator.doctors.person import NOT_GIVEN, PersonDoctor
from simulator.doctors.registry import DoctorSpec, doctor_spec
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol


class Single:
    """One case of a cohort, ready to be consulted."""

    def __init__(
        self,
        place: Workspace,
        cohort: Path | None,
        case_id: str | None,
        persona: str,
        protocol: str,
        seed: int,
        max_turns: int = MAX_TURNS,
    ) -> None:
        self._path = cohort or place.cohort("sample")
        if not self._path.is_file():
            raise UserError(f"{self._path}: no cohort there", "run `anamnesis demo` once, or give --cohort")
        self._cohort = cohort_of(self._path)
        self._place, self._persona, self._protocol, self._seed = place, persona, protocol, seed
        self._max_turns = max_turns
        self._recorded: list[str] = []
        self._case = self._choose(case_id)

    def _choose(self, case_id: str | None) -> CaseRecord:
        by_id = {case.case_id: case for case in self._cohort}
        if case_id is None:
            return by_id[generator(self._seed, "case").choice(sorted(by_id))]
        if case_id not in by_id:
            raise UserError(f"no case {case_id} in {self._path}", f"use one such as {min(by_id)}")
        return by_id[case_id]

    def _experiment(self, spec: DoctorSpec) -> Experiment:
        load_persona(self._persona)
        load_protocol(self._protocol)
        return Experiment(
            name="single",
            cohort=self._path,
            doctors=(spec,),
            protocol=self._protocol,
            personas=(self._persona,),
            seeds=(self._seed,),
            max_turns=self._max_turns,
        )

    def hold(self, doctor: str, *, fit_for_records: bool, max_tokens: int, quiet: bool) -> tuple[Transcript, Scorecard]:
        """Hold the consultation with a doctor by name, printing every turn unless `quiet`."""
        spec = doctor_spec(doctor).model_copy(update={"max_tokens": max_tokens})
        if spec.endpoint and fit_for_records:
            spec = spec.model_copy(update={"endpoint": spec.endpoint.model_copy(update={"fit_for_records": True})})
        with connect(self._place.graph) as graph:
            clinic = Clinic(self._experiment(spec), self._cohort, graph)
            build(graph, [self._case])
            if not quiet:
                out.print(f"[dim]{escape(clinic.opening(self._item(spec)))}[/]")
            transcript = clinic.transcript(self._item(spec), None if quiet else _print_turn)
            return transcript, clinic.scorecard(transcript)

    def talk(self) -> tuple[Transcript, Scorecard]:
        """Hold the consultation with the person at the keyboard."""
        _read_any_bytes()
        spec = doctor_spec("checklist")
        with connect(self._place.graph) as graph:
            clinic = Clinic(self._experiment(spec), self._cohort, graph)
            build(graph, [self._case])
            out.print(f"[dim]{escape(clinic.opening(self._item(spec)))}[/]")
            doctor = PersonDoctor(_asked)
            transcript = clinic.transcript(self._item(spec), _print_answer, doctor=doctor)
            self._recorded = [d.name for d in answer_key(graph, self._case.case_id).diagnoses]
            return transcript, clinic.scorecard(transcript)

    def _item(self, spec: DoctorSpec) -> Consultation:
        return Consultation(
            key=self._case.case_id,
            case_id=self._case.case_id,
            doctor=spec.name,
            seed=self._seed,
            persona=self._persona,
        )

    def show(self, transcript: Transcript, card: Scorecard) -> None:
        """The plan and the score sheet, findings with their quotes."""
        if transcript.plan:
            out.print(f"\n[bold]diagnosis[/] {_stated(transcript.plan.diagnosis)}")
            for drug in transcript.plan.drugs:
                out.print(f"  {escape(drug)}: {escape(transcript.plan.drug_reasons.get(drug, 'no reason given'))}")
        if card.not_scored:
            out.print(f"not scored: {card.not_scored.replace('_', ' ')} ({escape(transcript.detail)})")
            if transcript.termination is TerminationReason.INFRASTRUCTURE_ERROR:
                out.print("  fix: see that the model's server runs at that address, then give the same command again")
            return
        names = load().dimensions
        scores = {score.dimension: score for score in card.scores}
        for dimension in Dimension:
            value = scores[dimension].score
            shown = "not assessed" if value is None else f"{value:.1f}"
            out.print(f"[bold]{dimension.value}[/] {names[dimension].name}: {shown}")
            for finding in card.findings:
                if finding.dimension is dimension and finding.pattern != "good_step":
                    where = f"turn {', '.join(map(str, finding.turns))}: " if finding.turns else ""
                    out.print(f"   {where}{finding.pattern.replace('_', ' ')}: {escape(finding.reason)}")
        if self._recorded:
            out.print(f"[bold]recorded diagnoses[/] {escape('; '.join(self._recorded))}")
        if card.weighted_average is not None:
            out.print(
                f"[bold]weighted average {card.weighted_average:.2f}[/] over {len(card.assessed_dimensions)} dimensions"
            )


def _stated(diagnosis: str) -> str:
    return "none was given" if diagnosis == NOT_GIVEN else escape(diagnosis)


def _read_any_bytes() -> None:
    """Let a byte that is no UTF-8 be read as a replacement character, so that the consultation goes on."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def _asked(prompt: str) -> str:
    """A typed line; where the input ends, nothing more is asked and what was said so far is scored.

    A pipe echoes no line end as a terminal does, so the prompt's line is ended here.
    """
    try:
        return input(f"{prompt}: ")
    except EOFError:
        return ""
    finally:
        if not sys.stdin.isatty():
            print(flush=True)


def _print_turn(turn: Turn) -> None:
    out.print(f"[bold cyan]{turn.index:>2} doctor [/] {escape(turn.doctor_words)}")
    _print_answer(turn)


def _print_answer(turn: Turn) -> None:
    statuses = ", ".join(f"{o.ask.domain.value} {o.status.value}" for o in turn.patient.outcomes)
    out.print(f"[bold green]   {turn.patient.speaker} [/] {escape(turn.patient.words)}  [dim]{statuses}[/]")

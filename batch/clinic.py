"""Where doctors and patients of an experiment meet: the work that the runner does for each consultation."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from batch.consultations import Consultation
from batch.experiment import Experiment
from chatmodels.cache import CachedModel
from chatmodels.endpoint import Endpoint
from chatmodels.interface import ChatModel
from chatmodels.openai_compatible import OpenAICompatible
from etl.caserecord import CaseRecord
from evaluator.evaluate import SCORED, unscored
from evaluator.evidence import EvaluationInput
from evaluator.findings import Scorecard
from evaluator.panel import Panel
from kg.answer_key import answer_key
from kg.patient_view import PatientView
from kg.store import GraphStore
from simulator.consultation.loop import consult
from simulator.consultation.transcript import Transcript, Turn
from simulator.doctors.interface import Doctor
from simulator.doctors.registry import DoctorOffice
from simulator.patient.agent import Patient
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol
from simulator.patient.understand import Understander


class Clinic:
    """Consultations of one experiment over one graph; safe to call from several threads.

    `judgements` is the folder in which judges' replies are kept, so that scoring again asks nobody.
    Raises UserError at once, before the first consultation, for an unknown persona, protocol or unfit endpoint.
    """

    def __init__(
        self,
        experiment: Experiment,
        cohort: Sequence[CaseRecord],
        graph: GraphStore,
        judgements: Path | None = None,
    ) -> None:
        self._experiment = experiment
        self._graph = graph
        self._cases = {case.case_id: case for case in cohort}
        self._offices = {spec.name: DoctorOffice(spec, cohort) for spec in experiment.doctors}
        self._personas = {name: load_persona(name) for name in experiment.personas}
        self._protocol = load_protocol(experiment.protocol)
        self._patient_model = _model(experiment.patient_model)
        self._understander = Understander(chat_model=_model(experiment.understanding_model))
        self._panel = Panel(
            [_kept(OpenAICompatible(judge), judgements) for judge in experiment.judges],
            mode=experiment.judge_mode,
            aggregation=experiment.aggregation,
            seed=experiment.seeds[0] % 2**31,
        )
        self._lock = threading.Lock()

    def transcript(
        self, item: Consultation, on_turn: Callable[[Turn], None] | None = None, doctor: Doctor | None = None
    ) -> Transcript:
        """Hold the consultation, with `doctor` in place of the experiment's where given."""
        return consult(
            doctor or self._doctor(item),
            self._patient(item),
            case_id=item.case_id,
            protocol=self._experiment.protocol,
            seed=item.seed,
            max_turns=self._experiment.max_turns,
            on_turn=on_turn,
        )

    def opening(self, item: Consultation) -> str:
        """What the doctor knows before the first question."""
        return self._patient(item).opening()

    def _doctor(self, item: Consultation) -> Doctor:
        with self._lock:
            return self._offices[item.doctor].doctor(self._cases[item.case_id], item.seed)

    def _patient(self, item: Consultation) -> Patient:
        view = PatientView(self._graph, item.case_id)
        persona = self._personas[item.persona]
        return Patient(
            view,
            persona,
            self._protocol,
            item.seed,
            chat_model=self._patient_model,
            understander=self._understander.understand,
        )

    def scorecard(self, transcript: Transcript) -> Scorecard:
        """Score a transcript against the graph: the patient's facts and the answer key."""
        evidence = evidence_of(self._graph, transcript)
        if transcript.termination not in SCORED:
            return unscored(evidence, self._panel.name)
        return self._panel.evaluate(evidence)


def evidence_of(graph: GraphStore, transcript: Transcript) -> EvaluationInput:
    """What the evaluator may look at: the transcript, the patient's facts and the answer key."""
    return EvaluationInput(
        transcript=transcript,
        facts=PatientView(graph, transcript.case_id).facts(),
        answer_key=answer_key(graph, transcript.case_id),
    )


def _model(endpoint: Endpoint | None) -> ChatModel | None:
    return OpenAICompatible(endpoint) if endpoint else None


def _kept(model: OpenAICompatible, folder: Path | None) -> ChatModel:
    return CachedModel(model, folder) if folder else model

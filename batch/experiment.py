"""Experiment: what is run, as `experiment.yaml` writes it, and the hash that a resumed run must match."""

import hashlib
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field, ValidationError, field_validator

from chatmodels.endpoint import Endpoint, endpoint_from
from evaluator.judges.aggregation import Aggregation
from evaluator.judges.judge import Mode
from foundation.errors import UserError
from foundation.invalid import explained
from foundation.parsing import parsed_yaml, read_text
from foundation.records import Frozen
from simulator.doctors.registry import DoctorSpec, doctor_spec
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol

_Loaded = TypeVar("_Loaded")
_NONE = ("", "none", "null", "off", "no")


class Experiment(Frozen):
    """One experiment. Every doctor meets every selected case once for every seed.

    `cohort` is a cases.jsonl; `cases` limits it to the first N after a seeded shuffle (None: all). `personas` are
    drawn per case, the same for every doctor. `judges` empty scores with detectors alone. `budget_usd` stops the run
    when the known cost reaches it. `workers` and `budget_usd` are no part of the hash: they change no result.
    """

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")
    cohort: Path
    doctors: tuple[DoctorSpec, ...] = Field(min_length=1)
    protocol: str = "realistic"
    personas: tuple[str, ...] = Field(default=("cooperative",), min_length=1)
    judges: tuple[Endpoint, ...] = ()
    judge_mode: Mode = "dimension"
    aggregation: Aggregation = "majority"
    allow_self_judging: bool = False
    seeds: tuple[int, ...] = Field(default=(0,), min_length=1)
    cases: int | None = Field(default=None, ge=1)
    max_turns: int = Field(default=15, ge=1, le=15)
    patient_model: Endpoint | None = None
    understanding_model: Endpoint | None = None
    workers: int = Field(default=2, ge=1, le=64)
    budget_usd: float | None = Field(default=None, gt=0)

    @field_validator("doctors", mode="before")
    @classmethod
    def _doctors(cls, written: object) -> object:
        return tuple(
            item if isinstance(item, DoctorSpec) else _known(partial(doctor_spec, item))
            for item in _listed(written, "doctors")
        )

    @field_validator("judges", mode="before")
    @classmethod
    def _judges(cls, written: object) -> object:
        if _is_none(written):
            return ()
        return tuple(_endpoint(item) for item in _listed(written, "judges"))

    @field_validator("patient_model", "understanding_model", mode="before")
    @classmethod
    def _patient_models(cls, written: object) -> object:
        return None if _is_none(written) else _endpoint(written)

    @field_validator("doctors")
    @classmethod
    def _names_differ(cls, doctors: tuple[DoctorSpec, ...]) -> tuple[DoctorSpec, ...]:
        names = [spec.name for spec in doctors]
        if len(set(names)) < len(names):
            raise ValueError("two doctors have one name; give each a `label`")
        return doctors

    @field_validator("seeds")
    @classmethod
    def _seeds_differ(cls, seeds: tuple[int, ...]) -> tuple[int, ...]:
        if len(set(seeds)) < len(seeds):
            raise ValueError("a seed stands twice; one consultation would be counted as two")
        return seeds

    @field_validator("personas")
    @classmethod
    def _personas_known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            _known(partial(load_persona, name))
        return names

    @field_validator("protocol")
    @classmethod
    def _protocol_known(cls, name: str) -> str:
        _known(partial(load_protocol, name))
        return name

    @property
    def settled(self) -> dict[str, Any]:
        """All that a result depends on, as plain JSON."""
        content: dict[str, Any] = json.loads(self.model_dump_json(exclude={"workers", "budget_usd", "cohort"}))
        endpoints = [doctor["endpoint"] for doctor in content["doctors"]] + [
            *content["judges"],
            content["patient_model"],
            content["understanding_model"],
        ]
        sources = [doctor.endpoint for doctor in self.doctors] + [
            *self.judges,
            self.patient_model,
            self.understanding_model,
        ]
        for written, endpoint in zip(endpoints, sources, strict=True):
            if written and endpoint:  # an address from the environment is part of what was run
                written["base_url"] = endpoint.address
        return content

    def fingerprint(self, cohort_digest: str, rubric: str, version: str) -> str:
        """Hash over settings, the cohort's bytes, the rubric and the program's version."""
        content = json.dumps([self.settled, cohort_digest, rubric, version], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()


def _is_none(written: object) -> bool:
    """Whether no model is meant: YAML gives None for null and an empty field, False for off and no."""
    return written is None or written is False or (isinstance(written, str) and written.strip().lower() in _NONE)


def _endpoint(written: object) -> object:
    return _known(partial(endpoint_from, written)) if isinstance(written, str) else written


def _known(load: Callable[[], _Loaded]) -> _Loaded:
    try:
        return load()
    except UserError as error:
        raise ValueError(f"{error.problem}; {error.fix}") from error


def _listed(written: object, field: str) -> list[Any]:
    if isinstance(written, (list, tuple)):
        return list(written)
    if isinstance(written, (str, dict)):
        return [written]
    raise ValueError(f"{field} must be a list")


def read_experiment(path: Path) -> Experiment:
    """An experiment from YAML; relative paths are relative to the file. Raises UserError naming file and field."""
    if not path.is_file():
        raise UserError(
            f"{path}: no such experiment file", "write one (see docs/experiments.md), or run `anamnesis demo`"
        )
    content = parsed_yaml(read_text(path), str(path))
    if not isinstance(content, dict):
        raise UserError(f"{path}: expected fields such as name, cohort, doctors", "see docs/experiments.md")
    if "judge" in content and "judges" in content:
        raise UserError(f"{path}: both judge and judges are given", "keep one of them")
    content = {("judges" if key == "judge" else key): value for key, value in content.items()}
    try:
        experiment = Experiment.model_validate(content)
    except ValidationError as error:
        raise UserError(f"{path}: {explained(error, Experiment)}", "see docs/experiments.md for every field") from None
    if not experiment.cohort.is_absolute():
        experiment = experiment.model_copy(update={"cohort": path.parent / experiment.cohort})
    refuse_self_judging(experiment)
    return experiment


def refuse_self_judging(experiment: Experiment) -> None:
    """Raise UserError where a judge is one of the doctors, unless asked for by name (pitfall 16)."""
    doctors = {spec.endpoint.name for spec in experiment.doctors if spec.endpoint}
    both = sorted(doctors & {judge.name for judge in experiment.judges})
    if both and not experiment.allow_self_judging:
        raise UserError(
            f"{', '.join(both)} is doctor and judge of experiment {experiment.name}",
            "choose another judge, or write `allow_self_judging: true`",
        )

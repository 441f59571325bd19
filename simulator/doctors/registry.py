"""Doctors by name: what experiment files and command lines write, and the doctor for one case."""

from collections.abc import Sequence
from typing import Literal

from pydantic import model_validator

from chatmodels.endpoint import Endpoint, endpoint_from
from chatmodels.openai_compatible import OpenAICompatible
from etl.caserecord import CaseRecord
from foundation.errors import UserError
from foundation.records import Frozen
from simulator.doctors.chat_model import ChatModelDoctor
from simulator.doctors.checklist import ChecklistDoctor
from simulator.doctors.interface import Doctor
from simulator.doctors.statistical import StatisticalDoctor

Kind = Literal["checklist", "statistical", "chat_model"]


class DoctorSpec(Frozen):
    """A doctor as an experiment names it: `kind`, and for a chat model its endpoint and settings."""

    kind: Kind
    endpoint: Endpoint | None = None
    label: str = ""
    max_tokens: int = 2000
    temperature: float | None = 0.0

    @model_validator(mode="after")
    def _endpoint_given(self) -> "DoctorSpec":
        if self.kind == "chat_model" and self.endpoint is None:
            raise ValueError("a chat_model doctor needs an endpoint: {model: …, base_url: …}")
        return self

    @property
    def name(self) -> str:
        """How tables call it: its label, its model's name, or its kind."""
        return self.label or (self.endpoint.name if self.endpoint else self.kind)


def doctor_spec(written: object) -> DoctorSpec:
    """A spec from "checklist", "statistical", "model@base_url" or a mapping with DoctorSpec's fields."""
    if isinstance(written, dict):
        return DoctorSpec.model_validate(written)
    if not isinstance(written, str):
        raise ValueError("a doctor is checklist, statistical, model@http://host:port/v1, or a mapping with kind")
    if written in ("checklist", "statistical"):
        return DoctorSpec.model_validate({"kind": written})
    if "@" in written:
        return DoctorSpec(kind="chat_model", endpoint=endpoint_from(written))
    raise UserError(f"no doctor called {written!r}", "use checklist, statistical, or model@http://host:port/v1")


class DoctorOffice:
    """Makes the doctor for each consultation; shares what is costly (the fitted cohort, the endpoint's connections)."""

    def __init__(self, spec: DoctorSpec, cohort: Sequence[CaseRecord]) -> None:
        self.spec = spec
        self._cohort = cohort
        self._model = OpenAICompatible(spec.endpoint) if spec.endpoint else None

    def doctor(self, case: CaseRecord, seed: int) -> Doctor:
        """The doctor who sees `case`; the statistical one has never seen this subject."""
        if self._model is not None:
            return ChatModelDoctor(
                self._model, seed=seed % 2**31, max_tokens=self.spec.max_tokens, temperature=self.spec.temperature
            )
        if self.spec.kind == "checklist":
            return ChecklistDoctor(seed=seed)
        return StatisticalDoctor(self._cohort, exclude_subject=case.subject_id, seed=seed)

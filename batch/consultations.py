"""Which consultations an experiment consists of, and the states they pass through."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from batch.experiment import Experiment
from etl.caserecord import CaseRecord
from foundation.records import Frozen
from foundation.seeds import derived_seed, generator


class State(StrEnum):
    """PENDING → RUNNING → DONE. FAILED is infrastructure that failed: it is run again on resume, never scored."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Consultation(Frozen):
    """One consultation of an experiment.

    `seed` is derived from the experiment's seed and the case, not the doctor: every doctor meets the same patient.
    """

    key: str
    case_id: str
    doctor: str
    seed: int
    persona: str

    def identity(self) -> dict[str, Any]:
        """The columns that say which consultation it is."""
        return {
            "key": self.key,
            "case_id": self.case_id,
            "doctor": self.doctor,
            "seed": self.seed,
            "persona": self.persona,
        }


def selected(experiment: Experiment, cohort: Sequence[CaseRecord]) -> list[CaseRecord]:
    """The cases that take part: all, or a seeded draw, always in order of case id."""
    ordered = sorted(cohort, key=lambda case: case.case_id)
    if experiment.cases is not None and experiment.cases < len(ordered):
        ordered = generator(experiment.seeds[0], "cases").sample(ordered, experiment.cases)
    return sorted(ordered, key=lambda case: case.case_id)


def planned(experiment: Experiment, cohort: Sequence[CaseRecord]) -> list[Consultation]:
    """Every consultation, case by case, so that a run that is stopped early still compares doctors on equal cases."""
    plan: list[Consultation] = []
    for seed in experiment.seeds:
        for case in selected(experiment, cohort):
            persona = generator(seed, "persona", case.case_id).choice(experiment.personas)
            case_seed = derived_seed(seed, "case", case.case_id) >> 1
            plan += [
                Consultation(
                    key=f"{case.case_id}|{spec.name}|{seed}",
                    case_id=case.case_id,
                    doctor=spec.name,
                    seed=case_seed,
                    persona=persona,
                )
                for spec in experiment.doctors
            ]
    return plan

"""JSON schemas of what the stages hand on, as docs/schemas keeps them: `python -m anamnesis.schemas docs/schemas`."""

import json
import sys
from pathlib import Path

from pydantic import BaseModel

from batch.experiment import Experiment
from etl.caserecord import CaseRecord
from evaluator.findings import Scorecard
from foundation.files import write_atomically
from kg.facts import AnswerKey, Fact
from simulator.consultation.transcript import Transcript

CONTRACTS: dict[str, type[BaseModel]] = {
    "case_record": CaseRecord,
    "fact": Fact,
    "answer_key": AnswerKey,
    "transcript": Transcript,
    "scorecard": Scorecard,
    "experiment": Experiment,
}


def schemas() -> dict[str, str]:
    """File name → JSON schema text."""
    return {
        f"{name}.json": json.dumps(model.model_json_schema(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        for name, model in CONTRACTS.items()
    }


def write(folder: Path) -> None:
    """Write every schema."""
    for name, text in schemas().items():
        write_atomically(folder / name, text)


if __name__ == "__main__":
    write(Path(sys.argv[1]))

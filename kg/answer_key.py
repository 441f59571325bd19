"""The evaluator's door to the graph: what the record says the answer is."""

from etl.caserecord import Diagnosis, Medication
from foundation.errors import UserError
from kg.facts import AnswerKey
from kg.queries import answer_key as queries
from kg.store import Reader


def answer_key(store: Reader, case_id: str) -> AnswerKey:
    """Diagnoses by rank, and the inpatient and discharge medications; UserError where the graph has no such case."""
    if not store.read(queries.EXISTS, case_id=case_id):
        raise UserError(f"the graph has no case {case_id!r}", "build the graph from the cohort that holds this case")
    diagnoses = store.read(queries.DIAGNOSES, case_id=case_id)
    medications = store.read(queries.MEDICATIONS, case_id=case_id)
    return AnswerKey(
        case_id=case_id,
        diagnoses=tuple(Diagnosis.model_validate_json(row["record"]) for row in diagnoses),
        medications=tuple(Medication.model_validate_json(row["record"]) for row in medications),
    )


def case_ids(store: Reader) -> tuple[str, ...]:
    """Every case of the graph, sorted."""
    return tuple(row["case_id"] for row in store.read(queries.CASE_IDS))

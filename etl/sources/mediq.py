"""Cases split into atomic facts, as MediQ publishes them: one JSON object a line (facts, patient, question, answer).

The note is the list of facts, one a line, without their numbers; where a case has none, its context.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from etl.caserecord import CaseRecord, Demographics, Diagnosis, Medication, MedicationRole, TableEvidence
from etl.sources.narrative import Document, cases_of
from etl.sources.tabular_text import json_lines
from etl.structured.account import Account
from etl.structured.demographics import capped
from etl.structured.draft import Extractor
from etl.structured.naming import drug

SOURCE = "mediq"
_NUMBER = re.compile(r"^\s*\d+\.\s*")
_DIAGNOSIS = re.compile(r"diagnosis|most likely (the )?(cause|condition)|condition (does|is)|suffering from", re.I)
_TREATMENT = re.compile(r"treatment|therapy|pharmacotherap|medication|drug|prescri|manag", re.I)
_YEARS = re.compile(r"^\s*(\d{1,3})\s*(?:years?(?: old)?|y/?o)?\s*$", re.I)


def cases(path: Path | str, extractor: Extractor | None = None, account: Account | None = None) -> Iterator[CaseRecord]:
    """One case a line, by its id. Items about a study instead of a patient are refused and counted."""
    return cases_of(SOURCE, "cases", (_document(line) for _, line in json_lines(Path(path))), extractor, account)


def _document(line: Mapping[str, Any]) -> Document | str:
    patient = line.get("patient") or {}
    if "id" not in line or not (line.get("facts") or line.get("context")):
        return "without an id, or without facts and context"
    if str(patient.get("gender", "")).lower() == "study":
        return "about a study, not a patient"
    facts = [_NUMBER.sub("", str(fact)) for fact in line.get("facts") or line["context"]]
    evidence = TableEvidence(table="cases", row_key=f"id={line['id']}")
    diagnoses, medications = _answer(str(line.get("question", "")), str(line.get("answer", "")).strip(), evidence)
    return Document(
        record_id=str(line["id"]),
        text="\n".join(facts) + "\n",
        category="atomic facts",
        demographics=_demographics(patient),
        diagnoses=diagnoses,
        medications=medications,
    )


def _answer(
    question: str, answer: str, evidence: TableEvidence
) -> tuple[tuple[Diagnosis, ...], tuple[Medication, ...]]:
    """What the answer says of the patient: a diagnosis or a drug, by what the question's last sentence asks for."""
    asked = re.split(r"(?<=[.?!])\s+", question.strip())[-1]
    known = drug(answer) if answer else None
    if known is not None and known.ingredients and _TREATMENT.search(asked):
        role = MedicationRole.INPATIENT
        return (), (Medication(name=answer, ingredients=known.ingredients, role=role, evidence=(evidence,)),)
    if answer and _DIAGNOSIS.search(asked):
        return (
            (Diagnosis(code="", version="", rank=1, name=answer, name_source="note", evidence=(evidence,)),),
            (),
        )
    return (), ()


def _demographics(patient: Mapping[str, Any]) -> Demographics:
    gender = str(patient.get("gender", "")).lower()
    sex: Literal["F", "M", ""] = "F" if gender == "female" else "M" if gender == "male" else ""
    years = _YEARS.match(str(patient.get("age", "")))
    age, over_89 = capped(int(years.group(1))) if years else (None, False)
    return Demographics(age=age, age_over_89=over_89, sex=sex)

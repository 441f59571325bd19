"""OSCE-style cases as AgentClinic publishes them: one JSON object a line, with patient, examination, tests, diagnosis.

The note is the case written out under headings, always the same way, so that spans can be found again. Symptoms,
findings, results and the diagnosis also come over as the structured facts that they are.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from etl.caserecord import Assertion, CaseRecord, Diagnosis, Mention, MentionKind, NoteEvidence, TableEvidence
from etl.sources.narrative import Document, cases_of
from etl.sources.tabular_text import json_lines
from etl.structured.account import Account
from etl.structured.draft import Extractor
from etl.structured.naming import concept_key, the_concept_in

SOURCE = "osce"
_HEADINGS = (
    ("History", "HISTORY OF PRESENT ILLNESS"),
    ("Past_Medical_History", "PAST MEDICAL HISTORY"),
    ("Current_Medications", "MEDICATIONS ON ADMISSION"),
    ("Medications", "MEDICATIONS ON ADMISSION"),
    ("Drug_History", "MEDICATIONS ON ADMISSION"),
    ("Allergies", "ALLERGIES"),
    ("Family_History", "FAMILY HISTORY"),
    ("Social_History", "SOCIAL HISTORY"),
    ("Review_of_Systems", "REVIEW OF SYSTEMS"),
)

_DENIED = re.compile(r"(no|denies|without|absence of|absent)\b\s*(any\b\s*)?", re.I)
_PARTLY_DENIED = re.compile(r"\b(no|not|nor|without|denies|absence|absent)\b", re.I)


def cases(path: Path | str, extractor: Extractor | None = None, account: Account | None = None) -> Iterator[CaseRecord]:
    """One case a line, called by its line number. Raises UserError for a line that is not JSON."""
    return cases_of(SOURCE, "cases", _documents(Path(path)), extractor, account)


def _documents(path: Path) -> Iterator[Document | str]:
    for number, line in json_lines(path):
        case = line.get("OSCE_Examination")
        if isinstance(case, dict) and isinstance(case.get("Patient_Actor"), dict):
            yield _document(f"{number:04d}", case)
        else:
            yield "without OSCE_Examination and Patient_Actor"


def _document(record_id: str, case: Mapping[str, Any]) -> Document:
    text, mentions = _Writer(record_id).write(case)
    complaint = str(case["Patient_Actor"].get("Symptoms", {}).get("Primary_Symptom", ""))
    name = str(case.get("Correct_Diagnosis", "")).strip()
    evidence = TableEvidence(table="cases", row_key=f"line={int(record_id)}")
    return Document(
        record_id=record_id,
        text=text,
        category="OSCE case",
        chief_complaint=complaint,
        mentions=tuple(mentions),
        diagnoses=(Diagnosis(code="", version="", rank=1, name=name, name_source="note", evidence=(evidence,)),)
        if name
        else (),
    )


class _Writer:
    """Writes the case out and notes, as it goes, where each structured fact stands."""

    def __init__(self, record_id: str) -> None:
        self._note_id = f"{SOURCE}:{record_id}"
        self._text = ""
        self._mentions: list[Mention] = []

    def write(self, case: Mapping[str, Any]) -> tuple[str, list[Mention]]:
        patient = case["Patient_Actor"]
        self._text += f"{patient.get('Demographics', '')}.\n"
        symptoms = patient.get("Symptoms", {})
        self._heading("CHIEF COMPLAINT")
        self._fact(MentionKind.SYMPTOM, "", str(symptoms.get("Primary_Symptom", "")))
        for symptom in symptoms.get("Secondary_Symptoms", []):
            self._fact(MentionKind.SYMPTOM, "", str(symptom))
        for field, heading in _HEADINGS:
            if patient.get(field):
                self._heading(heading)
                self._text += f"{_prose(patient[field])}\n"
        self._heading("PHYSICAL EXAMINATION")
        self._leaves(MentionKind.EXAMINATION, case.get("Physical_Examination_Findings", {}))
        self._heading("LABORATORY DATA")
        self._leaves(MentionKind.LABORATORY, case.get("Test_Results", {}))
        return self._text, self._mentions

    def _heading(self, heading: str) -> None:
        self._text += f"\n{heading}:\n"

    def _leaves(self, kind: MentionKind, value: Any, name: str = "") -> None:
        if isinstance(value, Mapping):
            for key, part in value.items():
                inner = str(key).replace("_", " ")
                if inner == "Vital Signs":
                    self._leaves(MentionKind.VITAL, part)
                elif inner == "Findings":
                    self._leaves(kind, part, name)
                else:
                    self._leaves(kind, part, f"{name}, {inner}" if name else inner)
        elif isinstance(value, list):
            self._leaves(kind, "; ".join(map(str, value)), name)
        else:
            self._fact(kind, name, str(value))

    def _fact(self, kind: MentionKind, name: str, value: str) -> None:
        statement = f"{name}: {value}" if name else value
        if not statement.strip():
            return
        start = len(self._text)
        self._text += f"{statement}.\n" if not statement.endswith(".") else f"{statement}\n"
        evidence = NoteEvidence(note_id=self._note_id, start=start, end=start + len(statement), quote=statement)
        denied = kind is MentionKind.SYMPTOM and _DENIED.match(statement)
        phrase = statement[denied.end() :] if denied else statement
        lookup = {MentionKind.VITAL: "vital", MentionKind.LABORATORY: "test", MentionKind.SYMPTOM: "symptom"}.get(kind)
        self._mentions.append(
            Mention(
                mention_id=f"{self._note_id}/{kind.value}/{len(self._mentions)}",
                kind=kind,
                text=phrase.rstrip("."),
                concept=_concept(name or phrase, lookup) if lookup else None,
                assertion=Assertion.ABSENT if denied else Assertion.PRESENT,
                attributes={"value": value} if name and kind is not MentionKind.EXAMINATION else {},
                evidence=(evidence,),
            )
        )


def _concept(phrase: str, kind: str) -> str | None:
    """The concept that a statement names; none where part of it is denied, which the note's reading tells apart."""
    return None if _PARTLY_DENIED.search(phrase) else concept_key(phrase, kind) or the_concept_in(phrase, kind)


def _prose(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{str(key).replace('_', ' ')}: {_prose(part)}" for key, part in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)

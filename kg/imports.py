"""Reads a graph in AIPatient's plain layout into CaseRecords, and counts what cannot be mapped.

There, a symptom or relative is one node for all patients who share its name, so that its duration or condition may be
another patient's. Such an attribute is taken over only where one admission (or patient) alone uses the node, or where
the relationship itself says whose it is; the rest is counted as unmapped and never guessed.
"""

from collections import Counter, defaultdict
from typing import Any

from etl.caserecord import Assertion, CaseRecord, Mention, MentionKind, TableEvidence
from foundation.errors import UserError
from foundation.records import Frozen
from kg import aipatient
from kg.queries import aipatient as queries
from kg.store import Reader, Row
from terminology import concepts

SOURCE = "aipatient"
_DETAILS = {"HAS_DURATION": "duration", "HAS_FREQUENCY": "frequency", "HAS_INTENSITY": "severity"}
_SHARED_DETAIL = "attributes of symptom nodes that several admissions share"
_SHARED_RELATIVE = "conditions of relative nodes that several patients share"


class ImportedGraph(Frozen):
    """Cases by case id, and how many of what could not be mapped."""

    cases: tuple[CaseRecord, ...]
    unmapped: dict[str, int]


def read_graph(store: Reader) -> ImportedGraph:
    """All admissions of the graph as cases of source "aipatient". Raises UserError where it holds none, or is ours."""
    rows = store.read(queries.ADMISSIONS)
    if not rows:
        raise UserError(
            "the graph has no (Patient)-[:HAS_ADMISSION]->(Admission)", "check NEO4J_DATABASE and the graph's layout"
        )
    if any("case_id" in row["admission"] for row in rows):
        raise UserError("the graph is one of Anamnesis already", "use it by NEO4J_URI, or export it as Cypher")
    reading = _Reading(rows)
    reading.take_admission_nodes(store.read(queries.OF_ADMISSION))
    reading.take_patient_nodes(store.read(queries.OF_PATIENT))
    reading.take_details(store.read(queries.SYMPTOM_DETAILS))
    reading.take_relatives(store.read(queries.RELATIVES))
    reading.count_strangers(store.read(queries.LABELS))
    return reading.result()


class _Reading:
    """Cases under construction, by admission id."""

    def __init__(self, rows: list[Row]) -> None:
        self.people: dict[str, Row] = {}
        self.admissions_of: dict[str, list[str]] = defaultdict(list)
        self.mentions: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.answers = aipatient.Answers()
        self.users_of_symptom: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.patients_of_relative: dict[str, set[str]] = defaultdict(set)
        self.unmapped: Counter[str] = Counter()
        for row in rows:
            subject, hadm = aipatient.key(row["patient"], "SUBJECT_ID"), aipatient.key(row["admission"], "HADM_ID")
            if subject is None or hadm is None:
                self.unmapped["admissions without SUBJECT_ID or HADM_ID"] += 1
            elif hadm not in self.people:
                self.people[hadm] = row
                self.admissions_of[subject].append(hadm)

    def take_admission_nodes(self, rows: list[Row]) -> None:
        """Everything that hangs on an admission."""
        for row in rows:
            self._take(row, [str(row["hadm_id"])])

    def take_patient_nodes(self, rows: list[Row]) -> None:
        """What hangs on the patient is said of each admission, as the source means it."""
        for row in rows:
            if row["relationship"] == "HAS_FAMILY_MEMBER":
                self.patients_of_relative[str(row["properties"].get("name"))].add(str(row["subject_id"]))
            else:
                self._take(row, self.admissions_of[str(row["subject_id"])])

    def take_details(self, rows: list[Row]) -> None:
        """Durations, frequencies and intensities whose owner is certain."""
        for row in rows:
            users = self.users_of_symptom[str(row["symptom"])]
            owner = aipatient.key(row["scope"] or {}, "HADM_ID")
            certain = [user for user in users if owner == user["hadm_id"]] if owner else users
            if len(certain) == 1 and row["detail"]:
                attributes = certain[0]["attributes"]
                name = _DETAILS[row["relationship"]]
                attributes[name] = "; ".join(filter(None, (attributes.get(name), str(row["detail"]))))
            else:
                self.unmapped[_SHARED_DETAIL] += 1

    def take_relatives(self, rows: list[Row]) -> None:
        """Relatives' conditions whose patient is certain."""
        for row in rows:
            patients = self.patients_of_relative[str(row["relative"])]
            owner = aipatient.key(row["scope"] or {}, "SUBJECT_ID")
            certain = patients & {owner} if owner else patients
            if len(certain) != 1 or not row["condition"]:
                self.unmapped[_SHARED_RELATIVE] += 1
                continue
            for hadm in self.admissions_of[next(iter(certain))]:
                fields = {"experiencer": str(row["relative"]).strip().lower()}
                self._mention(hadm, MentionKind.FAMILY_HISTORY, str(row["condition"]), "FamilyMedicalHistory", **fields)

    def count_strangers(self, rows: list[Row]) -> None:
        """Nodes of labels that the layout does not have."""
        for row in rows:
            if row["label"] not in aipatient.LABELS:
                self.unmapped[f"{row['label']} nodes"] += int(row["nodes"])

    def result(self) -> ImportedGraph:
        """The finished cases."""
        cases = tuple(self._case(hadm) for hadm in sorted(self.people))
        return ImportedGraph(cases=cases, unmapped=dict(sorted(self.unmapped.items())))

    def _take(self, row: Row, hadm_ids: list[str]) -> None:
        kind = aipatient.kind_of(row["relationship"], row["label"])
        text = aipatient.text_of(row["properties"])
        if row["label"] == "FamilyMember":
            self.unmapped["relatives that hang on an admission"] += 1
        elif kind is None and row["label"] not in aipatient.ANSWERS:
            self.unmapped[f"{row['relationship']} to {row['label']}"] += 1
        elif text is None:
            self.unmapped[f"{row['label']} nodes without a name"] += 1
        else:
            for hadm in hadm_ids:
                if kind is None:
                    self.answers.add(hadm, row["label"], text, row["properties"])
                else:
                    absent = row["relationship"] == "HAS_NOSYMPTOM"
                    fields = {"assertion": Assertion.ABSENT if absent else Assertion.PRESENT}
                    made = self._mention(hadm, kind, text, row["label"], **fields)
                    made["attributes"] |= aipatient.attributes_of(kind, row["properties"])

    def _mention(self, hadm: str, kind: MentionKind, text: str, label: str, **fields: Any) -> dict[str, Any]:
        concept = concepts.lookup(text)
        evidence = TableEvidence(table=f"AIPatient graph, {label}", row_key=f"HADM_ID={hadm}, name={text}")
        made = fields | {
            "hadm_id": hadm,
            "kind": kind,
            "text": text,
            "concept": concept.key if concept else None,
            "attributes": {},
            "evidence": (evidence,),
        }
        self.mentions[hadm].append(made)
        if kind is MentionKind.SYMPTOM:
            self.users_of_symptom[text].append(made)
        return made

    def _case(self, hadm: str) -> CaseRecord:
        row = self.people[hadm]
        ordered = sorted(self.mentions[hadm], key=lambda made: (list(MentionKind).index(made["kind"]), made["text"]))
        mentions = [
            Mention(mention_id=f"m{position}", **{name: value for name, value in made.items() if name != "hadm_id"})
            for position, made in enumerate(ordered)
        ]
        return CaseRecord(
            case_id=f"{SOURCE}:{hadm}",
            source=SOURCE,
            subject_id=str(row["patient"]["SUBJECT_ID"]),
            hadm_id=hadm,
            demographics=aipatient.demographics(row["patient"], row["admission"]),
            admission=aipatient.admission(row["admission"]),
            chief_complaint=str(row["admission"].get("CHIEF_COMPLAINT") or ""),
            mentions=tuple(mentions),
            diagnoses=self.answers.diagnoses(hadm),
            medications=self.answers.medications(hadm),
        )

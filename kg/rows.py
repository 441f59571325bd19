"""CaseRecords as rows of nodes and links, ready for the batch statements of `kg.queries.build`."""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter

from etl.caserecord import CaseRecord, Diagnosis, Evidence, Medication, MedicationRole, Mention, MentionKind
from kg import schema
from kg.domains import domain_of
from kg.known import known_mentions
from terminology import concepts

_EVIDENCE: TypeAdapter[tuple[Evidence, ...]] = TypeAdapter(tuple[Evidence, ...])
Properties = dict[str, Any]


class Rows:
    """Rows of a batch of cases: shared nodes, nodes that hang on an admission, nodes that hang on a mention."""

    def __init__(self) -> None:
        self.patients: dict[str, Properties] = {}
        self.admissions: list[Properties] = []
        self.members: dict[str, Properties] = {}
        self.on_admission: dict[tuple[str, str], list[Properties]] = defaultdict(list)
        self.on_node: dict[tuple[str, str, str], list[Properties]] = defaultdict(list)
        self.concepts: set[str] = set()
        self.withheld = 0

    def add(self, case: CaseRecord, digest: str) -> None:
        """Add all rows of one case; `digest` tells its content from a changed one's."""
        key = patient_key(case)
        self.patients[key] = {"key": key, "SUBJECT_ID": case.subject_id, "source": case.source}
        self.admissions.append(
            {"patient_key": key, "case_id": case.case_id, "properties": _admission(case) | {"digest": digest}}
        )
        known = known_mentions(case)
        self.withheld += len(case.mentions) - len(known)
        for position, mention in enumerate((*known, *home_medications(case))):
            self._add_mention(case.case_id, position, mention)
        self._add_answer_key(case)

    def _add_mention(self, case_id: str, position: int, mention: Mention) -> None:
        stored = schema.MENTIONS[mention.kind]
        row = _mention(case_id, position, mention)
        if mention.kind is MentionKind.FAMILY_HISTORY:
            member = f"{case_id}|{mention.experiencer}"
            properties = {
                "key": member,
                "case_id": case_id,
                "name": mention.experiencer,
                "origin": _origin(mention.evidence),
            }
            self.members.setdefault(member, {"case_id": case_id, "key": member, "properties": properties})
            self.on_node[schema.FAMILY_MEMBER, stored.label, stored.relationship].append(row | {"parent": member})
        else:
            self.on_admission[stored.label, schema.relationship_of(mention)].append(row)
        if mention.kind is MentionKind.SYMPTOM:
            self._add_details(case_id, row["key"], mention)
        if mention.concept:
            self.concepts.add(mention.concept)

    def _add_details(self, case_id: str, parent: str, mention: Mention) -> None:
        for attribute, stored in schema.SYMPTOM_DETAILS.items():
            if value := mention.attributes.get(attribute):
                key = f"{parent}|{attribute}"
                properties = {"key": key, "case_id": case_id, "name": value, "origin": _origin(mention.evidence)}
                self.on_node["Symptom", stored.label, stored.relationship].append(
                    {"parent": parent, "key": key, "properties": properties}
                )

    def _add_answer_key(self, case: CaseRecord) -> None:
        answers = [medication for medication in case.medications if medication.role is not MedicationRole.HOME]
        keys: dict[str, Sequence[Diagnosis | Medication]] = {
            schema.DIAGNOSIS: case.diagnoses,
            schema.MEDICATION: answers,
        }
        for label, entries in keys.items():
            rows = self.on_admission[label, schema.ANSWER_KEY[label]]
            for position, entry in enumerate(entries):
                properties = {
                    "case_id": case.case_id,
                    "key": f"{case.case_id}|{label}|{position}",
                    "position": position,
                    "name": entry.name,
                    "record": entry.model_dump_json(),
                    "origin": _origin(entry.evidence),
                }
                rows.append({"case_id": case.case_id, "key": properties["key"], "properties": properties})

    def shared_keys(self) -> set[tuple[str, str]]:
        """The nodes that other cases may share, by label and key."""
        patients = {(schema.PATIENT, key) for key in self.patients}
        return patients | {(schema.CONCEPT, key) for key in self.concepts}

    def count_own_nodes(self) -> int:
        """Nodes that belong to one admission alone."""
        hanging = (*self.on_admission.values(), *self.on_node.values())
        return len(self.admissions) + len(self.members) + sum(map(len, hanging))

    def count_relationships(self) -> int:
        """Relationships of these rows."""
        hanging = [row for rows in (*self.on_admission.values(), *self.on_node.values()) for row in rows]
        linked = sum(1 for row in hanging if row.get("concept"))
        return len(self.admissions) + len(self.members) + len(hanging) + linked


def patient_key(case: CaseRecord) -> str:
    """Subject ids are unique within their source only."""
    return f"{case.source}:{case.subject_id}"


def home_medications(case: CaseRecord) -> tuple[Mention, ...]:
    """Recorded home drugs that no mention names already, as mentions."""
    named = {mention.text.casefold() for mention in case.mentions if mention.kind is MentionKind.HOME_MEDICATION}
    named |= {mention.concept or "" for mention in case.mentions if mention.kind is MentionKind.HOME_MEDICATION}
    missing: list[Mention] = []
    for position, drug in enumerate(case.medications):
        names = {drug.name.casefold(), *drug.ingredients}
        if drug.role is MedicationRole.HOME and not drug.carrier_fluid and not names & named:
            missing.append(_home_medication(f"medications/{position}", drug))
            named |= names
    return tuple(missing)


def _home_medication(mention_id: str, drug: Medication) -> Mention:
    attributes = {"dose": drug.dose, "route": drug.route, "frequency": drug.frequency}
    return Mention(
        mention_id=mention_id,
        kind=MentionKind.HOME_MEDICATION,
        text=drug.name,
        concept=drug.ingredients[0] if len(drug.ingredients) == 1 else None,
        attributes={name: value for name, value in attributes.items() if value},
        evidence=drug.evidence,
    )


def _mention(case_id: str, position: int, mention: Mention) -> Properties:
    key = f"{case_id}|{mention.mention_id}"
    properties: Properties = {
        "key": key,
        "case_id": case_id,
        "mention_id": mention.mention_id,
        "position": position,
        "domain": domain_of(mention).value,
        "name": mention.text,
        "concept": mention.concept,
        "assertion": mention.assertion.value,
        "historical": mention.historical,
        "experiencer": mention.experiencer,
        "attributes": json.dumps(mention.attributes, ensure_ascii=False, sort_keys=True),
        "evidence": _EVIDENCE.dump_json(mention.evidence).decode(),
        "origin": _origin(mention.evidence),
    }
    properties = _present(properties | _compatible(mention))
    return {"case_id": case_id, "key": key, "properties": properties, "concept": mention.concept}


def _compatible(mention: Mention) -> Properties:
    """The property names by which existing AIPatient queries find the same content."""
    if mention.kind is MentionKind.SOCIAL_HISTORY:
        return {"description": mention.text}
    if mention.kind is MentionKind.VITAL:
        return {"LABEL": mention.text, "VALUE": mention.attributes.get("value")}
    return {}


def _admission(case: CaseRecord) -> Properties:
    person = case.demographics
    spokesperson = case.spokesperson
    properties: Properties = {
        "case_id": case.case_id,
        "source": case.source,
        "SUBJECT_ID": case.subject_id,
        "HADM_ID": case.hadm_id,
        "AGE": person.age,
        "AGE_SHOWN": person.age_shown or None,
        "GENDER": person.sex or None,
        "ETHNICITY": person.race,
        "RELIGION": person.religion,
        "MARITAL_STATUS": person.marital_status,
        "LANGUAGE": person.language,
        "INSURANCE": person.insurance,
        "OCCUPATION": person.occupation,
        "LIVING_SITUATION": person.living_situation,
        "CHIEF_COMPLAINT": case.chief_complaint or None,
        "chief_complaint_concept": complaint_concept(case.chief_complaint),
        "SPOKESPERSON_RELATION": spokesperson.relation if spokesperson else None,
        "SPOKESPERSON_REASON": spokesperson.reason if spokesperson else None,
        "ADMITTIME": case.admission.admitted or None,
        "DISCHTIME": case.admission.discharged or None,
        "ADMISSION_TYPE": case.admission.admission_type or None,
        "HOSPITAL_EXPIRE_FLAG": case.admission.died_in_hospital,
    }
    return _present(properties)


def complaint_concept(chief_complaint: str) -> str | None:
    """The terminology key of a chief complaint: of the whole phrase, else of the first symptom that it names."""
    if not chief_complaint.strip():
        return None
    whole = concepts.lookup(chief_complaint)
    if whole is not None:
        return whole.key
    named = concepts.find(chief_complaint, kinds=("symptom",))
    return named[0].key if named else None


def _origin(evidence: Sequence[Evidence]) -> str:
    """ "note" where any evidence is in a note, "table" otherwise; "" where the record gives none."""
    kinds = {each.kind for each in evidence}
    return "note" if "note" in kinds else "table" if kinds else ""


def _present(properties: Properties) -> Properties:
    return {name: value for name, value in properties.items() if value is not None}

"""PATIENT_QUERIES: the whole catalogue of what a patient's turn can ask of the graph.

Each query starts at one admission ($case_id) and names its relationship types. None names a label or a type of the
answer key, nor a property of ward administration; `tests/kg` enumerates this catalogue to show it. A patient view
runs queries by their name here, so a query outside the catalogue cannot be run.
"""

from dataclasses import dataclass

from etl.caserecord import MentionKind
from kg.facts import Domain
from kg.schema import HAS_FAMILY_MEMBER, HAS_MEDICAL_HISTORY, HAS_NOSYMPTOM, MENTIONS

_COLUMNS = (
    "m.mention_id AS mention_id, m.domain AS domain, m.name AS name, m.concept AS concept, m.assertion AS assertion, "
    "m.historical AS historical, m.experiencer AS experiencer, m.attributes AS attributes, m.evidence AS evidence, "
    "m.position AS position"
)


@dataclass(frozen=True)
class PatientQuery:
    """A read that a patient may cause; `domains` are those of the facts that it returns."""

    name: str
    domains: frozenset[Domain]
    cypher: str


def _direct(name: str, domains: set[Domain], *relationships: str) -> PatientQuery:
    types = "|".join(relationships)
    cypher = f"MATCH (:Admission {{case_id: $case_id}})-[:{types}]->(m) RETURN {_COLUMNS}"
    return PatientQuery(name, frozenset(domains), cypher)


_FAMILY = (
    f"MATCH (:Admission {{case_id: $case_id}})-[:{HAS_FAMILY_MEMBER}]->(:FamilyMember)"
    f"-[:{HAS_MEDICAL_HISTORY}]->(m:FamilyMedicalHistory) RETURN {_COLUMNS}"
)

_PERSON = """
MATCH (a:Admission {case_id: $case_id})
RETURN a.AGE_SHOWN AS age, a.GENDER AS sex, a.ETHNICITY AS race, a.RELIGION AS religion,
       a.MARITAL_STATUS AS marital_status, a.LANGUAGE AS language, a.INSURANCE AS insurance,
       a.OCCUPATION AS occupation, a.LIVING_SITUATION AS living_situation,
       a.CHIEF_COMPLAINT AS chief_complaint, a.chief_complaint_concept AS chief_complaint_concept,
       a.SPOKESPERSON_RELATION AS spokesperson_relation, a.SPOKESPERSON_REASON AS spokesperson_reason
"""

_STORED = {kind: stored.relationship for kind, stored in MENTIONS.items()}
_DIRECT_TYPES = tuple(dict.fromkeys((HAS_NOSYMPTOM, *_STORED.values())))

PERSON = PatientQuery("person", frozenset({Domain.DEMOGRAPHICS, Domain.CHIEF_COMPLAINT}), _PERSON)
FAMILY = PatientQuery("family_history", frozenset({Domain.FAMILY_HISTORY}), _FAMILY)
KNOWN = _direct(
    "known",
    {
        Domain.SYMPTOM,
        Domain.PAST_HISTORY,
        Domain.SURGICAL_HISTORY,
        Domain.SOCIAL_HISTORY,
        Domain.LIFESTYLE,
        Domain.ALLERGY,
        Domain.EXAMINATION,
        Domain.TEST_RESULT,
        Domain.MEDICATION,
    },
    *_DIRECT_TYPES,
)
"""All mentions of the admission but the relatives', in one round trip."""

PATIENT_QUERIES: dict[str, PatientQuery] = {
    query.name: query
    for query in (
        PERSON,
        KNOWN,
        FAMILY,
        _direct("symptom", {Domain.SYMPTOM}, _STORED[MentionKind.SYMPTOM], HAS_NOSYMPTOM),
        _direct("past_history", {Domain.PAST_HISTORY}, _STORED[MentionKind.MEDICAL_HISTORY]),
        _direct("surgical_history", {Domain.SURGICAL_HISTORY}, _STORED[MentionKind.SURGICAL_HISTORY]),
        _direct("social_history", {Domain.SOCIAL_HISTORY, Domain.LIFESTYLE}, _STORED[MentionKind.SOCIAL_HISTORY]),
        _direct("allergy", {Domain.ALLERGY}, _STORED[MentionKind.ALLERGY]),
        _direct("examination", {Domain.EXAMINATION}, _STORED[MentionKind.VITAL], _STORED[MentionKind.EXAMINATION]),
        _direct("test_result", {Domain.TEST_RESULT}, _STORED[MentionKind.LABORATORY]),
        _direct("medication", {Domain.MEDICATION}, _STORED[MentionKind.HOME_MEDICATION]),
    )
}

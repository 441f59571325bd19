"""BUILD: batches of rows by UNWIND. What cases share is merged on its unique key; what one case owns is created.

A case's own nodes are created only in a transaction that has found the case new or has cleared it; the unique keys
refuse the second of two concurrent writers, whose retry then finds the case unchanged. (MERGE for these too gives the
same graph at two thirds of the rate.)
"""

from kg.schema import FAMILY_MEMBER, HAS_FAMILY_MEMBER, OF_CONCEPT

DIGESTS = "UNWIND $case_ids AS id MATCH (a:Admission {case_id: id}) RETURN a.case_id AS case_id, a.digest AS digest"

CLEAR_CASES: tuple[str, str] = (
    "UNWIND $case_ids AS id MATCH (:Admission {case_id: id})-[]->(m)-[]->(n) WHERE n.case_id = id DETACH DELETE n",
    "UNWIND $case_ids AS id MATCH (:Admission {case_id: id})-[]->(m) WHERE m.case_id = id DETACH DELETE m",
)
"""Removes what belongs to these admissions alone, leaves first; Patient and Concept nodes have no case and stay."""

PATIENTS = """
UNWIND $rows AS row
MERGE (p:Patient {key: row.key})
SET p.SUBJECT_ID = row.SUBJECT_ID, p.source = row.source
"""

ADMISSIONS = """
UNWIND $rows AS row
MATCH (p:Patient {key: row.patient_key})
MERGE (a:Admission {case_id: row.case_id})
SET a = row.properties
MERGE (p)-[:HAS_ADMISSION]->(a)
"""

PATIENT_SUMMARY = """
UNWIND $keys AS key
MATCH (p:Patient {key: key})-[:HAS_ADMISSION]->(a:Admission)
WITH p, max(a.GENDER) AS gender, max(a.ETHNICITY) AS ethnicity, max(a.RELIGION) AS religion,
     max(a.MARITAL_STATUS) AS marital_status
SET p.GENDER = gender, p.ETHNICITY = ethnicity, p.RELIGION = religion, p.MARITAL_STATUS = marital_status
"""
"""What existing AIPatient queries read from Patient; max() keeps it the same whatever the order of the cases."""

CONCEPTS = "UNWIND $rows AS row MERGE (c:Concept {key: row.key})"


def nodes_of_admissions(label: str, relationship: str) -> str:
    """Nodes that hang on an admission; rows: case_id, key, properties, concept."""
    return f"""
UNWIND $rows AS row
MATCH (a:Admission {{case_id: row.case_id}})
CREATE (a)-[:{relationship}]->(m:{label})
SET m = row.properties
{_CONCEPT_LINK}"""


def nodes_of_nodes(parent: str, label: str, relationship: str) -> str:
    """Nodes that hang on a node of label `parent`; rows: parent, key, properties, concept."""
    return f"""
UNWIND $rows AS row
MATCH (p:{parent} {{key: row.parent}})
CREATE (p)-[:{relationship}]->(m:{label})
SET m = row.properties
{_CONCEPT_LINK}"""


_CONCEPT_LINK = f"""
WITH m, row WHERE row.concept IS NOT NULL
MATCH (c:Concept {{key: row.concept}})
CREATE (m)-[:{OF_CONCEPT}]->(c)
"""

FAMILY_MEMBERS = nodes_of_admissions(FAMILY_MEMBER, HAS_FAMILY_MEMBER)

"""ANSWER_KEY_QUERIES: the evaluator's reads; nothing on the patient's side imports this file."""

DIAGNOSES = """
MATCH (a:Admission {case_id: $case_id})-[:HAS_DIAGNOSIS]->(d:Diagnosis)
RETURN d.record AS record ORDER BY d.position
"""

MEDICATIONS = """
MATCH (a:Admission {case_id: $case_id})-[:HAS_MEDICATION]->(m:Medication)
RETURN m.record AS record ORDER BY m.position
"""

EXISTS = "MATCH (a:Admission {case_id: $case_id}) RETURN a.case_id AS case_id"

CASE_IDS = "MATCH (a:Admission) RETURN a.case_id AS case_id ORDER BY case_id"

ANSWER_KEY_QUERIES: dict[str, str] = {
    "diagnoses": DIAGNOSES,
    "medications": MEDICATIONS,
    "exists": EXISTS,
    "case_ids": CASE_IDS,
}

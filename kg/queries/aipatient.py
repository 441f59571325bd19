"""AIPATIENT: reads of a graph in the plain layout of AIPatient, whose nodes are shared and found by their names."""

ADMISSIONS = """
MATCH (p:Patient)-[:HAS_ADMISSION]->(a:Admission)
RETURN properties(p) AS patient, properties(a) AS admission
"""

OF_ADMISSION = """
MATCH (a:Admission)-[r]->(m)
RETURN a.HADM_ID AS hadm_id, type(r) AS relationship, labels(m)[0] AS label, properties(m) AS properties
"""

OF_PATIENT = """
MATCH (p:Patient)-[r]->(m)
WHERE NOT m:Admission
RETURN p.SUBJECT_ID AS subject_id, type(r) AS relationship, labels(m)[0] AS label, properties(m) AS properties
"""

SYMPTOM_DETAILS = """
MATCH (s:Symptom)-[r:HAS_DURATION|HAS_FREQUENCY|HAS_INTENSITY]->(d)
RETURN s.name AS symptom, type(r) AS relationship, d.name AS detail, properties(r) AS scope
"""

RELATIVES = """
MATCH (f:FamilyMember)-[r:HAS_MEDICAL_HISTORY]->(h:FamilyMedicalHistory)
RETURN f.name AS relative, h.name AS condition, properties(r) AS scope
"""

LABELS = "MATCH (n) RETURN labels(n)[0] AS label, count(*) AS nodes"

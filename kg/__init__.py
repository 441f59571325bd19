"""CaseRecord in, patient graph out; every Cypher text of the project is here."""

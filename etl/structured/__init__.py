"""Structured health-record data: rows of tables in, parts of a CaseRecord out, every row accounted for."""

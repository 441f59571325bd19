"""STATISTICS: counts by label and origin, and by relationship type."""

NODES = """
MATCH (n)
RETURN labels(n)[0] AS label, n.origin AS origin, count(*) AS nodes
"""

RELATIONSHIPS = """
MATCH ()-[r]->()
RETURN type(r) AS relationship, count(*) AS relationships
"""

"""EXCHANGE: reading the whole graph in pages, by key and never by elementId, and the statements of a Cypher export."""

from kg.schema import labels

PAGE = 2000


def nodes_after(label: str, key: str) -> str:
    """One page of a label's nodes, those whose key follows $after."""
    return (
        f"MATCH (n:{label}) WHERE n.{key} > $after "
        f"RETURN n.{key} AS key, properties(n) AS properties ORDER BY n.{key} LIMIT {PAGE}"
    )


def relationships_of(start: str, key: str, relationship: str) -> str:
    """Relationships of a type that leave the nodes of one label whose keys are $keys, with both ends' keys."""
    return f"""
UNWIND $keys AS key
MATCH (a:{start} {{{key}: key}})-[r:{relationship}]->(b)
RETURN key AS start, labels(b)[0] AS label, {_any_key("b")} AS end ORDER BY start, label, end
"""


def _any_key(variable: str) -> str:
    """A node's key whatever its label: an admission's `case_id`, else `key`, which only admissions lack."""
    return f"coalesce({variable}.key, {variable}.case_id)"


def node_statement(label: str, rows: str) -> str:
    """A statement of the export that makes nodes of a literal list of maps."""
    return f"UNWIND [{rows}] AS row MERGE (n:{label} {{{labels()[label]}: row.{labels()[label]}}}) SET n = row"


def relationship_statement(start: str, relationship: str, end: str, pairs: str) -> str:
    """A statement of the export that makes relationships of a literal list of key pairs."""
    return (
        f"UNWIND [{pairs}] AS pair MATCH (a:{start} {{{labels()[start]}: pair[0]}}) "
        f"MATCH (b:{end} {{{labels()[end]}: pair[1]}}) MERGE (a)-[:{relationship}]->(b)"
    )

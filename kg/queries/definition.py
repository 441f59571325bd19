"""Definition of the graph: a constraint for each label, in plain DDL that both servers understand.

All of them may run in one transaction, on both servers, as long as it writes no data.
"""

from kg.schema import labels


def _constraint(label: str, key: str) -> str:
    name = f"{label.lower()}_{key}"
    return f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) REQUIRE n.{key} IS UNIQUE"


CONSTRAINTS: tuple[str, ...] = tuple(_constraint(label, key) for label, key in labels().items())
"""Unique keys; each also serves as the index of its lookups."""

PROBE = "RETURN 1 AS answer"
"""Fails where the database does not exist."""

"""The graph as a file: GraphML for graph tools, Cypher for another Bolt server. Both hold record text."""

import contextlib
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from kg import schema
from kg.graphml import GraphMLWriter
from kg.queries import exchange
from kg.queries.definition import CONSTRAINTS
from kg.store import Reader, Row

_STATEMENT_ROWS = 100
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def write_graphml(store: Reader, target: Path) -> None:
    """Write all nodes and relationships as GraphML; node ids are "<label>|<key>". Raises OSError."""
    names = {name for _, _, properties in nodes(store) for name in properties}
    with _replacing(target) as file, GraphMLWriter(file, names) as writer:
        for label, key, properties in nodes(store):
            writer.node(f"{label}|{key}", label, properties)
        for relationship, (start, start_key), (end, end_key) in relationships(store):
            writer.edge(f"{start}|{start_key}", f"{end}|{end_key}", relationship)


def write_cypher(store: Reader, target: Path) -> None:
    """Write statements that make the same graph on any Neo4j 5 server; running them twice adds nothing."""
    with _replacing(target) as file:
        file.writelines(f"{statement};\n" for statement in (*CONSTRAINTS, *_statements(store)))


def nodes(store: Reader) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Label, key and properties of every node, by label and then by key."""
    for label in schema.labels():
        for page in _pages(store, label):
            yield from ((label, row["key"], row["properties"]) for row in page)


def relationships(store: Reader) -> Iterator[tuple[str, tuple[str, str], tuple[str, str]]]:
    """Type, start (label, key) and end (label, key) of every relationship, in a fixed order."""
    for start, key in schema.labels().items():
        for relationship in schema.leaving(start):
            cypher = exchange.relationships_of(start, key, relationship)
            for page in _pages(store, start):
                for row in store.read(cypher, keys=[node["key"] for node in page]):
                    yield relationship, (start, row["start"]), (row["label"], row["end"])


def _pages(store: Reader, label: str) -> Iterator[list[Row]]:
    after = ""
    while page := store.read(exchange.nodes_after(label, schema.labels()[label]), after=after):
        yield page
        after = page[-1]["key"]


def _statements(store: Reader) -> Iterator[str]:
    for label, group in itertools.groupby(nodes(store), key=lambda node: node[0]):
        while rows := [_literal(properties) for _, _, properties in itertools.islice(group, _STATEMENT_ROWS)]:
            yield exchange.node_statement(label, ", ".join(rows))
    kinds = itertools.groupby(relationships(store), key=lambda each: (each[1][0], each[0], each[2][0]))
    for (start, relationship, end), links in kinds:
        while pairs := [_literal([a[1], b[1]]) for _, a, b in itertools.islice(links, _STATEMENT_ROWS)]:
            yield exchange.relationship_statement(start, relationship, end, ", ".join(pairs))


def _literal(value: Any) -> str:
    """A Cypher literal; property names are ours and need no quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_literal(each)}" for name, each in sorted(value.items())) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_literal(each) for each in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return "'" + "".join(_ESCAPES.get(character, character) for character in str(value)) + "'"


@contextlib.contextmanager
def _replacing(target: Path) -> Iterator[TextIO]:
    """A file that takes `target`'s place when it is whole; private, since it holds record text."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            yield file
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise

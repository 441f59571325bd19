"""Graph servers for the contract suite: the embedded one always, a Neo4j server where NEO4J_TEST_URI is set."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from kg import server
from kg.build import create_schema
from kg.store import GraphStore, Transaction, connect
from tests.conftest import missing

EMBEDDED = "embedded"
NEO4J = "neo4j"


@pytest.fixture(scope="session")
def embedded_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home whose embedded server is stopped after the session."""
    home = tmp_path_factory.mktemp("embedded")
    yield home
    server.stop(home)


@pytest.fixture(scope="session", params=[EMBEDDED, pytest.param(NEO4J, marks=pytest.mark.neo4j)])
def session_store(request: pytest.FixtureRequest, embedded_home: Path) -> Iterator[GraphStore]:
    """A connected store on each server."""
    if request.param == EMBEDDED:
        with connect(embedded_home) as store:
            yield store
        return
    uri = os.environ.get("NEO4J_TEST_URI")
    if not uri:
        missing("a Neo4j server", ". .ci/neo4j.sh && start_neo4j && export NEO4J_TEST_URI")
    with connect(uri=uri) as store:
        yield store


@pytest.fixture
def store(session_store: GraphStore, embedded_home: Path) -> Iterator[GraphStore]:
    """An empty graph with its constraints, this test's alone: parallel test processes share the Neo4j server."""
    uri = os.environ.get("NEO4J_TEST_URI", "none")
    shared = Path(tempfile.gettempdir()) / f"anamnesis-neo4j-{uri.rpartition(':')[2]}.lock"
    with FileLock(shared if "ArcadeDB" not in session_store.agent() else embedded_home / "test.lock"):
        create_schema(session_store)
        while session_store.write(_delete_some):
            pass
        yield session_store


def _delete_some(work: Transaction) -> int:
    rows = work.run("MATCH (n) WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS gone")
    return int(rows[0]["gone"])


@pytest.fixture
def embedded(embedded_home: Path) -> Iterator[GraphStore]:
    """An empty embedded graph, for what does not differ between servers."""
    with connect(embedded_home) as store:
        create_schema(store)
        store.write(lambda work: work.run("MATCH (n) DETACH DELETE n"))
        yield store

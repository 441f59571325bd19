"""Restart, kill -9 of the server and kill -9 of a client: no acknowledged commit is lost, and none is halved."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundation.errors import UserError
from kg.answer_key import case_ids
from kg.build import build
from kg.patient_view import PatientView
from kg.store import GraphStore
from tests.conftest import missing
from tests.kg.samples import plain_case, rich_case, whole_graph
from tests.kg.servers import ROOT, EmbeddedServer, Neo4jServer, Restartable

MENTIONS = 30
CASES = 60


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def own_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Restartable]:
    """A server of this test's own."""
    server: Restartable
    if request.param == "neo4j":
        if not (os.environ.get("NEO4J_TEST_URI") and (ROOT / "build" / "neo4j" / "lib" / ".complete").exists()):
            missing("Neo4j's programs", ". .ci/neo4j.sh && start_neo4j && export NEO4J_TEST_URI")
        server = Neo4jServer(tmp_path)
    else:
        server = EmbeddedServer(tmp_path)
    yield server
    server.stop()


def write_one_by_one(store: GraphStore, acknowledged: list[str], numbers: range) -> None:
    for number in numbers:
        case = plain_case(number, MENTIONS)
        try:
            build(store, [case])
        except UserError:
            return
        acknowledged.append(case.case_id)


def assert_whole(store: GraphStore, acknowledged: list[str]) -> None:
    present = set(case_ids(store))
    assert set(acknowledged) <= present
    for case_id in present:
        assert len(PatientView(store, case_id).facts()) == MENTIONS


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_restart_keeps_the_graph(own_server: Restartable) -> None:
    with own_server.connect() as store:
        build(store, [rich_case()])
        before = whole_graph(store)
    own_server.stop()
    with own_server.connect() as store:
        assert whole_graph(store) == before
        assert build(store, [rich_case()]).unchanged == 1


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_server_loses_no_acknowledged_commit(own_server: Restartable) -> None:
    acknowledged: list[str] = []
    with own_server.connect() as store:
        writer = threading.Thread(target=write_one_by_one, args=(store, acknowledged, range(CASES)))
        writer.start()
        while len(acknowledged) < 20:
            time.sleep(0.01)
        own_server.kill()
        before_the_kill = acknowledged[:]
        with own_server.connect() as second:
            assert_whole(second, before_the_kill)
        writer.join(200)
        assert not writer.is_alive()
    if isinstance(own_server, EmbeddedServer):  # the store restarts it; a remote server may be away for too long
        assert len(acknowledged) == CASES
    with own_server.connect() as store:
        assert_whole(store, acknowledged)
        report = build(store, [plain_case(number, MENTIONS) for number in range(CASES)])
        assert report.unchanged >= len(acknowledged)
        assert_whole(store, [f"plain:{number}" for number in range(CASES)])


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_killed_client_leaves_whole_cases(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path)
    script = (
        "import sys; from pathlib import Path; from kg.store import connect; from kg.build import build\n"
        "from tests.kg.samples import plain_case\n"
        "with connect(Path(sys.argv[1])) as store:\n"
        f"    for n in range(10**6):\n        build(store, [plain_case(n, {MENTIONS})]); print(n, flush=True)\n"
    )
    client = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE)
    assert client.stdout is not None
    acknowledged = [f"plain:{int(client.stdout.readline())}" for _ in range(15)]
    client.kill()
    client.wait(10)
    with server.connect() as store:
        assert_whole(store, acknowledged)
    server.stop()

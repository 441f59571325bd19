"""The embedded server: one however many start it, on loopback only, private, gone when idle, ended by SIGTERM."""

import ipaddress
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from foundation.errors import UserError
from kg import server
from kg.build import build
from kg.connection import ServerFiles
from kg.patient_view import PatientView
from kg.store import connect
from tests.kg.samples import rich_case
from tests.kg.servers import ROOT

_SERVE = "import sys; from pathlib import Path; from kg.server import serve; print(serve(Path(sys.argv[1])).pid)"


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_many_processes_start_one_server(tmp_path: Path) -> None:
    clients = [
        subprocess.Popen([sys.executable, "-c", _SERVE, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(5)
    ]
    pids = {client.communicate(timeout=100)[0].strip() for client in clients}
    assert len(pids) == 1 and pids != {""}
    assert server.stop(tmp_path)
    assert not psutil.pid_exists(int(pids.pop()))


def test_listens_on_loopback_only_with_a_private_credential(embedded_home: Path) -> None:
    connection = server.serve(embedded_home)
    listening = [each for each in psutil.Process(connection.pid).net_connections() if each.status == "LISTEN"]
    assert listening
    for each in listening:
        address = ipaddress.ip_address(each.laddr.ip)
        mapped = getattr(address, "ipv4_mapped", None) or address
        assert mapped.is_loopback
    files = ServerFiles(embedded_home)
    for path in (files.connection, files.password):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(files.folder.stat().st_mode) == 0o700
    assert connection.password not in " ".join(psutil.Process(connection.pid).cmdline())
    with pytest.raises(UserError, match="credential"):
        connect(uri=connection.uri)


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_leaves_when_idle_and_not_before(tmp_path: Path) -> None:
    connection = server.serve(tmp_path, idle_seconds=2)
    with connect(tmp_path) as store:
        time.sleep(4)
        assert server.running(tmp_path) == connection
        build(store, [rich_case()])
    psutil.Process(connection.pid).wait(30)
    assert server.running(tmp_path) is None
    with connect(tmp_path) as store:
        assert PatientView(store, "test:1").facts()
    assert server.stop(tmp_path)
    assert not server.stop(tmp_path)


@pytest.mark.timeout(120)
def test_ends_in_good_order_on_sigterm(tmp_path: Path) -> None:
    process = psutil.Process(server.serve(tmp_path).pid)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    assert ServerFiles(tmp_path).read_connection() is None


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_store_outlives_its_server(tmp_path: Path) -> None:
    """Threads that share a store when the server dies find the next one, and one server only."""
    with connect(tmp_path) as store:
        build(store, [rich_case()])
        first = server.running(tmp_path)
        assert first is not None
        psutil.Process(first.pid).kill()
        answers: list[int] = []
        readers = [
            threading.Thread(target=lambda: answers.append(len(PatientView(store, "test:1").facts()))) for _ in range(4)
        ]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(60)
        assert len(answers) == 4 and len(set(answers)) == 1
    server.stop(tmp_path)


def test_stale_connection_file_is_no_obstacle(embedded_home: Path, tmp_path: Path) -> None:
    """A file left by a dead server whose port now belongs to another server's."""
    stranger = server.serve(embedded_home)
    files = ServerFiles(tmp_path)
    files.prepare()
    files.announce(stranger.model_copy(update={"password": "another"}))
    connection = server.serve(tmp_path)
    assert connection.pid != stranger.pid
    server.stop(tmp_path)


def test_absent_server_is_the_users_to_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="NEO4J_URI"):
        connect(uri="bolt://127.0.0.1:1")
    monkeypatch.setenv("NEO4J_URI", "no-such-scheme://x")
    with pytest.raises(UserError, match="NEO4J_URI"):
        connect()


def test_settings_of_the_engine_reach_the_database(embedded_home: Path) -> None:
    with connect(embedded_home) as store:
        build(store, [rich_case()])
    buckets = list(ServerFiles(embedded_home).data.rglob("Admission_*.bucket"))
    assert buckets and all(".16384." in bucket.name for bucket in buckets)

"""The process of the embedded graph server: ArcadeDB speaking Bolt on loopback until it is told to stop or is idle.

Run as `python -m kg.server_process HOME IDLE_SECONDS` by `kg.server`; not by hand.
"""

import signal
import socket
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

import psutil
from filelock import FileLock, Timeout

from kg.connection import DATABASE, USERNAME, Connection, ServerFiles
from kg.start_cache import java_options

LOOPBACK = "127.0.0.1"
HEAP = "1g"
JVM = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""One user's graph: a collector without threads of its own leaves the cores to the consultations, and so does the
first compiler alone. The second makes later loads a third shorter, for 2 s of processor time in the first load that it
has not earned back ten loads on (docs/measurements.md, "Graph store")."""
ENGINE = ("-Darcadedb.txWalFlush=1", "-Darcadedb.bucketDefaultPageSize=16384")
"""Told to the runtime, because the same among the server's settings does not reach its databases (seen by strace). An
acknowledged commit is on the disk before the client hears of it. Looking for room in a page costs time for each record
in it; 8 KiB would hold less than the page's own table."""
BOLT_PLUGIN = "Bolt:com.arcadedb.bolt.BoltProtocolPlugin"
PREDECESSOR_SECONDS = 30.0


def main(home: Path, idle_seconds: float) -> int:
    """Serve until SIGTERM or `idle_seconds` without clients; 0 after an orderly stop, 3 where another one runs."""
    files = ServerFiles(home)
    stopping = threading.Event()
    run_lock = FileLock(files.run_lock, timeout=PREDECESSOR_SECONDS)
    try:
        run_lock.acquire()
    except Timeout:
        print("another graph server of this home is still running", file=sys.stderr)
        return 3
    bolt_port, http_port = _free_ports(2)
    server = _start(files, bolt_port, http_port)
    # After the Java runtime has started: it installs handlers of its own, which crash inside Python's interpreter.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: _note(stopping, _frame))
    files.announce(_connection(files, bolt_port))
    try:
        with _until_told_or_idle(files, stopping, bolt_port, idle_seconds):
            files.withdraw()
            server.stop()
    finally:
        run_lock.release()
    return 0


def _start(files: ServerFiles, bolt_port: int, http_port: int) -> Any:
    from arcadedb_embedded.server import ArcadeDBServer

    java = {"heap_size": HEAP, "jvm_args": [*JVM, *ENGINE, *java_options()]}
    config = {
        "mode": "development",  # production mode hides the texts of errors
        "host": LOOPBACK,
        "http_port": http_port,
        "server_plugins": BOLT_PLUGIN,
        "bolt_host": LOOPBACK,
        "bolt_port": bolt_port,
        "bolt_defaultDatabase": DATABASE,
    }
    server = ArcadeDBServer(str(files.data), files.server_password(), config=config, jvm_kwargs=java)
    server.start()
    server.create_database(DATABASE)
    return server


def _connection(files: ServerFiles, bolt_port: int) -> Connection:
    return Connection(
        uri=f"bolt://{LOOPBACK}:{bolt_port}",
        username=USERNAME,
        password=files.server_password(),
        database=DATABASE,
        pid=psutil.Process().pid,
    )


def _note(stopping: threading.Event, _frame: FrameType | None) -> None:
    stopping.set()


def _until_told_or_idle(
    files: ServerFiles, stopping: threading.Event, bolt_port: int, idle_seconds: float
) -> "_Departure":
    """Wait; an idle server leaves only with the start lock in hand, so that no client is about to connect."""
    last_client = time.monotonic()
    departure = _Departure(files)
    while not stopping.wait(min(2.0, idle_seconds / 4)):
        if _clients(bolt_port):
            last_client = time.monotonic()
        elif time.monotonic() - last_client >= idle_seconds and departure.take_lock():
            if not _clients(bolt_port):
                break
            departure.give_lock()
            last_client = time.monotonic()
    return departure


class _Departure:
    """The start lock, where this server holds it while it leaves."""

    def __init__(self, files: ServerFiles) -> None:
        self._lock = FileLock(files.start_lock, timeout=0)

    def take_lock(self) -> bool:
        """Whether the lock was free, and is now held."""
        try:
            self._lock.acquire()
        except Timeout:
            return False
        return True

    def give_lock(self) -> None:
        """Let clients look for the server again."""
        if self._lock.is_locked:
            self._lock.release()

    def __enter__(self) -> "_Departure":
        return self

    def __exit__(self, *_: object) -> None:
        self.give_lock()


def _clients(bolt_port: int) -> int:
    return sum(
        1
        for connection in psutil.Process().net_connections(kind="tcp")
        if connection.status == psutil.CONN_ESTABLISHED and connection.laddr and connection.laddr.port == bolt_port
    )


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_STREAM) for _ in range(count)]
    try:
        for each in sockets:
            each.bind((LOOPBACK, 0))
        return [int(each.getsockname()[1]) for each in sockets]
    finally:
        for each in sockets:
            each.close()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), float(sys.argv[2])))

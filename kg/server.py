"""The embedded graph server as its clients see it: started when needed, shared by every process, stopped when idle.

Two locks make starting safe. `start.lock` is held by whoever looks for, starts or stops the server; `run.lock` is held
by the server process for its life, so that the operating system frees it even after kill -9.
"""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
from filelock import FileLock, Timeout
from neo4j import GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from foundation.errors import UserError
from kg.connection import Connection, ServerFiles

IDLE_SECONDS = 600.0
START_SECONDS = 90.0
STOP_SECONDS = 30.0


def serve(home: Path, idle_seconds: float | None = None) -> Connection:
    """Make sure that the server of `home` runs, and return how to reach it; the second call finds the first's.

    `idle_seconds` without any client end it (default 600, or ANAMNESIS_GRAPH_IDLE_SECONDS); an already running
    server keeps its own setting. Raises UserError where it cannot start.
    """
    files = ServerFiles(home)
    files.prepare()
    with _start_lock(files):
        return ensure_running(files, _idle_seconds(idle_seconds))


def stop(home: Path) -> bool:
    """Stop the server of `home` in an orderly way; False where none was running."""
    files = ServerFiles(home)
    if not files.folder.exists():
        return False
    with _start_lock(files):
        connection = files.read_connection()
        process = _process(connection)
        if process is not None:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except psutil.TimeoutExpired:
                process.kill()
                process.wait(STOP_SECONDS)
        files.withdraw()
        return process is not None


def running(home: Path) -> Connection | None:
    """The connection of a server that answers, or None; never starts one."""
    connection = ServerFiles(home).read_connection()
    return connection if connection is not None and answers(connection) else None


@contextlib.contextmanager
def held_running(home: Path) -> Iterator[Connection]:
    """Like `serve`, but the server cannot stop for idleness inside the block: connect there."""
    files = ServerFiles(home)
    files.prepare()
    with _start_lock(files):
        yield ensure_running(files, _idle_seconds(None))


def ensure_running(files: ServerFiles, idle_seconds: float) -> Connection:
    """Find or start the server; the caller holds the start lock."""
    connection = files.read_connection()
    if connection is not None and answers(connection):
        return connection
    files.withdraw()
    return _await_start(files, _spawn(files, idle_seconds))


def answers(connection: Connection) -> bool:
    """Whether a server at that address accepts that credential; a stranger on the port does not."""
    auth = (connection.username, connection.password)
    try:
        with GraphDatabase.driver(
            connection.uri, auth=auth, connection_timeout=5, connection_acquisition_timeout=10
        ) as driver:
            driver.verify_connectivity()
    except (DriverError, Neo4jError, OSError):
        return False
    return True


def _idle_seconds(asked: float | None) -> float:
    return asked if asked is not None else float(os.environ.get("ANAMNESIS_GRAPH_IDLE_SECONDS", IDLE_SECONDS))


@contextlib.contextmanager
def _start_lock(files: ServerFiles) -> Iterator[None]:
    try:
        with FileLock(files.start_lock, timeout=START_SECONDS + STOP_SECONDS):
            yield
    except Timeout as error:
        raise UserError(
            f"another process holds {files.start_lock} for more than {START_SECONDS + STOP_SECONDS:.0f} s",
            "end the process that starts or stops the graph server, then try again",
        ) from error


def _process(connection: Connection | None) -> psutil.Process | None:
    """The server's process, told from a stranger with a recycled id by its command line."""
    if connection is None:
        return None
    try:
        process = psutil.Process(connection.pid)
        return process if "kg.server_process" in process.cmdline() else None
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return None


def _spawn(files: ServerFiles, idle_seconds: float) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "kg.server_process", str(files.folder.parent), str(idle_seconds)]
    root = str(Path(__file__).resolve().parent.parent)
    paths = os.pathsep.join(path for path in (root, os.environ.get("PYTHONPATH", "")) if path)
    with files.log.open("wb") as log:
        return subprocess.Popen(
            command,
            cwd=files.folder,
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _await_start(files: ServerFiles, child: subprocess.Popen[bytes]) -> Connection:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        connection = files.read_connection()
        if connection is not None and connection.pid == child.pid and answers(connection):
            return connection
        if child.poll() is not None:
            raise _not_started(files, f"ended with code {child.returncode}")
        time.sleep(0.05)
    child.kill()
    raise _not_started(files, f"did not answer within {START_SECONDS:.0f} s")


def _not_started(files: ServerFiles, what: str) -> UserError:
    return UserError(
        f"the embedded graph server {what}; its log is {files.log}",
        "read the end of that log; or point NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD at a Neo4j 5 server",
    )

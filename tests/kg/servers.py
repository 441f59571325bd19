"""Servers that a test may stop and kill: the embedded one, and Neo4j as `.ci/neo4j.sh` runs it."""

import socket
import subprocess
import time
from pathlib import Path
from typing import Protocol

import psutil

from foundation.errors import UserError
from kg import server
from kg.store import GraphStore, connect

ROOT = Path(__file__).parents[2]


class Restartable(Protocol):
    """A server with a folder of its own."""

    def connect(self) -> GraphStore:
        """Start it where it does not run, and connect."""
        ...

    def stop(self) -> None:
        """Stop it in good order."""
        ...

    def kill(self) -> None:
        """kill -9."""
        ...


class EmbeddedServer:
    """The embedded server of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def connect(self) -> GraphStore:
        return connect(self.folder)

    def stop(self) -> None:
        server.stop(self.folder)

    def kill(self) -> None:
        connection = server.running(self.folder)
        assert connection is not None
        process = psutil.Process(connection.pid)
        process.kill()
        process.wait(10)


class Neo4jServer:
    """A Neo4j server of a folder; needs the programs that `fetch_neo4j` fetches."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])

    def connect(self) -> GraphStore:
        if self.process is None:
            command = f". .ci/neo4j.sh && run_neo4j '{self.folder}' {self.port}"
            with (self.folder / "output").open("ab") as output:
                self.process = subprocess.Popen(["bash", "-c", command], cwd=ROOT, stdout=output, stderr=output)
        deadline = time.monotonic() + 240
        while True:
            try:
                return connect(uri=f"bolt://127.0.0.1:{self.port}")
            except UserError:
                assert time.monotonic() < deadline and self.process.poll() is None, "Neo4j did not start"
                time.sleep(0.5)

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(60)
            self.process = None

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(10)
        self.process = None

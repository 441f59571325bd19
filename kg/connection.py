"""Where the embedded graph server of a home folder keeps its files, and how a client reaches it."""

import os
import secrets
from pathlib import Path

from pydantic import ValidationError

from foundation.files import write_atomically
from foundation.records import Frozen

DATABASE = "anamnesis"
USERNAME = "root"


class Connection(Frozen):
    """A running embedded server: a loopback Bolt address, its credential and its process id."""

    uri: str
    username: str
    password: str
    database: str
    pid: int


class ServerFiles:
    """The files of the embedded server, all in the folder "graph" of `home`; the only place that names them."""

    def __init__(self, home: Path) -> None:
        self.folder = home.resolve() / "graph"
        self.data = self.folder / "data"
        self.log = self.folder / "server.log"
        self.connection = self.folder / "connection.json"
        self.password = self.folder / "password"
        self.start_lock = self.folder / "start.lock"
        self.run_lock = self.folder / "run.lock"

    def prepare(self) -> None:
        """Make the folder, readable by its owner alone."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)

    def read_connection(self) -> Connection | None:
        """The last announced connection, or None; its server may have died since."""
        try:
            return Connection.model_validate_json(self.connection.read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    def announce(self, connection: Connection) -> None:
        """Tell clients where the server listens; the folder's mode keeps the credential private."""
        write_atomically(self.connection, connection.model_dump_json())
        self.connection.chmod(0o600)

    def withdraw(self) -> None:
        """Tell clients that no server listens any more."""
        self.connection.unlink(missing_ok=True)

    def server_password(self) -> str:
        """The server's random password, made at the first start and kept as long as the data.

        ArcadeDB stores its hash beside the data, so a new password has to remove that file too.
        """
        if self.password.exists():
            return self.password.read_text(encoding="ascii")
        (self.data / "config" / "server-users.jsonl").unlink(missing_ok=True)
        password = secrets.token_urlsafe(24)
        descriptor = os.open(self.password, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(password)
            file.flush()
            os.fsync(file.fileno())
        return password

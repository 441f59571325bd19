"""The graph store: one code path over Bolt, to a Neo4j 5 server or to the embedded one."""

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from neo4j import Driver, GraphDatabase, ManagedTransaction
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    ConstraintError,
    DatabaseError,
    DatabaseUnavailable,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from foundation.errors import UserError
from kg.connection import Connection
from kg.queries.definition import PROBE
from kg.server import held_running

DEFAULT_HOME = Path(".anamnesis")
ATTEMPTS = 12
_NOT_KEPT = ("Neo.ClientError.Transaction.", "Neo.DatabaseError.")
# A server that lacks a label or property says so in a notice for every query, with the query's text; an empty answer
# is no fault here, and the notices would fill the log.
logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)
Row = dict[str, Any]
Result = TypeVar("Result")


class Reader(Protocol):
    """What a reader of the graph needs of a store; a test's recording store has it too."""

    def read(self, cypher: str, /, **parameters: Any) -> list[Row]:
        """Rows of one read."""
        ...


class Transaction:
    """Statements inside one unit of work; it is retried as a whole, so its work must be repeatable."""

    def __init__(self, transaction: ManagedTransaction) -> None:
        self._transaction = transaction

    def run(self, cypher: str, /, **parameters: Any) -> list[Row]:
        """Run one statement and return its rows."""
        result = self._transaction.run(cypher, parameters)
        return [record.data() for record in result]


class GraphStore:
    """A connected graph. Every statement runs in `execute_read` or `execute_write`; never as an auto-commit.

    Conflicts between concurrent writers (constraint, deadlock, concurrent modification) are retried. `reopen`, where
    given, finds or restarts the server after its death; the interrupted unit of work is then run once more.
    """

    def __init__(self, driver: Driver, database: str | None, reopen: Callable[[], Driver] | None = None) -> None:
        self._driver = driver
        self._database = database
        self._reopen = reopen
        self._reopening = threading.Lock()
        self._retired: list[Driver] = []
        self.has_schema = False

    def read(self, cypher: str, /, **parameters: Any) -> list[Row]:
        """Rows of one read statement."""
        return self._surviving(lambda: self._execute_read(lambda work: work.run(cypher, **parameters)))

    def read_together(self, work: Callable[[Transaction], Result]) -> Result:
        """Several reads in one transaction: one view of the graph, one connection."""
        return self._surviving(lambda: self._execute_read(work))

    def write(self, work: Callable[[Transaction], Result]) -> Result:
        """One write transaction, all of it or nothing; `work` may run more than once and must be repeatable."""
        return self._surviving(lambda: self._execute_write(work))

    def agent(self) -> str:
        """The server's name and version, as it calls itself."""
        return str(self._driver.get_server_info().agent)

    def close(self) -> None:
        """Give the connections back; the embedded server goes on until it is idle."""
        for driver in (self._driver, *self._retired):
            driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _execute_read(self, work: Callable[[Transaction], Result]) -> Result:
        with self._driver.session(database=self._database) as session:
            return session.execute_read(lambda transaction: work(Transaction(transaction)))

    def _execute_write(self, work: Callable[[Transaction], Result]) -> Result:
        conflicts = retry_if_exception_type((ConstraintError, TransientError))
        for attempt in Retrying(
            retry=conflicts,
            stop=stop_after_attempt(ATTEMPTS),
            wait=wait_random_exponential(multiplier=0.02, max=1.0),
            reraise=True,
        ):
            with attempt, self._driver.session(database=self._database) as session, _kept():
                return session.execute_write(lambda transaction: work(Transaction(transaction)))
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _surviving(self, call: Callable[[], Result]) -> Result:
        driver = self._driver
        try:
            return call()
        except (ServiceUnavailable, SessionExpired) as error:
            if self._reopen is None:
                raise UserError("the graph server stopped answering", "check the server at NEO4J_URI") from error
            with self._reopening:
                if self._driver is driver:  # else another thread has done it
                    self._retired.append(driver)
                    self._driver = self._reopen()
            return call()


@contextlib.contextmanager
def _kept() -> Iterator[None]:
    """A transaction that the server could not keep (a full disk) is the user's to mend; its text may quote a record."""
    try:
        yield
    except (ClientError, DatabaseError) as error:
        if not (error.code or "").startswith(_NOT_KEPT):
            raise
        raise UserError(
            f"the graph server could not keep a transaction ({error.code}); what was kept before stands",
            "see that its disk has room (the server's log says more), then give the same command again",
        ) from None


def connect(home: Path | None = None, uri: str | None = None) -> GraphStore:
    """A store at `uri` (default NEO4J_URI), or where neither is set at the embedded server of `home`.

    For a server of your own, NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE are read too. Raises UserError where
    the server is absent or refuses the credential, or the database does not exist.
    """
    address = uri or os.environ.get("NEO4J_URI", "")
    if address:
        return GraphStore(_remote_driver(address), os.environ.get("NEO4J_DATABASE") or None)
    place = home or DEFAULT_HOME
    driver, connection = _embedded_driver(place)
    return GraphStore(driver, connection.database, reopen=lambda: _embedded_driver(place)[0])


def _embedded_driver(home: Path) -> tuple[Driver, Connection]:
    """A driver that has already connected, so that the server counts it before it may leave for idleness."""
    with held_running(home) as connection:
        # A short retry time: after a crash the server has to be restarted, which waiting does not do.
        driver = GraphDatabase.driver(
            connection.uri,
            auth=(connection.username, connection.password),
            max_transaction_retry_time=2.0,
            connection_timeout=10,
        )
        driver.verify_connectivity()
        return driver, connection


def _remote_driver(uri: str) -> Driver:
    username = os.environ.get("NEO4J_USERNAME", "neo4j")
    password = os.environ.get("NEO4J_PASSWORD")
    auth = (username, password) if password else None
    try:
        driver = GraphDatabase.driver(uri, auth=auth)
        driver.verify_connectivity()
        GraphStore(driver, os.environ.get("NEO4J_DATABASE") or None).read(PROBE)
    except AuthError as error:
        raise UserError(
            "the graph server refuses the credential", "set NEO4J_USERNAME and NEO4J_PASSWORD to an account of it"
        ) from error
    except (ServiceUnavailable, DatabaseUnavailable, OSError) as error:
        raise UserError(
            "no graph server answers at NEO4J_URI", "start it, mend NEO4J_URI, or unset it to use the embedded server"
        ) from error
    except (ConfigurationError, DriverError, Neo4jError, ValueError) as error:
        raise UserError(
            f"NEO4J_URI or NEO4J_DATABASE is not usable ({type(error).__name__})",
            "give a Bolt address such as bolt://localhost:7687 and the name of an existing database",
        ) from error
    return driver

"""The run store: every consultation's state, transcript and scorecard, in any database that SQLAlchemy reaches."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from batch.consultations import Consultation, State
from foundation.errors import UserError

metadata = sa.MetaData()
runs = sa.Table(
    "runs",
    metadata,
    sa.Column("name", sa.String(200), primary_key=True),
    sa.Column("fingerprint", sa.String(64), nullable=False),
    sa.Column("experiment", sa.Text, nullable=False),
    sa.Column("provenance", sa.Text, nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
)
consultations = sa.Table(
    "consultations",
    metadata,
    sa.Column("run", sa.String(200), primary_key=True),
    sa.Column("key", sa.String(300), primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("case_id", sa.String(200), nullable=False),
    sa.Column("doctor", sa.String(200), nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("persona", sa.String(100), nullable=False),
    sa.Column("state", sa.String(20), nullable=False),
    sa.Column("owner", sa.String(200), nullable=False, default=""),
    sa.Column("attempts", sa.Integer, nullable=False, default=0),
    sa.Column("transcript", sa.Text),
    sa.Column("scorecard", sa.Text),
    sa.Column("timing", sa.Text),
    sa.Column("cost_usd", sa.Float),
    sa.Column("calls", sa.Integer, nullable=False, default=0),
    sa.Column("revision", sa.Integer, nullable=False, default=0),
)


def open_store(where: Path | str) -> "RunStore":
    """A store at a SQLite path (made if absent) or a database URL."""
    if isinstance(where, Path):
        where.parent.mkdir(parents=True, exist_ok=True)
        url = f"sqlite:///{where}"
    else:
        url = where
    try:
        engine = sa.create_engine(url)
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _careful_sqlite)
        metadata.create_all(engine)
    except (sa.exc.OperationalError, sa.exc.DatabaseError, sa.exc.ArgumentError) as error:
        raise UserError(
            f"the run store {where if isinstance(where, Path) else ''} cannot be opened ({type(error).__name__})",
            "if the file is damaged, move it away: a new one is made; the old one may still be readable by sqlite3",
        ) from error
    return RunStore(engine)


def _careful_sqlite(connection: Any, _: Any) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA busy_timeout=30000")


class RunStore:
    """Runs and their consultations. Every change is one transaction: what was acknowledged survives kill -9."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine

    def register(self, name: str, fingerprint: str, experiment: dict[str, Any], provenance: dict[str, Any]) -> bool:
        """Make the run, or find it again; True if it was there. Raises UserError with a diff where settings differ."""
        with self.engine.begin() as connection:
            row = connection.execute(sa.select(runs).where(runs.c.name == name)).mappings().first()
            if row is None:
                now = datetime.now(UTC).isoformat(timespec="seconds")
                connection.execute(
                    runs.insert().values(
                        name=name,
                        fingerprint=fingerprint,
                        experiment=json.dumps(experiment, sort_keys=True),
                        provenance=json.dumps(provenance, sort_keys=True),
                        created=now,
                    )
                )
                return False
        if row["fingerprint"] != fingerprint:
            before = json.loads(row["experiment"]) | json.loads(row["provenance"])
            raise UserError(
                f"run {name} exists with other settings: {difference(before, experiment | provenance)}",
                "give the experiment another name, or restore the former settings to resume it",
            )
        return True

    def plan(self, run: str, planned: Sequence[Consultation]) -> None:
        """Enter the consultations that are not there yet."""
        with self.engine.begin() as connection:
            known = set(connection.scalars(sa.select(consultations.c.key).where(consultations.c.run == run)))
            rows = [
                {
                    "run": run,
                    "position": i,
                    "state": State.PENDING,
                    "owner": "",
                    "attempts": 0,
                    "calls": 0,
                    **c.identity(),
                }
                for i, c in enumerate(planned)
                if c.key not in known
            ]
            if rows:
                connection.execute(consultations.insert(), rows)

    def claim(self, run: str, key: str, owner: str) -> bool:
        """Take a pending consultation; False where another process was quicker."""
        statement = (
            consultations.update()
            .where(consultations.c.run == run, consultations.c.key == key, consultations.c.state == State.PENDING)
            .values(state=State.RUNNING, owner=owner, attempts=consultations.c.attempts + 1)
        )
        with self.engine.begin() as connection:
            return connection.execute(statement).rowcount == 1

    def release(self, run: str, key: str, state: State = State.PENDING) -> None:
        """Give a consultation back (cancelled, infrastructure failed)."""
        self._set(run, key, state=state, owner="")

    def hold(self, run: str, key: str, transcript: str) -> None:
        """Keep the transcript of a consultation that is not scored yet."""
        self._set(run, key, transcript=transcript)

    def transcript(self, run: str, key: str) -> str | None:
        """The transcript that is kept, or None."""
        statement = sa.select(consultations.c.transcript).where(consultations.c.run == run, consultations.c.key == key)
        with self.engine.connect() as connection:
            return connection.scalar(statement)

    def finish(self, run: str, key: str, **values: Any) -> None:
        """Keep transcript and scorecard; the consultation is done."""
        self._set(run, key, state=State.DONE, owner="", revision=consultations.c.revision + 1, **values)

    def rescore(self, run: str, key: str, scorecard: str) -> None:
        """Replace the scorecard of a consultation that is done."""
        self._set(run, key, scorecard=scorecard, revision=consultations.c.revision + 1)

    def _set(self, run: str, key: str, **values: Any) -> None:
        where = (consultations.c.run == run, consultations.c.key == key)
        with self.engine.begin() as connection:
            connection.execute(consultations.update().where(*where).values(**values))

    def rows(self, run: str, *states: State) -> list[dict[str, Any]]:
        """The run's consultations in planned order, as dictionaries of the table's columns."""
        statement = sa.select(consultations).where(consultations.c.run == run).order_by(consultations.c.position)
        if states:
            statement = statement.where(consultations.c.state.in_(states))
        with self.engine.connect() as connection:
            return [dict(row) for row in connection.execute(statement).mappings()]

    def states(self, run: str) -> dict[str, int]:
        """How many consultations are in each state."""
        statement = (
            sa.select(consultations.c.state, sa.func.count()).where(consultations.c.run == run).group_by("state")
        )
        with self.engine.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(statement)}

    def revision(self, run: str) -> int:
        """A number that grows with every scorecard kept, for caches."""
        statement = sa.select(sa.func.sum(consultations.c.revision)).where(consultations.c.run == run)
        with self.engine.connect() as connection:
            return connection.scalar(statement) or 0

    def run(self, name: str) -> dict[str, Any]:
        """The run's row; raises UserError naming the runs that there are."""
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(runs).where(runs.c.name == name)).mappings().first()
        if row is None:
            raise UserError(f"no run called {name}", f"choose one of: {', '.join(self.names()) or '(none yet)'}")
        return dict(row)

    def names(self) -> list[str]:
        """Names of all runs, oldest first."""
        with self.engine.connect() as connection:
            return list(connection.scalars(sa.select(runs.c.name).order_by(runs.c.created, runs.c.name)))

    @contextmanager
    def closing(self) -> Iterator["RunStore"]:
        """The store, its connections closed afterwards."""
        try:
            yield self
        finally:
            self.engine.dispose()


def difference(before: dict[str, Any], after: dict[str, Any]) -> str:
    """The fields that differ, "seeds: [0] → [1]", joined by "; "."""
    keys = sorted(k for k in before.keys() | after.keys() if k != "case_digests" and before.get(k) != after.get(k))
    return "; ".join(f"{key}: {json.dumps(before.get(key))} → {json.dumps(after.get(key))}" for key in keys)

"""Who works on a consultation: what a killed process held is taken up again, what a living one holds is not."""

import os
import socket

import psutil
import sqlalchemy as sa

from batch.consultations import State
from batch.store import RunStore, consultations


def this_process() -> str:
    """Host, process id and start time: no later process has all three."""
    return f"{socket.gethostname()}|{os.getpid()}|{psutil.Process().create_time():.3f}"


def is_alive(owner: str) -> bool:
    """Whether the owning process still runs; owners on other hosts are taken to be alive."""
    host, _, rest = owner.partition("|")
    pid, _, started = rest.partition("|")
    if host != socket.gethostname() or not pid.isdigit():
        return bool(host) and host != socket.gethostname()
    try:
        return f"{psutil.Process(int(pid)).create_time():.3f}" == started
    except psutil.NoSuchProcess:
        return False


def take_up_orphans(store: RunStore, run: str) -> int:
    """Make consultations of dead processes, and those that infrastructure failed, pending again; how many."""
    where = consultations.c.run == run
    with store.engine.begin() as connection:
        statement = sa.select(consultations.c.key, consultations.c.owner).where(
            where, consultations.c.state == State.RUNNING
        )
        held = connection.execute(statement).all()
        orphans = [row.key for row in held if not is_alive(row.owner)]
        again = where & (consultations.c.key.in_(orphans) | (consultations.c.state == State.FAILED))
        return connection.execute(consultations.update().where(again).values(state=State.PENDING, owner="")).rowcount

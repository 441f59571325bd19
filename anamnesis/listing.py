"""The runs of a workspace at a glance."""

from anamnesis.workspace import Workspace
from batch.consultations import State
from batch.store import open_store
from foundation.records import Frozen


class ListedRun(Frozen):
    """A run: how many of its consultations are in which state, and when it was begun (ISO 8601, UTC)."""

    name: str
    state: str
    planned: int
    done: int
    failed: int
    begun: str


def listed_runs(place: Workspace) -> list[ListedRun]:
    """All runs, oldest first. A killed run is "unfinished", as one at work is: the store cannot tell them apart."""
    store = open_store(place.runs)
    found = []
    for name in store.names():
        states = store.states(name)
        planned, done = sum(states.values()), states.get(State.DONE, 0)
        found.append(
            ListedRun(
                name=name,
                state="finished" if planned and done == planned else "unfinished",
                planned=planned,
                done=done,
                failed=states.get(State.FAILED, 0),
                begun=store.run(name)["created"],
            )
        )
    return found

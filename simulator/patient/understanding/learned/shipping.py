"""Files that are delivered with the learned part: a missing or damaged one is an error that says the fix."""

from collections.abc import Iterator
from contextlib import contextmanager

from foundation.errors import UserError


@contextmanager
def shipped_file(name: str) -> Iterator[None]:
    """Reads a file of this folder; raises UserError where it is missing or damaged, whatever its reader raises."""
    try:
        yield
    except Exception as error:
        raise UserError(
            f"simulator/patient/understanding/learned/{name} is missing or damaged ({type(error).__name__})",
            "install Anamnesis anew, or in a clone: git checkout -- simulator/patient/understanding/learned",
        ) from error

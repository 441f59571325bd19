"""Makes the start cache of the embedded server (`kg.start_cache`): `python -m kg.warm_start`, once after installing."""

import os
import sys
import tempfile
from pathlib import Path

import psutil

from foundation.errors import UserError
from kg import server
from kg.build import build
from kg.measure import cohort
from kg.patient_view import PatientView
from kg.start_cache import OUTPUT, cache_path, note_digest
from kg.store import connect

ROUNDS = 2
WRITE_SECONDS = 300.0


def train() -> Path:
    """Serve a made-up cohort once and keep what the runtime learned. Raises UserError where that cannot be written."""
    target = cache_path()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            written = Path(folder) / target.name
            _session(Path(folder), written)
            written.replace(target)
            note_digest(target)
    except (OSError, psutil.Error) as error:
        raise UserError(
            f"no start cache of the graph server at {target} ({type(error).__name__})",
            "nothing else is lost, only a first build is slower; make the folder writable and try again",
        ) from error
    return target


def _session(folder: Path, output: Path) -> None:
    os.environ[OUTPUT] = str(output)
    try:
        process = psutil.Process(server.serve(folder).pid)
        _exercise(folder)
        process.terminate()
        process.wait(WRITE_SECONDS)  # the runtime writes the cache while it ends
    finally:
        del os.environ[OUTPUT]
        server.stop(folder)


def _exercise(folder: Path) -> None:
    with connect(folder) as store:
        for number in range(ROUNDS):
            build(store, cohort(f"warm{number}"))
        for number in range(100):
            PatientView(store, f"warm0:{number}").facts()


def main() -> int:
    """Make the cache and say where it is; 1 where it cannot be made."""
    try:
        path = train()
    except UserError as error:
        print(f"{error.problem}; {error.fix}", file=sys.stderr)
        return 1
    print(f"start cache of the graph server: {path} ({path.stat().st_size // 2**20} MiB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())

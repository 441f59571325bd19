"""Where everything of one installation lies: a folder, `.anamnesis` unless ANAMNESIS_HOME says otherwise."""

import os
from pathlib import Path

from foundation.records import Frozen


class Workspace(Frozen):
    """Paths below `home`. Cohorts hold record text: the folder is made readable for its owner alone."""

    home: Path

    @property
    def graph(self) -> Path:
        """Folder of the embedded graph server."""
        return self.home

    @property
    def runs(self) -> Path:
        """The run store, SQLite."""
        return self.home / "runs.sqlite"

    def cohort(self, name: str) -> Path:
        """CaseRecords of a cohort."""
        return self.home / "cohorts" / f"{name}.jsonl"

    def report(self, run: str) -> Path:
        """HTML report of a run."""
        return self.home / "reports" / f"{run}.html"

    def database(self, name: str) -> Path:
        """Tables of a source, DuckDB."""
        return self.home / "databases" / f"{name}.duckdb"

    def prepare(self) -> "Workspace":
        """Make the folder, and take it from all eyes but the owner's, also where it was there before."""
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        if self.home.stat().st_uid == os.getuid() and self.home.stat().st_mode & 0o077:
            self.home.chmod(0o700)
        return self


def workspace(home: Path | None = None) -> Workspace:
    """The workspace at `home`, at ANAMNESIS_HOME, or `.anamnesis` in the current folder."""
    chosen = home or Path(os.environ.get("ANAMNESIS_HOME", ".anamnesis"))
    return Workspace(home=chosen.absolute()).prepare()

"""Options that many commands share, described once."""

from pathlib import Path
from typing import Annotated

import typer

Home = Annotated[
    Path | None,
    typer.Option("--home", help="Workspace folder (default: ANAMNESIS_HOME, else ./.anamnesis).", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for scripts instead of tables.")]
Seed = Annotated[int, typer.Option("--seed", help="Everything random follows from it: same seed, same bytes.")]

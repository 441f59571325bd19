"""`anamnesis check | app`: is this installation healthy, and the web page."""

import os
import sys
from importlib.resources import files
from typing import Annotated

import typer

from anamnesis.console import emit, out, say
from anamnesis.options import Home, Json
from anamnesis.workspace import workspace


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(check)
    app.command("app")(web)


def check(home: Home = None, json: Json = False) -> None:
    """Say what this installation has and what is missing; exit code 1 where a required part is.

    Example: anamnesis check --json
    """
    from rich.markup import escape
    from rich.table import Table

    from anamnesis.health import parts

    found = parts(workspace(home))

    def table() -> None:
        shown = Table("part")
        for heading in ("state", "what it is for", "to get it"):
            shown.add_column(heading, overflow="fold")
        for part in found:
            state = "[green]ok[/]" if part.ok else "[red]missing[/]" if part.required else "[yellow]absent[/]"
            shown.add_row(part.name, f"{state} {part.detail}", part.purpose, "" if part.ok else escape(part.fix))
        out.print(shown)

    emit([part.model_dump() for part in found], json, table)
    if any(part.required and not part.ok for part in found):
        raise typer.Exit(1)


def web(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on this machine.")] = 8501,
    address: Annotated[
        str, typer.Option(help="Where to listen. Beyond loopback ANAMNESIS_APP_PASSWORD must be set.")
    ] = "127.0.0.1",
    headless: Annotated[bool, typer.Option("--headless", help="Do not open a browser.")] = False,
    home: Home = None,
) -> None:
    """Open the web page: leaderboard, figures, and the replay of every consultation.

    Example: anamnesis app --port 8600
    """
    from anamnesis.health import on_loopback
    from foundation.errors import UserError

    if not on_loopback(address) and not os.environ.get("ANAMNESIS_APP_PASSWORD"):
        raise UserError(f"{address} is beyond this machine and no password is set", "export ANAMNESIS_APP_PASSWORD=…")
    page = str(files("webapp").joinpath("main.py"))
    environment = os.environ | {"ANAMNESIS_HOME": str(workspace(home).home)}
    say(f"http://{address}:{port} (Ctrl-C ends it)")
    flags = {
        "server.port": str(port),
        "server.address": address,
        "server.headless": "true" if headless else "false",
        "server.showEmailPrompt": "false",
        "browser.gatherUsageStats": "false",
        "server.fileWatcherType": "none",
        "client.toolbarMode": "minimal",
        # Also hides Streamlit's offer to install aids for programmers, which lay over the scores.
        "logger.hideWelcomeMessage": "true",
    }
    options = [f"--{key}={value}" for key, value in flags.items()]
    sys.stderr.flush()
    # In this process's place, so that ending the command ends the page.
    os.execve(sys.executable, [sys.executable, "-m", "streamlit", "run", page, *options], environment)

"""The `anamnesis` command. Exit codes: 0 done, 1 something is missing or failed, 2 mend your input, 130 interrupted."""

import logging
import os
import signal
import sys

import typer

from anamnesis import __version__
from anamnesis.console import err
from chatmodels.interface import ChatModelError
from foundation.errors import UserError

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Health records into simulated patients that a language model consults, and scores for the consultation.\n\n"
    "Start here: [bold]anamnesis demo[/bold] runs everything on a sample; [bold]anamnesis check[/bold] says what this "
    "installation has.",
)


@app.callback(invoke_without_command=True)
def root(
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
    verbose: bool = typer.Option(False, "--verbose", "-v", help="Log what happens (ids only, never record text)."),
) -> None:
    """Common options."""
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    for chatty in ("httpx", "neo4j", "openai"):
        logging.getLogger(chatty).setLevel(logging.ERROR)
    if version:
        typer.echo(__version__)
        raise typer.Exit()


def _assemble() -> None:
    """Commands import what they need when they are called, so that `--help` answers at once."""
    from anamnesis.commands import bench, cohorts, consultations, graph, installation, runs, sample

    for module in (sample, cohorts, graph, consultations, runs, bench, installation):
        module.register(app)


class Interrupted(BaseException):
    """Ctrl-C. Not a KeyboardInterrupt, since Typer turns that into exit code 1 without a word of what is kept."""


def _interrupt(number: int, frame: object) -> None:
    raise Interrupted


def main() -> None:
    """Entry point: a user's mistake is one message and exit code 2, never a traceback."""
    _assemble()
    signal.signal(signal.SIGINT, _interrupt)
    try:
        app()
    except UserError as error:
        _explain("error:", error.problem, error.fix)
        _leave(2)
    except ChatModelError as error:
        _explain(
            "the model did not answer:", str(error), "see that the endpoint runs, then give the same command again"
        )
        _leave(1)
    except Interrupted:
        err.print("interrupted; what was finished is kept, the same command goes on from there")
        _leave(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _leave(1)
    except OSError as error:
        what = f"{error.strerror or type(error).__name__}: {error.filename or ''}"
        _explain("error:", what, "free the disk or mend the permissions, then give the same command again")
        _leave(2)


def _explain(kind: str, problem: str, fix: str) -> None:
    err.print(f"[bold red]{kind}[/] {_plain(problem)}\n  [bold]fix:[/] {_plain(fix)}", soft_wrap=True)


def _plain(text: str) -> str:
    return text.replace("[", "\\[")


def _leave(code: int) -> None:
    sys.stdout.flush()
    raise SystemExit(code)

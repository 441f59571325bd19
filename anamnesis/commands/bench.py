"""`anamnesis bench …`: the measurements that docs/measurements.md reports, repeatable on your own data."""

import typer

group = typer.Typer(no_args_is_help=True, help="Measure extraction, understanding, the patient and the evaluator.")


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(group, name="bench")

"""`anamnesis graph …`: the patient graph and its embedded server."""

from pathlib import Path
from typing import Annotated

import typer

from anamnesis.console import emit, out, progress, say
from anamnesis.options import Home, Json
from anamnesis.workspace import workspace

group = typer.Typer(no_args_is_help=True, help="Build, count, serve and exchange the patient graph.")
Cohort = Annotated[Path, typer.Argument(help="A cohort: cases.jsonl, as `anamnesis etl extract` writes it.")]


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(group, name="graph")


@group.command()
def build(cohort: Cohort, home: Home = None, json: Json = False) -> None:
    """Write a cohort's patients into the graph; unchanged cases are left alone.

    Example: anamnesis graph build .anamnesis/cohorts/sample.jsonl
    """
    from etl.cases import read_cases
    from kg.build import build as build_graph
    from kg.store import connect

    cases = list(read_cases(cohort))
    with connect(workspace(home).graph) as store, progress("patient graph", len(cases)) as step:
        report = build_graph(store, cases, step)
    emit(
        report,
        json,
        lambda: out.print(
            f"{report.cases} cases: {report.written} written, {report.unchanged} unchanged; {report.nodes} nodes, "
            f"{report.relationships} relationships, {report.seconds:.1f} s; "
            f"{report.withheld} mentions withheld, since they would name this stay's diagnoses or drugs"
        ),
    )


@group.command()
def stats(home: Home = None, json: Json = False) -> None:
    """Counts and shares of nodes by kind, from notes and from tables (the paper's Table 7).

    Example: anamnesis graph stats --json
    """
    from rich.table import Table

    from kg.stats import stats as count
    from kg.store import connect

    with connect(workspace(home).graph) as store:
        found = count(store)

    def table() -> None:
        shown = Table("kind", "nodes", "share", "from notes", "from tables")
        for kind in found.kinds:
            shown.add_row(kind.name, str(kind.nodes), f"{kind.share:.1%}", str(kind.from_notes), str(kind.from_tables))
        out.print(shown)
        out.print(
            f"{found.nodes} nodes, {found.relationships} relationships, average degree {found.average_degree:.2f}"
        )

    emit(found, json, table)


@group.command()
def serve(
    home: Home = None,
    idle_minutes: Annotated[float, typer.Option(help="Stop after so long without a client.")] = 10.0,
    json: Json = False,
) -> None:
    """Start the embedded server (others start it by themselves) and say where it listens.

    Example: anamnesis graph serve --idle-minutes 60
    """
    from kg.server import serve as start

    connection = start(workspace(home).graph, idle_seconds=60 * idle_minutes)
    emit({"uri": connection.uri}, json, lambda: out.print(f"serving at {connection.uri} (loopback only)"))


@group.command()
def stop(home: Home = None) -> None:
    """Stop the embedded server in good order.

    Example: anamnesis graph stop
    """
    from kg.server import stop as end

    say("stopped" if end(workspace(home).graph) else "no server was running")


@group.command("export")
def export_graph(
    target: Annotated[Path, typer.Argument(help="A file: .graphml or .cypher.")], home: Home = None
) -> None:
    """Write the graph as GraphML or Cypher. The file holds record text: keep it as you keep the records.

    Example: anamnesis graph export patients.graphml
    """
    from foundation.errors import UserError
    from kg.exports import write_cypher, write_graphml
    from kg.store import connect

    writers = {".graphml": write_graphml, ".cypher": write_cypher}
    if target.suffix not in writers:
        raise UserError(f"{target}: unknown format", "end the name in .graphml or .cypher")
    with connect(workspace(home).graph) as store:
        writers[target.suffix](store, target)
    say(f"written: {target}")


@group.command("import")
def import_graph(
    uri: Annotated[str, typer.Argument(help="Bolt address of an AIPatient-style Neo4j graph.")],
    cohort: Annotated[Path, typer.Argument(help="Where to write the cases read from it (.jsonl).")],
) -> None:
    """Read an existing AIPatient-style graph into CaseRecords; what could not be mapped is counted.

    Example: anamnesis graph import bolt://localhost:7687 aipatient.jsonl
    """
    from etl.cases import write_cases
    from kg.imports import read_graph
    from kg.store import connect

    with connect(uri=uri) as store:
        found = read_graph(store)
    write_cases(cohort, found.cases)
    say(f"{len(found.cases)} cases written to {cohort}")
    for what, count in found.unmapped.items():
        say(f"  not mapped: {count} {what}")

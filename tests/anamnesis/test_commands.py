"""The command line as a person and as a script use it, on a real workspace."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.main import get_command
from typer.testing import CliRunner

from anamnesis import cli
from anamnesis.tables import persona_table
from simulator.patient.persona import personas
from tests.conftest import Command

RUN = "demo-14-5-3"


def _commands(command: object, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        return [path]
    return [path, *(found for name, sub in inner.items() for found in _commands(sub, (*path, name)))]


if not cli.app.registered_commands:
    cli._assemble()
ALL = _commands(get_command(cli.app))


def test_the_commands_that_users_were_promised_are_there() -> None:
    promised = "demo sample consult talk run score report app check"
    grouped = ["etl load", "etl extract", "etl cohort", "graph build", "graph stats", "graph serve", "graph stop"]
    assert {(name,) for name in promised.split()} | {tuple(name.split()) for name in grouped} <= set(ALL)


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_command_has_help_with_an_example(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(cli.app, [*path, "--help"])
    assert result.exit_code == 0
    is_group = any(len(other) == len(path) + 1 and other[: len(path)] == path for other in ALL)
    assert is_group or "anamnesis " + " ".join(path) in re.sub(r"[\s│]+", " ", result.output), path


def test_help_is_quick() -> None:
    code = "import sys; sys.argv=['anamnesis','--help']; from anamnesis.cli import main\n"
    code += "try: main()\nexcept SystemExit: pass\n"
    heavy = "print([m for m in ('spacy','onnxruntime','streamlit','matplotlib','neo4j') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code + heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")


def test_a_second_demo_reuses_the_first_and_changes_nothing(demo_home: Path, anamnesis: Command) -> None:
    report = demo_home / "reports" / f"{RUN}.html"
    before = report.read_bytes()
    done = anamnesis("demo", "--patients", "14", "--cases", "5", "--seed", "3", "--json", home=demo_home)
    seconds = json.loads(done.stdout)["seconds"]
    assert done.stderr.count("reused") == 3 and seconds["case records"] == 0
    assert report.read_bytes() == before


def test_the_same_seed_gives_the_same_bytes_elsewhere(demo_home: Path, tmp_path: Path, anamnesis: Command) -> None:
    anamnesis("demo", "--patients", "14", "--cases", "5", "--seed", "3", "--workers", "1", home=tmp_path)
    for part in ("cohorts/sample.jsonl", f"reports/{RUN}.html", "sample/NOTEEVENTS.csv"):
        assert (tmp_path / part).read_bytes() == (demo_home / part).read_bytes(), part
    anamnesis("graph", "stop", home=tmp_path)


def test_the_leaderboard_has_every_measure(demo_home: Path, anamnesis: Command) -> None:
    shown = anamnesis("score", RUN, home=demo_home).stdout
    for measure in ("QS", "MS", "weighted average", "diagnosis right", "medication F1", "unsafe rate", "mismatch rate"):
        assert measure in shown


def test_one_consultation_as_json_is_complete(demo_home: Path, anamnesis: Command) -> None:
    found = json.loads(anamnesis("consult", "--doctor", "checklist", "--seed", "2", "--json", home=demo_home).stdout)
    assert found["transcript"]["plan"]["diagnosis"] and 1 <= len(found["transcript"]["turns"]) <= 15
    assert len(found["scorecard"]["scores"]) == 8


def test_a_person_is_the_doctor(demo_home: Path, anamnesis: Command) -> None:
    typed = "\n".join(
        ["What brings you in?", "/done", "Pneumonia", "fever and cough", "amoxicillin", "it kills bacteria"]
    )
    done = anamnesis("talk", "--seed", "1", home=demo_home, typed=typed + "\n" * 6)
    assert "Pneumonia" in done.stdout and "Information coverage" in done.stdout


def test_prompts_stand_on_lines_of_their_own_in_a_pipe_and_no_diagnosis_is_said(
    demo_home: Path, anamnesis: Command
) -> None:
    shown = anamnesis("talk", "--seed", "1", home=demo_home, typed="What brings you in?\n/done\n").stdout
    lines = [line.strip() for line in shown.splitlines()]
    assert {"your diagnosis:", "how you reached it:", "summary: allergies:"} <= set(lines)
    assert "diagnosis none was given" in lines


def test_runs_are_listed_with_state_counts_and_date(demo_home: Path, anamnesis: Command) -> None:
    shown = anamnesis("runs", home=demo_home).stdout
    assert re.search(rf"{RUN} .* finished .* 10 of 10 .* 0 .* \d{{4}}-\d\d-\d\d \d\d:\d\d", shown)
    (listed,) = [run for run in json.loads(anamnesis("runs", "--json", home=demo_home).stdout) if run["name"] == RUN]
    assert (listed["state"], listed["planned"], listed["done"], listed["failed"]) == ("finished", 10, 10, 0)


def test_every_persona_is_shown_uncut_with_its_traits(tmp_path: Path, anamnesis: Command) -> None:
    names = json.loads(anamnesis("personas", "--json", home=tmp_path).stdout)
    shown = io.StringIO()
    Console(file=shown, width=80).print(persona_table(list(personas().values())))
    assert len(names) >= 40 and "…" not in shown.getvalue()
    rows = {line.split()[0]: line for line in shown.getvalue().splitlines() if line.strip()}
    assert all(name in rows for name in names) and "+" in rows["anxious"] and "-" in rows["terse"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "nowhere.yaml"), "nowhere.yaml"),
        (("report", "no-such-run"), RUN),
        (("consult", "--case", "sample:0"), "sample:0"),
        (("consult", "--doctor", "nobody"), "checklist"),
        (("consult", "--persona", "nobody"), "cooperative"),
        (("consult", "--doctor", "m@https://models.example/v1"), "fit_for_records"),
        (("etl", "extract", "mimic9", "x"), "mimic3"),
        (("graph", "export", "x.pdf"), "graphml"),
        (("app", "--address", "0.0.0.0"), "ANAMNESIS_APP_PASSWORD"),
    ],
)
def test_a_mistake_is_one_message_with_its_fix(
    words: tuple[str, ...], says: str, demo_home: Path, anamnesis: Command
) -> None:
    done = anamnesis(*words, home=demo_home, check=False)
    assert done.returncode == 2, done.stderr
    assert says in re.sub(r"\s+", " ", done.stderr) and "fix:" in done.stderr and "Traceback" not in done.stderr


def test_check_finds_this_installation_healthy(demo_home: Path, anamnesis: Command) -> None:
    parts = {part["name"]: part for part in json.loads(anamnesis("check", "--json", home=demo_home).stdout)}
    assert parts["graph"]["ok"] and parts["rubric"]["ok"] and parts["embeddings"]["ok"]
    assert parts["question encoder"]["ok"]


def test_a_dry_run_calls_nobody_and_unknown_prices_stay_unknown(
    demo_home: Path, tmp_path: Path, anamnesis: Command
) -> None:
    model = "{kind: chat_model, endpoint: {model: m, base_url: 'http://127.0.0.1:9/v1'}}"
    cohort = f"{demo_home}/cohorts/sample.jsonl"
    (tmp_path / "e.yaml").write_text(f"name: e\ncohort: {cohort}\ndoctors: [checklist, {model}]\ncases: 3\n", "utf-8")
    forecast = json.loads(anamnesis("run", str(tmp_path / "e.yaml"), "--dry-run", "--json", home=demo_home).stdout)
    assert forecast["consultations"] == 6 and forecast["model_calls"] == 3 * 16 and forecast["cost_usd"] is None

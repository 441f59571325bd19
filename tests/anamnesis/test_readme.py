"""Every command of the README is run, as it stands there."""

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Command

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"<!-- run: (\w+) -->\n```\n(.*?)```", README, re.DOTALL))


def _lines(block: str) -> list[list[str]]:
    lines = [line.split("#")[0].strip() for line in BLOCKS[block].splitlines()]
    return [shlex.split(line) for line in lines if line]


def _run(words: list[str], home: Path, anamnesis: Command, **instead: str) -> str:
    assert words[0] == "anamnesis"
    for old, new in {".anamnesis": str(home), "../shared": str(ROOT.parent / "shared"), **instead}.items():
        words = [word.replace(old, new) for word in words]
    done = anamnesis(*words[1:], home=home, check=False)
    # 1 is for a consultation that could not be scored: the tiny local model may give nothing usable.
    assert done.returncode in ((0, 1) if "consult" in words and "model" in " ".join(words) else (0,)), done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def test_every_command_of_the_readme_is_in_a_block_that_is_run() -> None:
    fenced = re.findall(r"```\n(.*?)```", README, re.DOTALL)
    commands = [line for block in fenced for line in block.splitlines() if line.startswith("anamnesis ")]
    run = [line for block in BLOCKS.values() for line in block.splitlines() if line.startswith("anamnesis ")]
    assert commands == run and set(BLOCKS) == {"look", "model", "mimic", "notes"}


def test_first_look(demo_home: Path, anamnesis: Command) -> None:
    for words in _lines("look"):
        _run(words, demo_home, anamnesis, demo="demo-14-5-3")


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("block", ["mimic", "notes"])
def test_real_records(block: str, shared_data: Path, tmp_path: Path, anamnesis: Command) -> None:
    for words in _lines(block):
        _run(words, tmp_path, anamnesis)
    anamnesis("graph", "stop", home=tmp_path)


@pytest.mark.slow
@pytest.mark.local_model
def test_ones_own_model(local_model_url: str, demo_home: Path, tmp_path: Path, anamnesis: Command) -> None:
    file = tmp_path / "experiment.yaml"
    doctor = f"{{kind: chat_model, max_tokens: 120, endpoint: {{model: my-model, base_url: '{local_model_url}'}}}}"
    file.write_text(
        f"name: my-comparison\ncohort: {demo_home}/cohorts/sample.jsonl\ndoctors: [checklist, {doctor}]\n"
        "cases: 1\nmax_turns: 1\n",
        "utf-8",
    )
    told = {"http://127.0.0.1:8000/v1": local_model_url, "experiment.yaml": str(file)}
    short = {"consult": ["--max-turns", "1", "--max-tokens", "120"]}  # the tiny model need not go on for long
    shown = [_run(words + short.get(words[1], []), demo_home, anamnesis, **told) for words in _lines("model")]
    assert "doctor" in shown[0] or "not scored" in shown[0]
    assert "consultations" in shown[1]

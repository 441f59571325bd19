"""What an installation has: each part tried, not assumed."""

import importlib.util
import ipaddress
import os
import shutil
import sys
from collections.abc import Callable

from anamnesis.workspace import Workspace
from foundation.errors import UserError
from foundation.records import Frozen


class Part(Frozen):
    """A part of the installation: whether it works here, and how to get it where it does not."""

    name: str
    ok: bool
    required: bool
    detail: str
    purpose: str
    fix: str


def parts(place: Workspace) -> list[Part]:
    """Every part, tried in turn; takes a few seconds, since the graph server is really started."""
    return [
        _python(),
        _folder(place),
        _tried(
            "graph", lambda: _graph(place), "the patient graph", "set NEO4J_URI right, or pip install arcadedb-embedded"
        ),
        _start_cache(),
        _tried("rubric", _rubric, "scores", "restore evaluator/rubric.yaml"),
        _tried("embeddings", _embeddings, "understanding rare wordings", "pip install -r requirements.txt"),
        _tried(
            "question encoder",
            _question_encoder,
            "understanding questions",
            "install Anamnesis anew, or in a clone: git checkout -- simulator/patient/understanding/learned",
        ),
        _module("streamlit", "the web page", "pip install -r requirements.txt", required=True),
        _module("psycopg", "PostgreSQL tables", "pip install -e '.[postgresql]'"),
        _module("transformers", "transformer extraction", "pip install -e '.[transformer]'"),
        _module("xllamacpp", "a local model in tests", "pip install xllamacpp"),
        _program("chromium", "browser tests", "apt-get install chromium"),
        _program("java", "a real Neo4j in tests", "install a Java 17 runtime"),
        _variable("OPENAI_API_KEY", "chat models of a provider"),
    ]


def on_loopback(address: str) -> bool:
    """Whether an address is this machine alone."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _python() -> Part:
    shown = ".".join(str(part) for part in sys.version_info[:3])
    return Part(
        name="python",
        ok=sys.version_info >= (3, 11),
        required=True,
        detail=shown,
        purpose="everything",
        fix="Python 3.11+",
    )


def _folder(place: Workspace) -> Part:
    writable = os.access(place.home, os.W_OK)
    free = shutil.disk_usage(place.home).free / 2**30
    return Part(
        name="workspace",
        ok=writable and free > 1,
        required=True,
        detail=f"{place.home}, {free:.0f} GiB free",
        purpose="cohorts, graph, runs",
        fix="choose a writable folder with 1 GiB free: --home or ANAMNESIS_HOME",
    )


def _tried(name: str, attempt: Callable[[], str], purpose: str, fix: str) -> Part:
    try:
        return Part(name=name, ok=True, required=True, detail=attempt(), purpose=purpose, fix=fix)
    except UserError as error:
        return Part(name=name, ok=False, required=True, detail=error.problem, purpose=purpose, fix=error.fix)
    except (ImportError, OSError, RuntimeError) as error:
        return Part(name=name, ok=False, required=True, detail=type(error).__name__, purpose=purpose, fix=fix)


def _graph(place: Workspace) -> str:
    from kg.store import connect

    with connect(place.graph) as store:
        return store.agent()


def _start_cache() -> Part:
    from kg.start_cache import cache_path, is_sound

    return Part(
        name="graph start cache",
        ok=is_sound(cache_path()),
        required=False,
        detail="",
        purpose="a quick first build",
        fix="python -m kg.warm_start",
    )


def _rubric() -> str:
    from evaluator.rubric import load

    return load().identity


def _embeddings() -> str:
    from terminology.embeddings import embed

    return f"{embed(['chest pain']).shape[1]} dimensions"


def _question_encoder() -> str:
    from simulator.patient.asks import DialogueContext
    from simulator.patient.understanding.learned.encoder import hear
    from simulator.patient.understanding.learned.ranker import shipped

    shipped()
    return f"{len(hear('Do you smoke?', DialogueContext()).chances)} classes"


def _module(name: str, purpose: str, fix: str, required: bool = False) -> Part:
    return Part(
        name=name,
        ok=importlib.util.find_spec(name) is not None,
        required=required,
        detail="",
        purpose=purpose,
        fix=fix,
    )


def _program(name: str, purpose: str, fix: str) -> Part:
    return Part(name=name, ok=shutil.which(name) is not None, required=False, detail="", purpose=purpose, fix=fix)


def _variable(name: str, purpose: str) -> Part:
    return Part(
        name=name, ok=bool(os.environ.get(name)), required=False, detail="", purpose=purpose, fix=f"export {name}=…"
    )

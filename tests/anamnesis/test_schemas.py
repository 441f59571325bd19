"""The schemas in docs are those of the code."""

from pathlib import Path

from anamnesis.schemas import schemas

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"


def test_docs_hold_the_current_schemas() -> None:
    kept = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.json")}
    assert kept == schemas(), "run: python -m anamnesis.schemas docs/schemas"

"""The notebook runs from top to bottom, as a reader would run it."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "walk_through.ipynb"


@pytest.mark.slow
def test_walk_through(tmp_path: Path) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "commit the notebook without outputs"
    NotebookClient(notebook, timeout=240, resources={"metadata": {"path": str(tmp_path)}}).execute()
    pictures = [o for c in notebook.cells for o in c.get("outputs", []) if "image/svg+xml" in o.get("data", {})]
    assert len(pictures) == 2

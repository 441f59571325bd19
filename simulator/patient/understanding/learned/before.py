"""The rules as they were before they were mended on the labels, so that the learned part meets their true errors.

Rules that were written with an eye on a labelled utterance read it better than they read others. A model that learns
from such readings trusts the rules too much; on utterances that neither has seen it then mends less (CARD.md).
"""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from foundation.errors import UserError

# The last commit whose rules had not been mended on the parts "eighth" to "eleventh" of the labels.
RULES_BEFORE = "d860b34"
_ROOT = Path(__file__).parents[4]
_OURS = ("simulator/patient/understanding/learned", "simulator/patient/understand.py")


def run_with_rules_of(commit: str, module: str, arguments: list[str]) -> int:
    """Runs a module with the house as it was at `commit`, but with the learned part of today; its exit code.

    Raises UserError where git does not know the commit.
    """
    archive = subprocess.run(["git", "archive", commit], cwd=_ROOT, capture_output=True, check=False)
    if archive.returncode:
        raise UserError(f"git knows no commit {commit}", "train in a clone with its history, or give --rules-of HEAD")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
            tar.extractall(folder, filter="data")
        for name in _OURS:
            _copied(_ROOT / name, Path(folder) / name)
        environment = {**os.environ, "PYTHONPATH": folder}
        return subprocess.run([sys.executable, "-m", module, *arguments], cwd=folder, env=environment).returncode


def _copied(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.npz"))
    else:
        shutil.copyfile(source, target)

"""Files that installed packages carry, found without importing the packages (some parse megabytes on import)."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from foundation.errors import UserError


@cache
def installed(package: str, name: str) -> Path:
    """The path of the file (or folder) `name` inside an installed package; raises UserError where it is absent."""
    spec = find_spec(package)
    folder = Path(spec.origin).parent if spec and spec.origin else None
    if folder is None or not (folder / name).exists():
        raise UserError(f"the file {name} of the package {package} is not installed", "pip install -r requirements.txt")
    return folder / name

"""Every kind of dialogue that can be read, and which of them a folder holds."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from evaluator.imported import aci_bench, osce_interviews_fareez, plain, primock57
from evaluator.imported.dialogue import Dialogue
from foundation.errors import UserError

Reader = Callable[[Path], Iterator[Dialogue]]
_NAMED: tuple[ModuleType, ...] = (aci_bench, osce_interviews_fareez, primock57)


def read_dialogues(folder: Path) -> tuple[Dialogue, ...]:
    """All dialogues in `folder`: one source's own folder, a folder of such folders, plain files, or one plain file.

    Raises UserError where nothing can be read.
    """
    if not folder.exists():
        raise UserError(f"{folder}: no such folder or file", "give a folder of dialogues (docs/evaluator.md)")
    own = [module for module in _NAMED if folder.is_dir() and module.holds(folder)]
    below = [m for m in _NAMED if folder.is_dir() and m.holds(folder / m.SOURCE)]
    found = [dialogue for module in own[:1] for dialogue in module.read(folder)]
    found = found or [dialogue for module in below for dialogue in module.read(folder / module.SOURCE)]
    if not found and plain.holds(folder):
        found = list(plain.read(folder))
    if not found:
        raise UserError(f"{folder}: no dialogue in it", "see docs/evaluator.md, Real consultations, for the formats")
    return tuple(found)

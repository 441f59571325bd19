"""A full disk during a build: one clear error without record text, and the same build goes on once there is room."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundation.errors import UserError
from kg import server
from kg.build import build
from kg.measure import cohort
from kg.store import connect


def _mount(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 12 MB in memory; needs the right to mount one."""
    folder = tmp_path / "small"
    folder.mkdir()
    if not _mount("mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(folder)):
        pytest.skip("needs the right to mount a small file system: run as root")
    yield folder
    server.stop(folder)
    _mount("umount", str(folder))


@pytest.mark.timeout(240)
def test_a_full_disk_is_said_and_mended(small_disk: Path) -> None:
    cases = list(cohort("full"))
    with connect(small_disk) as store:
        with pytest.raises(UserError) as refused:
            for number in range(6):
                build(store, list(cohort(f"full{number}")))
        assert "disk" in refused.value.fix and "statement" not in refused.value.problem
    assert _mount("mount", "-o", "remount,size=200m", str(small_disk))
    server.stop(small_disk)
    with connect(small_disk) as store:
        assert build(store, cases).cases == len(cases)
        assert build(store, cases).unchanged == len(cases)

"""The start cache: told to the runtime where it is, made by a training session, and no danger where it is damaged."""

from pathlib import Path

import pytest

from foundation.errors import UserError
from kg import server, start_cache, warm_start
from kg.build import build
from kg.connection import ServerFiles
from kg.measure import cohort
from kg.store import connect


def test_the_runtime_is_told_of_a_cache_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(start_cache.PLACE, str(tmp_path / "absent.aot"))
    assert start_cache.java_options() == ""
    (tmp_path / "absent.aot").write_bytes(b"x")
    assert start_cache.java_options() == f"-XX:AOTCache={tmp_path / 'absent.aot'}"
    monkeypatch.setenv(start_cache.OUTPUT, str(tmp_path / "new.aot"))
    assert start_cache.java_options() == f"-XX:AOTCacheOutput={tmp_path / 'new.aot'}"


def test_a_damaged_cache_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "damaged.aot"
    damaged.write_bytes(b"no cache at all" * 1000)
    monkeypatch.setenv(start_cache.PLACE, str(damaged))
    home = tmp_path / "graph"
    try:
        with connect(home) as store:
            assert build(store, list(cohort("one"))[:3]).written == 3
        assert "[aot" in ServerFiles(home).log.read_text(encoding="utf-8", errors="replace")
    finally:
        server.stop(home)


def test_training_leaves_a_cache_that_the_runtime_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "made.aot"
    monkeypatch.setenv(start_cache.PLACE, str(target))
    monkeypatch.setattr(warm_start, "_exercise", lambda folder: None)
    assert warm_start.train() == target
    assert target.stat().st_size > 2**20
    assert sorted(tmp_path.iterdir()) == [target]
    home = tmp_path / "graph"
    try:
        with connect(home) as store:
            assert store.agent()
        assert "[aot" not in ServerFiles(home).log.read_text(encoding="utf-8", errors="replace")
    finally:
        server.stop(home)


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(start_cache.PLACE, str(tmp_path / "file" / "cache.aot"))
    with pytest.raises(UserError, match="no start cache"):
        warm_start.train()

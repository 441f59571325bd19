"""The start cache: told to the runtime where it is, made by a training session, and no danger where it is damaged."""

from pathlib import Path

import pytest

from foundation.errors import UserError
from kg import server, start_cache, warm_start
from kg.build import build
from kg.connection import ServerFiles
from kg.measure import cohort
from kg.store import connect


def test_the_runtime_is_told_of_a_sound_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache.aot"
    monkeypatch.setenv(start_cache.PLACE, str(cache))
    assert start_cache.java_options() == []
    cache.write_bytes(b"x")
    assert start_cache.java_options() == []  # nobody has noted its digest
    start_cache.note_digest(cache)
    assert start_cache.java_options() == [f"-XX:AOTCache={cache}"]
    cache.write_bytes(b"y")
    assert start_cache.java_options() == []
    monkeypatch.setenv(start_cache.OUTPUT, str(tmp_path / "new.aot"))
    assert start_cache.java_options() == [f"-XX:AOTCacheOutput={tmp_path / 'new.aot'}"]


def test_a_cache_of_another_runtime_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = tmp_path / "foreign.aot"
    foreign.write_bytes(b"no cache at all" * 1000)
    start_cache.note_digest(foreign)
    monkeypatch.setenv(start_cache.PLACE, str(foreign))
    home = tmp_path / "graph"
    try:
        with connect(home) as store:
            assert build(store, list(cohort("one"))[:3]).written == 3
        assert "[aot" in ServerFiles(home).log.read_text(encoding="utf-8", errors="replace")
    finally:
        server.stop(home)


def test_training_leaves_a_cache_that_the_runtime_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a folder" / "made.aot"
    monkeypatch.setenv(start_cache.PLACE, str(target))
    monkeypatch.setattr(warm_start, "_exercise", lambda folder: None)
    assert warm_start.train() == target
    assert target.stat().st_size > 2**20
    assert sorted(path.name for path in target.parent.iterdir()) == ["made.aot", "made.aot.sha256"]
    home = tmp_path / "graph"
    try:
        with connect(home) as store:
            assert store.agent()
        assert start_cache.java_options() == [f"-XX:AOTCache={target}"]
        assert "[aot" not in ServerFiles(home).log.read_text(encoding="utf-8", errors="replace")
    finally:
        server.stop(home)


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(start_cache.PLACE, str(tmp_path / "file" / "cache.aot"))
    with pytest.raises(UserError, match="no start cache"):
        warm_start.train()

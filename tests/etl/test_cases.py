"""CaseRecords on disk."""

from pathlib import Path

import pytest

from etl.caserecord import CaseRecord
from etl.cases import read_cases, write_cases
from foundation.errors import UserError


def case(number: int) -> CaseRecord:
    return CaseRecord(
        case_id=f"t:{number}", source="t", subject_id="1", hadm_id=str(number), chief_complaint="schlecht – 痛"
    )


def test_cases_come_back_sorted_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "cases.jsonl"
    assert write_cases(path, [case(3), case(1), case(20)]) == 3
    assert list(read_cases(path)) == [case(1), case(20), case(3)]
    assert [entry.name for entry in path.parent.iterdir()] == ["cases.jsonl"]


def test_order_of_writing_does_not_change_the_bytes(tmp_path: Path) -> None:
    write_cases(tmp_path / "a", [case(1), case(2)])
    write_cases(tmp_path / "b", [case(2), case(1)])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_failing_source_leaves_the_former_file(tmp_path: Path) -> None:
    def failing() -> object:
        yield case(1)
        raise RuntimeError

    write_cases(tmp_path / "a", [case(5)])
    with pytest.raises(RuntimeError):
        write_cases(tmp_path / "a", failing())  # type: ignore[arg-type]
    assert list(read_cases(tmp_path / "a")) == [case(5)]


def test_two_cases_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="t:1"):
        write_cases(tmp_path / "a", [case(1), case(1)])


def test_a_broken_line_is_named_without_its_text(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    write_cases(path, [case(1)])
    path.write_text(path.read_text("utf-8") + '{"case_id": "secret words"}\n', "utf-8")
    with pytest.raises(UserError, match="line 2") as refused:
        list(read_cases(path))
    assert "secret" not in str(refused.value)


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        next(read_cases(tmp_path / "none"))

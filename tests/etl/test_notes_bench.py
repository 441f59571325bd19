"""The measurement itself, the tagger's hold-out, and the figures that must not fall."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from etl.notes.bench import bench_extract
from etl.notes.bench_scores import exact_score, overlap_score
from etl.notes.tagger.brat import read_brat
from etl.notes.tagger.split import is_held_out
from etl.notes.tagger.tagger import Tagged, spans_of
from foundation.errors import UserError

spans = st.lists(
    st.tuples(st.integers(0, 50), st.integers(1, 9)).map(lambda pair: (pair[0], pair[0] + pair[1])), max_size=8
)


@given(spans, spans)
def test_scores_lie_between_zero_and_one_and_exact_is_stricter(
    gold: list[tuple[int, int]], found: list[tuple[int, int]]
) -> None:
    loose, strict = overlap_score("s", "k", [(gold, found)]), exact_score("s", "k", [(gold, found)])
    for score in (loose, strict):
        assert score.f1 is None or 0 <= score.f1 <= 1
    assert strict.matched_gold <= loose.matched_gold


def test_perfect_and_none() -> None:
    assert overlap_score("s", "k", [([(0, 4)], [(3, 6)])]).f1 == 1
    assert exact_score("s", "k", [([(0, 4)], [(3, 6)])]).f1 == 0
    assert exact_score("s", "k", [([], [])]).f1 is None


def test_bio_spans() -> None:
    assert list(spans_of(["B-A", "I-A", "O", "I-B", "B-B"])) == [
        Tagged("A", 0, 2),
        Tagged("B", 3, 4),
        Tagged("B", 4, 5),
    ]


def test_a_folder_of_brat_files_is_measured(tmp_path: Path) -> None:
    text = "She was given aspirin. She denied headache."
    (tmp_path / "1.txt").write_text(text, encoding="utf-8")
    (tmp_path / "1.ann").write_text(
        "T1\tMedication 14 21\taspirin\nT2\tSign_symptom 34 42\theadache\nE1\tSign_symptom:T2\nA1\tPOLARITY E1 NEG\n",
        encoding="utf-8",
    )
    report = bench_extract(tmp_path)
    figures = {score.kind: score.f1 for score in report.spans}
    assert figures["Medication"] == 1 and figures["Sign_symptom"] == 1 and figures["History"] is None
    assert report.accuracies[0].share == 1 and report.words == 7
    assert json.loads(report.model_dump_json())["words"] == 7
    assert all(len(row) == 4 for row in report.rows())


def test_broken_and_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no annotated set"):
        bench_extract(tmp_path)
    (tmp_path / "2.ann").write_text("T1\tMedication x y\tz\n", encoding="utf-8")
    with pytest.raises(UserError, match="missing"):
        list(read_brat(tmp_path))
    (tmp_path / "2.txt").write_text("z", encoding="utf-8")
    with pytest.raises(UserError, match=r"2\.ann, line 1"):
        list(read_brat(tmp_path))


def test_sample_gold_of_an_unseen_seed(tmp_path: Path) -> None:
    from etl.synthetic import generate

    generate(tmp_path, 24, 24, 4711)
    report = bench_extract(tmp_path)
    low = {score.kind: score.f1 for score in report.spans if score.gold >= 20 and (score.f1 or 0) < 0.95}
    assert low == {}
    assert {score.kind for score in report.spans if score.gold >= 20} >= {"allergy", "surgical_history", "symptom"}
    shares = {item.measure: item.share or 0 for item in report.accuracies}
    assert shares["assertion"] >= 0.98 and shares["experiencer"] >= 0.98 and shares["section"] >= 0.98


@pytest.mark.shared
@pytest.mark.slow
def test_held_out_case_reports(shared_data: Path, tmp_path: Path) -> None:
    """Trained anew without a quarter of the documents, the tagger is measured on that quarter."""
    from etl.notes.tagger.train import measured

    spans, accuracies = measured(list(read_brat(shared_data / "maccrobat2020" / "brat")), tmp_path)
    figures = {score.kind: score.f1 or 0 for score in spans}
    assert figures["Sign_symptom"] >= 0.67 and figures["Medication"] >= 0.8
    assert figures["Sign_symptom, kind symptom alone"] >= 0.62
    assert figures["History"] >= 0.55 and figures["Family_history"] >= 0.55
    assert (accuracies[0].share or 0) >= 0.92


@pytest.mark.shared
def test_documents_that_the_tagger_has_seen_are_named_so(shared_data: Path) -> None:
    report = bench_extract(shared_data / "maccrobat2020")
    assert {score.data_set for score in report.spans} == {"maccrobat2020, seen in training"}


@pytest.mark.shared
def test_a_quarter_of_the_documents_is_held_out(shared_data: Path) -> None:
    names = [document.name for document in read_brat(shared_data / "maccrobat2020" / "brat")]
    assert 20 <= sum(map(is_held_out, names)) <= 30


def test_the_order_of_sets_in_memory_does_not_matter() -> None:
    """Two processes with different hash seeds extract the same bytes."""
    code = (
        "from etl.notes.note import Note; from etl.notes.pipeline import NotePipeline;"
        "print(NotePipeline().extract(Note(note_id='1', case_id='a:1', text='HPI: He has fever, cough and gout. "
        "Mother had"
        " MI.\\nMeds: aspirin 81 mg daily, Lasix')).model_dump_json())"
    )
    answers = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PATH": ""}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert answers[0] == answers[1] and b"aspirin" in answers[0]

"""The generator of tables at scale: MIMIC's proportions, the same bytes by seed, and no row lost on the way."""

from pathlib import Path

from etl.scale import CHART_ROWS, DIAGNOSES, PRESCRIPTIONS, generate_tables, measure
from etl.sources import extract_cases
from etl.tables import load


def test_proportions_and_bytes(tmp_path: Path) -> None:
    rows = generate_tables(tmp_path / "a", 40, seed=3)
    generate_tables(tmp_path / "b", 40, seed=3)
    generate_tables(tmp_path / "c", 40, seed=4)
    report = load(tmp_path / "a", tmp_path / "h.duckdb")
    assert report.table("diagnoses_icd").rows_out == 40 * DIAGNOSES
    assert report.table("prescriptions").rows_out == 40 * PRESCRIPTIONS
    assert report.table("chartevents").rows_out == 40 * CHART_ROWS
    assert sum(entry.rows_out for entry in report.tables) == rows
    for path in sorted((tmp_path / "a").iterdir()):
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()
    assert (tmp_path / "a" / "PRESCRIPTIONS.csv").read_bytes() != (tmp_path / "c" / "PRESCRIPTIONS.csv").read_bytes()


def test_every_row_arrives_and_ranges_do_not_matter(tmp_path: Path) -> None:
    figures = measure(60, tmp_path, seed=1)
    assert figures.cases == 60
    assert figures.peak_gib < 4
    extraction = extract_cases("mimic3", tmp_path / "scale.duckdb")
    cases = list(extraction)
    assert all(entry.balanced for entry in extraction.report.tables)
    assert all(len(case.diagnoses) == DIAGNOSES for case in cases)
    assert all(5 <= len(case.medications) <= 30 for case in cases)
    assert sum(case.demographics.age_over_89 for case in cases) < 15

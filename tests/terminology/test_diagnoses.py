"""Diagnosis codes and names; MIMIC's own codes are never without a name."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terminology import diagnoses
from terminology.icd_tables import icd9_names

SHARED = Path(__file__).parents[2] / ".." / "shared" / "data"


@pytest.mark.parametrize(
    ("code", "version", "spelt"),
    [
        ("389", 9, "0389"),
        ("038.9", 9, "0389"),
        ("8.45", 9, "00845"),
        ("250.0", 9, "25000"),
        ("v58.61", 9, "V5861"),
        ("E849.0", 9, "E8490"),
        (" 428.0 ", 9, "4280"),
        ("4019", 9, "4019"),
        ("i21.4", 10, "I214"),
        ("Z51 .11", 10, "Z5111"),
    ],
)
def test_codes_are_spelt_as_the_dictionaries_do(code: str, version: int, spelt: str) -> None:
    assert diagnoses.normalise_code(code, version) == spelt


def test_a_dotted_code_survives_a_number_column() -> None:
    zeros = [code for code in icd9_names() if code.startswith("0") and len(code) > 3]
    as_numbers = {code: str(float(f"{code[:3]}.{code[3:]}")) for code in zeros}
    changed = [code for code, number in as_numbers.items() if diagnoses.normalise_code(number, 9) != code]
    assert len(changed) < 0.02 * len(zeros), changed[:10]


@settings(deadline=None)  # the tables load on the first call
@given(st.text(max_size=12), st.sampled_from([9, 10]))
def test_every_code_has_a_name(code: str, version: int) -> None:
    found = diagnoses.name_of(code, version)
    assert found.source in {"dictionary", "parent", "none"}
    diagnoses.category(code, version)
    diagnoses.parent_of(code, version)


def test_names_and_their_sources() -> None:
    assert diagnoses.name_of("4280", 9).name == "Congestive heart failure, unspecified"
    assert diagnoses.name_of("2765", 9) == diagnoses.CodeName(name="Volume depletion", source="parent")
    assert diagnoses.name_of("I21.4X", 10).source == "parent"
    assert diagnoses.name_of("ZZZ", 10).source == "none"
    assert diagnoses.parent_of("I21.4", 10) == "I21"
    assert diagnoses.parent_of("I21", 10) is None


def test_nine_to_ten() -> None:
    assert diagnoses.to_icd10("428.0") == "I509"
    assert diagnoses.category("41071", 9) == "I21"
    assert diagnoses.category("I21.4", 10) == "I21"


@pytest.mark.parametrize(
    ("term", "code"),
    [
        ("CHF", "I50"),
        ("T2DM", "E11"),
        ("community acquired pneumonia", "J18"),
        ("Crohn disease", "K50"),
        ("acute on chronic systolic heart failure", "I50"),
        ("myasthenia gravis exacerbation", "G70"),
        ("Kawasaki disease", "M30"),
        ("viral meningitis", "A87"),
        ("non-ST elevation myocardial infarction", "I21"),
    ],
)
def test_terms_find_their_category(term: str, code: str) -> None:
    found = diagnoses.find_code(term)
    assert found is not None and found.startswith(code)


def test_unknown_terms_have_no_code() -> None:
    assert diagnoses.find_code("purple elephant") is None
    assert diagnoses.synonyms("purple elephant") == ()


def test_synonyms_hold_the_abbreviation_and_the_written_name() -> None:
    assert "congestive heart failure" in diagnoses.synonyms("CHF")
    assert "MI" in diagnoses.synonyms("heart attack")


def _recorded(folder: Path) -> Iterator[tuple[str, int]]:
    for path in sorted(folder.rglob("*")):
        if path.name.lower().startswith("diagnoses_icd."):
            with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
                for row in csv.DictReader(file):
                    cells = {name.lower(): value for name, value in row.items()}
                    yield cells.get("icd_code") or cells.get("icd9_code") or "", int(cells.get("icd_version") or 9)


@pytest.mark.shared
@pytest.mark.parametrize("release", ["mimic3_demo", "mimic4_demo"])
def test_no_recorded_code_is_without_a_name(release: str) -> None:
    folder = SHARED / release
    if not folder.is_dir():
        pytest.skip(f"{release} is not at ../shared/data")
    codes = {pair for pair in _recorded(folder) if pair[0]}
    assert len(codes) > 300
    assert [pair for pair in codes if diagnoses.name_of(*pair).source == "none"] == []
    assert [pair for pair in codes if diagnoses.normalise_code(*pair) != pair[0].strip().upper()] == []

"""The sample cohort: MIMIC-III's layout, exact gold, coherent people, repeatable bytes."""

import csv
import json
import re
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from etl.caserecord import Assertion, MentionKind
from etl.synthetic import SampleReport, cohort, generate
from etl.synthetic.content import conditions, diseases, symptoms, table
from etl.synthetic.drugs import forbidden, parse
from etl.synthetic.marks import Entity, Marks
from etl.synthetic.tables import COLUMNS
from foundation.errors import UserError
from terminology import drugs, safety

Sample = tuple[Path, SampleReport]
KINDS = {*MentionKind, "discharge_medication", "diagnosis"}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    folder = tmp_path_factory.mktemp("sample")
    return folder, generate(folder)


def rows(folder: Path, table_name: str) -> list[dict[str, str]]:
    with (folder / f"{table_name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def golds(folder: Path) -> dict[str, dict[str, Any]]:
    return {path.stem: json.loads(path.read_text()) for path in (folder / "gold").glob("*.json")}


def section(gold: dict[str, Any], name: str, text: str) -> str:
    return "".join(text[part["start"] : part["end"]] for part in gold["sections"] if part["name"] == name)


def test_tables_have_the_official_columns_and_keys(sample: Sample) -> None:
    folder, report = sample
    for name, columns in COLUMNS.items():
        with (folder / f"{name}.csv").open(encoding="utf-8") as file:
            assert file.readline().strip().split(",") == ["ROW_ID", *columns.split()]
        assert len(rows(folder, name)) == report.rows[name] > 0
    admitted = {row["HADM_ID"] for row in rows(folder, "ADMISSIONS")}
    assert len(admitted) == 65
    assert len({row["SUBJECT_ID"] for row in rows(folder, "PATIENTS")}) == 60
    for name in ("DIAGNOSES_ICD", "PRESCRIPTIONS", "CHARTEVENTS", "LABEVENTS", "NOTEEVENTS"):
        assert {row["HADM_ID"] for row in rows(folder, name)} == admitted
    known = {row["ICD9_CODE"] for row in rows(folder, "D_ICD_DIAGNOSES")}
    assert {row["ICD9_CODE"] for row in rows(folder, "DIAGNOSES_ICD")} <= known
    assert any(code.startswith("0") for code in known)


def test_breadth_is_what_was_asked_for(sample: Sample) -> None:
    folder, report = sample
    assert report.main_diagnoses >= 40
    assert report.specialties >= 12
    main = {row["ICD9_CODE"] for row in rows(folder, "DIAGNOSES_ICD") if row["SEQ_NUM"] == "1"}
    assert len(main) >= 40


def test_every_gold_span_is_exact_apart_and_well_formed(sample: Sample) -> None:
    folder, _ = sample
    notes = {row["ROW_ID"]: row["TEXT"] for row in rows(folder, "NOTEEVENTS")}
    assert notes.keys() == golds(folder).keys()
    for row_id, gold in golds(folder).items():
        text, last = notes[row_id], 0
        assert gold["entities"]
        for entity in gold["entities"]:
            assert text[entity["start"] : entity["end"]] == entity["text"] == entity["text"].strip() != ""
            assert entity["start"] >= last and "\n" not in entity["text"]
            assert not any(start <= entity["start"] < end for start, end in gold["unannotated"])
            assert entity["kind"] in KINDS and entity["assertion"] in list(Assertion)
            values = [
                value for name, value in entity["attributes"].items() if (entity["kind"], name) != ("vital", "name")
            ]
            assert all(value in text for value in values)
            last = entity["end"]
        assert not re.search(r"[{}\ue000-\uf8ff]|\[\[", text)


def test_same_seed_same_bytes_and_another_seed_another_sample(sample: Sample, tmp_path: Path) -> None:
    folder, _ = sample
    generate(tmp_path / "again")
    names = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert names == sorted(
        path.relative_to(tmp_path / "again") for path in (tmp_path / "again").rglob("*") if path.is_file()
    )
    assert all((folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes() for name in names)
    generate(tmp_path / "other", seed=1)
    assert (folder / "NOTEEVENTS.csv").read_bytes() != (tmp_path / "other" / "NOTEEVENTS.csv").read_bytes()


def test_no_sentence_can_be_learnt_by_heart(sample: Sample) -> None:
    folder, _ = sample
    said: Counter[str] = Counter()
    for row in rows(folder, "NOTEEVENTS"):
        gold = golds(folder)[row["ROW_ID"]]
        story = section(gold, "history_of_present_illness", row["TEXT"]).replace("\n", " ")
        said.update(part for part in re.split(r"(?<=[.]) ", story) if len(part) > 20)
    assert len(said) / sum(said.values()) > 0.95


def test_the_difficult_patients_are_there(sample: Sample) -> None:
    folder, _ = sample
    text = "\n".join(row["TEXT"] for row in rows(folder, "NOTEEVENTS"))
    assert "[**Age over 90 **]" in text
    assert re.search(r"daughter", text) and re.search(r"intubated and sedated", text)
    born = {row["SUBJECT_ID"]: int(row["DOB"][:4]) for row in rows(folder, "PATIENTS")}
    ages = [int(row["ADMITTIME"][:4]) - born[row["SUBJECT_ID"]] for row in rows(folder, "ADMISSIONS")]
    assert any(age == 300 for age in ages) and all(18 <= age <= 90 or age == 300 for age in ages)
    reasons = defaultdict(set)
    for row in rows(folder, "DIAGNOSES_ICD"):
        if row["SEQ_NUM"] == "1":
            reasons[row["SUBJECT_ID"]].add(row["ICD9_CODE"])
    assert sum(len(codes) > 1 for codes in reasons.values()) >= 5


def test_assertions_of_every_sort_occur(sample: Sample) -> None:
    entities = [entity for gold in golds(sample[0]).values() for entity in gold["entities"]]
    seen = Counter((entity["kind"], entity["assertion"], entity["historical"]) for entity in entities)
    for wanted in (
        ("symptom", "present", False),
        ("symptom", "present", True),
        ("symptom", "absent", False),
        ("symptom", "possible", False),
        ("medical_history", "present", True),
        ("family_history", "absent", False),
        ("allergy", "absent", False),
        ("social_history", "absent", False),
        ("social_history", "present", True),
    ):
        assert seen[wanted] >= 5, wanted
    assert {entity["experiencer"] for entity in entities} >= {"patient", "mother", "father", "family"}


def test_nobody_is_given_what_they_are_allergic_to(sample: Sample) -> None:
    folder, _ = sample
    forms = {form: key for key, value in table("allergies.yaml").items() for form in value["forms"]}
    notes = {row["ROW_ID"]: row for row in rows(folder, "NOTEEVENTS")}
    given = defaultdict(list)
    for row in rows(folder, "PRESCRIPTIONS"):
        given[row["HADM_ID"]].append(row["DRUG"])
    checked = 0
    for row_id, gold in golds(folder).items():
        allergens = tuple(forms[e["text"]] for e in gold["entities"] if e["kind"] == "allergy" and e["text"] in forms)
        sent_home = [e["text"] for e in gold["entities"] if e["kind"] == "discharge_medication"]
        for drug in [*given[notes[row_id]["HADM_ID"]], *sent_home]:
            assert not forbidden(drug, allergens), (row_id, drug)
            checked += bool(allergens)
    assert checked > 50


def test_some_home_drugs_do_not_go_together() -> None:
    found = set()
    for visit in cohort.draw(60, 65, 0):
        taken = {name for drug in visit.home for name in drugs.normalise(drug.line.name).ingredients}
        found |= {frozenset(pair) for pair in combinations(sorted(taken), 2) if safety.interaction(*pair)}
    assert {"ibuprofen", "warfarin"} in found and {"amiodarone", "simvastatin"} in found


def test_the_scripts_name_only_what_exists() -> None:
    known, surgeries = conditions(), table("people.yaml")["surgeries"]
    for key, script in diseases().items():
        assert {*script.symptoms, *script.prior, *script.possible, *script.denied} <= symptoms().keys(), key
        assert script.comorbid.keys() <= known.keys(), key
        assert {*script.never, *script.leaves} <= {*known, *surgeries}, key
        assert script.labs.keys() <= table("measurements.yaml")["labs"].keys(), key
        for slot in (*script.inpatient, *script.discharge):
            assert all(parse(line).name for line in slot if line), key
        assert len(script.denied) >= 6 and len(script.symptoms) >= 3, key


def test_fewer_admissions_than_patients_is_a_user_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="one patient or more"):
        generate(tmp_path, patients=5, admissions=4)


def test_any_size(tmp_path: Path) -> None:
    assert generate(tmp_path / "one", 1, 1).rows["NOTEEVENTS"] == 1
    report = generate(tmp_path / "many", 130, 200, seed=3)
    assert report.rows["ADMISSIONS"] == 200 and report.rows["PATIENTS"] == 130


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.text("ab .\n", max_size=8), st.text("xyz ", min_size=1, max_size=6)), max_size=8))
def test_marks_give_back_the_words_they_were_put_around(parts: list[tuple[str, str]]) -> None:
    marks = Marks()
    text = "".join(before + marks.entity(words, Entity("symptom")) for before, words in parts)
    plain, spans, _ = marks.finish(text)
    assert plain == "".join(before + words for before, words in parts)
    assert [plain[span.start : span.end] for span in spans] == [words for _, words in parts]

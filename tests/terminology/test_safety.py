"""Drug safety tables: every row names what exists, and the rules say what a pharmacist would."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terminology import concepts, drug_conditions, drug_roles, drug_table, drugs, safety
from terminology.drug_condition_index import first_letters

INGREDIENTS = st.sampled_from(drugs.all_ingredients())


def _known_subjects() -> set[str]:
    groups = {row["group"] for row in _rows("safety_groups.csv")}
    classes = {name for item in drug_table.ingredients().values() for name in item.classes}
    return groups | classes | set(drugs.all_ingredients())


def _rows(name: str) -> list[dict[str, str]]:
    with (drug_table.DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_subject_and_condition_exists_and_every_row_has_a_source() -> None:
    subjects, conditions = _known_subjects(), drug_conditions.conditions().keys()
    unknown = []
    for name, columns in (
        ("safety_contraindications.csv", ("subject",)),
        ("safety_ages.csv", ("subject",)),
        ("safety_interactions.csv", ("a", "b")),
        ("safety_allergies.csv", ("members",)),
        ("safety_supportive.csv", ("subject", "beside")),
        ("safety_indications_classes.csv", ("class",)),
        ("safety_indications_ingredients.csv", ("ingredient",)),
    ):
        rows = _rows(name)
        unknown += [(name, row[column]) for row in rows for column in columns if row[column] not in subjects]
        assert all(row["source"] for row in rows), name
        for row in rows:
            for key in (row.get("condition") or row.get("conditions") or "").split("|"):
                if key and key not in conditions:
                    unknown.append((name, key))
    assert unknown == []


def test_there_are_enough_rows() -> None:
    assert len(_rows("safety_interactions.csv")) >= 150
    assert all(safety.indications(name) for name in drugs.all_ingredients())


def test_listed_conditions_and_classes_exist() -> None:
    assert drug_roles.symptom_conditions() <= drug_conditions.conditions().keys()
    subjects = _known_subjects()
    for name in ("safety_minor_classes.txt", "safety_supportive_classes.txt"):
        assert [line for line in drug_table.read_lines(drug_table.DATA / name) if line not in subjects] == []
    assert [kind for _, kind in drug_table.class_words() if kind not in subjects] == []
    for line in drug_table.read_lines(drug_table.DATA / "safety_acute_conditions.txt"):
        assert line.split()[-1] in drug_conditions.conditions()


def test_most_conditions_are_concepts_too() -> None:
    keys = sorted(drug_conditions.conditions())
    found = [key for key in keys if concepts.get(key) or concepts.lookup(key.replace("_", " "))]
    if len(concepts.all_concepts("condition")) < 100:
        pytest.skip("the table of conditions is not there yet")
    assert len(found) / len(keys) >= 0.6


@pytest.mark.parametrize(
    ("allergen", "ingredient", "severity"),
    [
        ("penicillin", "amoxicillin", "major"),
        ("Penicillins (hives)", "piperacillin", "major"),
        ("PCN", "ampicillin", "major"),
        ("penicillin", "cefepime", "moderate"),
        ("sulfa drugs", "sulfamethoxazole", "major"),
        ("sulfa", "furosemide", "moderate"),
        ("aspirin", "ibuprofen", "major"),
        ("lisinopril (angioedema)", "enalapril", "major"),
        ("iv contrast", "iodinated contrast", "major"),
        ("atorvastatin", "simvastatin", "major"),
        ("Lipitor", "atorvastatin", "major"),
        ("codeine", "morphine", "major"),
        ("penicillin", "azithromycin", None),
        ("latex", "amoxicillin", None),
        ("codeine", "fentanyl", None),
        ("", "aspirin", None),
    ],
)
def test_allergies_and_cross_reactivity(allergen: str, ingredient: str, severity: str | None) -> None:
    conflict = safety.allergy_conflict(allergen, ingredient)
    assert (conflict.severity if conflict else None) == severity


@pytest.mark.parametrize(
    ("a", "b", "severity"),
    [
        ("warfarin", "ibuprofen", "major"),
        ("sildenafil", "isosorbide mononitrate", "major"),
        ("lisinopril", "losartan", "major"),
        ("sertraline", "phenelzine", "major"),
        ("clarithromycin", "simvastatin", "major"),
        ("warfarin", "aspirin", "moderate"),
        ("lisinopril", "amlodipine", None),
        ("metformin", "lisinopril", None),
    ],
)
def test_interactions(a: str, b: str, severity: str | None) -> None:
    row = safety.interaction(a, b)
    assert (row.severity if row else None) == severity


@given(INGREDIENTS, INGREDIENTS)
def test_interactions_have_no_order(a: str, b: str) -> None:
    first, second = safety.interaction(a, b), safety.interaction(b, a)
    assert (first and first.severity) == (second and second.severity)


@given(INGREDIENTS)
def test_the_drug_itself_is_the_gravest_allergy(ingredient: str) -> None:
    if drugs.normalise(ingredient).ingredients == (ingredient,):
        conflict = safety.allergy_conflict(ingredient, ingredient)
        assert conflict is not None
        assert conflict.severity == "major"


@pytest.mark.parametrize(
    ("ingredient", "condition"),
    [
        ("metformin", "severe_renal_impairment"),
        ("ibuprofen", "chronic_kidney_disease"),
        ("propranolol", "asthma"),
        ("lisinopril", "pregnancy_known"),
        ("metoclopramide", "parkinson_disease"),
        ("sumatriptan", "coronary_artery_disease"),
    ],
)
def test_grave_contraindications(ingredient: str, condition: str) -> None:
    rows = [row for row in safety.contraindications(ingredient) if row.condition == condition]
    assert any(row.severity == "major" and row.source for row in rows)


def test_aspirin_is_not_under_the_rules_for_other_nsaids() -> None:
    assert not [row for row in safety.contraindications("aspirin") if row.condition == "chronic_kidney_disease"]


def test_ages() -> None:
    assert any(row.from_age <= 80 <= row.to_age for row in safety.age_limits("diphenhydramine"))
    assert any(row.from_age <= 10 <= row.to_age for row in safety.age_limits("aspirin"))
    assert not safety.age_limits("levothyroxine")


@pytest.mark.parametrize(
    ("ingredient", "condition", "expected"),
    [
        ("lisinopril", "hypertension", True),
        ("ceftriaxone", "pneumonia", True),
        ("atorvastatin", "myocardial_infarction", True),
        ("levothyroxine", "pneumonia", False),
        ("donepezil", "hypertension", False),
        ("heparin", "thromboembolism_risk", True),
        ("pantoprazole", "stress_ulcer_prophylaxis", True),
    ],
)
def test_treats(ingredient: str, condition: str, expected: bool) -> None:
    rows = safety.treats(ingredient, condition)
    assert bool(rows) == expected
    assert all(row.source for row in rows)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Acute on chronic systolic heart failure", "systolic_heart_failure"),
        ("Septicemia due to Escherichia coli", "sepsis"),
        ("Malignant neoplasm of upper lobe, bronchus or lung", "lung_cancer"),
        ("COPD exacerbation", "copd"),
        ("Type 2 diabetes mellitus without complications", "type_2_diabetes"),
        ("to prevent stress ulcers", "peptic_ulcer"),
    ],
)
def test_conditions_in_text(text: str, key: str) -> None:
    assert key in drug_conditions.with_broader(drug_conditions.in_text(text))


@pytest.mark.parametrize("text", ["No evidence of pneumonia", "denies asthma", "without heart failure"])
def test_negated_conditions_are_not_stated(text: str) -> None:
    assert drug_conditions.named_in(text) == frozenset()


def test_every_pattern_is_tried_at_each_first_letter_that_it_can_match() -> None:
    assert first_letters(r"(?<!no )(?:acute|chronic)|\bdvt\b|o?edema|(?:my )?x") == frozenset("acdoemx")
    assert "" in first_letters(r"[xy]z")
    named = [text for text in ("acute kidney injury", "no dvt", "lung oedema", "t2dm", "a heart attack") if text]
    assert [bool(drug_conditions.named_in(text)) for text in named] == [True, False, True, True, True]


def test_codes_and_wider_conditions() -> None:
    assert "atrial_fibrillation" in drug_conditions.of_code("42731", "9")
    assert "atrial_fibrillation" in drug_conditions.of_code("I48.91", "10")
    assert drug_conditions.of_code("", "10") == frozenset()
    assert drug_conditions.of_code("J18", "") == frozenset()
    assert "bacterial_infection" in drug_conditions.with_broader(frozenset({"septic_shock"}))


def test_supporting_drugs() -> None:
    assert drug_roles.supports("senna", ["oxycodone"])
    assert drug_roles.supports("pantoprazole", ["aspirin"])
    assert not drug_roles.supports("levothyroxine", ["oxycodone"])
    assert drug_roles.is_minor("docusate")
    assert not drug_roles.is_minor("aspirin")

"""Drug names: salts, forms, brands, combinations, fluids, spelling; drugs in text; coverage of real prescriptions."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terminology import drug_table, drugs
from terminology.drug_coverage import prescriptions


@pytest.mark.parametrize(
    ("name", "ingredients"),
    [
        ("Metoprolol Succinate XL 50 mg PO daily", ("metoprolol",)),
        ("metoprolol tartrate", ("metoprolol",)),
        ("Toprol XL (metoprolol succinate)", ("metoprolol",)),
        ("*NF* Ertapenem Sodium", ("ertapenem",)),
        ("losartan potassium", ("losartan",)),
        ("esomeprazole magnesium", ("esomeprazole",)),
        ("calcium carbonate-vitamin D3", ("calcium carbonate", "cholecalciferol")),
        ("Dexamethasone Sod Phosphate", ("dexamethasone",)),
        ("Percocet 5/325", ("acetaminophen", "oxycodone")),
        ("Zosyn", ("piperacillin", "tazobactam")),
        ("Bactrim DS", ("sulfamethoxazole", "trimethoprim")),
        ("Advair Diskus 250/50", ("fluticasone", "salmeterol")),
        ("Lisinopril-Hydrochlorothiazide", ("hydrochlorothiazide", "lisinopril")),
        ("aspirin and clopidogrel", ("aspirin", "clopidogrel")),
        ("ASA 81", ("aspirin",)),
        ("MSO4", ("morphine",)),
        ("KCl 20 mEq", ("potassium chloride",)),
        ("NTG SL", ("nitroglycerin",)),
        ("HCTZ", ("hydrochlorothiazide",)),
        ("salbutamol inhaler", ("albuterol",)),
        ("paracetamol 1 g", ("acetaminophen",)),
        ("Lantus 20 units qhs", ("insulin glargine",)),
        ("Potassium Chl 20 mEq / 1000 mL D5 1/2 NS", ("potassium chloride",)),
        ("23.4% Sodium Chloride", ("sodium chloride",)),
        ("vancomycin in 0.9% sodium chloride", ("vancomycin",)),
        ("metroprolol", ("metoprolol",)),
        ("hydrochlorthiazide", ("hydrochlorothiazide",)),
    ],
)
def test_a_name_resolves_to_its_active_ingredients(name: str, ingredients: tuple[str, ...]) -> None:
    found = drugs.normalise(name)
    assert found.ingredients == ingredients
    assert found.resolved
    assert not found.carrier_fluid


@pytest.mark.parametrize(
    "name",
    ["NS", "D5W", "0.9% Sodium Chloride", "Iso-Osmotic Dextrose", "LR", "Sterile Water", "Heparin Flush (10 units/ml)",
     "Syringe (0.9% Sodium Chloride)", "D5 1/2NS", "Bag", "Lactated Ringers", "IV fluids", "NS (Mini Bag Plus)"],
)  # fmt: skip
def test_fluids_flushes_and_containers_are_set_apart(name: str) -> None:
    found = drugs.normalise(name)
    assert (found.carrier_fluid, found.ingredients, found.resolved) == (True, (), True)


@pytest.mark.parametrize("name", ["heparin", "Insulin", "Dextrose 50%", "Potassium Chloride", "Sodium Bicarbonate"])
def test_what_only_looks_like_a_fluid_is_a_drug(name: str) -> None:
    assert drugs.normalise(name).ingredients
    assert not drugs.normalise(name).carrier_fluid


@pytest.mark.parametrize("name", ["", "   ", "blorgazine", "beta blocker", "placebox 5 mg"])
def test_what_cannot_be_resolved_says_so(name: str) -> None:
    found = drugs.normalise(name)
    assert (found.resolved, found.ingredients, found.carrier_fluid) == (False, (), False)


def test_look_alike_names_stay_apart() -> None:
    pairs = [("hydralazine", "hydroxyzine"), ("prednisone", "prednisolone"), ("clonidine", "clonazepam")]
    assert all(drugs.normalise(a).ingredients != drugs.normalise(b).ingredients for a, b in pairs)


@given(st.text(max_size=60))
def test_any_name_is_answered_consistently(name: str) -> None:
    found = drugs.normalise(name)
    assert list(found.ingredients) == sorted(set(found.ingredients))
    assert found.resolved == bool(found.ingredients or found.carrier_fluid)
    assert set(found.ingredients) <= set(drugs.all_ingredients())


@given(st.sampled_from(drugs.all_ingredients()), st.sampled_from(["", " 5 mg", " HCl", " XR", " tablet po bid"]))
def test_salt_strength_and_form_change_nothing(ingredient: str, tail: str) -> None:
    expected = drugs.normalise(ingredient)
    assert set(expected.ingredients) <= set(drugs.normalise(ingredient.upper() + tail).ingredients)


@given(st.text(max_size=200))
def test_matches_stand_in_the_text_in_order(text: str) -> None:
    matches = drugs.find(text)
    assert all(text[match.start : match.end] == match.text for match in matches)
    assert all(a.end <= b.start for a, b in pairwise(matches))


def test_drugs_are_found_in_a_note() -> None:
    text = "Takes aspirin, amoxicillin/clavulanate and Toprol XL. Heparin-induced thrombocytopenia. Potassium 4.1."
    found = [(match.text, match.ingredients) for match in drugs.find(text)]
    assert found == [
        ("aspirin", ("aspirin",)),
        ("amoxicillin/clavulanate", ("amoxicillin", "clavulanate")),
        ("Toprol XL", ("metoprolol",)),
    ]


def test_offsets_survive_letters_that_grow_in_lower_case() -> None:
    text = "İİ patient on warfarin"
    assert [text[match.start : match.end] for match in drugs.find(text)] == ["warfarin"]


def test_classes_and_alternatives() -> None:
    assert "beta_blocker" in drugs.classes("metoprolol")
    assert {"captopril", "losartan"} <= drugs.alternatives("lisinopril")
    assert "cefotaxime" in drugs.alternatives("ceftriaxone")
    assert not drugs.alternatives("folic acid")
    assert drugs.classes("unheard of") == frozenset()
    assert all(a in drugs.alternatives(b) for a in ("lisinopril", "warfarin") for b in drugs.alternatives(a))


def test_the_table_is_complete() -> None:
    items = drug_table.ingredients().values()
    assert len(items) >= 400
    assert [item.name for item in items if not item.classes or not item.used_for] == []
    named = {name for names in drug_table.names().values() for name in names}
    assert named == set(drugs.all_ingredients())


@pytest.mark.shared
@pytest.mark.parametrize("table", ["mimic3_demo/PRESCRIPTIONS.csv.gz", "mimic4_demo/hosp/prescriptions.csv.gz"])
def test_real_prescriptions_resolve(shared_data: Path, table: str) -> None:
    found = prescriptions(shared_data / table)
    assert found.share >= 0.95, found.unresolved[:20]
    assert 0.1 < found.carrier_fluids / found.rows < 0.5

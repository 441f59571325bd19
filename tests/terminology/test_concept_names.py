"""Every concept's own name and lay name lead to it, and longer names win over what they contain."""

import pytest

from terminology import concepts
from terminology.lay import plain

COMPLAINT_FIRST = {
    "anorexia_nervosa": "loss_of_appetite",
    "anxiety_disorder": "anxiety",
    "ascites": "ascites_sign",
    "erectile_dysfunction": "erectile_dysfunction_symptom",
    "hypoglycemia": "hypoglycemia_symptom",
    "panic_disorder": "panic_symptom",
    "restless_legs_syndrome": "restless_legs_symptom",
}
"""Illnesses that people call as their complaint: without a kind asked for, the complaint is meant."""

SAID_AS_THE_WIDER = {"nstemi": "myocardial_infarction"}
"""Patients know no kinds of heart attack."""

ALSO_SOMETHING_ELSE = {
    "anesthetics": "general_anesthesia",
    "animal_dander": "pets",
    "food_allergen": "diet",
    "mold": "mold_exposure",
    "opioids": "opioid_misuse",
    "vaccine_allergen": "immunization_status",
}
"""Allergens that are something else first: they are found where an allergen is asked for."""

_EXCEPTIONS = COMPLAINT_FIRST | SAID_AS_THE_WIDER | ALSO_SOMETHING_ELSE


def _found(name: str, kinds: tuple[str, ...] | None = None) -> list[str]:
    return [match.key for match in concepts.find(f"any {name}", kinds=kinds)]


def _names() -> list[tuple[concepts.Concept, str]]:
    return [(each, name) for each in concepts.all_concepts() for name in dict.fromkeys((each.name, each.lay))]


def test_every_name_and_lay_name_finds_its_own_concept() -> None:
    wrong = {
        (concept.key, name, *_found(name))
        for concept, name in _names()
        if _found(name) not in ([concept.key], [_EXCEPTIONS.get(concept.key, concept.key)])
    }
    assert wrong == set()


def test_every_exception_is_still_one() -> None:
    needed = {concept.key for concept, name in _names() if _found(name) != [concept.key]}
    assert needed == set(_EXCEPTIONS)


def test_what_bears_another_concepts_name_is_found_where_its_kind_is_asked_for() -> None:
    for key in COMPLAINT_FIRST | ALSO_SOMETHING_ELSE:
        concept = concepts.get(key)
        assert concept is not None
        assert _found(concept.lay, kinds=(concept.kind,)) == [key]


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("any drug overdose", ["overdose"]),
        ("your weight loss surgery", ["gastric_bypass"]),
        ("hepatitis A", ["hepatitis_a"]),
        ("hepatitis", ["hepatitis"]),
        ("potassium was low", ["potassium_level"]),
        ("I've been feeling low", ["low_mood"]),
        ("she fell asleep at noon", ["sleep"]),
        ("trouble falling asleep", ["insomnia"]),
        ("I fell twice", ["falls"]),
        ("mild paravalvular leakage", ["valvular_heart_disease"]),
        ("leakage of urine", ["urinary_incontinence"]),
        ("vestibular neuritis", ["vestibular_neuritis"]),
        ("I take my medicines", []),
    ],
)
def test_a_name_inside_other_words_is_not_heard(words: str, keys: list[str]) -> None:
    assert [match.key for match in concepts.find(words)] == keys


@pytest.mark.parametrize(
    ("clinical", "lay"),
    [
        ("resection of a lump", "removal of a lump"),
        ("oral antibiotics", "antibiotics taken by mouth"),
        ("an oral ulcer", "a mouth ulcer"),
    ],
)
def test_lay_words_fit_their_sentence(clinical: str, lay: str) -> None:
    assert plain(clinical) == lay

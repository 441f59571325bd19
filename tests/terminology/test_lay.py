"""Lay words and jargon."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terminology import lay


@pytest.mark.parametrize(
    ("clinical", "plain"),
    [
        ("dyspnea", "shortness of breath"),
        ("Dyspnea at night", "Shortness of breath at night"),
        ("25 mg p.o. b.i.d.", "25 milligrams by mouth twice a day"),
        ("s/p CABG", "after heart bypass surgery"),
        ("h/o HTN", "history of high blood pressure"),
        ("Take 2 tabs PO TID prn", "Take 2 tablets by mouth three times a day as needed"),
        ("no hematemesis or melena", "no vomiting blood or black tarry stools"),
        ("an anticoagulant", "a blood thinner"),
        ("I have asthma and diabetes.", "I have asthma and diabetes."),
    ],
)
def test_clinical_words_become_lay_words(clinical: str, plain: str) -> None:
    assert lay.plain(clinical) == plain


def test_jargon_has_spans_lay_words_and_severity() -> None:
    text = "You have orthopnea, and an abdominal scan."
    first, second = lay.jargon(text)
    assert (first.term, first.lay, first.severity) == ("orthopnea", "trouble breathing lying flat", "major")
    assert second.severity == "minor"
    assert all(text[match.start : match.end] == match.term for match in (first, second))


@pytest.mark.parametrize(
    "words",
    [
        "Do you have asthma, diabetes, allergies or high blood pressure?",
        "Take this medication for the infection and tell me about your symptoms.",
        "Any chest pain, cough, fever or headaches?",
        "Have you had surgery, a heart attack or a stroke?",
    ],
)
def test_everyday_words_are_no_jargon(words: str) -> None:
    assert lay.jargon(words) == []


@pytest.mark.parametrize(
    "term", ["myocardial infarction", "dysphagia", "hemoptysis", "edema", "paroxysmal nocturnal dyspnea", "PND", "HTN"]
)
def test_clinical_terms_are_jargon(term: str) -> None:
    found = lay.jargon(f"Do you have {term}?")
    assert [(match.term, match.severity) for match in found] == [(term, "major")]
    assert found[0].lay


def test_lay_names() -> None:
    assert lay.lay_name("dyspnea") == "shortness of breath"
    assert lay.lay_name("no_such_key") == "no such key"


@settings(deadline=None)  # the tables load on the first call
@given(st.text(max_size=120))
def test_any_text_survives(text: str) -> None:
    lay.plain(text)
    for match in lay.jargon(text):
        assert match.term == text[match.start : match.end]


def test_plain_words_hold_little_jargon_themselves() -> None:
    assert lay.jargon(lay.plain("dyspnea, syncope, hematuria, pruritus, myalgia and HTN s/p CABG")) == []


@pytest.mark.parametrize(
    ("text", "plainly"),
    [
        ("uterine bleeding", "bleeding of the womb"),
        ("biliary duct stones", "duct stones of the bile ducts"),
        ("peripheral vascular disease", "vascular disease in the arms and legs"),
        ("it is biliary", "it is biliary"),
    ],
)
def test_lay_words_for_an_adjective_stand_behind_its_noun(text: str, plainly: str) -> None:
    assert lay.plain(text) == plainly

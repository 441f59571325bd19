"""Assertion, past and experiencer of a given span."""

from pathlib import Path

import pytest

from etl.notes.assertion import Judgement, Triggers, judge
from etl.notes.note import Note
from etl.notes.reading import read
from etl.notes.rules.relatives import who_is_meant
from foundation.errors import UserError


def judged(text: str, words: str) -> Judgement:
    reading = read(Note(note_id="n", case_id="t:1", text=text))
    start = text.index(words)
    sentence = reading.sentence_at(start)
    assert sentence is not None
    return judge(sentence.cues, reading.words, *reading.tokens(start, start + len(words)))


@pytest.mark.parametrize(
    ("text", "words", "assertion"),
    [
        ("He denies fever, chills or cough.", "cough", "absent"),
        ("No fever but has cough.", "cough", "present"),
        ("Chest pain was ruled out.", "Chest pain", "absent"),
        ("She may have had palpitations.", "palpitations", "possible"),
        ("Cannot exclude pneumonia.", "pneumonia", "possible"),
        ("Pneumonia cannot be excluded.", "Pneumonia", "possible"),
        ("No increase in chest pain.", "chest pain", "present"),
        ("The pain is not relieved by rest.", "pain", "present"),
        ("Neg: weight loss, orthopnea.", "orthopnea", "absent"),
        ("No acute distress.", "acute distress", "absent"),
        ("Fever without rash.", "Fever", "present"),
        ("Fever without rash.", "rash", "absent"),
        ("No cough; fever for two days.", "fever", "present"),
        ("Gram negative bacteremia.", "bacteremia", "present"),
    ],
)
def test_polarity(text: str, words: str, assertion: str) -> None:
    assert judged(text, words).assertion == assertion


def test_past_and_future() -> None:
    assert judged("Stroke ten years ago.", "Stroke").historical
    assert judged("He is s/p appendectomy.", "appendectomy").historical
    assert not judged("He has a history of gout.", "gout").historical
    assert judged("He has a history of gout.", "gout").history_of
    assert judged("Return if you develop fever.", "fever").hypothetical
    assert not judged("Denies drug use, quit smoking 5 years ago.", "drug use").historical


@pytest.mark.parametrize(
    ("text", "words", "who"),
    [
        ("His mother had breast cancer.", "breast cancer", "mother"),
        ("Breast cancer in her maternal aunt.", "Breast cancer", "aunt"),
        ("The daughter reports that he has fever.", "fever", "patient"),
        ("He lives with his brother and has asthma.", "asthma", "patient"),
        ("FAMILY HISTORY: Father: MI. Gout.", "Gout", "family"),
    ],
)
def test_experiencer(text: str, words: str, who: str) -> None:
    reading = read(Note(note_id="n", case_id="t:1", text=text))
    start = text.index(words)
    sentence = reading.sentence_at(start)
    assert sentence is not None
    assert who_is_meant(reading, sentence, start, start + len(words)) == who


def test_a_broken_trigger_row_is_named(tmp_path: Path) -> None:
    path = tmp_path / "triggers.csv"
    path.write_text("phrase,category,direction,scope\nno,negative,forward,\n", encoding="utf-8")
    with pytest.raises(UserError, match="row 2"):
        Triggers(path)


@pytest.mark.shared
def test_negex_sentences(shared_data: Path) -> None:
    from etl.notes.bench_sets import score_negex

    figures = {item.measure: item for item in score_negex(shared_data / "negex")}
    assert (figures["absent or present"].share or 0) >= 0.95
    assert figures["absent or present"].total > 1100
    assert (figures["experiencer"].share or 0) >= 0.98

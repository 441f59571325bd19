"""Sections and sentences in the styles that notes come in."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from etl.notes.note import Note
from etl.notes.reading import read
from etl.notes.section_kinds import SectionKind as S
from etl.notes.sections import split_sections
from etl.notes.topic import topic_of


def kinds(text: str) -> list[str]:
    return [section.kind.value for section in split_sections(text)]


def sentences(text: str) -> list[str]:
    reading = read(Note(note_id="n", case_id="t:1", text=text))
    return [text[sentence.start : sentence.end] for sentence in reading.sentences]


def test_colon_and_capital_headings() -> None:
    text = "Chief Complaint:\nfever\n\nHPI: Ill for days.\nPMHX: gout\nALLERGIES\nNKDA\nD/C Meds:\n1. aspirin\n"
    assert kinds(text) == [
        "chief_complaint", "history_of_present_illness", "past_medical_history", "allergies", "discharge_medications",
    ]  # fmt: skip


def test_transcription_without_line_breaks() -> None:
    text = "CHIEF COMPLAINT:,  Cough.,PAST MEDICAL HISTORY: , Gout.,DISCHARGE DIAGNOSES: ,1.  Sepsis.,2.  Gout."
    assert kinds(text) == ["chief_complaint", "past_medical_history", "discharge_diagnosis"]
    first = split_sections(text)[0]
    assert text[first.body :].startswith("Cough")


def test_subheadings_and_vital_signs_stay_in_the_examination() -> None:
    text = "Physical Exam:\nVS: T 98 BP 120/80\nLungs: clear\nHEENT: moist\nPlan: rest"
    assert kinds(text) == ["physical_exam", "plan"]


def test_a_case_report_is_narrative_and_a_sentence_is_no_heading() -> None:
    assert kinds("A 40-year-old man came with fever. His ratio: 3 to 1.") == ["narrative"]
    assert kinds("") == []


@given(st.text(max_size=400))
def test_sections_and_sentences_lie_in_order_within_any_text(text: str) -> None:
    reading = read(Note(note_id="n", case_id="t:1", text=text))
    assert len(reading.plain) == len(text) == len(reading.lower)
    last = 0
    for section in reading.sections:
        assert last <= section.start <= section.body <= section.end <= len(text)
        last = section.end
    ends = 0
    for sentence in reading.sentences:
        assert ends <= sentence.start < sentence.end <= len(text)
        ends = sentence.end


def test_abbreviations_lists_and_wrapped_lines() -> None:
    assert sentences("Seen by Dr. Roe at 5 p.m. today. Then left.") == [
        "Seen by Dr. Roe at 5 p.m. today.",
        "Then left.",
    ]
    assert sentences("HPI:\n1. gout\n2. asthma") == ["1. gout", "2. asthma"]
    wrapped = "HPI: He has been ill since the spring of the year and says that he\ndenies any fever."
    assert len(sentences(wrapped)) == 1


def test_text_without_heading_gets_its_kind() -> None:
    assert topic_of("Allergic to penicillin, which causes a rash.") is S.ALLERGIES
    assert topic_of("Appendectomy and tonsillectomy.") is S.SURGICAL_HISTORY


@pytest.mark.shared
def test_topics_of_texts_never_trained_on(shared_data: Path) -> None:
    from etl.notes.bench_sets import score_section_texts

    figures = {item.data_set.rsplit("/", 1)[1]: item.share for item in score_section_texts(shared_data / "mts_dialog")}
    assert (figures["MTS-Dialog-ValidationSet"] or 0) >= 0.6


@pytest.mark.shared
def test_transcriptions_with_a_history_of_present_illness_are_split_there(shared_data: Path) -> None:
    with (shared_data / "mtsamples" / "test.csv").open(encoding="utf-8", newline="") as file:
        texts = [row["text"] for row in csv.DictReader(file)]
    for word, kind in (("HISTORY OF PRESENT ILLNESS:", S.PRESENT_ILLNESS), ("FAMILY HISTORY:", S.FAMILY_HISTORY)):
        holding = [text for text in texts if word in text]
        found = sum(any(section.kind is kind for section in split_sections(text)) for text in holding)
        assert found / len(holding) >= 0.95, word

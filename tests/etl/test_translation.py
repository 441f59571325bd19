"""Records in Chinese: drafted by a (scripted) model, reviewed by a person, read in English, the original kept."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from chatmodels.interface import ChatModelError, Message, Reply, Usage
from etl.notes.note import Note
from etl.notes.pipeline import NotePipeline
from etl.sources import extract_cases, text_folder
from etl.translation import (
    Translation,
    draft_translations,
    needs_translation,
    read_review,
    reading_translations,
    write_review,
)
from foundation.errors import UserError

CHINESE = {
    "anxiety": (
        "主诉：心慌、失眠3个月。\n现病史：患者，女，16岁，学生，3个月前考试失败后出现心慌、失眠，否认胸痛。\n"
        "既往史：哮喘。\n个人史：不吸烟。\n诊断：焦虑障碍。\n",
        "Chief Complaint:\npalpitations and insomnia for 3 months\n\nHistory of Present Illness:\nThe patient is a "
        "16-year-old female student. Three months ago, after failing an examination, she had palpitations and "
        "insomnia. She denies chest pain.\n\nPast Medical History:\nAsthma.\n\nSocial History:\nShe does not smoke.\n\n"
        "Discharge Diagnosis:\nAnxiety disorder\n",
    ),
    "pneumonia": (
        "主诉：咳嗽、发热5天。\n现病史：男，67岁，受凉后咳嗽，咳黄痰，体温39℃，无咯血。\n过敏史：青霉素（皮疹）。\n"
        "出院带药：左氧氟沙星 0.5g 每日一次。\n",
        "Chief Complaint:\ncough and fever for 5 days\n\nHistory of Present Illness:\n67-year-old man. After catching "
        "cold he had a cough with yellow sputum and a temperature of 39 °C; no hemoptysis.\n\nAllergies:\nPenicillin "
        "(rash)\n\nDischarge Medications:\nLevofloxacin 0.5 g once daily\n",
    ),
    "chestpain": (
        "主诉：胸痛2小时。\n现病史：男，58岁，突发胸骨后压榨样疼痛，伴出汗。吸烟30年。父亲患冠心病。\n",
        "Chief Complaint:\nchest pain for 2 hours\n\nHistory of Present Illness:\n58-year-old man with sudden crushing "
        "retrosternal chest pain and sweating. He has smoked for 30 years. His father had coronary artery disease.\n",
    ),
}


class Interpreter:
    """A model that knows these notes alone, and fails on the others."""

    name = "scripted-interpreter"

    def __init__(self, cut_off: bool = False) -> None:
        self.cut_off = cut_off
        self.asked: list[Sequence[Message]] = []

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float | None = None,
        seed: int | None = None,
    ) -> Reply:
        self.asked.append(messages)
        for original, english in CHINESE.values():
            if messages[-1].content == original:
                return Reply(text=english, usage=Usage(), finish_reason="length" if self.cut_off else "stop")
        raise ChatModelError("unknown note")


def notes() -> list[Note]:
    return [Note(note_id=f"text:{name}", case_id=f"text:{name}", text=words[0]) for name, words in CHINESE.items()]


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        (CHINESE["anxiety"][0], True),
        ("Пациент жалуется на кашель", True),
        ("The patient has a cough, temperature 39 °C, β-blocker.", False),
        ("Fieber und Husten, Größe 180 cm", False),
        ("120/80, 72", False),
    ],
)
def test_what_needs_a_translation(text: str, foreign: bool) -> None:
    assert needs_translation(text) is foreign


def test_out_review_back_and_extraction(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, (original, _) in CHINESE.items():
        (folder / f"{name}.txt").write_text(original, "utf-8")
    (folder / "english.txt").write_text("A 40-year-old woman presented with headache.\n")
    model = Interpreter()
    drafts, failed = draft_translations(text_folder.notes(folder), model)
    assert len(drafts) == 3
    assert failed == []
    assert "literally" in model.asked[0][0].content
    write_review(tmp_path / "out.csv", drafts)
    rows = list(csv.DictReader((tmp_path / "out.csv").open(encoding="utf-8-sig")))
    for row in rows:
        row |= {"reviewed": "yes", "by": "XL", "comment": "checked against the original"}
    rows[0]["translation"] = rows[0]["translation"].replace("palpitations", "palpitation")
    with (tmp_path / "back.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    reviewed = read_review(tmp_path / "back.csv")
    assert reviewed["text:anxiety"].original == CHINESE["anxiety"][0]
    assert reviewed["text:anxiety"].draft != reviewed["text:anxiety"].translation
    read = reading_translations(NotePipeline().extract, reviewed)
    cases = {case.hadm_id: case for case in extract_cases("text_folder", folder, read)}
    assert set(cases) == {"anxiety", "chestpain", "english", "pneumonia"}
    anxiety = cases["anxiety"]
    assert (anxiety.demographics.age, anxiety.demographics.sex) == (16, "F")
    denied = next(mention for mention in anxiety.mentions if mention.concept == "chest_pain")
    assert denied.assertion == "absent"
    place = denied.evidence[0]
    assert place.kind == "note"
    assert place.note_id == "text:anxiety:translation"
    assert reviewed["text:anxiety"].translation[place.start : place.end] == place.quote
    assert any(drug.ingredients == ("levofloxacin",) for drug in cases["pneumonia"].medications)


def test_an_unreviewed_translation_is_not_read() -> None:
    drafts, _ = draft_translations(notes(), Interpreter())
    unread = {draft.note_id: draft for draft in drafts}
    with pytest.raises(UserError, match="nobody has reviewed it"):
        reading_translations(NotePipeline().extract, unread)(notes()[0])
    with pytest.raises(UserError, match="has not been translated"):
        reading_translations(NotePipeline().extract, {})(notes()[0])


def test_a_latin_script_is_translated_when_asked_for() -> None:
    german = Note(note_id="d", case_id="d", text="Husten seit drei Tagen.")
    assert draft_translations([german], Interpreter()) == ([], [])
    assert draft_translations([german], Interpreter(), every=True) == ([], ["d"])
    entry = Translation(
        note_id="d",
        case_id="d",
        original=german.text,
        draft="",
        translation="Cough for three days.",
        model="m",
        reviewed=True,
        by="XL",
    )
    assert reading_translations(NotePipeline().extract, {"d": entry})(german).mentions[0].concept == "cough"


def test_failures_are_listed_and_not_taken_for_translations() -> None:
    stranger = Note(note_id="x", case_id="x", text="患者不明")
    drafts, failed = draft_translations([*notes(), stranger], Interpreter())
    assert (len(drafts), failed) == (3, ["x"])
    assert draft_translations(notes(), Interpreter(cut_off=True))[0] == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"reviewed": True, "by": ""}, "by is empty"),
        ({"translation": " "}, "translation is empty"),
    ],
)
def test_a_list_that_cannot_be_read_names_the_row(tmp_path: Path, change: dict[str, object], problem: str) -> None:
    entry = Translation(note_id="n", case_id="c", original="痛", draft="pain", translation="pain", model="m")
    write_review(tmp_path / "list.csv", [entry.model_copy(update=change)])
    with pytest.raises(UserError, match=f"row 1: {problem}"):
        read_review(tmp_path / "list.csv")

"""The two extractors that a model carries: what a model says is taken only where the note says it.

The scripted model and the given classifier are stand-ins, and say so; the last test asks a real local model.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from chatmodels.endpoint import Endpoint
from chatmodels.interface import ChatModelError
from chatmodels.openai_compatible import OpenAICompatible
from chatmodels.scripted import ScriptedModel
from etl.notes.extractors.llm import LlmExtractor, parts_of
from etl.notes.extractors.transformer import TransformerExtractor
from etl.notes.note import Note
from etl.notes.pipeline import NotePipeline
from etl.notes.reading import read
from foundation.errors import UserError

TEXT = "HPI: She has had chest\npain for 3 days. No fever.\nAllergies: codeine (rash)\n"
NOTE = Note(note_id="n", case_id="t:1", text=TEXT)


def answering(*entities: Mapping[str, Any]) -> ScriptedModel:
    return ScriptedModel(lambda _: json.dumps({"entities": entities}))


def test_quotes_are_placed_and_inventions_dropped_and_counted() -> None:
    model = answering(
        {"kind": "symptom", "quote": "chest pain", "attributes": [{"name": "duration", "quote": "3 days"}]},
        {"kind": "symptom", "quote": "crushing chest pain"},
        {
            "kind": "symptom",
            "quote": "fever",
            "assertion": "absent",
            "attributes": [{"name": "severity", "quote": "high"}],
        },
    )
    found = NotePipeline({"symptom": "llm"}, {"llm": {"model": model}}).extract(NOTE)
    symptoms = {mention.text: mention for mention in found.mentions if mention.kind == "symptom"}
    assert set(symptoms) == {"chest pain", "fever"}
    assert symptoms["chest pain"].attributes == {"duration": "3 days"}
    assert symptoms["chest pain"].concept == "chest_pain"
    assert symptoms["chest pain"].evidence[0].quote == "chest\npain"  # type: ignore[union-attr]
    assert symptoms["fever"].assertion == "absent" and symptoms["fever"].attributes == {}
    # Both sections were asked: the first has one invention and one attribute, the second holds none of the quotes.
    assert found.dropped == 2 + 3
    assert [m.text for m in found.mentions if m.kind == "allergy"] == ["codeine"], "other kinds stay with the rules"


def test_a_part_of_a_word_is_no_quote() -> None:
    found = NotePipeline(
        {"symptom": "llm"}, {"llm": {"model": answering({"kind": "symptom", "quote": "ever"})}}
    ).extract(NOTE)
    assert not [m for m in found.mentions if m.kind == "symptom"]


def test_long_notes_go_in_parts_that_cover_them() -> None:
    text = "HPI: " + "He had pain in the night and slept badly. " * 200
    reading = read(Note(note_id="n", case_id="t:1", text=text))
    parts = list(parts_of(reading, 1000))
    assert len(parts) > 5 and all(end - start <= 1100 for start, end, _ in parts)
    assert [end for _, end, _ in parts][:-1] == [start for start, _, _ in parts][1:]
    model = ScriptedModel(['{"entities": []}'])
    LlmExtractor(model, longest_part=1000).extract(reading, frozenset())
    assert len(model.calls) == len(parts)


def test_a_reply_that_is_no_list_is_an_infrastructure_failure() -> None:
    model = ScriptedModel(["I cannot help with that."])
    with pytest.raises(ChatModelError) as error:
        NotePipeline("llm", {"llm": {"model": model}}).extract(NOTE)
    assert "chest" not in str(error.value)
    assert len(model.calls) == 3


def stand_in(texts: Sequence[str]) -> list[list[dict[str, Any]]]:
    """A stand-in for a transformers pipeline: marks the word "pain", and once a span that is not there."""
    found = [
        [{"entity_group": "PROBLEM", "start": t.find("pain"), "end": t.find("pain") + 4}] if "pain" in t else []
        for t in texts
    ]
    marked = next(item for item in found if item)
    marked.append({"entity_group": "PROBLEM", "start": 10_000, "end": 10_004})
    marked.append({"entity_group": "OTHER", "start": 0, "end": 3})
    return found


def test_transformer_labels_map_to_kinds() -> None:
    settings = {"transformer": {"labels": {"PROBLEM": "symptom"}, "classifier": stand_in}}
    found = NotePipeline({"symptom": "transformer"}, settings).extract(NOTE)
    assert [m.text for m in found.mentions if m.kind == "symptom"] == ["pain"]
    assert found.dropped == 1


def test_transformer_says_what_is_missing() -> None:
    with pytest.raises(UserError, match="label map"):
        TransformerExtractor("some/model")
    with pytest.raises(UserError, match="PROBLEMS"):
        TransformerExtractor("some/model", labels={"X": "PROBLEMS"})
    with pytest.raises(UserError) as error:
        TransformerExtractor("no-such-folder/model", labels={"X": "symptom"})
    assert 'pip install "anamnesis[transformer]"' in error.value.fix or "download" in error.value.fix


@pytest.mark.local_model
def test_a_real_local_model_gives_the_structure(local_model_url: str) -> None:
    """A model of 135 million parameters: whatever it says, each entity stands in the note or is counted as dropped."""
    model = OpenAICompatible(Endpoint(model="smollm2", base_url=local_model_url))
    settings = {"llm": {"model": model, "max_tokens": 200, "attempts": 2}}
    note = Note(note_id="n", case_id="t:1", text="HPI: He has chest pain and denies fever.\n")
    try:
        found = NotePipeline("llm", settings).extract(note)
    except ChatModelError as error:
        assert "chest" not in str(error), "a cut-off reply is an infrastructure failure without record text"
        return
    assert found.dropped >= 0
    for mention in found.mentions:
        place = mention.evidence[0]
        assert note.text[place.start : place.end] == place.quote  # type: ignore[union-attr]

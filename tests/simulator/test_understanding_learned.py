"""The learned part of question understanding: slots, features, the model's file, and what an edit may do."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kg.facts import Domain
from simulator.patient import bench_understand as bench
from simulator.patient.asks import Ask, Attribute, DialogueContext
from simulator.patient.understand import Understander, understand
from simulator.patient.understanding.learned.edit import edited
from simulator.patient.understanding.learned.examples import HELD_OUT, learnable
from simulator.patient.understanding.learned.features import features
from simulator.patient.understanding.learned.gold import answers
from simulator.patient.understanding.learned.model import (
    ASKED,
    ATTRIBUTE,
    BUCKETS,
    HEADS,
    MODEL,
    NOTHING,
    SILENT,
    Floats,
    Head,
    Weights,
    buckets,
    loaded,
    saved,
    scale,
    shipped,
)
from simulator.patient.understanding.learned.slots import ClauseReading, Slot, SlotKind, slots_of
from simulator.patient.understanding.wording import clauses
from terminology import embeddings

COUGH, FEVER = Ask(domain=Domain.SYMPTOM, concept="cough"), Ask(domain=Domain.SYMPTOM, concept="fever")
CONTEXT = DialogueContext(chief_complaint="chest_pain")


def read(words: str, context: DialogueContext = CONTEXT) -> tuple[tuple[ClauseReading, ...], tuple[Ask, ...]]:
    ruled = Understander(learned=False).by_rules(clauses(words), context)
    return ruled.readings, ruled.asks


def always(name: str, classes: tuple[str, ...]) -> Head:
    """A head that is sure of one class whatever it sees."""
    bias = np.array([9.0 if each == name else -9.0 for each in classes], dtype=np.float32)
    weights = Weights(np.zeros((1, len(classes)), dtype=np.float32), bias)
    vector = np.zeros((384, len(classes)), dtype=np.float32)
    return Head(classes, np.array([0], dtype=np.uint32), weights, weights, vector)


def doubting(head: Head, feature: str) -> Head:
    """The same head, but unsure by the features alone of every slot that has this one."""
    features = -head.alone.bias[None, :] / scale(1)
    return replace(head, known=buckets([feature]), alone=Weights(features, head.alone.bias))


def heads(asked: str, silent: str = NOTHING, attribute: str = "existence") -> dict[str, Head]:
    domains = (NOTHING, *sorted(Domain))
    return {
        ASKED: always(asked, domains),
        SILENT: always(silent, domains),
        ATTRIBUTE: always(attribute, tuple(sorted(Attribute))),
    }


def test_an_asking_clause_has_a_slot_for_each_ask_and_a_silent_one_a_slot_of_its_own() -> None:
    readings, kept = read("Do you have a cough or a fever? That was the snow.")
    kinds = [(slot.clause, slot.kind) for slot in slots_of(readings, kept)]
    assert kinds == [(0, SlotKind.ASK), (0, SlotKind.ASK), (1, SlotKind.EMPTY)]


def test_what_a_statement_names_is_a_slot() -> None:
    readings, kept = read("So you take metoprolol.")
    named = [slot.ask for slot in slots_of(readings, kept) if slot.kind is SlotKind.MENTION]
    assert [(ask.domain, ask.concept) for ask in named if ask] == [(Domain.MEDICATION, "metoprolol")]


def test_features_tell_an_echo_from_a_question() -> None:
    after = CONTEXT.after("Do you have a fever?", understand("Do you have a fever?", CONTEXT), "A fever since Monday.")
    for words, echoed in (("A fever since Monday?", "echo=3"), ("Do you smoke?", "echo=0")):
        readings, kept = read(words, after)
        assert echoed in features(readings, slots_of(readings, kept), after)[0]


def test_a_bucket_is_the_same_in_every_process_and_counts_once() -> None:
    assert buckets(["rules=symptom", "rules=symptom"]).tolist() == [zlib.crc32(b"rules=symptom") % BUCKETS]


def test_labels_go_to_the_slots_that_ask_them_and_missed_ones_to_the_question() -> None:
    readings, kept = read("Do you have a cough? Hm, mhm, yes. Anybody with you at home then, would you say?")
    slots = slots_of(readings, kept)
    home = Ask(domain=Domain.SOCIAL_HISTORY, concept="living_situation")
    found = answers([COUGH, home], slots, readings)
    asked = [slot.kind is SlotKind.ASK and slot.ask is not None and slot.ask.concept == "cough" for slot in slots]
    assert found[asked.index(True)] == COUGH
    assert found.count(home) == 1 and found.count(None) == len(slots) - 2


def test_an_ask_that_nothing_asks_is_dropped() -> None:
    readings, kept = read("Any cough, by the way.")
    assert [ask.concept for ask in kept] == ["cough"]
    assert edited(readings, kept, CONTEXT, heads(NOTHING)).asks == ()


def test_of_a_plain_question_one_ask_stays() -> None:
    readings, kept = read("Do you have a cough or a fever?")
    assert edited(readings, kept, CONTEXT, heads(NOTHING)).asks == kept[:1]
    readings, kept = read("Do you have a cough? And who do you live with?")
    assert edited(readings, kept, CONTEXT, heads(NOTHING)).asks == kept


def test_an_ask_moves_to_the_domain_that_is_far_more_probable() -> None:
    readings, kept = read("Do you have a cough?")
    (ask,) = edited(readings, kept, CONTEXT, heads("past_history")).asks
    assert (ask.domain, ask.concept) == (Domain.PAST_HISTORY, "cough")
    assert edited(readings, kept, CONTEXT, heads("symptom")).asks == kept


def test_a_clause_alone_asks_of_the_symptom_under_discussion() -> None:
    readings, kept = read("Hm, I see.")
    (ask,) = edited(readings, kept, CONTEXT, heads("symptom", silent="symptom_detail")).asks
    assert (ask.domain, ask.concept) == (Domain.SYMPTOM_DETAIL, "chest_pain")


def test_only_the_clauses_that_the_features_leave_unsure_are_embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> Floats:
        asked.extend(texts)
        return np.zeros((len(texts), 384), dtype=np.float32)

    monkeypatch.setattr(embeddings, "embed", embed)
    readings, kept = read("Do you have a cough? And who do you live with?")
    sure = heads("symptom")
    edited(readings, kept, CONTEXT, sure)
    assert asked == []
    edit = edited(readings, kept, CONTEXT, sure | {ASKED: doubting(sure[ASKED], "concept=cough")})
    assert asked == [readings[0].clause.text]
    assert edit == edited(readings, kept, CONTEXT, sure)


def test_the_held_out_part_is_never_learned(tmp_path: Path) -> None:
    path = labels(tmp_path)
    assert [row.part for row, _ in learnable(path, tmp_path)] == ["development", "development"]


def labels(folder: Path) -> Path:
    path = folder / "labels.jsonl"
    asks = [{"domain": "symptom", "concept": "cough"}]
    parts = ("development", HELD_OUT, "development")
    rows = [{"utterance": "Do you have a cough?", "asks": asks, "part": part} for part in parts]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(("part", "learned", "count"), [("", True, 2), (HELD_OUT, True, 0), ("", False, 0)])
def test_a_report_warns_of_what_was_trained_on(
    part: str, learned: bool, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "OWN_LABELS", labels(tmp_path))
    report = bench.bench_understand(tmp_path / "labels.jsonl", part=part, learned=learned)
    assert (report.learned, report.trained_on) == (learned, count)
    assert ("WARNING" in report.text()) == (count > 0)
    assert f"learned part: {'on' if learned else 'off'}" in report.text()


def test_a_model_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    saved(shipped(), path)
    again = loaded(path)
    assert set(again) == set(HEADS)
    names = ["rules=symptom", "place=only"]
    for name, head in shipped().items():
        for vector in (None, np.ones(384, dtype=np.float32)):
            assert np.array_equal(head.probabilities(names, vector), again[name].probabilities(names, vector))


def test_the_models_file_is_small_and_holds_numbers_and_class_names_only() -> None:
    assert Path(str(MODEL)).stat().st_size < 5_000_000
    with MODEL.open("rb") as file:
        table = np.load(file, allow_pickle=False)
        words = {name: set(table[name].tolist()) for name in table.files if table[name].dtype.kind == "U"}
    assert set(words) == {f"{name}.classes" for name in HEADS}
    assert set().union(*words.values()) <= {NOTHING, *Domain, *Attribute}


def test_probabilities_sum_to_one_and_are_alike_twice() -> None:
    readings, kept = read("Do you have a cough, and does anyone smoke at home?")
    first, second = (edited(readings, kept, CONTEXT) for _ in range(2))
    assert first == second
    for names in (["rules=symptom"], ["no such feature"]):
        for vector in (None, np.zeros(384, dtype=np.float32)):
            assert np.isclose(shipped()[ASKED].probabilities(names, vector).sum(), 1)


def test_learned_can_be_switched_off() -> None:
    words = "What do you do for a living, and who lives with you?"
    off = Understander(learned=False).understand(words, CONTEXT)
    assert off.asks == read(words)[1]
    assert Understander(embeddings=False).understand(words, CONTEXT).by == "rules"


@pytest.mark.parametrize(
    ("words", "domain"),
    [
        ("Have you had any surgeries?", "surgical_history"),
        ("Do you take any medicines at home?", "medication"),
        ("Are you allergic to anything?", "allergy"),
        ("Does anyone in your family have heart disease?", "family_history"),
        ("Do you drink alcohol?", "lifestyle"),
        ("Do you have any medical problems?", "past_history"),
        ("How old are you?", "demographics"),
        ("What is your job?", "social_history"),
        ("When did the chest pain start?", "symptom_detail"),
        ("Are you worried about anything in particular?", "ideas_concerns"),
        ("Have you noticed any fever?", "symptom"),
        ("What brings you to the hospital?", "chief_complaint"),
    ],
)
def test_plain_questions_stay_as_the_rules_read_them(words: str, domain: str) -> None:
    for context in (DialogueContext(), CONTEXT):
        understood = understand(words, context)
        assert [str(ask.domain) for ask in understood.asks] == [domain]
        assert understood.asks == Understander(learned=False).understand(words, context).asks
        assert understood.confidence > 0.5


def test_confidence_falls_where_the_reading_is_doubtful() -> None:
    plain = understand("Do you smoke?", CONTEXT).confidence
    odd = understand("and with the other one over there as before, roughly?", CONTEXT).confidence
    assert 0 <= odd < plain <= 1


def test_a_slot_without_an_ask_gets_no_features_of_one() -> None:
    readings, _ = read("Hm, I see.")
    names = features(readings, [Slot(0, SlotKind.EMPTY)], CONTEXT)[0]
    assert "rules=none" in names and not any(name.startswith("concept") for name in names)

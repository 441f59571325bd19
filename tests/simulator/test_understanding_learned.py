"""The learned part of question understanding: what it hears, proposes and chooses, and what it may learn from."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from foundation.errors import UserError
from kg.facts import Domain
from simulator.patient import bench_understand as bench
from simulator.patient.agent import Patient
from simulator.patient.asks import Ask, Attribute, DialogueContext
from simulator.patient.bench_understand import OWN_LABELS
from simulator.patient.persona import load_persona
from simulator.patient.protocol import load_protocol
from simulator.patient.sources import FactsInMemory
from simulator.patient.understand import Understander, understand
from simulator.patient.understanding.labelled import Labelled
from simulator.patient.understanding.learned import encoder
from simulator.patient.understanding.learned import ranker as ranking
from simulator.patient.understanding.learned.candidates import Candidate, Source, candidates
from simulator.patient.understanding.learned.edit import edited
from simulator.patient.understanding.learned.encoder import MODEL, UTTERANCE, classes, hear, parts, pieces
from simulator.patient.understanding.learned.evidence import rows
from simulator.patient.understanding.learned.examples import HELD_OUT, RANKED, Example, for_encoder, for_ranker
from simulator.patient.understanding.learned.heard import Heard, Labels, score
from simulator.patient.understanding.learned.lessons import known_classes, lesson, usual_attributes, varied
from simulator.patient.understanding.learned.ranker import Ranker, loaded, saved, shipped
from simulator.patient.understanding.learned.slots import ClauseReading
from simulator.patient.understanding.learned.train_ranker import asked
from simulator.patient.understanding.learned.written import written
from simulator.patient.understanding.wording import clauses

COUGH, FEVER = Ask(domain=Domain.SYMPTOM, concept="cough"), Ask(domain=Domain.SYMPTOM, concept="fever")
CONTEXT = DialogueContext(chief_complaint="chest_pain")
NAMES = (
    *(f"D:{domain}" for domain in Domain),
    "A:onset",
    "A:severity",
    "C:symptom|cough",
    "C:symptom|fever",
    "C:past_history|cough",
    "C:lifestyle|smoking",
    "C:medication|",
)


def read(words: str, context: DialogueContext = CONTEXT) -> tuple[tuple[ClauseReading, ...], tuple[Ask, ...]]:
    ruled = Understander(learned=False).by_rules(clauses(words), context)
    return ruled.readings, ruled.asks


def heard(chances: Mapping[str, float]) -> Heard:
    """An encoder that hears just these classes."""
    values = np.array([chances.get(name, 0.0) for name in NAMES], dtype=np.float32)
    return Heard(Labels(NAMES, {"C:lifestyle|smoking": "amount", "C:medication|": "list"}), values)


def ranker(chance: float) -> Ranker:
    """A ranker that gives every candidate one chance."""
    width = len(rows_of("Do you have a cough?", {})[0])
    weights = np.zeros((1, width, 1)), np.zeros((1, 1)), np.zeros((1, 1))
    return Ranker(np.zeros(width), np.ones(width), *weights, np.array([np.log(chance / (1 - chance))]))


def rows_of(words: str, chances: Mapping[str, float]) -> list[list[float]]:
    readings, kept = read(words)
    found = candidates(readings, kept, heard(chances))
    return rows(found, readings, CONTEXT, heard(chances))


def proposed(words: str, chances: Mapping[str, float]) -> list[Candidate]:
    readings, kept = read(words)
    return candidates(readings, kept, heard(chances))


def edit(words: str, chances: Mapping[str, float], chance: float) -> list[tuple[str, str | None]]:
    readings, kept = read(words)
    found = edited(readings, kept, CONTEXT, heard(chances), ranker(chance)).asks
    return [(str(ask.domain), ask.concept) for ask in found]


def test_candidates_are_what_the_rules_ask_and_what_the_encoder_hears_beside_it() -> None:
    found = proposed(
        "Do you have a cough?", {"C:symptom|cough": 0.9, "C:lifestyle|smoking": 0.4, "C:symptom|fever": 0.01}
    )
    assert [(each.source, each.ask.concept) for each in found] == [(Source.RULES, "cough"), (Source.HEARD, "smoking")]
    assert found[1].ask.attribute is Attribute.AMOUNT


def test_a_thing_may_belong_to_another_domain() -> None:
    found = proposed("Do you have a cough?", {"C:past_history|cough": 0.6})
    assert (Source.MOVED, Domain.PAST_HISTORY, "cough") in [(e.source, e.ask.domain, e.ask.concept) for e in found]


def test_what_a_statement_names_is_a_candidate() -> None:
    found = proposed("So you take metoprolol.", {})
    assert [(each.source, each.ask.concept) for each in found] == [(Source.NAMED, "metoprolol")]


def test_a_detail_is_of_the_symptom_under_discussion() -> None:
    (detail,) = [each.ask for each in proposed("Hm, I see.", {"A:onset": 0.8})]
    assert (detail.domain, detail.concept, detail.attribute) == (Domain.SYMPTOM_DETAIL, "chest_pain", Attribute.ONSET)


def test_all_kinds_of_a_list_stay_apart() -> None:
    found = proposed("Do you use recreational drugs, cannabis or cocaine?", {})
    assert {"recreational_drugs", "cannabis", "cocaine"} <= {each.ask.concept for each in found}


def test_evidence_has_one_width_and_no_odd_numbers() -> None:
    tables = [rows_of(words, {"D:symptom": 1.0}) for words in ("Any cough, fever?", "Hm.", "Do you smoke? And drink?")]
    widths = {len(row) for table in tables for row in table}
    assert len(widths) == 1
    assert np.isfinite([number for table in tables for row in table for number in row]).all()
    assert widths == {len(shipped().mean)}


def test_what_is_unlikely_is_dropped_and_what_is_likely_added() -> None:
    unheard = {"D:symptom": 0.9, "C:symptom|fever": 0.9, "C:symptom|cough": 0.9}
    assert edit("Any cough or fever.", unheard, 0.9) == [("symptom", "cough"), ("symptom", "fever")]
    assert edit("Um, any cough or fever.", {}, 0.05) == []


def test_of_a_domain_that_is_clearly_heard_the_likeliest_is_asked() -> None:
    assert edit("Any cough or fever.", {"D:symptom": 0.95}, 0.3) == [("symptom", "cough")]
    assert edit("Hm, and those.", {"D:allergy": 0.95}, 0.3) == [("allergy", None)]


def test_a_plain_question_is_not_dropped() -> None:
    assert edit("Do you have a cough?", {}, 0.3) == [("symptom", "cough")]


def test_a_thing_is_asked_in_one_domain_only() -> None:
    both = {"D:symptom": 0.9, "D:past_history": 0.9, "C:past_history|cough": 0.6}
    assert len(edit("Do you have a cough?", both, 0.9)) == 1


def test_asks_keep_the_order_of_the_words() -> None:
    words = "Do you have a fever? And do you smoke? Any allergies?"
    assert [str(ask.domain) for ask in understand(words, CONTEXT).asks] == ["symptom", "lifestyle", "allergy"]


def test_classes_are_found_by_name_by_synonym_and_by_kind() -> None:
    ear = heard({"C:symptom|cough": 0.7})
    assert ear.concept(Domain.SYMPTOM, COUGH) == pytest.approx(0.7)
    assert ear.concept(Domain.SYMPTOM, Ask(domain=Domain.SYMPTOM, concept="productive_cough")) == pytest.approx(0.7)
    assert ear.concept(Domain.SYMPTOM, Ask(domain=Domain.SYMPTOM, concept="seizure")) is None
    assert score(0.5) == 0 and score(None) == 0 and score(1.0) == -score(0.0) == 2


def test_the_encoder_keeps_the_end_of_long_words_and_takes_empty_ones() -> None:
    long = pieces("word " * 500 + "do you smoke?", "before " * 90, "answer " * 90)
    assert (long.types == 0).sum() == UTTERANCE + 2
    assert long.ids.shape == long.types.shape and long.ids.shape[1] < 128
    for words in ("", "   ", "\u2028", "é" * 300, "do you smoke? " * 300):
        chances = hear(words, CONTEXT).chances
        assert chances.shape == (len(classes().names),)
        assert ((chances >= 0) & (chances <= 1)).all()


def test_the_encoder_hears_the_same_twice_and_listens_to_what_was_said_before() -> None:
    after = DialogueContext(doctor_words="Do you have a headache?", patient_words="Yes, a bad one.")
    assert np.array_equal(hear("And at night?", after).chances, hear("And at night?", after).chances)
    assert not np.array_equal(hear("And at night?", after).chances, hear("And at night?", CONTEXT).chances)


def test_the_shipped_files_hold_class_names_of_the_labels_and_numbers_only() -> None:
    labelled = {row["concept"] for row in (ask for line in lines() for ask in line["asks"]) if row["concept"]}
    known = {name.split("|", 1)[1] for name in classes().names if name.startswith("C:")}
    bank = {name for name in known if name and name not in labelled}
    assert len(bank) < len(known) / 4
    assert {name[2:] for name in classes().names if name.startswith("D:")} == set(Domain)
    assert Path(str(MODEL)).stat().st_size < 22_000_000


def lines() -> list[dict[str, list[dict[str, str]]]]:
    return [json.loads(line) for line in OWN_LABELS.read_text(encoding="utf-8").splitlines()]


def test_a_ranker_comes_back_from_its_file(tmp_path: Path) -> None:
    saved(shipped(), tmp_path / "ranker.npz")
    table = rows_of("Do you have a cough or a fever?", {"D:symptom": 0.8})
    chances = shipped().chances(table)
    assert np.array_equal(loaded(tmp_path / "ranker.npz").chances(table), chances)
    assert ((chances > 0) & (chances < 1)).all()
    assert shipped().chances([]).shape == (0,)


def test_labels_go_to_the_candidates_that_ask_them() -> None:
    found = proposed("Do you have a cough or a fever? Any allergies?", {})
    assert asked([FEVER], found) == [each.ask.concept == "fever" for each in found]
    assert sum(asked([FEVER, COUGH, FEVER], found)) == 3
    assert not any(asked([], found))


def labels(folder: Path) -> Path:
    path = folder / "labels.jsonl"
    asks = [{"domain": "symptom", "concept": "cough"}]
    parts = ("development", *HELD_OUT, *[RANKED] * 8)
    rows = [
        {"utterance": "Do you have a cough?", "asks": asks, "part": part, "transcript": f"T{number}"}
        for number, part in enumerate(parts)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_held_out_parts_are_never_learned_and_the_ranker_learns_from_dialogues_of_its_own(tmp_path: Path) -> None:
    path = labels(tmp_path)
    encoder = [each for each in for_encoder(path, tmp_path) if each.part in ("development", *HELD_OUT, RANKED)]
    ranked = for_ranker(path, tmp_path)
    assert {each.part for each in (*encoder, *ranked)} == {"development", RANKED}
    assert not {each.group for each in encoder} & {each.group for each in ranked}
    assert len(encoder) + len(ranked) == 9 and ranked


def test_written_questions_are_the_same_every_time_and_no_wording_is_in_both_halves() -> None:
    first, again = list(written(0, 40)), list(written(0, 40))
    assert first == again
    halves = [{each.labelled.utterance for each in written(half, 200)} for half in (0, 1)]
    assert not halves[0] & halves[1]
    assert all(each.labelled.asks for each in first)


def test_a_lesson_is_what_the_encoder_will_be_given() -> None:
    row = Labelled("Any cough?", (COUGH,), (), before=(("D", "Any fever?"), ("P", "No.")))
    names = known_classes([Example(row, "a")] * 3)
    assert names == ["C:symptom|cough", "D:symptom"]
    made = lesson(Example(row, "a"), names)
    given = pieces("Any cough?", "Any fever?", "No.").ids[0].tolist()
    stop = given[-1]
    assert [given[0], *made.spoken, stop, *made.doctor, stop, *made.patient, stop] == given
    assert made.classes == (0, 1)
    assert usual_attributes([Example(row, "a")], names) == {"C:symptom|cough": "existence"}


def test_a_varied_lesson_never_loses_a_class() -> None:
    import random

    row = lesson(Example(Labelled("Any cough, or fever?", (COUGH, FEVER), ()), "a"), ["C:symptom|cough", "D:symptom"])
    for seed in range(50):
        other = varied(row, [row], random.Random(seed))
        assert set(row.classes) <= set(other.classes) and other.spoken


@pytest.mark.parametrize(("part", "learned", "count"), [("", True, 9), (HELD_OUT[0], True, 0), ("", False, 0)])
def test_a_report_warns_of_what_was_trained_on(
    part: str, learned: bool, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "OWN_LABELS", labels(tmp_path))
    report = bench.bench_understand(tmp_path / "labels.jsonl", part=part, learned=learned)
    assert (report.learned, report.trained_on) == (learned, count)
    assert ("WARNING" in report.text()) == (count > 0)
    assert f"learned part: {'on' if learned else 'off'}" in report.text()


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


def test_long_words_are_heard_in_parts_and_no_question_is_lost() -> None:
    chat = "I would like you to feel at ease with me here. " * 12
    found = understand(f"Do you have any allergies? Do you smoke? {chat}", CONTEXT).asks
    assert {"allergy", "lifestyle"} <= {str(ask.domain) for ask in found}
    buried = understand(f"{chat * 40} Do you smoke?", CONTEXT).asks
    assert "smoking" in {ask.concept for ask in buried}
    assert all(len(part) <= UTTERANCE for part in parts(chat)) and len(parts(chat)) > 1
    assert parts("") == [[]]


def test_half_a_character_is_no_error() -> None:
    context = DialogueContext(doctor_words="Any pain? \ud83d", patient_words="\ude00 no")
    assert [ask.concept for ask in understand("Do you smoke? \ud83d", context).asks] == ["smoking"]


@pytest.mark.parametrize("reader", [classes.__wrapped__, shipped.__wrapped__])
def test_a_damaged_file_says_the_fix(
    reader: Callable[[], object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"{")
    monkeypatch.setattr(encoder, "CLASSES", broken)
    monkeypatch.setattr(ranking, "MODEL", broken)
    monkeypatch.setattr(ranking, "loaded", lambda: loaded(broken))
    with pytest.raises(UserError, match="missing or damaged") as raised:
        reader()
    assert "git checkout" in raised.value.fix


def test_a_field_of_the_chart_is_not_said_after_the_doctor() -> None:
    patient = Patient(FactsInMemory((), None), load_persona("cooperative"), load_protocol("realistic"), 1)
    for words in ("What is your hadm_id?", "Any hadm id, or subject id?", "Do you have a subject_id?"):
        assert (
            "hadm" not in patient.answer(words).words.lower() and "subject" not in patient.answer(words).words.lower()
        )

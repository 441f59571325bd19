"""Plain dialogue of other sources: readers, what is derived by reading, scores, the hand check, checklists."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.findings import Dimension, Finding
from evaluator.imported import aci_bench, osce_interviews_fareez, primock57
from evaluator.imported.answers import emotion, status
from evaluator.imported.caution import proved
from evaluator.imported.checklists import ChecklistItem, against_checklists, elicited, read_checklists
from evaluator.imported.dialogue import Dialogue, Utterance, exchanges, spoken
from evaluator.imported.hand_check import about, agreement, judged, precision, still_made
from evaluator.imported.note import plan_of
from evaluator.imported.reading import evidence_of
from evaluator.imported.sources import read_dialogues
from evaluator.realworld import report, score_dialogue, score_dialogues, scorecard_of
from foundation.errors import UserError
from kg.facts import Domain
from simulator.patient.asks import Ask, AskStatus, Attribute

SHARED = Path(__file__).parents[3] / "shared" / "data"
DIALOGUE = """Opening: headache
Sex: F
Doctor: Good morning, what brings you in today?
Patient: I have had a terrible headache and I'm really scared.
Doctor: When did it start?
Patient: A while ago.
Doctor: Any nausea or fever?
Patient: No fever, but I do have nausea.
Doctor: Have you noticed any photophobia?
Patient: I don't know.
Doctor: Are you allergic to anything?
Patient: Yes, I'm allergic to penicillin.
Note:
HPC: headache with nausea, no fever
PMH: nil
Imp: ? migraine
Plan:
rest
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.txt").write_text(DIALOGUE, "utf-8")
    return tmp_path


def shared(name: str) -> Path:
    if not (SHARED / name).is_dir():
        pytest.skip(f"../shared/data/{name} is not there")
    return SHARED / name


def test_plain_text_gives_turns_opening_and_note(folder: Path) -> None:
    (dialogue,) = read_dialogues(folder)
    assert (dialogue.dialogue_id, dialogue.opening, dialogue.patient_sex) == ("one", "headache", "F")
    assert len(exchanges(dialogue.utterances)) == 5
    assert dialogue.note.splitlines()[1].startswith("HPC")


def test_what_a_trace_would_say_is_read_from_the_words(folder: Path) -> None:
    transcript = evidence_of(read_dialogues(folder)[0]).transcript
    assert not transcript.traced
    first, when, symptoms, term, allergy = transcript.turns
    assert first.patient.emotion == "fear"
    assert [f.domain for f in first.patient.disclosed] == [Domain.CHIEF_COMPLAINT]
    assert when.patient.vague
    assert when.patient.outcomes[0].status is AskStatus.VAGUE
    became = {o.ask.concept: o.status for o in symptoms.patient.outcomes}
    assert became == {"nausea": AskStatus.GIVEN, "fever": AskStatus.DENIED}
    assert {f.concept: f.assertion.value for f in symptoms.patient.disclosed} == {
        "nausea": "present",
        "fever": "absent",
    }
    assert term.patient.outcomes[0].status is AskStatus.UNKNOWN
    assert any(f.domain is Domain.ALLERGY for f in allergy.patient.disclosed)


def test_a_fact_told_twice_keeps_the_id_of_its_first_turn() -> None:
    said = [("doctor", "What is wrong?"), ("patient", "I have a cough."), ("doctor", "Go on?"), ("patient", "A cough.")]
    dialogue = Dialogue(
        dialogue_id="x",
        source="plain",
        utterances=tuple(spoken(who, words) for who, words in said),  # type: ignore[arg-type]
    )
    evidence = evidence_of(dialogue)
    assert [f.fact_id for f in evidence.disclosed] == ["1/cough"]


def test_diagnosis_and_medication_are_not_assessed_without_references(folder: Path) -> None:
    card = scorecard_of(evidence_of(read_dialogues(folder)[0]))
    scores = {s.dimension: s.score for s in card.scores}
    assert scores[Dimension.DX] is None
    assert scores[Dimension.MS] is None
    assert set(card.assessed_dimensions) == {
        Dimension.QS, Dimension.IC, Dimension.HR, Dimension.ET, Dimension.EX, Dimension.II
    }  # fmt: skip
    found = {(f.dimension, f.pattern) for f in card.findings}
    assert (Dimension.EX, "major_clarity_failure") in found  # photophobia
    assert (Dimension.ET, "lack_of_empathy") in found
    assert (Dimension.HR, "unclear_expression_not_clarified") in found
    assert card.set_aside == 0


def test_listening_sounds_do_not_end_a_turn() -> None:
    said = [
        spoken("patient", "It hurts here,"), spoken("doctor", "Mm-hmm."), spoken("patient", "and here."),
        spoken("doctor", "I will examine you."), spoken("patient", "Okay."), spoken("doctor", "Does it hurt?"),
        spoken("patient", "Yes."),
    ]  # fmt: skip
    assert [(e.doctor, e.patient) for e in exchanges(said)] == [
        ("", "It hurts here, and here."),
        ("I will examine you. Does it hurt?", "Yes."),
    ]


@given(st.lists(st.tuples(st.sampled_from(["doctor", "patient", "relative"]), st.text("ab c.?", min_size=1))))
def test_no_word_is_lost_between_utterances_and_exchanges(said: list[tuple[str, str]]) -> None:
    utterances = [Utterance(speaker=who, words=" ".join(words.split())) for who, words in said]
    kept = " ".join(f"{e.doctor} {e.patient}" for e in exchanges(utterances)).split()
    lost = " ".join(u.words for u in utterances).split()
    assert sorted(kept) == sorted(lost)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("No, not really.", AskStatus.DENIED),
        ("Not that I know of.", AskStatus.DENIED),
        ("Um, I don't remember.", AskStatus.UNKNOWN),
        ("I'm not sure, maybe three days.", AskStatus.GIVEN),
        ("Quite recently, not long.", AskStatus.VAGUE),
        ("Since yesterday.", AskStatus.GIVEN),
        ("Mm-hmm, mm.", None),
        ("", None),
    ],
)
def test_status_of_an_answer(words: str, expected: AskStatus | None) -> None:
    ask = Ask(domain=Domain.SYMPTOM_DETAIL, concept="cough", attribute=Attribute.ONSET)
    if expected is None and words:
        assert status(ask, words) in (None, AskStatus.GIVEN)  # "mm-hmm" may be a yes
    else:
        assert status(ask, words) is expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("I'm really worried about it.", "fear"),
        ("I'm not worried at all.", None),
        ("My wife is so worried.", None),
        ("It's driving me crazy.", "frustration"),
        ("The light bulb was hot.", None),
    ],
)
def test_emotions_are_ones_own_and_of_now(words: str, expected: str | None) -> None:
    assert emotion(words) == expected


def test_a_note_gives_summaries_and_diagnosis() -> None:
    plan = plan_of("Cough for 3 days\nPMH: asthma\nNKDA\nFH: nil\nImp: viral URTI\nPlan:\nrest")
    assert plan is not None
    assert plan.diagnosis == "viral URTI"
    assert plan.category_summaries["medical_history"] == "asthma"
    assert "rest" not in "".join(plan.category_summaries.values())
    assert plan_of("") is None


def test_findings_that_reading_cannot_bear_are_left_out(folder: Path) -> None:
    evidence = evidence_of(read_dialogues(folder)[0])
    from evaluator.detectors.questioning import detect

    detection = detect(evidence)
    made_up = Finding(
        dimension=Dimension.QS, pattern="repetitive_question", turns=(5,), quote="x", reason="r", decided_by="d"
    )
    kept = proved(detection.model_copy(update={"findings": (made_up,)}), evidence.transcript)
    assert kept.findings == ()
    assert "logical_gap" not in kept.assessed_patterns


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("a.txt", "Hello there", "line 1: no speaker"),
        ("a.json", "{", "line 1: not JSON"),
        ("a.json", '{"turns": 3}', "no list `turns`"),
        ("a.json", '{"turns": [{"speaker": "nurse", "words": "x"}]}', "turn 1: speaker"),
        ("a.txt", "Patient: hello", "the doctor says nothing"),
    ],
)
def test_bad_files_are_refused_with_the_place(tmp_path: Path, name: str, text: str, part: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(UserError, match=part):
        read_dialogues(tmp_path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no dialogue"):
        read_dialogues(tmp_path)


def test_json_and_text_read_alike(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        '{"turns": [{"speaker": "doctor", "words": "Any pain?"}, {"speaker": "patient", "words": "No."}]}', "utf-8"
    )
    (tmp_path / "b.txt").write_text("Doctor: Any pain?\nPatient: No.\n", "utf-8")
    one, other = read_dialogues(tmp_path)
    assert one.utterances == other.utterances


@pytest.mark.slow
def test_report_is_the_same_in_two_processes_and_counts_what_it_shows(folder: Path) -> None:
    (folder / "two.txt").write_text("Doctor: Any pain?\nPatient: No.\n", "utf-8")
    alone, parallel = score_dialogues(folder), score_dialogues(folder, processes=2)
    assert alone.model_dump_json() == parallel.model_dump_json()
    quality = next(row for row in alone.patterns if row.pattern == "major_clarity_failure")
    assert (quality.findings, quality.dialogues, quality.assessed) == (1, 1, 2)
    assert all(len(row) == 2 for _, _, rows in alone.tables() for row in rows)


def test_the_hand_check_holds_two_verdicts_of_thirty_dialogues() -> None:
    rows = [row for row in judged() if row.round == 1]
    assert len({row.dialogue_id for row in rows}) == 30
    every = precision(rows)[-1]
    assert every.pattern == "all"
    assert every.judged == len(rows)
    assert agreement(rows).equal.n == len(rows)


def test_a_judged_finding_is_found_again_by_what_it_is_about() -> None:
    finding = Finding(
        dimension=Dimension.EX, pattern="p", turns=(3,), quote="Any dysuria?", reason="“dysuria” is …", decided_by="d"
    )
    row = judged()[0].model_copy(
        update={"dialogue_id": "x", "dimension": "EX", "pattern": "p", "turns": "3", "about": about(finding)}
    )
    assert still_made([row], [("x", finding)]) == (row,)
    assert still_made([row], [("y", finding)]) == ()


def test_checklist_items_are_found_by_words_concepts_and_meaning(tmp_path: Path) -> None:
    items = [
        ChecklistItem(text=t, critical=True) for t in ("SOB", "blood in stool", "lives with wife", "travelled abroad")
    ]
    said = [
        "Are you short of breath? Yes.",
        "Any blood when you go, in the stool? No.",
        "Who is at home? I live with my wife.",
    ]
    assert elicited(items, said) == (True, True, True, False)
    path = tmp_path / "c.csv"
    path.write_text(
        "day,consultation,item,criticality\n1,2,PMH,\n1,2,*asthma,c\n1,2,Asthma,nc\n1,2,**no rash,nc\n", "utf-8"
    )
    assert [i.text for i in read_checklists(path)["day1_consultation02"]] == ["asthma", "no rash"]
    path.write_text("day\n1\n", "utf-8")
    with pytest.raises(UserError, match="columns are missing"):
        read_checklists(path)


@pytest.mark.shared
@pytest.mark.parametrize("module", [primock57, aci_bench, osce_interviews_fareez])
def test_shared_sources_give_dialogues_with_both_speakers(module: type) -> None:
    found = list(module.read(shared(module.SOURCE)))  # type: ignore[attr-defined]
    assert len({d.dialogue_id for d in found}) == len(found) > 30
    for dialogue in found:
        pairs = exchanges(dialogue.utterances)
        assert len(pairs) >= 3
        assert not any("<" in u.words or "[doctor]" in u.words for u in dialogue.utterances)


@pytest.mark.shared
def test_every_quote_of_a_real_consultation_stands_in_it() -> None:
    found = next(iter(primock57.read(shared("primock57"))))
    score = score_dialogue(found)
    assert score.scorecard.set_aside == 0
    made = report([score])
    assert made.opportunities["primock57"]["QS.questions_asked"] == score.turns
    checked = against_checklists(SHARED, [score])
    assert checked is not None
    assert checked.consultations[0].items > checked.consultations[0].missed

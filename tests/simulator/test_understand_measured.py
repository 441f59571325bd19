"""Scoring, labelled files, hostile input, and the measurement on real doctors' questions."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foundation.errors import UserError
from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute, DialogueContext
from simulator.patient.bench_understand import OWN_LABELS, bench_understand
from simulator.patient.understand import Understander, understand
from simulator.patient.understanding.labelled import read_labelled, self_contained
from simulator.patient.understanding.prototypes import bank_digest, bank_vectors, question_bank
from simulator.patient.understanding.scoring import Agreement, agreement, aligned

SHARED = Path(__file__).parents[2] / ".." / "shared" / "data"
ASKS = st.builds(
    Ask,
    domain=st.sampled_from([Domain.SYMPTOM, Domain.MEDICATION, Domain.ALLERGY]),
    concept=st.sampled_from([None, "cough", "fever"]),
    attribute=st.sampled_from([Attribute.EXISTENCE, Attribute.ONSET]),
)


@given(st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_words_are_read_without_an_error_and_alike_twice(words: str) -> None:
    first = understand(words, DialogueContext())
    assert first == understand(words, DialogueContext())
    assert 0 <= first.confidence <= 1


@given(st.lists(ASKS, max_size=4), st.lists(ASKS, max_size=4))
def test_alignment_leaves_nothing_out_and_is_fair(gold: list[Ask], predicted: list[Ask]) -> None:
    pairs = aligned(gold, predicted)
    assert len(pairs) == max(len(gold), len(predicted))
    assert sum(one is not None for one, _ in pairs) == len(gold)
    assert sum(other is not None for _, other in pairs) == len(predicted)
    perfect = Agreement()
    assert perfect.add(gold, list(reversed(gold)))


def test_an_ask_too_many_and_an_ask_missed_both_count_against() -> None:
    cough, fever = Ask(domain=Domain.SYMPTOM, concept="cough"), Ask(domain=Domain.SYMPTOM, concept="fever")
    total = Agreement()
    assert not total.add([cough], [cough, fever])
    assert not total.add([cough, fever], [fever])
    assert total.add([], [])
    assert (total.fields["domain"].right, total.fields["domain"].all) == (3, 5)


def test_a_concept_may_be_labelled_with_its_name() -> None:
    total = Agreement()
    assert total.add(
        [Ask(domain=Domain.SYMPTOM, concept="shortness of breath")], [Ask(domain=Domain.SYMPTOM, concept="dyspnea")]
    )


@pytest.mark.parametrize(
    ("labelled", "understood", "domain", "strict"),
    [
        (("review_of_systems", "fever"), ("symptom", "fever"), True, False),
        (("review_of_systems", "fever"), ("symptom", "chills"), False, False),
        (("social_history", "smoking"), ("lifestyle", "smoking"), True, False),
        (("medication", "penicillin"), ("allergy", "penicillin"), False, False),
        (("symptom", "pain"), ("symptom", "chest_pain"), True, True),
    ],
)
def test_either_of_two_conventions_counts_beside_the_strict_figure(
    labelled: tuple[str, str], understood: tuple[str, str], domain: bool, strict: bool
) -> None:
    fields = agreement(*(Ask(domain=Domain(one), concept=concept) for one, concept in (labelled, understood)))
    assert (fields["domain"], fields["domain_strict"]) == (domain, strict)


def test_labels_by_other_names_are_read(tmp_path: Path) -> None:
    row = {
        "utterance": "Any chest tightness, and what do you take?",
        "asks": [
            {"domain": "Review of Systems", "concept": "chest pain", "attribute": None},
            {"domain": "Medication", "concept": "current medications", "attribute": "list", "experiencer": None},
        ],
        "speech_acts": ["Question"],
    }
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    report = bench_understand(path)
    assert report.exact["domain"]["rate"] == report.exact["concept"]["rate"] == 1.0
    assert report.exact["domain_strict"]["rate"] == 0.0
    assert report.found["domain"]["all"] == 2


def test_a_self_contained_file_is_measured(tmp_path: Path) -> None:
    rows = [
        {
            "context": "D: What brings you in? P: I have a cough.",
            "utterance": "When did it start?",
            "asks": [{"domain": "Symptom detail", "concept": "cough", "attribute": "onset"}],
            "speech_acts": [],
        },
        {
            "context": [
                {"speaker": "doctor", "text": "Did your father have asthma?"},
                {"speaker": "patient", "text": "No"},
            ],
            "utterance": "And your mother?",
            "asks": [{"domain": "family_history", "concept": "asthma", "experiencer": "mother"}],
        },
        {"utterance": "Okay.", "asks": [], "acts": ["acknowledgement"]},
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    report = bench_understand(path)
    assert report.utterances == 3
    assert report.exact["everything"]["rate"] == 1.0
    assert json.loads(report.model_dump_json())["accuracy"]["domain"]["all"] == 3
    assert "cough" not in report.text()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{", "line 1"),
        ('{"asks": []}', "utterance"),
        ('{"utterance": "x", "asks": [{"domain": "nonsense"}]}', "asks[0]"),
        ('{"utterance": "x", "asks": [], "acts": ["singing"]}', "acts"),
        ('{"utterance": "x", "asks": [], "context": 3}', "context"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, line: str, named: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(UserError, match=r"questions\.jsonl") as error:
        read_labelled(path)
    assert named in str(error.value)


@pytest.mark.parametrize(
    "content",
    [
        '{"utterance": "café", "asks": []}'.encode("latin-1"),
        '{"utterance": "x", "asks": []}'.encode("utf-16"),
        b"[" * 100_000,
        b'{"utterance": "x", "asks": [], "seed": ' + b"9" * 5_000 + b"}",
        b'{"utterance": "\\ud800", "asks": []}',
    ],
    ids=["latin", "wide", "deep", "long number", "half a character"],
)
def test_files_that_cannot_be_parsed_are_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"questions\.jsonl") as error:
        read_labelled(path)
    assert len(str(error.value)) < 500


@pytest.mark.parametrize("turn", ['"x"', "null", "[1]", "Infinity", "-1"])
def test_a_reference_without_a_turn_is_named(tmp_path: Path, turn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.patient.understanding.labelled.doctor_turns", lambda shared: iter(()))
    path = tmp_path / "questions.jsonl"
    row = f'{{"file": "f", "transcript": "t", "turn": {turn}, "sha256": "0", "asks": []}}'
    path.write_text(f"\n{row}\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"questions\.jsonl, line 2, field turn"):
        read_labelled(path)


def test_embeddings_decide_where_no_rule_does() -> None:
    words = "Could you take me through the events leading up to all this?"
    with_vectors = Understander(learned=False).understand(words, DialogueContext())
    without = Understander(embeddings=False).understand(words, DialogueContext())
    assert without.by == "rules"
    assert with_vectors.confidence >= without.confidence


def test_the_bank_holds_forty_wordings_a_domain_and_stored_vectors_are_its_own() -> None:
    domains = [ask.domain for _, ask in question_bank()]
    assert min(domains.count(domain) for domain in Domain) >= 40
    assert bank_vectors().shape == (len(domains), 384)
    assert len(bank_digest()) == 64


@pytest.mark.slow
@pytest.mark.shared
def test_real_doctors_questions_stay_understood() -> None:
    if not SHARED.exists():
        pytest.skip("needs ../shared/data")
    report = bench_understand(OWN_LABELS, SHARED, part="final_held_out")
    assert report.utterances >= 400
    assert report.accuracy["domain"]["rate"] is not None and report.accuracy["concept"]["rate"] is not None
    assert report.accuracy["domain"]["rate"] > 0.86
    assert report.accuracy["concept"]["rate"] > 0.83
    rows = read_labelled(OWN_LABELS, SHARED)
    assert {"context", "utterance", "asks", "acts"} <= set(self_contained(rows[0]))

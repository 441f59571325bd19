"""The contract that every graph server keeps: the same suite on the embedded server and on Neo4j."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from etl.caserecord import CaseRecord, MentionKind
from foundation.errors import UserError
from kg.answer_key import answer_key, case_ids
from kg.build import build
from kg.keys import distinct
from kg.patient_view import PatientView
from kg.stats import stats
from kg.store import GraphStore
from tests.kg.samples import mention, plain_case, rich_case, whole_graph


def test_what_goes_in_comes_out(store: GraphStore) -> None:
    case = rich_case()
    build(store, [case])
    recorded = {fact.fact_id: fact for fact in PatientView(store, case.case_id).facts()}
    for expected in case.mentions:
        fact = recorded[expected.mention_id]
        assert (fact.text, fact.concept, fact.assertion) == (expected.text, expected.concept, expected.assertion)
        assert (fact.historical, fact.experiencer) == (expected.historical, expected.experiencer)
        assert (fact.attributes, fact.evidence) == (expected.attributes, expected.evidence)
    key = answer_key(store, case.case_id)
    assert key.diagnoses == case.diagnoses
    assert [drug.name for drug in key.medications] == ["Heparin", "Clopidogrel"]
    assert case_ids(store) == (case.case_id,)


def test_rebuild_adds_nothing(store: GraphStore) -> None:
    cases = [rich_case("test:1", "1"), rich_case("test:2", "1"), rich_case("other:1", "1")]
    first = build(store, cases)
    before = whole_graph(store)
    again = build(store, reversed(cases))
    assert whole_graph(store) == before
    assert (first.written, again.written, again.unchanged) == (3, 0, 3)


def test_report_counts_what_is_there(store: GraphStore) -> None:
    report = build(store, [rich_case("test:1", "1"), rich_case("test:2", "1")])
    found = stats(store)
    assert (report.nodes, report.relationships) == (found.nodes, found.relationships)


def test_changed_case_replaces_its_old_self(store: GraphStore) -> None:
    other = rich_case("test:2", "2")
    case = rich_case()
    build(store, [case, other])
    changed = case.model_copy(update={"mentions": case.mentions[:2], "diagnoses": (), "chief_complaint": "fever"})
    build(store, [changed])
    after = whole_graph(store)
    assert {fact.fact_id for fact in PatientView(store, case.case_id).facts()} >= {"m1", "m2", "chief_complaint"}
    assert "m3" not in {fact.fact_id for fact in PatientView(store, case.case_id).facts()}
    assert answer_key(store, case.case_id).diagnoses == ()
    _empty(store)
    build(store, [other, changed])
    concepts_left_behind = [node for node in after[0] if node not in whole_graph(store)[0]]
    assert all(label == "Concept" for label, _, _ in concepts_left_behind)
    assert after[1] == whole_graph(store)[1]


@pytest.mark.timeout(240)
def test_eight_writers_at_once(store: GraphStore) -> None:
    cases = [rich_case(f"test:{number}", str(number % 5)) for number in range(24)]
    build(store, cases)
    expected = whole_graph(store)
    _empty(store)

    def write(seed: int) -> None:
        mine = cases[:]
        random.Random(seed).shuffle(mine)
        for first in range(0, len(mine), 6):
            build(store, mine[first : first + 6])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert whole_graph(store) == expected


@pytest.mark.timeout(240)
def test_ten_thousand_nodes(store: GraphStore) -> None:
    done: list[int] = []
    report = build(store, (plain_case(number, 24) for number in range(400)), done.append)
    assert report.nodes > 10_000
    assert stats(store).nodes == report.nodes
    assert done[-1] == 400 and done == sorted(done)
    assert len(PatientView(store, "plain:399").facts()) == 24


def test_unicode_and_quotes_survive(store: GraphStore) -> None:
    texts = [
        "Schmerzen im Rücken ≥ 3 Tage",
        "腹痛",
        "e\u0301 and é",
        "🤒 \u202eabc",
        'it\'s "so" \\ bad `x` $y {z}\n\ttab',
    ]
    case = rich_case(
        "test:naïve/1 'x'",
        mentions=tuple(mention(f"m/{position} ’", MentionKind.SYMPTOM, text) for position, text in enumerate(texts)),
    )
    build(store, [case])
    facts = [fact for fact in PatientView(store, case.case_id).facts() if fact.fact_id.startswith("m/")]
    assert [fact.text for fact in facts] == texts


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=40))
def test_any_text_comes_back(store: GraphStore, text: str) -> None:
    case = rich_case("test:any", mentions=(mention("m1", MentionKind.SYMPTOM, text, attributes={"duration": text}),))
    build(store, [case])
    fact = next(fact for fact in PatientView(store, "test:any").facts() if fact.fact_id == "m1")
    assert (fact.text, fact.attributes) == (text, {"duration": text})


def _with(field: str, value: object) -> CaseRecord:
    return rich_case().model_copy(update={field: value})


@pytest.mark.parametrize("field", ["case_id", "source", "subject_id", "hadm_id"])
@pytest.mark.parametrize("value", [None, "", "  ", " x", "a\nb", "a\x00b", 7, "x" * 600])
def test_null_and_odd_keys_are_refused_with_the_field(field: str, value: object) -> None:
    with pytest.raises(UserError) as caught:
        list(distinct([plain_case(1), _with(field, value)]))
    assert field in caught.value.problem
    assert "chest pain" not in str(caught.value)


def test_refused_case_leaves_no_trace(store: GraphStore) -> None:
    with pytest.raises(UserError, match="hadm_id"):
        build(store, [plain_case(1), _with("hadm_id", None)])
    assert case_ids(store) == ()


def test_mention_id_used_twice_is_refused(store: GraphStore) -> None:
    twice = (mention("m1", MentionKind.SYMPTOM, "cough"), mention("m1", MentionKind.SYMPTOM, "fever"))
    with pytest.raises(UserError, match=r"mentions\[1\].mention_id"):
        build(store, [rich_case(mentions=twice)])


def test_case_id_used_by_two_cases_is_refused(store: GraphStore) -> None:
    with pytest.raises(UserError, match="two different cases"):
        build(store, [rich_case(), rich_case(chief_complaint="cough")])


def test_lone_surrogate_is_refused(store: GraphStore) -> None:
    with pytest.raises(UserError, match="Unicode"):
        build(store, [_with("chief_complaint", "\ud800")])


def test_absent_case_is_said(store: GraphStore) -> None:
    build(store, [rich_case()])
    for ask in (lambda: PatientView(store, "no:1").facts(), lambda: answer_key(store, "no:1")):
        with pytest.raises(UserError, match="no:1"):
            ask()


def _empty(store: GraphStore) -> None:
    store.write(lambda work: work.run("MATCH (n) DETACH DELETE n"))

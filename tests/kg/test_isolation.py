"""Facts of one admission never answer for another, and no patient's query reaches the answer key."""

import re
from typing import Any

import pytest

from etl.caserecord import Assertion, MentionKind
from kg import schema
from kg.build import build
from kg.facts import Domain
from kg.patient_view import PatientView
from kg.queries.patient import PATIENT_QUERIES
from kg.store import GraphStore, Reader, Row
from tests.kg.samples import mention, rich_case
from tests.kg.servers import ROOT

WARD = {"ADMITTIME", "DISCHTIME", "ADMISSION_TYPE", "HOSPITAL_EXPIRE_FLAG", "HADM_ID", "SUBJECT_ID", "record", "digest"}


class Recording:
    """A store that remembers every query that reaches it."""

    def __init__(self, store: Reader) -> None:
        self.store = store
        self.seen: list[tuple[str, dict[str, Any]]] = []

    def read(self, cypher: str, /, **parameters: Any) -> list[Row]:
        self.seen.append((cypher, parameters))
        return self.store.read(cypher, **parameters)


def words(cypher: str) -> set[str]:
    return set(re.findall(r"\w+", cypher))


@pytest.mark.parametrize("query", PATIENT_QUERIES.values(), ids=PATIENT_QUERIES)
def test_catalogue_is_scoped_and_never_names_the_answer_key(query: Any) -> None:
    assert re.match(r"\s*MATCH \(a?:Admission \{case_id: \$case_id\}\)", query.cypher)
    assert query.cypher.count("$") == 1
    assert not words(query.cypher) & {*schema.ANSWER_KEY, *schema.ANSWER_KEY.values()}
    assert not words(query.cypher) & WARD
    # Every hop names its type, goes away from the admission, and nothing returns a whole node.
    assert "--" not in query.cypher and "<-" not in query.cypher and "*" not in query.cypher
    assert not re.search(r"-\[\w*\]->|properties\(|RETURN \w+\s*(,|$)", query.cypher)
    types = {name for group in re.findall(r"-\[:([\w|]+)\]->", query.cypher) for name in group.split("|")}
    assert types <= set(schema.relationship_types()) - set(schema.ANSWER_KEY.values())


def test_no_path_of_types_in_the_catalogue_ends_at_the_answer_key(store: GraphStore) -> None:
    """Not only by name: in a built graph nothing that those types can reach leads on to a diagnosis."""
    build(store, [rich_case()])
    types = {
        name
        for query in PATIENT_QUERIES.values()
        for group in re.findall(r"-\[:([\w|]+)\]->", query.cypher)
        for name in group.split("|")
    }
    reached = store.read(
        f"MATCH (:Admission)-[:{'|'.join(sorted(types))}]->(m) "
        "OPTIONAL MATCH (m)-[r]->(n) RETURN DISTINCT labels(m)[0] AS near, labels(n)[0] AS far"
    )
    assert reached
    assert not {row["near"] for row in reached} & set(schema.ANSWER_KEY)
    assert not {row["far"] for row in reached} & set(schema.ANSWER_KEY)


def test_answer_key_words_stay_out_of_all_facts(store: GraphStore) -> None:
    case = rich_case(
        diagnoses=(rich_case().diagnoses[0].model_copy(update={"name": "ZEBRA disease", "code": "99999"}),)
    )
    build(store, [case])
    view = PatientView(store, case.case_id)
    everything = repr(view.facts()) + "".join(repr(view.query(name)) for name in PATIENT_QUERIES)
    for secret in ("ZEBRA", "99999", "Heparin", "heparin", "Clopidogrel"):
        assert secret not in everything
    assert "metformin" in everything.lower()


def test_every_query_that_reaches_the_server_is_in_the_catalogue(store: GraphStore) -> None:
    case = rich_case()
    build(store, [case])
    recording = Recording(store)
    view = PatientView(recording, case.case_id)
    for domain in Domain:
        view.facts(domain)
        view.facts(domain, "subendocardial infarction' OR 1=1 //")
    view.known_domains()
    assert view.spokesperson is None
    for name in PATIENT_QUERIES:
        view.query(name)
    allowed = {query.cypher for query in PATIENT_QUERIES.values()}
    assert {cypher for cypher, _ in recording.seen} <= allowed
    assert all(parameters == {"case_id": case.case_id} for _, parameters in recording.seen)
    with pytest.raises(KeyError):
        view.query("MATCH (d:Diagnosis) RETURN d")


def test_facts_are_read_once_a_consultation(store: GraphStore) -> None:
    build(store, [rich_case()])
    recording = Recording(store)
    view = PatientView(recording, "test:1")
    for domain in Domain:
        view.facts(domain)
    assert len(recording.seen) == 3


def test_two_admissions_of_one_patient_stay_apart(store: GraphStore) -> None:
    early = rich_case(
        "test:1",
        "7",
        mentions=(
            mention("m1", MentionKind.SYMPTOM, "cough", concept="cough", attributes={"duration": "for 2 days"}),
            mention("m2", MentionKind.FAMILY_HISTORY, "asthma", experiencer="mother"),
        ),
        medications=(),
    )
    late = rich_case(
        "test:2",
        "7",
        mentions=(
            mention("m1", MentionKind.SYMPTOM, "cough", concept="cough", assertion=Assertion.ABSENT),
            mention("m2", MentionKind.FAMILY_HISTORY, "gout", experiencer="mother"),
        ),
        medications=(),
    )
    build(store, [early, late])
    first, second = PatientView(store, "test:1"), PatientView(store, "test:2")
    assert [(fact.assertion, fact.attributes) for fact in first.facts(Domain.SYMPTOM)] == [
        (Assertion.PRESENT, {"duration": "for 2 days"})
    ]
    assert [(fact.assertion, fact.attributes) for fact in second.facts(Domain.SYMPTOM)] == [(Assertion.ABSENT, {})]
    assert [fact.text for fact in first.facts(Domain.FAMILY_HISTORY)] == ["asthma"]
    assert [fact.text for fact in second.facts(Domain.FAMILY_HISTORY)] == ["gout"]


def test_two_patients_who_share_every_symptom(store: GraphStore) -> None:
    def case(number: int, duration: str) -> Any:
        symptoms = tuple(
            mention(f"m{each}", MentionKind.SYMPTOM, each, concept=each, attributes={"duration": duration})
            for each in ("cough", "fever", "chest_pain")
        )
        return rich_case(f"test:{number}", str(number), mentions=symptoms)

    build(store, [case(1, "for 1 day"), case(2, "for 2 years")])
    for number, duration in ((1, "for 1 day"), (2, "for 2 years")):
        for source in (
            PatientView(store, f"test:{number}").facts(Domain.SYMPTOM),
            PatientView(store, f"test:{number}").query("symptom"),
        ):
            assert {fact.attributes["duration"] for fact in source} == {duration}
            assert len(source) == 3


def test_same_ids_in_two_sources_are_two_people(store: GraphStore) -> None:
    build(store, [rich_case("a:1", "1", chief_complaint="cough"), rich_case("b:1", "1", chief_complaint="fever")])
    assert PatientView(store, "a:1").facts(Domain.CHIEF_COMPLAINT)[0].text == "cough"
    assert PatientView(store, "b:1").facts(Domain.CHIEF_COMPLAINT)[0].text == "fever"
    assert store.read("MATCH (p:Patient) RETURN count(p) AS people") == [{"people": 2}]


def test_labels_and_relationship_types_are_disjoint() -> None:
    assert not set(schema.labels()) & set(schema.relationship_types())
    assert len({name.lower() for name in (*schema.labels(), *schema.relationship_types())}) == len(
        (*schema.labels(), *schema.relationship_types())
    )


def test_all_cypher_is_in_one_place() -> None:
    """No other folder, and no other file of kg, writes a query of its own."""
    cypher = re.compile(r"\b(MATCH|MERGE|UNWIND|DETACH DELETE)\s*[($]")
    stages = ("etl", "kg", "simulator", "evaluator", "batch", "webapp", "anamnesis", "chatmodels", "terminology")
    files = [path for stage in stages for path in (ROOT / stage).rglob("*.py")]
    strangers = [path for path in files if cypher.search(path.read_text(encoding="utf-8"))]
    assert files
    assert {path.parent.relative_to(ROOT).as_posix() for path in strangers} == {"kg/queries"}


def test_patient_side_imports_no_answer_key() -> None:
    for path in ("kg/patient_view.py", "kg/queries/patient.py"):
        imports = [line for line in (ROOT / path).read_text().splitlines() if re.match(r"\s*(from|import) ", line)]
        assert imports and not [line for line in imports if "answer_key" in line or "ANSWER_KEY" in line]

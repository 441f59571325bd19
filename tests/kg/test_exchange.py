"""Export, import and statistics, on both servers."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from etl.caserecord import Assertion, MentionKind
from foundation.errors import UserError
from kg import schema
from kg.build import build
from kg.exports import nodes, write_cypher, write_graphml
from kg.imports import read_graph
from kg.patient_view import PatientView
from kg.stats import stats
from kg.store import GraphStore
from tests.kg.samples import mention, plain_case, rich_case, whole_graph

_GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"

# An existing graph in AIPatient's layout: symptoms and relatives are one node for everybody, ids are numbers.
_EXISTING = """
CREATE (p1:Patient {SUBJECT_ID: 1, GENDER: 'Female', AGE: 64, ETHNICITY: 'WHITE'})
CREATE (p2:Patient {SUBJECT_ID: 2, GENDER: 'M', AGE: 300})
CREATE (a1:Admission {HADM_ID: 11, ADMISSION_TYPE: 'EMERGENCY', INSURANCE: 'Medicare'})
CREATE (a2:Admission {HADM_ID: 22})
CREATE (a3:Admission {HADM_ID: 23})
CREATE (p1)-[:HAS_ADMISSION]->(a1)
CREATE (p2)-[:HAS_ADMISSION]->(a2)
CREATE (p2)-[:HAS_ADMISSION]->(a3)
CREATE (cough:Symptom {name: 'cough'})
CREATE (fever:Symptom {name: 'fever'})
CREATE (a1)-[:HAS_SYMPTOM]->(cough)
CREATE (a2)-[:HAS_SYMPTOM]->(cough)
CREATE (a2)-[:HAS_NOSYMPTOM]->(fever)
CREATE (a1)-[:HAS_SYMPTOM]->(:Symptom {name: 'rash'})-[:HAS_DURATION]->(:Duration {name: '2 weeks'})
CREATE (cough)-[:HAS_DURATION]->(:Duration {name: '3 days'})
CREATE (p2)-[:HAS_MEDICAL_HISTORY]->(:History {name: 'asthma'})
CREATE (a1)-[:HAS_SOCIAL_HISTORY]->(:SocialHistory {description: 'retired nurse'})
CREATE (a1)-[:HAS_ALLERGY]->(:Allergy {name: 'penicillin'})
CREATE (a1)-[:HAS_VITAL]->(:Vital {LABEL: 'Heart Rate', VALUE: 88})
CREATE (mother:FamilyMember {name: 'Mother'})
CREATE (p1)-[:HAS_FAMILY_MEMBER]->(mother)
CREATE (p2)-[:HAS_FAMILY_MEMBER]->(mother)
CREATE (mother)-[:HAS_MEDICAL_HISTORY {subject_id: 1}]->(:FamilyMedicalHistory {name: 'diabetes'})
CREATE (mother)-[:HAS_MEDICAL_HISTORY]->(:FamilyMedicalHistory {name: 'stroke'})
CREATE (a1)-[:HAS_DIAGNOSIS]->(:Diagnosis {ICD9_CODE: '0389', SHORT_TITLE: 'Septicemia NOS'})
CREATE (a1)-[:HAS_MEDICATION]->(:Medication {name: 'Aspirin 81 mg'})
CREATE (a1)-[:HAS_WARD]->(:Ward {name: 'MICU'})
"""


def test_cypher_export_makes_the_same_graph(store: GraphStore, tmp_path: Path) -> None:
    odd = mention("m'1", MentionKind.SYMPTOM, 'it\'s \\ "odd"\nline; two 腹痛 {x: 1}', concept="cough")
    build(store, [rich_case("test:1", "1"), rich_case("test:2", "1", mentions=(odd,)), plain_case(3)])
    before = whole_graph(store)
    write_cypher(store, tmp_path / "graph.cypher")
    statements = (tmp_path / "graph.cypher").read_text(encoding="utf-8").split(";\n")
    store.write(lambda work: work.run("MATCH (n) DETACH DELETE n"))
    for _ in range(2):
        for statement in statements:
            if statement.strip() and not statement.startswith("CREATE CONSTRAINT"):
                store.write(lambda work, statement=statement: work.run(statement))  # type: ignore[misc]
        assert whole_graph(store) == before


def test_graphml_is_whole_and_well_formed(store: GraphStore, tmp_path: Path) -> None:
    odd = mention("m<1>&\x0b", MentionKind.SYMPTOM, 'a <b> & \x01 "c" 🤒')
    case = rich_case(mentions=(*rich_case().mentions, odd.model_copy(update={"mention_id": "m<1>&"})))
    build(store, [case])
    write_graphml(store, tmp_path / "graph.graphml")
    root = ElementTree.parse(tmp_path / "graph.graphml").getroot()
    found = stats(store)
    identifiers = [node.attrib["id"] for node in root.iter(f"{_GRAPHML}node")]
    edges = list(root.iter(f"{_GRAPHML}edge"))
    assert len(set(identifiers)) == len(identifiers) == found.nodes
    assert len(edges) == found.relationships
    assert {edge.attrib[end] for edge in edges for end in ("source", "target")} <= set(identifiers)
    declared = {key.attrib["id"] for key in root.iter(f"{_GRAPHML}key")}
    assert {data.attrib["key"] for data in root.iter(f"{_GRAPHML}data")} <= declared


def test_statistics_are_the_papers_table(store: GraphStore) -> None:
    build(store, [rich_case()])
    found = stats(store)
    kinds = {kind.name: kind for kind in found.kinds}
    assert kinds["Symptoms (primary)"].nodes == 2
    assert kinds["Medical history"].nodes == 2
    assert kinds["Family member, duration, frequency, intensity"].nodes == 4
    assert (kinds["Home medication"].nodes, kinds["Home medication"].from_tables) == (2, 0)
    assert (kinds["Medication profiles"].nodes, kinds["Medication profiles"].from_tables) == (2, 1)
    assert kinds["Diagnosis"].nodes == 2
    assert sum(kind.nodes for kind in found.kinds) == found.nodes == len(list(nodes(store)))
    assert sum(kind.share for kind in found.kinds) == pytest.approx(1.0)
    assert found.average_degree == pytest.approx(2 * found.relationships / found.nodes)
    assert set(found.relationship_types) <= set(schema.relationship_types())


def test_statistics_of_an_empty_graph(store: GraphStore) -> None:
    assert (stats(store).nodes, stats(store).average_degree) == (0, 0.0)


def test_existing_graph_is_read_without_mixing_patients(store: GraphStore) -> None:
    store.write(lambda work: work.run(_EXISTING))
    found = read_graph(store)
    cases = {case.hadm_id: case for case in found.cases}
    assert list(cases) == ["11", "22", "23"]
    first, second, third = cases.values()
    assert (first.case_id, first.subject_id) == ("aipatient:11", "1")
    assert (first.demographics.age, first.demographics.sex, first.demographics.insurance) == (64, "F", "Medicare")
    assert second.demographics.age_over_89 and second.demographics.age is None
    symptoms = {each.text: each for each in first.mentions if each.kind is MentionKind.SYMPTOM}
    assert symptoms["rash"].attributes == {"duration": "2 weeks"}
    assert symptoms["cough"].attributes == {}
    absent = [each.text for each in second.mentions if each.assertion is Assertion.ABSENT]
    assert absent == ["fever"]
    relatives = [(each.experiencer, each.text) for each in first.mentions if each.kind is MentionKind.FAMILY_HISTORY]
    assert relatives == [("mother", "diabetes")]
    assert not [each for each in second.mentions if each.kind is MentionKind.FAMILY_HISTORY]
    assert [each.text for each in third.mentions] == ["asthma"]
    assert [each.attributes for each in first.mentions if each.kind is MentionKind.VITAL] == [{"value": "88"}]
    assert [(each.code, each.name) for each in first.diagnoses] == [("0389", "Septicemia NOS")]
    assert first.medications[0].ingredients == ("aspirin",)
    assert found.unmapped == {
        "HAS_WARD to Ward": 1,
        "Ward nodes": 1,
        "attributes of symptom nodes that several admissions share": 1,
        "conditions of relative nodes that several patients share": 1,
    }
    assert read_graph(store) == found


def test_imported_cases_become_patients(store: GraphStore) -> None:
    store.write(lambda work: work.run(_EXISTING))
    cases = read_graph(store).cases
    store.write(lambda work: work.run("MATCH (n) DETACH DELETE n"))
    build(store, cases)
    assert "rash" in {fact.text for fact in PatientView(store, "aipatient:11").facts()}
    with pytest.raises(UserError, match="already"):
        read_graph(store)


def test_a_graph_of_something_else_is_refused(store: GraphStore) -> None:
    with pytest.raises(UserError, match="HAS_ADMISSION"):
        read_graph(store)

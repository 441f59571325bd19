"""CaseRecords as rows, without a server."""

from etl.caserecord import Medication, MedicationRole, MentionKind
from kg import schema
from kg.keys import distinct
from kg.measure import NODES, PATIENTS, cohort
from kg.rows import Rows, complaint_concept, home_medications
from tests.kg.samples import TABLE, mention, rich_case


def test_measured_cohort_has_the_size_of_the_papers() -> None:
    rows = Rows()
    cases = list(distinct(cohort("size")))
    for case, digest in cases:
        rows.add(case, digest)
    assert len(cases) == PATIENTS
    assert rows.count_own_nodes() + len(rows.shared_keys()) == NODES


def test_home_drug_named_by_a_mention_is_not_told_twice() -> None:
    drugs = (
        Medication(name="LISINOPRIL", ingredients=("lisinopril",), role=MedicationRole.HOME),
        Medication(name="Glucophage", ingredients=("metformin",), role=MedicationRole.HOME, dose="500 mg"),
        Medication(name="glucophage", ingredients=("metformin",), role=MedicationRole.HOME),
        Medication(name="Saline", role=MedicationRole.HOME, carrier_fluid=True),
        Medication(name="Heparin", ingredients=("heparin",), role=MedicationRole.INPATIENT),
    )
    told = (mention("m1", MentionKind.HOME_MEDICATION, "Zestril", concept="lisinopril"),)
    added = home_medications(rich_case(mentions=told, medications=drugs))
    assert [(each.text, each.concept, each.attributes) for each in added] == [
        ("Glucophage", "metformin", {"dose": "500 mg"})
    ]


def test_answer_key_rows_hang_on_their_own_types_alone() -> None:
    rows = Rows()
    rows.add(rich_case(), "digest")
    for (label, relationship), entries in rows.on_admission.items():
        assert (label in schema.ANSWER_KEY) == (relationship in schema.ANSWER_KEY.values())
        if label in schema.ANSWER_KEY:
            assert entries and all(row.get("concept") is None for row in entries)


def test_origin_is_note_where_any_evidence_is() -> None:
    rows = Rows()
    both = mention(
        "m1", MentionKind.ALLERGY, "latex", evidence=(*TABLE, *mention("x", MentionKind.ALLERGY, "").evidence)
    )
    none = mention("m2", MentionKind.ALLERGY, "iodine", evidence=())
    rows.add(rich_case(mentions=(both, none)), "digest")
    origins = [row["properties"]["origin"] for row in rows.on_admission["Allergy", "HAS_ALLERGY"]]
    assert origins == ["note", ""]


def test_chief_complaint_is_mapped_by_its_first_symptom() -> None:
    assert complaint_concept("chest pain") == "chest_pain"
    assert complaint_concept("worsening chest pain with fever") == "chest_pain"
    assert complaint_concept("zzzz") is None
    assert complaint_concept("  ") is None

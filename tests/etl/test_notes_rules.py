"""The rules extractor on a ward's note and on prose."""

import pytest

from etl.caserecord import Mention, MentionKind, NoteEvidence
from etl.notes.note import Note, NoteExtraction
from etl.notes.pipeline import NotePipeline

WARD = """Admission Date: [**2141-3-4**]
Sex: M
Allergies: Sulfa (Sulfonamide Antibiotics) / hives, codeine
Chief Complaint: chest pain

HPI: Mr. [**Known lastname 12**] is a 64 y/o man with HTN and T2DM who presents with 3 days of
severe chest pain radiating to the left arm, worse with exertion and relieved by rest. He denies
fever, chills, or cough. He may have had palpitations. Takes metoprolol tartrate 25 mg PO BID at home.
In the ED, 98.2 74 163/92 17 97% on RA.

PMH:
1. Gout
2. History of prostate cancer (remote)
PSH: s/p appendectomy '82
Social History: Smokes 1 pack per day. Denies alcohol. Lives with his wife.
Family History: Mother with stroke at 58. No family history of diabetes.

Physical Exam:
VS: T 98.6 BP 142/88 HR 90 RR 18 O2 sat 96% RA
Lungs: bibasilar crackles, no wheezes or rhonchi
Labs: WBC-14.2* Plt Ct-180

Discharge Medications:
1. aspirin 81 mg Tablet PO DAILY
2. Tylenol 500 mg PO every 6 hours as needed
Discharge Diagnosis:
Primary: Non-ST elevation myocardial infarction
"""


@pytest.fixture(scope="module")
def pipeline() -> NotePipeline:
    return NotePipeline()


@pytest.fixture(scope="module")
def ward(pipeline: NotePipeline) -> NoteExtraction:
    return pipeline.extract(Note(note_id="n1", case_id="t:1", text=WARD))


def of(extraction: NoteExtraction, kind: str) -> dict[str, Mention]:
    return {mention.text: mention for mention in extraction.mentions if mention.kind == kind}


def test_every_quote_stands_at_its_span(ward: NoteExtraction) -> None:
    for item in (*ward.mentions, *ward.medications, *ward.diagnoses):
        (place,) = item.evidence
        assert isinstance(place, NoteEvidence) and place.note_id == "n1"
        assert WARD[place.start : place.end] == place.quote
        assert "[**" not in place.quote and "lastname" not in place.quote


def test_symptoms_with_attributes_and_assertion(ward: NoteExtraction) -> None:
    symptoms = {m.text: m for m in ward.mentions if m.kind is MentionKind.SYMPTOM and m.attributes}
    pain = symptoms["chest pain"]
    assert pain.concept == "chest_pain"
    assert pain.attributes == {
        "duration": "3 days", "severity": "severe", "radiation": "left arm", "aggravating": "exertion",
        "relieving": "rest",
    }  # fmt: skip
    found = of(ward, "symptom")
    assert {name for name, m in found.items() if m.assertion == "absent"} == {"fever", "chills", "cough"}
    assert found["palpitations"].assertion == "possible"


def test_histories(ward: NoteExtraction) -> None:
    medical = of(ward, "medical_history")
    assert {"HTN", "T2DM", "Gout", "prostate cancer"} <= set(medical)
    assert medical["prostate cancer"].historical and not medical["Gout"].historical
    surgical = of(ward, "surgical_history")["appendectomy"]
    assert surgical.historical and surgical.attributes["onset"] == "'82"
    family = of(ward, "family_history")
    assert family["stroke"].experiencer == "mother" and family["stroke"].attributes == {"onset": "58"}
    assert family["diabetes"].assertion == "absent" and family["diabetes"].experiencer != "patient"
    social = of(ward, "social_history")
    assert social["Smokes 1 pack per day"].attributes["amount"] == "1 pack per day"
    assert social["alcohol"].assertion == "absent" and "Lives with his wife" in social


def test_allergies_vitals_examination_laboratory(ward: NoteExtraction) -> None:
    allergies = of(ward, "allergy")
    assert allergies["Sulfa (Sulfonamide Antibiotics)"].attributes == {"reaction": "hives"}
    assert "codeine" in allergies
    vitals = {(m.attributes["name"], m.attributes["value"]) for m in ward.mentions if m.kind is MentionKind.VITAL}
    assert {("blood_pressure", "163/92"), ("blood_pressure", "142/88"), ("oxygen_saturation", "96")} <= vitals
    exam = of(ward, "examination")
    assert exam["bibasilar crackles"].assertion == "present"
    assert exam["wheezes"].assertion == exam["rhonchi"].assertion == "absent"
    assert of(ward, "laboratory")["WBC-14.2*"].attributes == {"name": "WBC", "value": "14.2", "flag": "*"}


def test_medications_and_diagnoses(ward: NoteExtraction) -> None:
    by_name = {item.name: item for item in ward.medications}
    assert by_name["metoprolol tartrate"].role == "home" and by_name["metoprolol tartrate"].frequency == "BID"
    assert by_name["aspirin"].role == "discharge" and by_name["aspirin"].ingredients == ("aspirin",)
    assert by_name["Tylenol"].frequency == "every 6 hours as needed"
    assert of(ward, "home_medication").keys() == {"metoprolol tartrate"}
    assert [item.name for item in ward.diagnoses] == ["Non-ST elevation myocardial infarction"]


def test_who_the_patient_is(ward: NoteExtraction) -> None:
    assert ward.chief_complaint == "chest pain"
    hints = ward.demographics_hints
    assert (hints.age, hints.sex, hints.living_situation) == (64, "M", "Lives with his wife")
    assert ward.spokesperson is None


PROSE = (
    "A 45-year-old woman with a history of asthma presented with a 2-week history of headache and vomiting. "
    "She had undergone cholecystectomy in 2010. Her father had died of colon cancer. She was treated with "
    "dexamethasone "
    "4 mg intravenously and improved. There was no family history of diabetes."
)


def test_case_report_in_prose(pipeline: NotePipeline) -> None:
    found = pipeline.extract(Note(note_id="p", case_id="t:2", text=PROSE))
    assert {"headache", "vomiting"} <= set(of(found, "symptom"))
    assert any("asthma" in text for text in of(found, "medical_history"))
    assert any("cholecystectomy" in text for text in of(found, "surgical_history"))
    family = of(found, "family_history")
    assert any("colon cancer" in text and m.experiencer == "father" for text, m in family.items())
    assert any("diabetes" in text and m.assertion == "absent" for text, m in family.items())
    drug = {item.name: item for item in found.medications}["dexamethasone"]
    assert (drug.role, drug.dose, drug.route) == ("inpatient", "4 mg", "intravenously")
    assert (found.demographics_hints.age, found.demographics_hints.sex) == (45, "F")
    assert "headache" in found.chief_complaint


@pytest.mark.parametrize(
    ("text", "relation", "reason"),
    [
        ("HPI: 81F with dementia. History obtained from her daughter.", "daughter", "dementia"),
        ("HPI: Pt intubated on arrival, info per wife.", "wife", "intubated"),
        ("HPI: 3-month-old boy. His mother reports poor feeding.", "mother", "infant"),
    ],
)
def test_spokesperson(pipeline: NotePipeline, text: str, relation: str, reason: str) -> None:
    found = pipeline.extract(Note(note_id="s", case_id="t:3", text=text)).spokesperson
    assert found is not None and (found.relation, found.reason) == (relation, reason)


def test_a_relatives_word_alone_makes_no_spokesperson(pipeline: NotePipeline) -> None:
    text = "HPI: 50M with cough. His wife reports that he snores."
    assert pipeline.extract(Note(note_id="s", case_id="t:3", text=text)).spokesperson is None


@pytest.mark.parametrize(
    ("words", "age", "over"),
    [
        ("A 7-year-old girl", 7, False),
        ("84yoF", 84, False),
        ("A 93 year old man", None, True),
        ("a 5-month-old boy", 0, False),
    ],
)
def test_ages(pipeline: NotePipeline, words: str, age: int | None, over: bool) -> None:
    hints = pipeline.extract(Note(note_id="a", case_id="t:4", text=f"HPI: {words} came with fever.")).demographics_hints
    assert (hints.age, hints.age_over_89) == (age, over)

"""What a patient may know of an admission whose findings name its diagnoses."""

import pytest

from etl.caserecord import Assertion, CaseRecord, Diagnosis, Medication, MedicationRole, Mention, MentionKind
from kg.known import known_mentions, withheld_mentions
from kg.rows import Rows
from tests.kg.samples import NOTE, mention, rich_case

HISTORY, SYMPTOM = MentionKind.MEDICAL_HISTORY, MentionKind.SYMPTOM


def _case(*mentions: Mention, main: str, code: str = "", second: str = "", home: tuple[str, ...] = ()) -> CaseRecord:
    version = "10" if code else ""
    diagnoses = [Diagnosis(code=code, version=version, rank=1, name=main, name_source="note")]
    if second:
        diagnoses.append(Diagnosis(code="X", version="10", rank=2, name=second, name_source="dictionary"))
    drugs = tuple(Medication(name=name, ingredients=(name,), role=MedicationRole.HOME) for name in home)
    return rich_case(mentions=mentions, diagnoses=tuple(diagnoses), medications=drugs)


@pytest.mark.parametrize(
    ("text", "concept", "main", "code"),
    [
        ("inflamed appendix", "appendicitis", "Acute appendicitis", ""),
        ("influenza", "influenza", "Influenza with other manifestations", "J11.1"),
        ("pulmonary emboli", "pulmonary_embolism", "Pulmonary embolism", "I26.99"),
        ("kidney infection", "pyelonephritis", "Acute pyelonephritis", ""),
        ("heart attack", "myocardial_infarction", "Non-ST elevation myocardial infarction", "I21.4"),
        ("lung cancer", "lung_cancer", "Adenocarcinoma of the lung, lung cancer", ""),
        ("rheumatoid arthritis", "rheumatoid_arthritis", "New rheumatoid arthritis", ""),
        ("meningitis", "meningitis", "Unnamed illness", "G03.9"),
        ("zebra stripe disease seen", None, "Zebra stripe disease", ""),
    ],
)
@pytest.mark.parametrize("kind", [HISTORY, SYMPTOM, MentionKind.EXAMINATION])
def test_findings_of_this_admission_are_not_the_patients_to_tell(
    text: str, concept: str | None, main: str, code: str, kind: MentionKind
) -> None:
    case = _case(mention("m1", kind, text, concept=concept), main=main, code=code)
    assert withheld_mentions(case) == {"m1"}


@pytest.mark.parametrize("assertion", [Assertion.PRESENT, Assertion.POSSIBLE])
def test_a_doubtful_finding_is_held_back_too(assertion: Assertion) -> None:
    found = mention("m1", HISTORY, "appendicitis", concept="appendicitis", assertion=assertion)
    assert withheld_mentions(_case(found, main="Acute appendicitis")) == {"m1"}


def test_what_is_marked_as_former_is_known() -> None:
    marked = (
        mention("m1", HISTORY, "pulmonary embolism", concept="pulmonary_embolism", historical=True),
        mention("m2", HISTORY, "pulmonary embolism", concept="pulmonary_embolism", attributes={"onset": "in 2010"}),
        mention("m3", HISTORY, "pulmonary embolism in the past", concept="pulmonary_embolism"),
    )
    for each in marked:
        assert not withheld_mentions(_case(each, main="Pulmonary embolism"))


def test_absence_relatives_and_symptoms_are_known() -> None:
    mentions = (
        mention("m1", HISTORY, "appendicitis", concept="appendicitis", assertion=Assertion.ABSENT),
        mention("m2", MentionKind.FAMILY_HISTORY, "appendicitis", concept="appendicitis", experiencer="mother"),
        mention("m3", SYMPTOM, "abdominal pain", concept="abdominal_pain"),
        mention("m4", HISTORY, "gout", concept="gout"),
    )
    case = _case(*mentions, main="Acute appendicitis with abdominal pain")
    assert known_mentions(case) == mentions


def test_a_lasting_illness_is_known_by_its_drug_or_as_a_lesser_diagnosis() -> None:
    asthma = mention("m1", HISTORY, "asthma", concept="asthma")
    assert withheld_mentions(_case(asthma, main="Asthma exacerbation")) == {"m1"}
    assert not withheld_mentions(_case(asthma, main="Asthma exacerbation", home=("albuterol",)))
    assert not withheld_mentions(_case(asthma, main="Acute appendicitis", second="Asthma"))


def test_an_older_disease_does_not_excuse_todays() -> None:
    mentions = (
        mention("m1", HISTORY, "coronary artery disease", concept="coronary_artery_disease", historical=True),
        mention("m2", HISTORY, "myocardial infarction", concept="myocardial_infarction"),
    )
    case = _case(*mentions, main="Acute myocardial infarction", home=("aspirin",))
    assert withheld_mentions(case) == {"m2"}


def test_what_is_held_back_is_not_written_and_is_counted() -> None:
    mentions = (
        mention("m1", HISTORY, "appendicitis", concept="appendicitis"),
        mention("m2", SYMPTOM, "nausea", concept="nausea"),
    )
    rows = Rows()
    rows.add(_case(*mentions, main="Acute appendicitis"), "digest")
    written = [row["key"] for entries in rows.on_admission.values() for row in entries]
    assert rows.withheld == 1
    assert not any(key.endswith("|m1") for key in written)
    assert "appendicitis" not in rows.concepts


def test_a_drug_given_here_is_not_one_of_home() -> None:
    mentions = (
        mention("m1", MentionKind.HOME_MEDICATION, "heparin", concept="heparin"),
        mention("m2", MentionKind.HOME_MEDICATION, "warfarin", concept="warfarin"),
        mention("m3", MentionKind.HOME_MEDICATION, "warfarin", concept="warfarin", attributes={"dose": "5 mg"}),
        mention("m4", MentionKind.HOME_MEDICATION, "aspirin", concept="aspirin"),
    )
    role = MedicationRole
    drugs = [Medication(name=name, ingredients=(name,), role=role.INPATIENT) for name in ("heparin", "warfarin")]
    noted = Medication(name="heparin", ingredients=("heparin",), role=role.HOME, evidence=NOTE)
    case = rich_case(mentions=mentions, medications=(*drugs, noted), diagnoses=())
    assert withheld_mentions(case) == {"m1"}


def test_a_detail_does_not_name_a_drug_given_here() -> None:
    pain = mention("m1", SYMPTOM, "pain", concept="pain", attributes={"relieving": "ketorolac", "severity": "8/10"})
    rest = mention("m2", SYMPTOM, "headache", concept="headache", attributes={"relieving": "ibuprofen"})
    given = [Medication(name=n, ingredients=(n,), role=MedicationRole.INPATIENT) for n in ("ketorolac", "ibuprofen")]
    home = Medication(name="ibuprofen", ingredients=("ibuprofen",), role=MedicationRole.HOME, dose="400 mg")
    known = known_mentions(rich_case(mentions=(pain, rest), medications=(*given, home), diagnoses=()))
    assert [each.attributes for each in known] == [{"severity": "8/10"}, {"relieving": "ibuprofen"}]


@pytest.mark.parametrize(
    ("text", "concept", "main"),
    [
        ("withdrawal symptoms", "hangover_withdrawal", "Opioid withdrawal"),
        ("signs of withdrawal", None, "Alcohol withdrawal with seizures"),
        ("symptoms of withdrawal", "hangover_withdrawal", "alcohol withdrawal, uncomplicated"),
    ],
)
def test_symptoms_called_by_the_diagnosis_give_it_away(text: str, concept: str | None, main: str) -> None:
    assert withheld_mentions(_case(mention("m1", SYMPTOM, text, concept=concept), main=main)) == {"m1"}


@pytest.mark.parametrize(
    ("text", "concept", "main"),
    [
        ("urinary symptoms", None, "Urinary tract infection"),
        ("withdrawal symptoms", "hangover_withdrawal", "Acute pancreatitis"),
        ("seizure", "seizure", "Febrile seizure"),
    ],
)
def test_symptoms_of_another_name_are_known(text: str, concept: str | None, main: str) -> None:
    assert not withheld_mentions(_case(mention("m1", SYMPTOM, text, concept=concept), main=main))


def test_a_symptom_of_now_has_one_time() -> None:
    mentions = (
        mention("m1", SYMPTOM, "wheezing", concept="wheezing", historical=True, attributes={"onset": "in childhood"}),
        mention("m2", SYMPTOM, "wheezing", concept="wheezing", attributes={"onset": "Monday"}),
        mention("m3", SYMPTOM, "wheezy", concept="wheezing", attributes={"duration": "3 hours", "severity": "severe"}),
        mention("m4", SYMPTOM, "cough", concept="cough", attributes={"duration": "3 hours"}),
    )
    told = {each.mention_id: each.attributes for each in known_mentions(_case(*mentions, main="Asthma"))}
    assert told == {
        "m1": {"onset": "in childhood"},
        "m2": {"onset": "Monday"},
        "m3": {"severity": "severe"},
        "m4": {"duration": "3 hours"},
    }

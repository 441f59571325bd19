"""Ward shorthand that would make a patient lie if it were misread: denials, times, doubts, abbreviations."""

import pytest

from etl.caserecord import Mention
from etl.notes.note import Note, NoteExtraction
from etl.notes.pipeline import NotePipeline

PIPELINE = NotePipeline()


def extract(text: str) -> NoteExtraction:
    return PIPELINE.extract(Note(note_id="n", case_id="t:1", text=text))


def mention(text: str, words: str) -> Mention:
    found = [item for item in extract(text).mentions if item.text == words]
    assert found, f"{words} not among {[item.text for item in extract(text).mentions]}"
    return found[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("52yo F w/ no PMH p/w numbness of the hands", "numbness of the hands"),
        ("HPI: 33M without past medical history presenting with hematuria.", "hematuria"),
        ("HPI: 70F with no significant past medical history who c/o vertigo.", "vertigo"),
        ("HPI: 44M with no prior illnesses admitted with melena.", "melena"),
        ("HPI: Man with no medical problems, here with syncope.", "syncope"),
        ("HPI: No medical history, jaundice for a week.", "jaundice"),
        ("HPI: Smoker with COPD, not on home oxygen, hypertension, gout.", "gout"),
        ("HPI: Not on home oxygen. Gout.", "Gout"),
        ("HPI: No PMH was brought in by EMS for confusion.", "confusion"),
        ("HPI: Denies trauma, woke with headache.", "headache"),
        ("HPI: No sick contacts, productive cough.", "productive cough"),
        ("HPI: No fever, now with rash.", "rash"),
    ],
)
def test_a_denial_ends_where_the_story_begins(text: str, words: str) -> None:
    assert mention(text, words).assertion == "present"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("HPI: 60M without history of syncope, stroke or gout.", "gout"),
        ("HPI: Denies fever, chills, night sweats and cough.", "cough"),
        ("HPI: No PMH of asthma, presents with cough.", "asthma"),
        ("HPI: She has not felt dizzy.", "dizzy"),
    ],
)
def test_and_reaches_to_its_end(text: str, words: str) -> None:
    assert mention(text, words).assertion == "absent"


@pytest.mark.parametrize(
    ("time", "name", "value"),
    [
        ("x 5 days", "duration", "5 days"),
        ("x5d", "duration", "5d"),
        ("× 2 weeks", "duration", "2 weeks"),
        ("X 36 hours", "duration", "36 hours"),
        ("for 12h", "duration", "12h"),
        ("for the past 3 wks", "duration", "3 wks"),
        ("for over 2 months", "duration", "2 months"),
        ("for nearly a week", "duration", "a week"),
        ("~4 days", "duration", "4 days"),
        ("since Friday", "onset", "Friday"),
        ("since last Sunday", "onset", "last Sunday"),
        ("since this morning", "onset", "this morning"),
        ("starting Wednesday", "onset", "Wednesday"),
        ("since 4/17", "onset", "4/17"),
    ],
)
def test_times_belong_to_the_symptom(time: str, name: str, value: str) -> None:
    assert mention(f"HPI: 61F p/w diarrhea {time}, denies fever.", "diarrhea").attributes == {name: value}
    assert mention(f"HPI: Vomiting {time}.", "Vomiting").attributes == {name: value}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("HPI: ? Syncope. Fever.", "Syncope"),
        ("HPI: Fever. ?Seizure yesterday.", "Seizure"),
        ("HPI: Came for r/o PE.", "PE"),
        ("HPI: R/O pneumonia.", "pneumonia"),
        ("HPI: Cough, ? asthma.", "asthma"),
        ("?Palpitations, c/o fatigue, h/o gout", "Palpitations"),
    ],
)
def test_doubts_are_possible_wherever_they_stand(text: str, words: str) -> None:
    assert mention(text, words).assertion == "possible"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("HPI: Seen in the ED with cough.", {"cough"}),
        ("PMH: gout, ED, RA", {"gout", "erectile_dysfunction", "rheumatoid_arthritis"}),
        ("HPI: Cough, sat 95% RA.", {"cough"}),
        ("HPI: Cough, satting 93 on RA.", {"cough"}),
        ("HPI: 58F with RA on methotrexate has cough.", {"rheumatoid_arthritis", "cough"}),
        ("HPI: MS intact, cough.", {"cough"}),
        ("HPI: Woman with MS has cough.", {"multiple_sclerosis", "cough"}),
        ("HPI: Takes MS Contin for cough.", {"cough"}),
    ],
)
def test_abbreviations_mean_what_their_company_says(text: str, keys: set[str]) -> None:
    told = [item for item in extract(text).mentions if item.kind in ("symptom", "medical_history")]
    assert {item.concept for item in told} == keys


LEADING = (
    "Pt is a 71 yo woman with flank pain x 9 hours. The pain is sharp. She has HTN, DM2. "
    "Denies CP, SOB.\n\n"
    "Medications on Admission:\nlosartan 50 mg daily\n\nPhysical Exam:\nVS: T 98.2 BP 131/77 HR 92\n"
)


def test_a_story_before_the_first_heading_is_the_present_illness() -> None:
    found = extract(LEADING)
    by_text = {(item.kind.value, item.text): item for item in found.mentions}
    pain = by_text["symptom", "flank pain"]
    assert pain.attributes["duration"] == "9 hours" and pain.assertion == "present"
    assert by_text["symptom", "CP"].assertion == by_text["symptom", "SOB"].assertion == "absent"
    assert ("medical_history", "HTN") in by_text and ("medical_history", "DM2") in by_text
    assert found.chief_complaint == "flank pain"
    assert by_text["home_medication", "losartan"].concept == "losartan"
    vitals = {item.concept for item in found.mentions if item.kind == "vital"}
    assert vitals == {"body_temperature", "blood_pressure", "heart_rate"}


def test_a_drug_of_two_ingredients_has_no_single_key() -> None:
    assert mention("Home Medications:\nPercocet 5/325 mg PRN\n", "Percocet").concept is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("CC: 18 hours\nHPI: Woman with a chief complaint of flank pain for 18 hours.", "flank pain"),
        ("Chief Complaint: x 2 days\nHPI: 30M p/w dizziness x 2 days.", "dizziness"),
        ("HPI: 60M who was admitted for 3 days of hematuria and dysuria.", "hematuria and dysuria"),
        ("HPI: 60M admitted for elective hip replacement after a fall.", "elective hip replacement"),
        ("HPI: She presented to the ED on 3/4 with a 2-week history of headache, rash. No fever.", "headache and rash"),
        ("HPI: 40F presents for 3 days. She has a cough.", "cough"),
        ("HPI: Man with flank pain x 9 hours.", "flank pain"),
        ("Chief Complaint: see HPI\nHPI: He complains of vertigo since Monday.", "vertigo"),
        ("Chief Complaint: Fall, hip pain\nHPI: He complains of vertigo.", "Fall, hip pain"),
        ("CC: 3 weeks\nHPI: Doing well.", ""),
    ],
)
def test_the_complaint_is_a_complaint(text: str, complaint: str) -> None:
    assert extract(text).chief_complaint == complaint


@pytest.mark.parametrize(
    ("sentence", "name", "value"),
    [
        ("It occurs four times a day.", "frequency", "four times a day"),
        ("Episodes come every few hours.", "frequency", "every few hours"),
        ("It is stabbing.", "character", "stabbing"),
        ("The pain is tearing and radiates to the groin.", "character", "tearing"),
        ("The patient calls it odd.", "character", "odd"),
        ("Described as electric.", "character", "electric"),
        ("Radiates to the jaw.", "radiation", "jaw"),
        ("It shoots down the leg.", "radiation", "leg"),
        ("At worst it was 8/10.", "severity", "8/10"),
        ("He rates it as 6/10.", "severity", "6/10"),
        ("It is worse with bowel movements.", "aggravating", "bowel movements"),
        ("Worse w/ coughing.", "aggravating", "coughing"),
        ("It is located in the left elbow.", "location", "left elbow"),
    ],
)
def test_what_a_further_sentence_says_of_a_symptom(sentence: str, name: str, value: str) -> None:
    found = [item for item in extract(f"HPI: He has had burning pain. {sentence}").mentions if item.kind == "symptom"]
    assert value in {item.attributes.get(name) for item in found}
    assert {item.text for item in found} <= {"burning pain", "pain"}


def test_a_line_wrapped_before_a_number_goes_on() -> None:
    text = "HPI: This man was well until the summer of the year. He developed cough\n9 days ago and now comes for it.\n"
    assert mention(text, "cough").attributes["onset"] == "9 days ago"


def test_what_the_family_noticed_is_the_patients() -> None:
    assert mention("HPI: 71F with gout. The family also noticed jaundice and tremor.", "jaundice").kind == "symptom"


def test_compound_allergens_and_what_they_did() -> None:
    text = "Allergies: Iodine-based contrast media (hives); Vancomycin (red man syndrome)\n"
    told = {item.text: item.attributes.get("reaction") for item in extract(text).mentions if item.kind == "allergy"}
    assert told == {"Iodine-based contrast media": "hives", "Vancomycin": "red man syndrome"}


def test_an_antibiogram_is_no_treatment() -> None:
    text = "A 30-year-old man had fever. The isolate was resistant to penicillin and susceptible to linezolid."
    assert extract(text).medications == ()


def test_classes_and_new_names_are_drugs_in_a_case_report() -> None:
    text = "A 61-year-old woman was admitted with dyspnea. She was treated with diuretics and zelvatinib 40 mg daily."
    assert {item.name for item in extract(text).medications} == {"diuretics", "zelvatinib"}


def test_what_only_an_investigation_shows_is_no_symptom() -> None:
    text = "A 61-year-old woman presented with dyspnea. Brain MRI revealed diffuse enhancement and atrophy."
    kinds = {item.text: item.kind.value for item in extract(text).mentions}
    assert kinds["dyspnea"] == "symptom" and kinds["enhancement"] == kinds["atrophy"] == "examination"


def test_what_a_patient_is_told_in_a_plain_word_is_a_symptom_whoever_found_it() -> None:
    text = "A 61-year-old woman presented with dyspnea. Abdominal CT revealed a mass in the left kidney."
    kinds = {item.text: item.kind.value for item in extract(text).mentions}
    assert kinds["mass"] == "symptom"


def test_the_child_is_the_patient_and_a_score_is_no_relative() -> None:
    text = "A 2-year-old boy was admitted. The child had seizures, and his Child-Pugh class suggested cirrhosis."
    assert not [item for item in extract(text).mentions if item.kind == "family_history"]
    other = "A 40-year-old woman was admitted with cough. Her second child had asthma."
    assert [item.experiencer for item in extract(other).mentions if item.kind == "family_history"] == ["child"]


def test_family_history_that_is_denied_in_other_orders() -> None:
    for told in ("There was no history of early deafness in his family.", "None of her siblings were affected.",
                 "He had no relevant familial history."):  # fmt: skip
        found = [item for item in extract("A 33-year-old man had fever. " + told).mentions if "family" in item.kind]
        assert [item.assertion for item in found] == ["absent"], told


def test_a_substance_that_was_measured_is_no_drug() -> None:
    text = "A 30-year-old man had fever. The plasma level of carnitine was low, and lithium levels were normal."
    assert extract(text).medications == ()


def test_what_someone_is_treated_with_is_a_drug_of_home() -> None:
    text = "HPI: 60M with chest pain. For his hypertension he is treated with lisinopril."
    assert [item.role for item in extract(text).medications] == ["home"]

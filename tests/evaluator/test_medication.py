"""The medication detector: each pattern planted alone, its look-alikes, and clean plans."""

import csv
import gzip
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from etl.caserecord import Assertion, Diagnosis, Medication, MedicationRole
from evaluator.detectors.detection import Detection
from evaluator.detectors.medication import detect
from evaluator.evidence import EvaluationInput
from evaluator.medication.explanation import fault_of
from evaluator.medication.known import known, measured
from evaluator.medication.plan_drugs import PlanDrug, reason_for
from evaluator.quotes import quoted
from kg.facts import AnswerKey, Domain, Fact
from simulator.consultation.transcript import FinalPlan, Turn
from terminology import drugs
from terminology.diagnoses import name_of
from tests.evaluator.consultation import consultation

REASONS = {
    "ceftriaxone": "covers the usual bacteria of community-acquired pneumonia",
    "azithromycin": "atypical cover for the pneumonia",
    "lisinopril": "continued for high blood pressure",
    "warfarin": "stroke prevention in atrial fibrillation",
    "metoprolol": "rate control of atrial fibrillation",
    "acetaminophen": "for fever",
}
GIVEN = ("Ceftriaxone 1 g", "Azithromycin 250 mg", "Zestril", "Coumadin 5 mg", "Metoprolol Tartrate", "Docusate Sodium")
DIAGNOSES = (("J18.9", "Pneumonia"), ("I10", "Essential hypertension"), ("I48.91", "Atrial fibrillation"))
HISTORY = ("hypertension", "atrial fibrillation", "gout")


def _fact(number: int, domain: Domain, text: str, **more: object) -> Fact:
    return Fact.model_validate({"fact_id": f"f{number}", "domain": domain, "text": text, **more})


def _evidence(
    reasons: dict[str, str], *more: Fact, given: tuple[str, ...] = GIVEN, diagnosis: str = "Pneumonia"
) -> EvaluationInput:
    facts = [_fact(i, Domain.PAST_HISTORY, text) for i, text in enumerate(HISTORY)]
    facts += [_fact(20, Domain.SYMPTOM, "cough"), _fact(21, Domain.SYMPTOM, "fever")]
    facts += [_fact(30 + i, Domain.MEDICATION, text) for i, text in enumerate(("lisinopril", "Coumadin", "metoprolol"))]
    plan = FinalPlan(
        diagnosis=diagnosis,
        reasoning="Fever, cough and crackles. Atrial fibrillation and hypertension are stable.",
        drugs=tuple(reasons),
        drug_reasons={name: text for name, text in reasons.items() if text},
    )
    key = AnswerKey(
        case_id="test:1",
        diagnoses=tuple(
            Diagnosis(code=code, version="10", rank=rank, name=name, name_source="dictionary")
            for rank, (code, name) in enumerate(DIAGNOSES, 1)
        ),
        medications=tuple(Medication(name=name, role=MedicationRole.DISCHARGE) for name in given),
    )
    return consultation(plan).model_copy(update={"facts": (*facts, *more), "answer_key": key})


def _patterns(detection: Detection) -> list[tuple[str, str]]:
    return [(finding.pattern, finding.quote) for finding in detection.findings]


def test_a_plan_like_the_record_has_no_finding() -> None:
    detection = detect(_evidence(REASONS))
    assert detection.findings == ()
    assert set(detection.assessed_patterns) == {
        "reference_drug_deviation", "drug_diagnosis_mismatch", "unsafe_drug_use", "missing_important_drug",
        "incorrect_or_missing_explanation",
    }  # fmt: skip
    assert detection.opportunities["drugs_prescribed"] == 6


@pytest.mark.parametrize(
    ("instead_of", "drug", "reason"),
    [
        ("ceftriaxone", "Cefotaxime 1 g IV", "treats the pneumonia"),
        ("lisinopril", "losartan", "lowers the blood pressure"),
        ("metoprolol", "atenolol", "rate control in atrial fibrillation"),
        ("warfarin", "Eliquis", "prevents stroke in atrial fibrillation"),
        ("azithromycin", "doxycycline", "atypical cover for pneumonia"),
    ],
)
def test_a_same_class_drug_is_no_failure(instead_of: str, drug: str, reason: str) -> None:
    reasons = {**{name: text for name, text in REASONS.items() if name != instead_of}, drug: reason}
    assert detect(_evidence(reasons)).findings == ()


@pytest.mark.parametrize(
    ("drug", "reason"),
    [
        ("allopurinol", "prevents gout attacks"),
        ("senna", "prevents constipation"),
        ("pantoprazole", "protects the stomach beside warfarin"),
        ("0.9% Sodium Chloride", ""),
        ("Tylenol 500 mg", "for fever"),
    ],
)
def test_a_reasonable_addition_is_no_failure(drug: str, reason: str) -> None:
    assert detect(_evidence({**REASONS, drug: reason})).findings == ()


@pytest.mark.parametrize(("drug", "reason"), [("levothyroxine", "helps the pneumonia"), ("Aricept", "for memory")])
def test_a_drug_for_something_else(drug: str, reason: str) -> None:
    assert _patterns(detect(_evidence({**REASONS, drug: reason}))) == [("drug_diagnosis_mismatch", drug)]


@pytest.mark.parametrize(
    ("drug", "reason"), [("vancomycin", "broader cover of the pneumonia"), ("amlodipine", "for high blood pressure")]
)
def test_an_addition_that_the_record_does_not_hold(drug: str, reason: str) -> None:
    assert _patterns(detect(_evidence({**REASONS, drug: reason}))) == [("reference_drug_deviation", drug)]


@pytest.mark.parametrize(
    ("drug", "reason", "fact"),
    [
        ("amoxicillin", "treats the pneumonia", _fact(1, Domain.ALLERGY, "penicillin")),
        ("Unasyn", "treats the pneumonia", _fact(1, Domain.ALLERGY, "PCN (anaphylaxis)")),
        ("metformin", "blood sugar", _fact(1, Domain.PAST_HISTORY, "CKD stage 4")),
        ("metformin", "blood sugar", _fact(1, Domain.TEST_RESULT, "creatinine 3.4 mg/dL")),
        ("propranolol", "rate control", _fact(1, Domain.PAST_HISTORY, "asthma")),
        ("valproate", "prevents migraine", _fact(1, Domain.TEST_RESULT, "pregnancy test: positive")),
        ("ibuprofen", "for fever", _fact(1, Domain.DEMOGRAPHICS, "64")),  # beside warfarin
        ("diphenhydramine", "for itching", Fact(fact_id="demographics/age", domain=Domain.DEMOGRAPHICS, text=">89")),
    ],
)
def test_an_unsafe_drug(drug: str, reason: str, fact: Fact) -> None:
    found = _patterns(detect(_evidence({**REASONS, drug: reason}, fact)))
    assert found == [("unsafe_drug_use", drug)]


@pytest.mark.parametrize(
    "fact",
    [
        _fact(1, Domain.ALLERGY, "sulfa"),
        _fact(1, Domain.ALLERGY, "penicillin"),  # low cross-reactivity with ceftriaxone
        _fact(1, Domain.ALLERGY, "azithromycin", assertion=Assertion.ABSENT),
        _fact(1, Domain.ALLERGY, "No known drug allergies"),
        _fact(1, Domain.ALLERGY, "azithromycin", experiencer="mother"),
        _fact(1, Domain.PAST_HISTORY, "gastrointestinal bleeding", historical=True),
    ],
)
def test_what_does_not_make_the_plan_unsafe(fact: Fact) -> None:
    assert detect(_evidence(REASONS, fact)).findings == ()


def test_an_interaction_is_told_once_of_the_new_drug() -> None:
    found = detect(_evidence({**REASONS, "sulfamethoxazole-trimethoprim": "for pneumonia"}))
    assert _patterns(found) == [("unsafe_drug_use", "sulfamethoxazole-trimethoprim")]
    assert "warfarin" in found.findings[0].reason or "lisinopril" in found.findings[0].reason


@pytest.mark.parametrize(("left_out", "role"), [("warfarin", "chronic"), ("ceftriaxone", "acute")])
def test_a_key_drug_left_out(left_out: str, role: str) -> None:
    detection = detect(_evidence({name: text for name, text in REASONS.items() if name != left_out}))
    assert _patterns(detection) == [("missing_important_drug", "")]
    assert role in detection.findings[0].reason


def test_a_class_named_in_place_of_a_drug_covers_it() -> None:
    reasons = {name: text for name, text in REASONS.items() if name != "ceftriaxone"}
    detection = detect(_evidence({**reasons, "IV antibiotics": "treat the pneumonia"}))
    assert detection.findings == ()
    assert detection.opportunities["unresolved_drugs"] == 1


def test_comfort_drugs_are_not_missed() -> None:
    detection = detect(_evidence(REASONS, given=(*GIVEN, "Bisacodyl", "Multivitamin", "Ondansetron", "NS")))
    assert detection.findings == ()


@pytest.mark.parametrize("reason", ["", "N/A", "not available", "as needed", "standard therapy", "to treat diabetes"])
def test_an_explanation_that_is_none(reason: str) -> None:
    found = _patterns(detect(_evidence({**REASONS, "warfarin": reason})))
    assert [pattern for pattern, _ in found] == ["incorrect_or_missing_explanation"]


def test_swapped_explanations_are_both_wrong() -> None:
    swapped = {**REASONS, "warfarin": REASONS["azithromycin"], "azithromycin": REASONS["warfarin"]}
    assert len(detect(_evidence(swapped)).findings) == 2


@given(st.sampled_from(drugs.all_ingredients()))
def test_a_drugs_own_purpose_in_lay_words_is_an_explanation(ingredient: str) -> None:
    reason = f"It is given for {drugs.used_for(ingredient)}."
    assert fault_of(PlanDrug(ingredient, (ingredient,), reason)) is None


@pytest.mark.parametrize(
    ("drug", "reason"),
    [
        ("metoprolol", "Reduces myocardial oxygen demand and improves survival"),
        ("nimodipine", "Prevents vasospasm"),
        ("apixaban", "Stroke prevention given a CHA2DS2-VASc score of 4"),
        ("lactulose", "Lowers ammonia levels, titrate to three bowel movements"),
        ("lisinopril", "Continue home medication"),
        ("insulin", "Shifts potassium into cells"),
        ("senna", "Bowel regimen while taking opioids"),
        ("calcium carbonate", "Bone protection while on prednisone"),
    ],
)
def test_reasons_as_physicians_write_them_are_explanations(drug: str, reason: str) -> None:
    assert fault_of(PlanDrug(drug, drugs.normalise(drug).ingredients, reason)) is None


def test_reasons_are_found_under_another_name_of_the_drug() -> None:
    assert reason_for("Lopressor 25 mg", {"metoprolol": "slows the heart"}) == "slows the heart"
    assert reason_for("aspirin", {"metoprolol": "slows the heart"}) == ""


def test_unresolved_drugs_are_counted_and_not_judged() -> None:
    detection = detect(_evidence({**REASONS, "blorgazine": "treats the pneumonia"}))
    assert detection.findings == ()
    assert detection.opportunities["unresolved_drugs"] == 1


def test_without_plan_or_reference_less_is_assessed() -> None:
    assert detect(consultation(plan=None)) == Detection()
    without = detect(_evidence(REASONS, given=()))
    assert "reference_drug_deviation" not in without.assessed_patterns
    assert "missing_important_drug" not in without.assessed_patterns
    assert "unsafe_drug_use" in without.assessed_patterns
    assert without.findings == ()


def test_a_plan_without_drugs_misses_every_key_drug() -> None:
    detection = detect(_evidence({}))
    assert {pattern for pattern, _ in _patterns(detection)} == {"missing_important_drug"}
    assert len(detection.findings) == detection.opportunities["key_reference_drugs"] == 5


def test_an_allergy_told_in_an_imported_dialogue_counts() -> None:
    plan = FinalPlan(
        diagnosis="Tonsillitis", drugs=("amoxicillin",), drug_reasons={"amoxicillin": "treats tonsillitis"}
    )
    evidence = consultation(plan, [("Any allergies?", "Yes, I'm allergic to penicillin.")])
    assert _patterns(detect(evidence.model_copy(update={"answer_key": None}))) == [("unsafe_drug_use", "amoxicillin")]
    no_allergy = consultation(plan, [("Any allergies?", "No, I'm not allergic to anything.")])
    assert detect(no_allergy.model_copy(update={"answer_key": None})).findings == ()


@pytest.mark.parametrize(
    ("text", "conditions"),
    [("potassium 6.1", ("hyperkalemia",)), ("creatinine 0.9", ()), ("urine sodium 20", ()), ("eGFR 22", None)],
)
def test_measured_conditions(text: str, conditions: tuple[str, ...] | None) -> None:
    found = measured(_fact(1, Domain.TEST_RESULT, text))
    assert found == conditions if conditions is not None else "severe_renal_impairment" in found


def test_age_is_known_from_the_record_or_the_opening() -> None:
    assert known(consultation()).age == 60
    fact = Fact(fact_id="demographics/age", domain=Domain.DEMOGRAPHICS, text=">89")
    assert known(consultation().model_copy(update={"facts": (fact,)})).age == 90


def _own_treatment(folder: Path, most: int) -> Iterator[EvaluationInput]:
    """MIMIC-IV demo admissions, each with a plan of its own inpatient drugs and their purposes as reasons."""
    given: dict[str, dict[tuple[str, ...], str]] = defaultdict(dict)
    coded: dict[str, list[Diagnosis]] = defaultdict(list)
    with gzip.open(folder / "prescriptions.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            ingredients = drugs.normalise(row["drug"]).ingredients
            if ingredients:
                given[row["hadm_id"]].setdefault(ingredients, row["drug"].strip())
    with gzip.open(folder / "diagnoses_icd.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name = name_of(row["icd_code"], int(row["icd_version"])).name
            version = "9" if row["icd_version"] == "9" else "10"
            coded[row["hadm_id"]].append(
                Diagnosis(
                    code=row["icd_code"], version=version, rank=int(row["seq_num"]), name=name, name_source="dictionary"
                )
            )
    for admission in sorted(given)[:most]:
        names = {name: ingredients for ingredients, name in given[admission].items()}
        reasons = {name: "for " + drugs.used_for(ingredients[0]) for name, ingredients in names.items()}
        listed = sorted(coded[admission], key=lambda item: item.rank)
        plan = FinalPlan(diagnosis=listed[0].name if listed else "", drugs=tuple(names), drug_reasons=reasons)
        medications = tuple(Medication(name=name, role=MedicationRole.INPATIENT) for name in names)
        key = AnswerKey(case_id=admission, diagnoses=tuple(listed), medications=medications)
        yield consultation(plan).model_copy(update={"answer_key": key})


@pytest.mark.shared
def test_the_records_own_treatment_is_clean(shared_data: Path) -> None:
    found = [detect(item) for item in _own_treatment(shared_data / "mimic4_demo" / "hosp", 80)]
    prescribed = sum(item.opportunities["drugs_prescribed"] for item in found)
    faulted = [finding.pattern for item in found for finding in item.findings]
    assert prescribed > 1000
    assert len(faulted) <= 0.005 * prescribed, Counter(faulted)


@given(st.lists(st.sampled_from(drugs.all_ingredients()), max_size=8, unique=True), st.text(max_size=40))
def test_every_finding_is_quoted_from_the_plan(names: list[str], reason: str) -> None:
    evidence = _evidence(dict.fromkeys(names, reason))
    kept, aside = quoted(detect(evidence).findings, evidence.words)
    assert aside == ()
    assert all(finding.reason and finding.decided_by == "detector:medication@1" for finding in kept)


@pytest.mark.parametrize(
    ("status", "told", "unsafe"), [("assumed_denied", False, 0), ("given", True, 1), ("", False, 1)]
)
def test_an_allergy_that_was_denied_when_asked_is_not_known(status: str, told: bool, unsafe: int) -> None:
    allergy = _fact(90, Domain.ALLERGY, "penicillin")
    evidence = _evidence({**REASONS, "amoxicillin": "treats pneumonia"}, allergy)
    ask = {"domain": "allergy", "attribute": "list", "words": "any allergies to medicines?"}
    outcomes = [{"ask": ask, "status": status}] if status else []
    side = {"words": "…", "understanding": {}, "outcomes": outcomes, "disclosed": [allergy] if told else []}
    turn = Turn.model_validate({"index": 1, "doctor_words": "Any allergies to medicines?", "patient": side})
    transcript = evidence.transcript.model_copy(update={"turns": (turn,)})
    found = detect(evidence.model_copy(update={"transcript": transcript})).findings
    assert sum(finding.pattern == "unsafe_drug_use" for finding in found) == unsafe

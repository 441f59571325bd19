"""The spellings that people use for fields, statuses, domains and assertions of hand-written consultations."""

import re

from etl.caserecord import Assertion
from kg.facts import Domain
from simulator.patient.asks import AskStatus

SPELLINGS = {
    "case_id": ("case_id", "id", "case", "name"),
    "case": ("case", "case_facts", "patient_case"),
    "opening": ("opening", "intro", "initial_info", "vignette"),
    "facts": ("facts", "case_facts", "patient_facts", "graph"),
    "turns": ("turns", "dialogue", "dialog", "conversation", "transcript"),
    "doctor": ("doctor", "doctor_words", "question", "clinician", "d", "q"),
    "patient": ("patient", "patient_words", "answer", "reply", "p", "a"),
    "words": ("words", "text", "answer", "reply"),
    "status": ("status", "statuses", "patient_status", "outcome", "outcomes", "s"),
    "emotion": ("emotion", "patient_emotion", "emotions"),
    "told": ("facts", "told", "disclosed", "fact_ids", "f"),
    "volunteered": ("volunteered", "offered"),
    "plan": ("plan", "final_plan", "conclusion", "final", "final_answer"),
    "findings": ("findings", "gold", "gold_findings", "labels", "failures", "expected"),
    "references": ("references", "reference", "answer_key", "answer", "key"),
    "diagnoses": ("diagnoses", "diagnosis", "reference_diagnoses", "reference_diagnosis"),
    "medications": ("medications", "medication", "drugs", "reference_medications", "reference_drugs"),
    "drugs": ("drugs", "medications", "prescriptions"),
    "drug_reasons": ("drug_reasons", "medication_reasons", "reasons", "drug_reasoning", "medication_reasoning"),
    "category_summaries": ("category_summaries", "summaries", "summary", "category_summary"),
    "pattern": ("pattern", "failure_pattern", "label", "type"),
    "turn": ("turns", "turn", "turn_index", "step"),
}
STATUS_WORDS = {
    "": AskStatus.GIVEN, "answered": AskStatus.GIVEN, "present": AskStatus.GIVEN, "yes": AskStatus.GIVEN,
    "no": AskStatus.DENIED, "absent": AskStatus.DENIED, "unsure": AskStatus.UNKNOWN, "uncertain": AskStatus.UNKNOWN,
    "not_sure": AskStatus.UNKNOWN, "unclear": AskStatus.VAGUE, "ambiguous": AskStatus.VAGUE,
    "refused": AskStatus.WITHHELD, "volunteered": AskStatus.GIVEN, "partial": AskStatus.GIVEN,
    "partly": AskStatus.GIVEN, "told": AskStatus.GIVEN, "stated": AskStatus.GIVEN, "confirmed": AskStatus.GIVEN,
    "affirmed": AskStatus.GIVEN, "positive": AskStatus.GIVEN, "clear": AskStatus.GIVEN, "clarified": AskStatus.GIVEN,
    "negative": AskStatus.DENIED, "deny": AskStatus.DENIED, "denies": AskStatus.DENIED, "denial": AskStatus.DENIED,
    "none": AskStatus.DENIED, "negated": AskStatus.DENIED, "not_known": AskStatus.UNKNOWN,
    "dont_know": AskStatus.UNKNOWN, "don't_know": AskStatus.UNKNOWN, "doesnt_know": AskStatus.UNKNOWN,
    "does_not_know": AskStatus.UNKNOWN, "do_not_know": AskStatus.UNKNOWN, "cannot_say": AskStatus.UNKNOWN,
    "uncertain_answer": AskStatus.UNKNOWN, "not_remembered": AskStatus.UNKNOWN, "forgotten": AskStatus.UNKNOWN,
    "vague_answer": AskStatus.VAGUE, "imprecise": AskStatus.VAGUE, "unclear_expression": AskStatus.VAGUE,
    "evasive": AskStatus.WITHHELD, "declined": AskStatus.WITHHELD, "declines": AskStatus.WITHHELD,
    "refuses": AskStatus.WITHHELD, "not_told": AskStatus.WITHHELD,
}  # fmt: skip
NO_EMOTION = {
    "none", "neutral", "calm", "relief", "relieved", "grateful", "gratitude", "happy", "happiness", "content",
    "contentment", "cheerful", "cooperative", "friendly", "hopeful", "hope", "trust", "interest", "curious", "fine",
    "ok", "okay", "normal", "n/a", "null", "no",
}  # fmt: skip
NONE = re.compile(
    r"^\W*(?:(?:none|nil|nothing|nkd?a|negative)(?: (?:known|reported|relevant|significant|of note|at all|regular\w*))*"
    r"|(?:no|denies|without) (?:(?:known|relevant|significant|regular|drug|medicine|medication|food|past|other|family"
    r"|medical|surgical|previous|long-term|chronic) )*(?:allerg\w+|surger\w+|operations?|medications?|medicines?|drugs"
    r"|illness\w*|conditions?|history|problems?|diseases?))(?: of note)?\W*$",
    re.IGNORECASE,
)
"""A fact whose text says that there is nothing of its domain: an absence, whatever else the file says of it."""
DOMAIN_WORDS = {
    "hpi": Domain.SYMPTOM, "symptoms": Domain.SYMPTOM, "present_illness": Domain.SYMPTOM,
    "history_of_present_illness": Domain.SYMPTOM, "associated_symptom": Domain.SYMPTOM,
    "associated_symptoms": Domain.SYMPTOM, "related_symptoms": Domain.SYMPTOM, "negatives": Domain.SYMPTOM,
    "medical_history": Domain.PAST_HISTORY, "past_medical_history": Domain.PAST_HISTORY, "past": Domain.PAST_HISTORY,
    "condition": Domain.PAST_HISTORY, "conditions": Domain.PAST_HISTORY, "comorbidity": Domain.PAST_HISTORY,
    "comorbidities": Domain.PAST_HISTORY, "pmh": Domain.PAST_HISTORY, "history": Domain.PAST_HISTORY,
    "past_surgical_history": Domain.SURGICAL_HISTORY, "surgical": Domain.SURGICAL_HISTORY,
    "procedure": Domain.SURGICAL_HISTORY, "procedures": Domain.SURGICAL_HISTORY,
    "operation": Domain.SURGICAL_HISTORY, "operations": Domain.SURGICAL_HISTORY,
    "current_medication": Domain.MEDICATION, "current_medications": Domain.MEDICATION,
    "medication_history": Domain.MEDICATION, "home_medications": Domain.MEDICATION, "drugs": Domain.MEDICATION,
    "medicine": Domain.MEDICATION, "medicines": Domain.MEDICATION, "drug_history": Domain.MEDICATION,
    "drug_allergy": Domain.ALLERGY, "family_medical_history": Domain.FAMILY_HISTORY, "fh": Domain.FAMILY_HISTORY,
    "occupation": Domain.SOCIAL_HISTORY, "work": Domain.SOCIAL_HISTORY, "living": Domain.SOCIAL_HISTORY,
    "substance_use": Domain.LIFESTYLE, "smoking": Domain.LIFESTYLE, "alcohol": Domain.LIFESTYLE,
    "ros": Domain.REVIEW_OF_SYSTEMS, "mental_state": Domain.MENTAL_STATUS, "mental_health": Domain.MENTAL_STATUS,
    "psychiatric": Domain.MENTAL_STATUS, "mood": Domain.MENTAL_STATUS, "exam": Domain.EXAMINATION,
    "vital_sign": Domain.EXAMINATION, "vital_signs": Domain.EXAMINATION, "physical_examination": Domain.EXAMINATION,
    "lab": Domain.TEST_RESULT, "labs": Domain.TEST_RESULT, "tests": Domain.TEST_RESULT,
    "investigation": Domain.TEST_RESULT, "investigations": Domain.TEST_RESULT, "imaging": Domain.TEST_RESULT,
    "laboratory_result": Domain.TEST_RESULT, "test_results": Domain.TEST_RESULT, "age": Domain.DEMOGRAPHICS,
    "sex": Domain.DEMOGRAPHICS, "gender": Domain.DEMOGRAPHICS, "risk_factors": Domain.RISK_FACTOR,
    "concern": Domain.IDEAS_CONCERNS, "concerns": Domain.IDEAS_CONCERNS, "ideas": Domain.IDEAS_CONCERNS,
    "presenting_complaint": Domain.CHIEF_COMPLAINT, "main_complaint": Domain.CHIEF_COMPLAINT,
    "cc": Domain.CHIEF_COMPLAINT,
    "surgery": Domain.SURGICAL_HISTORY, "surgeries": Domain.SURGICAL_HISTORY,
    "home_medication": Domain.MEDICATION, "medications": Domain.MEDICATION, "drug": Domain.MEDICATION,
    "allergies": Domain.ALLERGY, "family": Domain.FAMILY_HISTORY, "social": Domain.SOCIAL_HISTORY,
    "habit": Domain.LIFESTYLE, "habits": Domain.LIFESTYLE, "vital": Domain.EXAMINATION, "vitals": Domain.EXAMINATION,
    "laboratory": Domain.TEST_RESULT, "test": Domain.TEST_RESULT, "complaint": Domain.CHIEF_COMPLAINT,
    "demographic": Domain.DEMOGRAPHICS, "mental": Domain.MENTAL_STATUS, "risk": Domain.RISK_FACTOR,
}  # fmt: skip
SUBSTANCE = re.compile(r"\b(?:alcohol|drink(?:s|ing|er)?|smok\w+|tobacco|cigarettes?|vap(?:es|ing))\b", re.IGNORECASE)
ASSERTION_WORDS = {
    "negated": Assertion.ABSENT, "denied": Assertion.ABSENT, "no": Assertion.ABSENT, "negative": Assertion.ABSENT,
    "false": Assertion.ABSENT, "yes": Assertion.PRESENT, "positive": Assertion.PRESENT, "true": Assertion.PRESENT,
    "affirmed": Assertion.PRESENT, "given": Assertion.PRESENT, "uncertain": Assertion.POSSIBLE,
    "unsure": Assertion.POSSIBLE, "suspected": Assertion.POSSIBLE,
}  # fmt: skip

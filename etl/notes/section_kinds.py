"""The kinds of section that a chart note is divided into, and the spans that division gives."""

from dataclasses import dataclass
from enum import StrEnum


class SectionKind(StrEnum):
    """What a section holds, whatever its heading says. NARRATIVE is text under no heading (case reports)."""

    CHIEF_COMPLAINT = "chief_complaint"
    PRESENT_ILLNESS = "history_of_present_illness"
    MEDICAL_HISTORY = "past_medical_history"
    SURGICAL_HISTORY = "past_surgical_history"
    SOCIAL_HISTORY = "social_history"
    FAMILY_HISTORY = "family_history"
    ALLERGIES = "allergies"
    HOME_MEDICATIONS = "home_medications"
    REVIEW_OF_SYSTEMS = "review_of_systems"
    PHYSICAL_EXAM = "physical_exam"
    VITAL_SIGNS = "vital_signs"
    LABORATORY = "laboratory"
    IMAGING = "imaging"
    HOSPITAL_COURSE = "hospital_course"
    ASSESSMENT = "assessment"
    PLAN = "plan"
    DISCHARGE_MEDICATIONS = "discharge_medications"
    DISCHARGE_DIAGNOSIS = "discharge_diagnosis"
    ADMISSION_DIAGNOSIS = "admission_diagnosis"
    DISCHARGE_CONDITION = "discharge_condition"
    DISCHARGE_INSTRUCTIONS = "discharge_instructions"
    DISPOSITION = "disposition"
    PROCEDURES = "procedures"
    IMMUNIZATIONS = "immunizations"
    GYNECOLOGIC_HISTORY = "gynecologic_history"
    ADMINISTRATIVE = "administrative"
    OTHER = "other"
    NARRATIVE = "narrative"


@dataclass(frozen=True, slots=True)
class Section:
    """Characters [start, end) of a note; `start` is the heading's first character, `body` the first after it."""

    kind: SectionKind
    heading: str
    start: int
    body: int
    end: int

"""A note as extraction reads it, and what extraction gives back."""

from typing import Literal

from etl.caserecord import Diagnosis, Medication, Mention, Spokesperson
from foundation.records import Frozen


class Note(Frozen):
    """One document. `case_id` is the CaseRecord's ("<source>:<hadm_id>"); `text` is kept as read, never rewritten.

    `category` is the source's own word ("Discharge summary", "case report", "" where unknown). Every span that
    extraction returns counts characters (code points) of `text`.
    """

    note_id: str
    case_id: str
    category: str = ""
    text: str


class DemographicsHints(Frozen):
    """What the words of a note say about who the patient is; tables, where they exist, overrule it.

    `age` in whole years (0 for infants); over 89 is `age_over_89` with age None. None or "" where not said.
    """

    age: int | None = None
    age_over_89: bool = False
    sex: Literal["F", "M", ""] = ""
    occupation: str | None = None
    living_situation: str | None = None


class NoteExtraction(Frozen):
    """Everything that one note gave.

    `mentions` are in order of their place in the note, and their evidence holds the span and the verbatim quote.
    `medications` hold home and discharge roles; home ones also stand among the mentions. `diagnoses` have no code
    (version "", name_source "note"). `dropped` counts entities that an extractor proposed and that the note's words
    do not bear out (a language model's inventions); 0 for the other extractors.
    """

    chief_complaint: str = ""
    mentions: tuple[Mention, ...] = ()
    medications: tuple[Medication, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    demographics_hints: DemographicsHints = DemographicsHints()
    spokesperson: Spokesperson | None = None
    dropped: int = 0

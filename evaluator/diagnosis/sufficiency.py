"""Did the dialogue hold enough to reach a reference diagnosis (paper: "Correct diagnoses can be made…")?

Rule: of what the patient's graph holds as present symptoms, at least half was told, and at least two (or all, where
there are fewer), or the patient told the reference condition itself. Undefined without symptoms on record.
"""

from collections.abc import Sequence

from etl.caserecord import Assertion
from kg.facts import Domain, Fact

LEAST, SHARE = 2, 0.5
PRESENTING = (Domain.CHIEF_COMPLAINT, Domain.SYMPTOM)


def presenting(facts: Sequence[Fact]) -> dict[str, Fact]:
    """Present complaints and symptoms of the patient, one for each concept (or wording, where none is known)."""
    found = (
        fact
        for fact in facts
        if fact.domain in PRESENTING and fact.assertion is Assertion.PRESENT and fact.experiencer == "patient"
    )
    return {fact.concept or fact.text.lower(): fact for fact in found if not fact.historical}


def dialogue_sufficient(facts: Sequence[Fact], disclosed: Sequence[Fact]) -> bool | None:
    """Whether enough was told; None where the record has no presenting symptom."""
    on_record, told = presenting(facts), presenting(disclosed)
    if not on_record:
        return None
    shared = len(on_record.keys() & told.keys())
    return shared >= min(LEAST, len(on_record)) and shared >= SHARE * len(on_record)

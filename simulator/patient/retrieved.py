"""What retrieval hands on: the finding, the facts, and the groups of domains that retrieval goes by."""

from dataclasses import dataclass
from enum import StrEnum

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.asks import Ask, Attribute

SYMPTOM_DOMAINS = frozenset({Domain.CHIEF_COMPLAINT, Domain.SYMPTOM})
ASKED_AS_SYMPTOM = frozenset(
    {Domain.SYMPTOM, Domain.SYMPTOM_DETAIL, Domain.REVIEW_OF_SYSTEMS, Domain.MENTAL_STATUS, Domain.CHIEF_COMPLAINT}
)
PERSONAL = frozenset({Domain.SOCIAL_HISTORY, Domain.LIFESTYLE, Domain.DEMOGRAPHICS})
FINDINGS = frozenset({Domain.EXAMINATION, Domain.TEST_RESULT})
RISKS = frozenset({Domain.PAST_HISTORY, Domain.FAMILY_HISTORY, Domain.LIFESTYLE})
WHOLE = (Attribute.EXISTENCE, Attribute.LIST, Attribute.ASSOCIATED, Attribute.RELATION)


class Finding(StrEnum):
    """What retrieval found."""

    PRESENT = "present"
    ABSENT = "absent"
    DETAIL = "detail"
    DETAIL_MISSING = "detail_missing"
    NARROWER_ABSENT = "narrower_absent"
    UNDOCUMENTED = "undocumented"
    NOT_TOLD = "not_told"
    CHART_ONLY = "chart_only"
    GIVEN_HERE = "given_here"
    OUT_OF_PLACE = "out_of_place"


@dataclass(frozen=True)
class Retrieved:
    """An ask, the facts that answer it, and for DETAIL which attribute of theirs does ("text": the statement)."""

    ask: Ask
    finding: Finding
    facts: tuple[Fact, ...] = ()
    attribute: str = ""


def asks_effects(ask: Ask) -> bool:
    """Whether the ask is how a medicine is borne ("Does metformin make you ill?")."""
    return ask.domain is Domain.MEDICATION and ask.attribute is Attribute.REACTION and ask.experiencer == "patient"


def is_relatives(fact: Fact) -> bool:
    """Whether a fact is a relative's, not the patient's own."""
    return fact.domain is Domain.FAMILY_HISTORY or fact.experiencer != "patient"


def is_now(fact: Fact) -> bool:
    """Whether a fact holds now: neither denied nor over."""
    return fact.assertion is not Assertion.ABSENT and not fact.historical

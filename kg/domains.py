"""Which part of the history a mention answers for: MentionKind to Domain, lifestyle parted from the social history."""

import re
from functools import cache
from importlib.resources import files

from etl.caserecord import Mention, MentionKind
from kg.facts import Domain
from terminology import concepts

_DOMAINS: dict[MentionKind, Domain] = {
    MentionKind.SYMPTOM: Domain.SYMPTOM,
    MentionKind.MEDICAL_HISTORY: Domain.PAST_HISTORY,
    MentionKind.SURGICAL_HISTORY: Domain.SURGICAL_HISTORY,
    MentionKind.SOCIAL_HISTORY: Domain.SOCIAL_HISTORY,
    MentionKind.FAMILY_HISTORY: Domain.FAMILY_HISTORY,
    MentionKind.ALLERGY: Domain.ALLERGY,
    MentionKind.VITAL: Domain.EXAMINATION,
    MentionKind.EXAMINATION: Domain.EXAMINATION,
    MentionKind.LABORATORY: Domain.TEST_RESULT,
    MentionKind.HOME_MEDICATION: Domain.MEDICATION,
}


def domain_of(mention: Mention) -> Domain:
    """The domain that the mention is stored under (see `kg.facts.Fact`)."""
    if mention.kind is MentionKind.SOCIAL_HISTORY and _is_lifestyle(mention):
        return Domain.LIFESTYLE
    return _DOMAINS[mention.kind]


def _is_lifestyle(mention: Mention) -> bool:
    concept = concepts.get(mention.concept) if mention.concept else None
    if concept is not None and concept.kind == "habit":
        return True
    return _lifestyle_pattern().search(mention.text) is not None


@cache
def _lifestyle_pattern() -> re.Pattern[str]:
    lines = (files("kg") / "lifestyle_terms.txt").read_text(encoding="utf-8").splitlines()
    terms = [re.escape(line.strip()) for line in lines if line.strip() and not line.startswith("#")]
    return re.compile(rf"\b(?:{'|'.join(terms)})", re.IGNORECASE)

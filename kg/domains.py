"""Which part of the history a mention answers for: MentionKind to Domain, lifestyle parted from the social history."""

import csv
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
    """By the concept where it is a habit; by the words where it is none or something else."""
    concept = concepts.get(mention.concept) if mention.concept else None
    if mention.concept in _terms("concept"):
        return True
    if concept is not None and concept.kind == "habit":
        return False
    return _words().search(mention.text) is not None


@cache
def _words() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(re.escape(word) for word in sorted(_terms('word')))})", re.IGNORECASE)


@cache
def _terms(kind: str) -> frozenset[str]:
    """Terms of `lifestyle.csv`: concept keys, or words as they begin (any case) in a statement without a concept."""
    lines = (files("kg") / "lifestyle.csv").read_text(encoding="utf-8").splitlines()
    return frozenset(row["term"] for row in csv.DictReader(lines) if row["kind"] == kind)

"""Whether a plan says why it gives a drug, and whether that reason is about this drug."""

import re
from enum import StrEnum
from functools import cache

from evaluator.medication.plan_drugs import PlanDrug
from terminology import drug_conditions, drug_roles, drug_table, drugs, safety

_SHORTEST = 2
_SHARED_WORDS = 2
_SMALL_WORDS = frozenset(
    {"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "some", "that", "the", "to", "with"}
)
_EMPTY_PHRASES = re.compile(
    r"^\W*(?:(?:as|if|when) (?:needed|indicated|required|appropriate|prescribed|directed)"
    r"|(?:for |standard |appropriate |routine |usual )*"
    r"(?:treatment|therapy|care|management|medication|drug|use|practice)"
    r"|(?:it |this )?(?:is |may be |will |should )?(?:help|useful|good|beneficial|recommended|indicated|appropriate)\w*"
    r"|(?:for )?(?:the )?(?:patient|condition|disease|problem|symptoms?)(?:'s)?(?: condition)?"
    r"|(?:doctor|physician|clinical) (?:choice|judgement|judgment|preference))\W*$"
)


class Fault(StrEnum):
    """What is wrong with an explanation."""

    MISSING = "missing"
    UNCLEAR = "unclear"
    OTHER_DRUG = "other_drug"
    OTHER_INDICATION = "other_indication"


def fault_of(drug: PlanDrug) -> Fault | None:
    """The fault of a resolved or unresolved drug's reason; None where nothing speaks against it.

    A reason that names conditions must name one that the drug is for; a reason that names drugs or classes, and no
    condition that this drug is for, must name this one. What is not recognised is not faulted.
    """
    if not drug.reason:
        return Fault.MISSING
    reason = drug.reason.lower()
    purposes = drug_conditions.in_text(drug.reason)
    if not purposes and (len(reason.split()) < _SHORTEST or _EMPTY_PHRASES.match(reason)):
        return None if _about_class(drug, reason) else Fault.UNCLEAR
    if not drug.resolved:
        return None
    fits = any(_for(name, purposes) for name in drug.ingredients)
    if fits:
        return None
    named = {name for match in drugs.find(drug.reason) for name in match.ingredients}
    if _about_class(drug, reason):
        return None
    if named and not named & set(drug.ingredients) and not _supports_named(drug, named):
        return Fault.OTHER_DRUG
    if purposes:
        return Fault.OTHER_INDICATION
    return None


def _for(ingredient: str, purposes: frozenset[str]) -> bool:
    return bool(safety.indications(ingredient) & drug_conditions.with_narrower(drug_conditions.with_broader(purposes)))


def _supports_named(drug: PlanDrug, named: set[str]) -> bool:
    """Whether the reason may speak of another drug: beside it, in its place, or of the same class."""
    own = {kind for name in drug.ingredients for kind in safety.subjects(name)}
    related = any(own & drugs.classes(name) for name in named)
    return related or any(drug_roles.supports(name, named) for name in drug.ingredients)


def _about_class(drug: PlanDrug, reason: str) -> bool:
    """Whether the reason names one of the drug's classes ("beta blocker") or says what it is for in lay words."""
    words = f" {drug_table.key_of(reason)} "
    kinds = {kind.replace("_", " ") for name in drug.ingredients for kind in drugs.classes(name)}
    if any(f" {kind} " in words or f" {kind}s " in words for kind in kinds):
        return True
    said = set(words.split())
    return any(len(said & _purpose_words(name)) >= _SHARED_WORDS for name in drug.ingredients)


@cache
def _purpose_words(ingredient: str) -> frozenset[str]:
    words = drug_table.key_of(drugs.used_for(ingredient)).split()
    return frozenset(word for word in words if word not in _SMALL_WORDS)

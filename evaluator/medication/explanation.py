"""Whether a plan says why it gives a drug, and whether that reason is about this drug."""

import re
from enum import StrEnum
from functools import cache

from evaluator.medication.plan_drugs import PlanDrug
from terminology import drug_conditions, drug_roles, drug_table, drugs, safety
from terminology.drug_table import DATA, read_rows

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


_AVOIDED = re.compile(
    r"\b(?:with|despite|given|in) (?:her|his|the|a|their|your|known)? ?\w+ allergy|\b[\w-]+ (?:allergy|allergic)\b"
    r"|\b(?:because of|owing to|due to|given) (?:her|his|their|the|a|known)? ?(?:\w+ )?allergy"
    r"|\b(?:alternative to|in place of|allergic to|instead of|rather than|avoid\w*|not) [\w-]+"
    r"|\b(?:cannot (?:have|take)|can't (?:have|take)) [\w-]+",
    re.IGNORECASE,
)


_SIDE_EFFECTS = re.compile(r"\b(?:side|adverse|unwanted|toxic)[- ]effects?\b|\btoxicity\b", re.IGNORECASE)
"""What a drug is to lessen names no purpose of its own; the drug that has them is named beside it."""

_SETTING = re.compile(
    r"(?P<purpose>\b(?:helps?|helpful|deals?|assists?|copes?|used?|useful|given|indicated|effective|works?|treatment|drug"
    r"|choice|first-line) )?\b(?:in|with|despite|given|because of)\b[^,;.]*",
    re.IGNORECASE,
)
"""Whom a drug is for ("… in a diabetic"), behind what it is for: no purpose of its own."""

_ROUTES = ("topical ", "systemic ", "inhaled ", "nasal ", "oral ", "enteric ")


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
    purposes = drug_conditions.in_text(_AVOIDED.sub(" ", _SIDE_EFFECTS.sub(" ", drug.reason)))
    spoken_of = drug_conditions.in_text(drug.reason)
    if not spoken_of and (len(reason.split()) < _SHORTEST or _EMPTY_PHRASES.match(reason) or _says_nothing(reason)):
        return None if _about_class(drug, reason) else Fault.UNCLEAR
    if not drug.resolved:
        return None
    fits = any(_for(name, purposes) for name in drug.ingredients)
    if fits or _claims_own_action(drug, reason):
        return None
    named = {name for match in drugs.find(_AVOIDED.sub(" ", drug.reason)) for name in match.ingredients}
    if _about_class(drug, reason):
        return None
    if named and not named & set(drug.ingredients) and not _supports_named(drug, named):
        return Fault.OTHER_DRUG
    if _claims_other_action(drug, reason) or (purposes and not _of_setting(drug.reason)):
        return Fault.OTHER_INDICATION
    return None


def _of_setting(reason: str) -> bool:
    """Whether all conditions that a reason names are those in which the drug is given, behind some other purpose."""
    bare = _SETTING.sub(lambda match: match[0] if match["purpose"] else " ", reason)
    return len(bare.split()) > _SHORTEST and not drug_conditions.in_text(_AVOIDED.sub(" ", bare))


def _says_nothing(reason: str) -> bool:
    """Whether every word of a reason is one that says nothing of what the drug does ("as clinically appropriate")."""
    return all(word in _empty_words() for word in re.findall(r"[a-z]+", reason))


def _claims_own_action(drug: PlanDrug, reason: str) -> bool:
    """Whether the reason states in lay words an action that a class of the drug has."""
    kinds = {kind for name in drug.ingredients for kind in (name, *drugs.classes(name))}
    return any(kinds & classes for pattern, classes in _actions() if pattern.search(reason))


def _claims_other_action(drug: PlanDrug, reason: str) -> bool:
    """Whether the reason states actions in lay words ("thins the blood"), none of which a class of the drug has."""
    kinds = {kind for name in drug.ingredients for kind in (name, *drugs.classes(name))}
    claimed = [classes for pattern, classes in _actions() if pattern.search(reason)]
    return bool(claimed) and bool(kinds) and not any(kinds & classes for classes in claimed)


@cache
def _empty_words() -> frozenset[str]:
    return frozenset((DATA / "drugs_empty_reason_words.txt").read_text("utf-8").split())


@cache
def _actions() -> tuple[tuple[re.Pattern[str], frozenset[str]], ...]:
    rows = read_rows(DATA / "drugs_stated_actions.csv", ("pattern", "classes"))
    return tuple((re.compile(rf"\b(?:{row['pattern']})"), frozenset(row["classes"].split("|"))) for row in rows)


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
    kinds |= {kind.removeprefix(route) for kind in kinds for route in _ROUTES}
    if any(kind.endswith("corticosteroid") for kind in kinds):
        kinds |= {"steroid", "cortisone"}
    kinds |= {word for word, kind in drug_table.class_words() if kind.replace("_", " ") in kinds}
    if any(f" {kind} " in words or f" {kind}s " in words for kind in kinds):
        return True
    said = set(words.split())
    return any(len(said & _purpose_words(name)) >= _SHARED_WORDS for name in drug.ingredients)


@cache
def _purpose_words(ingredient: str) -> frozenset[str]:
    words = drug_table.key_of(drugs.used_for(ingredient)).split()
    return frozenset(word for word in words if word not in _SMALL_WORDS)

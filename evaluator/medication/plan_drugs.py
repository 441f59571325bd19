"""A plan's drugs by active ingredient, each with the reason that the plan gives for it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evaluator.outcomes import recommended_drugs
from evaluator.quotes import folded
from simulator.consultation.transcript import FinalPlan
from terminology import drug_table, drugs

_NO_REASON = re.compile(
    r"^\W*(?:n/?a|none|nil|null|unknown|not (?:available|applicable|provided|specified|stated|documented)|tbd|-*)\W*$"
)


@dataclass(frozen=True, slots=True)
class PlanDrug:
    """A drug as the plan writes it, its ingredients (empty where unresolved) and the reason's words ("" for none)."""

    name: str
    ingredients: tuple[str, ...]
    reason: str

    @property
    def resolved(self) -> bool:
        """Whether the drug is known, so that something can be decided about it."""
        return bool(self.ingredients)


def plan_drugs(plan: FinalPlan) -> tuple[PlanDrug, ...]:
    """The plan's drugs without carrier fluids, each once, in the plan's order."""
    return tuple(
        PlanDrug(name, drugs.normalise(name).ingredients, reason_for(name, plan.drug_reasons))
        for name in recommended_drugs(plan.drugs)
    )


def reason_for(name: str, reasons: Mapping[str, str]) -> str:
    """The reason given under the drug's name, or under another name of the same ingredients; "" where there is none.

    "Not available", "N/A" and the like are no reason.
    """
    own = folded(name)
    ingredients = drugs.normalise(name).ingredients
    exact = [text for key, text in reasons.items() if folded(key) == own]
    same = [text for key, text in reasons.items() if ingredients and drugs.normalise(key).ingredients == ingredients]
    text = next((text for text in (*exact, *same) if text.strip()), "")
    return "" if _NO_REASON.match(text.lower()) else text.strip()


def named_classes(name: str) -> frozenset[str]:
    """Classes that an unresolved entry names instead of a drug ("an ACE inhibitor", "antibiotics")."""
    words = f" {drug_table.key_of(name)} "
    return frozenset(kind for word, kind in drug_table.class_words() if f" {word} " in words or f" {word}s " in words)

"""Unsafe use of a plan's drugs: allergy, condition, age, interaction. Major rows of `terminology.safety` only."""

from collections.abc import Iterator

from evaluator.medication.known import Known
from evaluator.medication.plan_drugs import PlanDrug
from terminology import drug_conditions, drugs, safety


def unsafe_reason(drug: PlanDrug, plan: tuple[PlanDrug, ...], patient: Known, given: frozenset[str]) -> str:
    """Why the drug is unsafe for this patient, in one sentence; "" where nothing grave is known.

    `given` are the ingredients that the record itself gave. An allergy counts always, except to a drug that the
    patient takes already. Conditions, age and interactions do not count against what was given or is taken already:
    it was weighed by those who saw the patient.
    """
    settled = given | patient.home
    for ingredient in drug.ingredients:
        reasons = _allergy(ingredient, patient) if ingredient not in patient.home else iter(())
        reason = next(reasons, "")
        if not reason and ingredient not in settled:
            reason = next(_condition(ingredient, patient), "") or next(_age(ingredient, patient), "")
        reason = reason or next(_interaction(ingredient, drug, plan, patient, settled), "")
        if reason:
            return reason
    return ""


def _allergy(ingredient: str, patient: Known) -> Iterator[str]:
    for allergen in patient.allergens:
        conflict = safety.allergy_conflict(allergen, ingredient)
        if conflict is not None and conflict.severity == "major":
            yield f"{ingredient} against a recorded allergy ({allergen}): {conflict.reason} ({conflict.source})."


def _condition(ingredient: str, patient: Known) -> Iterator[str]:
    for row in safety.contraindications(ingredient):
        if row.severity != "major":
            continue
        for condition in patient.conditions:
            if row.only_while_present and condition.past:
                continue
            if row.condition in drug_conditions.with_broader(frozenset({condition.key})):
                name = row.condition.replace("_", " ")
                yield f"{ingredient} in {name} ({condition.source}): {row.reason} ({row.source})."


def _age(ingredient: str, patient: Known) -> Iterator[str]:
    for row in safety.age_limits(ingredient):
        if row.severity == "major" and patient.age is not None and row.from_age <= patient.age <= row.to_age:
            yield f"{ingredient} at the age of {patient.age}: {row.reason} ({row.source})."


def _interaction(
    ingredient: str, drug: PlanDrug, plan: tuple[PlanDrug, ...], patient: Known, settled: frozenset[str]
) -> Iterator[str]:
    """Pairs with another drug of the plan or of home. Of two drugs new to the patient, the later one is named."""
    position = plan.index(drug)
    in_plan = [(name, index) for index, other in enumerate(plan) if index != position for name in other.ingredients]
    replaced = drugs.alternatives(ingredient)  # a home drug of the same class, which the plan no longer holds
    at_home = [(name, -1) for name in sorted(patient.home - replaced)]
    for other, index in (*in_plan, *at_home):
        row = safety.interaction(ingredient, other)
        if row is None or row.severity != "major" or (ingredient in settled and other in settled):
            continue
        if ingredient in settled or (other not in settled and index > position):
            continue  # told of the other drug, which is the new one or the later one
        if other in settled and _accepted_before(ingredient, other, settled):
            continue
        place = "a home drug" if index < 0 else "also in the plan"
        yield f"{ingredient} with {other} ({place}): {row.reason} ({row.source})."


def _accepted_before(ingredient: str, other: str, settled: frozenset[str]) -> bool:
    """Whether the record itself gave a drug of this class beside `other`, with the same risk."""
    before = drugs.alternatives(ingredient) & settled
    return any((row := safety.interaction(name, other)) and row.severity == "major" for name in sorted(before))

"""Key reference drugs that a plan neither holds nor replaces."""

from evaluator.medication.plan_drugs import PlanDrug, named_classes
from evaluator.medication.reference import Need, Reference
from terminology import drug_roles, drugs, safety


def missing_needs(plan: tuple[PlanDrug, ...], reference: Reference) -> tuple[Need, ...]:
    """Needs without their drug, a same-class alternative, a class named in its place, or another drug for the same.

    A drug replaces one need at most, and only where the record's list does not hold it itself.
    """
    planned = {name for drug in plan for name in drug.ingredients}
    classes = {kind for drug in plan if not drug.resolved for kind in named_classes(drug.name)}
    left_out = [need for need in reference.needs if not _met(need, planned, classes)]
    spare = [drug for drug in plan if drug.resolved and not reference.expected & set(drug.ingredients)]
    for kind_of_replacement in (_same_class, _same_purpose):
        missing: list[Need] = []
        for need in left_out:
            replacement = next((drug for drug in spare if kind_of_replacement(drug, need)), None)
            if replacement is None:
                missing.append(need)
            else:
                spare.remove(replacement)
        left_out = missing
    return tuple(left_out)


def _met(need: Need, planned: set[str], classes: set[str]) -> bool:
    return bool(need.ingredients & planned) or any(drugs.classes(name) & classes for name in need.ingredients)


def _same_class(drug: PlanDrug, need: Need) -> bool:
    return any(drugs.alternatives(name) & set(drug.ingredients) for name in need.ingredients)


def _same_purpose(drug: PlanDrug, need: Need) -> bool:
    """For the same condition; what only eases does not replace what treats (naproxen for methotrexate)."""
    if all(map(drug_roles.is_minor, drug.ingredients)) and not any(map(drug_roles.is_minor, need.ingredients)):
        return False
    return any(safety.indications(name) & need.conditions for name in drug.ingredients)

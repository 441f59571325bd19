"""Key reference drugs that a plan neither holds nor replaces."""

from evaluator.medication.plan_drugs import PlanDrug, named_classes
from evaluator.medication.reference import Need, Reference
from terminology import drugs, safety


def missing_needs(plan: tuple[PlanDrug, ...], reference: Reference) -> tuple[Need, ...]:
    """Needs without their drug, a same-class alternative, a class named in its place, or another drug for the same.

    A drug replaces one need at most, and only where the record did not give it for another.
    """
    planned = {name for drug in plan for name in drug.ingredients}
    classes = {kind for drug in plan if not drug.resolved for kind in named_classes(drug.name)}
    open_needs = [need for need in reference.needs if not _met(need, planned, classes)]
    met = [need for need in reference.needs if need not in open_needs]
    used = {name for need in met for item in need.ingredients for name in {item, *drugs.alternatives(item)}}
    spare = [drug for drug in plan if drug.resolved and not used & set(drug.ingredients)]
    spare = [drug for drug in spare if not reference.ingredients & set(drug.ingredients)]
    missing: list[Need] = []
    for need in open_needs:
        replacement = next((drug for drug in spare if _replaces(drug, need)), None)
        if replacement is None:
            missing.append(need)
        else:
            spare.remove(replacement)
    return tuple(missing)


def _met(need: Need, planned: set[str], classes: set[str]) -> bool:
    stand_ins = need.ingredients | {other for name in need.ingredients for other in drugs.alternatives(name)}
    return bool(stand_ins & planned) or any(drugs.classes(name) & classes for name in need.ingredients)


def _replaces(drug: PlanDrug, need: Need) -> bool:
    return any(safety.indications(name) & need.conditions for name in drug.ingredients)

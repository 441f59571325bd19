"""Whether a plan's drug fits the diagnosis, and whether it is what the record gave or a fair replacement."""

from dataclasses import dataclass

from evaluator.medication.known import OWN_DIAGNOSIS, Known
from evaluator.medication.plan_drugs import PlanDrug
from evaluator.medication.reference import Reference, specific
from simulator.consultation.transcript import FinalPlan
from terminology import drug_conditions, drug_roles, drugs, safety


@dataclass(frozen=True, slots=True)
class Setting:
    """What a drug is judged against: the plan, the patient, and the reference where there is one."""

    plan: FinalPlan
    drugs: tuple[PlanDrug, ...]
    patient: Known
    reference: Reference | None

    def given(self) -> frozenset[str]:
        """Ingredients that the record gave or that the patient takes at home."""
        return (self.reference.ingredients if self.reference else frozenset()) | self.patient.home

    def beside(self, drug: PlanDrug) -> frozenset[str]:
        """Ingredients of the plan's other drugs and of home."""
        return self.patient.home | {name for other in self.drugs if other is not drug for name in other.ingredients}


def stated_conditions(setting: Setting) -> frozenset[str]:
    """Conditions of the plan's diagnosis, differentials and reasoning, of the dialogue and of the patient's record."""
    plan = setting.plan
    texts = (plan.diagnosis, *plan.differentials, plan.reasoning)
    own = {key for text in texts for key in drug_conditions.in_text(text)}
    recorded = {condition.key for condition in setting.patient.conditions}
    diagnoses = setting.reference.conditions if setting.reference else frozenset()
    return frozenset(own | recorded | setting.patient.complaints | diagnoses)


def is_mismatch(drug: PlanDrug, setting: Setting, conditions: frozenset[str]) -> bool:
    """Whether no ingredient of the drug is for anything that is stated of this patient, nor supports another drug."""
    own = set(drug.ingredients)
    if own & setting.given() or any(drugs.alternatives(name) & setting.given() for name in own):
        return False
    if any(safety.treats_any(name, conditions) for name in own):
        return False
    return not _supportive(drug, setting)


def _supportive(drug: PlanDrug, setting: Setting) -> bool:
    """A drug that eases or prevents, and whose own reason says what; or one that another drug calls for."""
    if any(drug_roles.supports(name, setting.beside(drug)) for name in drug.ingredients):
        return True
    purposes = drug_conditions.in_text(drug.reason) if drug.reason else frozenset()
    return any(
        drug_roles.is_supportive(name) and safety.treats_any(name, purposes) for name in drug.ingredients
    )  # fmt: skip


def deviates(drug: PlanDrug, setting: Setting) -> bool:
    """Whether the drug is neither given by the record, nor of the same class, nor a fair replacement.

    Fair: for a diagnosis or recorded condition that the record gave no drug for, or whose drug this plan leaves out;
    or a supportive drug for what the patient has or what its own reason says.
    """
    reference = setting.reference
    if reference is None or not reference.ingredients:
        return False
    own, given = set(drug.ingredients), setting.given()
    if own & given or any(drugs.alternatives(name) & given for name in own):
        return False
    if _supportive(drug, setting):
        return False
    # What the plan alone diagnoses does not make a drug an alternative to the record's.
    known = {condition.key for condition in setting.patient.conditions if condition.source != OWN_DIAGNOSIS}
    recorded = reference.conditions | known
    treated = frozenset(key for name in own for key in safety.indications(name)) & specific(frozenset(recorded))
    if treated:
        return _already_treated(treated, reference, setting)
    eased = any(safety.treats_any(name, recorded | setting.patient.complaints) for name in own)
    return not (eased and all(map(_is_comfort, own)))


def _is_comfort(ingredient: str) -> bool:
    """Comfort that needs no reference: a strong opioid or a sedative does, whatever it eases."""
    return drug_roles.is_minor(ingredient) and not drugs.classes(ingredient) & _NEEDS_A_REFERENCE


_NEEDS_A_REFERENCE = frozenset({"opioid", "benzodiazepine", "sedative_anesthetic"})


def _already_treated(treated: frozenset[str], reference: Reference, setting: Setting) -> bool:
    """Whether every condition that the drug treats has a drug of the record's list that stands in this plan too."""
    planned = {name for drug in setting.drugs for name in drug.ingredients}
    kept = {name for name in reference.expected if name in planned or drugs.alternatives(name) & planned}
    for condition in sorted(treated):
        for_it = {name for name in reference.expected if condition in safety.indications(name)}
        if not for_it or for_it - kept:
            return False
    return True

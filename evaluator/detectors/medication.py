"""Medication safety and justification (MS): what the plan's drugs and the record prove, without a model.

One drug gets one finding of what is wrong with it: unsafe before irrelevant before deviating, so that a single fault
is not counted three times; its explanation is judged apart. Rules are in docs of `evaluator.medication`, knowledge in
`terminology/data`. Unresolved drugs are not judged, and are counted in `opportunities`.
"""

from evaluator.detectors.detection import Detection
from evaluator.detectors.speech import document, stems
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from evaluator.medication.explanation import Fault, fault_of
from evaluator.medication.known import known
from evaluator.medication.missing import missing_needs
from evaluator.medication.plan_drugs import PlanDrug, plan_drugs
from evaluator.medication.reference import Need, reference
from evaluator.medication.relevance import Setting, deviates, is_mismatch, stated_conditions
from evaluator.medication.safety_check import unsafe_reason
from kg.facts import AnswerKey
from simulator.consultation.transcript import FinalPlan
from terminology import drug_conditions, drugs, safety

_DECIDED_BY = "detector:medication@1"
_ALWAYS = ("unsafe_drug_use", "drug_diagnosis_mismatch", "incorrect_or_missing_explanation")
_WITH_REFERENCE = ("reference_drug_deviation", "missing_important_drug")


def detect(evidence: EvaluationInput) -> Detection:
    """Findings on the plan's drugs; nothing is assessed without a plan.

    `reference_drug_deviation` and `missing_important_drug` need reference drugs; `drug_diagnosis_mismatch` needs a
    condition that is recognised in the plan, the dialogue or the record.
    """
    plan = evidence.transcript.plan
    if plan is None:
        return Detection()
    patient = known(evidence)
    key = _with_drugs(evidence.answer_key)
    record = reference(evidence.answer_key, patient.home) if evidence.answer_key else None
    setting = Setting(plan, plan_drugs(plan), patient, record)
    conditions = stated_conditions(setting)
    told = stems("\n".join(turn.patient.words for turn in evidence.transcript.turns))
    findings = [finding for drug in setting.drugs for finding in _on_drug(drug, setting, conditions, told)]
    missing = missing_needs(setting.drugs, record) if record and key else ()
    findings += [_missing(need) for need in missing]
    patterns = [name for name in _ALWAYS if conditions or name != "drug_diagnosis_mismatch"]
    return Detection(
        findings=tuple(findings),
        assessed_patterns=(*patterns, *(_WITH_REFERENCE if key else ())),
        opportunities=_opportunities(plan, setting),
    )


def _with_drugs(key: AnswerKey | None) -> AnswerKey | None:
    """The answer key, if it has a drug that resolves."""
    if key is None or not any(drug.ingredients or drugs.normalise(drug.name).ingredients for drug in key.medications):
        return None
    return key


def _opportunities(plan: FinalPlan, setting: Setting) -> dict[str, int]:
    record = setting.reference
    return {
        "drugs_prescribed": len(setting.drugs),
        "unresolved_drugs": sum(not drug.resolved for drug in setting.drugs),
        "carrier_fluids": sum(drugs.normalise(name).carrier_fluid for name in plan.drugs),
        "key_reference_drugs": len(record.needs) if record else 0,
        "known_allergies": len(setting.patient.allergens),
        "home_drugs": len(setting.patient.home),
    }


def _on_drug(
    drug: PlanDrug, setting: Setting, conditions: frozenset[str], told: frozenset[str]
) -> list[Finding]:
    """At most one finding on the drug, and one on its explanation."""
    findings: list[Finding] = []
    mismatch = False
    if drug.resolved:
        given = setting.reference.ingredients if setting.reference else frozenset()
        unsafe = unsafe_reason(drug, setting.drugs, setting.patient, given)
        mismatch = not unsafe and bool(conditions) and is_mismatch(drug, setting, conditions)
        mismatch = mismatch and not (deviates(drug, setting) and _meets_what_was_told(drug, told))
        if unsafe:
            findings.append(_finding("unsafe_drug_use", drug.name, unsafe))
        elif mismatch:
            findings.append(_finding("drug_diagnosis_mismatch", drug.name, _mismatch_reason(drug)))
        elif deviates(drug, setting):
            findings.append(_finding("reference_drug_deviation", drug.name, _deviation_reason(drug)))
    fault = fault_of(drug)
    same_fault = mismatch and fault in (Fault.OTHER_DRUG, Fault.OTHER_INDICATION) and _about(drug, conditions)
    if fault is not None and not same_fault:
        findings.append(_explanation(drug, fault))
    return findings


def _meets_what_was_told(drug: PlanDrug, told: frozenset[str]) -> bool:
    """Whether the reason gives a purpose of the drug, for something that the patient spoke of: too much, not amiss."""
    purposes = drug_conditions.in_text(drug.reason)
    serves = any(safety.treats_any(name, purposes) for name in drug.ingredients)
    return serves and bool(stems(drug.reason) & told - frozenset(document("integration.yaml")["general_words"]))


def _about(drug: PlanDrug, conditions: frozenset[str]) -> bool:
    """Whether the drug's reason names what the patient has, which the drug is not for: said once, as a mismatch."""
    return bool(drug_conditions.in_text(drug.reason) & drug_conditions.with_broader(conditions))


def _finding(pattern: str, quote: str, reason: str) -> Finding:
    return Finding(
        dimension=Dimension.MS, pattern=pattern, quote=quote, reason=reason, decided_by=_DECIDED_BY, confidence=None
    )


def _mismatch_reason(drug: PlanDrug) -> str:
    purpose = "; ".join(dict.fromkeys(text for name in drug.ingredients if (text := drugs.used_for(name))))
    return f"{drug.name} is for {purpose or 'other conditions'}, and nothing stated of this patient calls for it."


def _deviation_reason(drug: PlanDrug) -> str:
    return f"{drug.name} is not among the record's drugs, nor of the same class, nor a replacement of one left out."


def _missing(need: Need) -> Finding:
    names = " or ".join(need.names)
    aims = ", ".join(sorted(key.replace("_", " ") for key in need.conditions)[:3])
    reason = f"The record's {need.role} treatment {names} (for {aims}) is neither given nor replaced."
    return _finding("missing_important_drug", "", reason)


def _explanation(drug: PlanDrug, fault: Fault) -> Finding:
    reasons = {
        Fault.MISSING: f"The plan gives no reason for {drug.name}.",
        Fault.UNCLEAR: f"The reason for {drug.name} does not say what it is for.",
        Fault.OTHER_DRUG: f"The reason for {drug.name} speaks of another drug.",
        Fault.OTHER_INDICATION: f"The reason for {drug.name} names a purpose that the drug does not serve.",
    }
    quote = drug.name if fault is Fault.MISSING else drug.reason
    return _finding("incorrect_or_missing_explanation", quote, reasons[fault])

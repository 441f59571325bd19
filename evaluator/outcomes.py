"""Outcome metrics of one case by the paper's formulas (Supplementary Note 1), and matched ones beside them.

With R the recommended drugs, FP those wrongly recommended, FN the missing essential ones, U unsafe uses and D drugs
that do not fit the diagnosis: TP = max(|R| - FP, 0), precision = TP / (TP + FP), recall = TP / (TP + FN), F1 their
harmonic mean, unsafe rate the share of cases with U > 0, mismatch D / max(|R|, 1). A quotient 0 / 0 is 0, so that a
plan without drugs that misses some has F1 0. Carrier fluids and flushes are neither recommended nor reference drugs.
"""

import re
from collections.abc import Iterable

from etl.caserecord import MedicationRole
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding, Outcomes
from evaluator.quotes import folded
from kg.facts import AnswerKey
from terminology import drugs

_NO_DRUG = re.compile(
    r"\W*(?:none|nil|n/?a|not (?:applicable|available|needed|indicated)"
    r"|no (?:new |further )?(?:drugs?|medications?|medicines?)"
    r"(?: (?:needed|required|indicated|prescribed|recommended))?)\W*$",
    re.IGNORECASE,
)
_MATCHES = ("match_exact", "match_partial", "match_minorly_incorrect", "match_majorly_incorrect")
_ACCEPTED = frozenset({"match_exact", "match_partial"})
# A drug that is unsafe or irrelevant is wrongly recommended too; detectors give each drug one of the three.
_WRONG = ("reference_drug_deviation", "drug_diagnosis_mismatch", "unsafe_drug_use")


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def f1(precision: float, recall: float) -> float:
    """Harmonic mean of two shares in [0, 1]; 0 where both are 0 (equation 4)."""
    return _share(2 * precision * recall, precision + recall)


def medication_f1(recommended: int, wrong: int, missing: int) -> float:
    """The paper's case-level F1 in [0, 1] from |R|, FP and FN, all counts of 0 or more (equations 2 to 4)."""
    right = max(recommended - wrong, 0)
    return f1(_share(right, right + wrong), _share(right, right + missing))


def mismatch_rate(recommended: int, mismatches: int) -> float:
    """Drug-diagnosis mismatches a recommended drug (equation 7); without drugs the divisor is 1."""
    return mismatches / max(recommended, 1)


def matched(recommended: frozenset[str], reference: frozenset[str]) -> tuple[float, float, float]:
    """Precision, recall and F1 of two sets of active ingredients; an empty set gives 0."""
    right = len(recommended & reference)
    precision, recall = _share(right, len(recommended)), _share(right, len(reference))
    return precision, recall, f1(precision, recall)


def reference_ingredients(answer_key: AnswerKey) -> frozenset[str]:
    """Ingredients of inpatient and discharge drugs, or of home drugs where the record has no others."""
    by_role = {
        role: frozenset(
            name for drug in answer_key.medications if drug.role is role and not drug.carrier_fluid
            for name in drug.ingredients or drugs.normalise(drug.name).ingredients
        )
        for role in MedicationRole
    }  # fmt: skip
    given = by_role[MedicationRole.INPATIENT] | by_role[MedicationRole.DISCHARGE]
    return given or by_role[MedicationRole.HOME]


def recommended_drugs(names: Iterable[str]) -> tuple[str, ...]:
    """The plan's drugs as written, each once, without blanks, "none", carrier fluids and flushes."""
    distinct = {folded(name): name for name in names if name.strip() and not _NO_DRUG.match(name)}
    return tuple(name for name in distinct.values() if not drugs.normalise(name).carrier_fluid)


def outcomes(
    evidence: EvaluationInput, findings: Iterable[Finding], dialogue_sufficient: bool | None = None
) -> Outcomes:
    """All outcome metrics of a case from its findings, whoever decided them.

    None where undefined: no plan, no answer key, no reference diagnosis or drug, or no finding that decides the
    diagnosis. An unsafe drug and a mismatch need no reference.
    """
    plan, key = evidence.transcript.plan, evidence.answer_key
    if plan is None:
        return Outcomes(dialogue_sufficient=dialogue_sufficient)
    found = list(findings)
    names = recommended_drugs(plan.drugs)
    match = _diagnosis_match(found)
    reference = reference_ingredients(key) if key else frozenset()
    own = frozenset(ingredient for name in names for ingredient in drugs.normalise(name).ingredients)
    precision, recall, score = matched(own, reference) if reference else (None, None, None)
    wrong, missing = _count(found, *_WRONG), _count(found, "missing_important_drug")
    return Outcomes(
        diagnosis_correct=None if match is None else match in _ACCEPTED,
        diagnosis_match=match,
        medication_f1=medication_f1(len(names), wrong, missing) if reference else None,
        matched_precision=precision,
        matched_recall=recall,
        matched_f1=score,
        unsafe=_count(found, "unsafe_drug_use") > 0,
        mismatch_rate=mismatch_rate(len(names), _count(found, "drug_diagnosis_mismatch")),
        dialogue_sufficient=dialogue_sufficient,
    )


def _diagnosis_match(findings: list[Finding]) -> str | None:
    """The best match pattern that a finding states ("match_exact"); None where none does."""
    stated = {finding.pattern for finding in findings if finding.dimension is Dimension.DX}
    return next((match for match in _MATCHES if match in stated), None)


def _count(findings: list[Finding], *patterns: str) -> int:
    """Distinct drugs (by quote, else by reason) of medication patterns."""
    own = [finding for finding in findings if finding.dimension is Dimension.MS and finding.pattern in patterns]
    return len({folded(finding.quote) or folded(finding.reason) for finding in own})

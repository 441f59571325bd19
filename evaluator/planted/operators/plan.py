"""DX and MS: failures of the diagnosis, of its reasoning and of the prescription."""

from evaluator.findings import Dimension
from evaluator.planted.draft import Draft
from evaluator.planted.instance import Gold
from evaluator.planted.operators.registry import Choice, operator


def _gold(dimension: Dimension, pattern: str, *brings: str) -> Gold:
    return Gold(dimension=dimension, pattern=pattern, brings=brings)


def _other_diagnosis(draft: Draft, choice: Choice, key: str, pattern: str) -> Gold | None:
    offered = draft.planted(key)
    if not offered:
        return None
    name = choice.item(offered)
    if key == "major":  # the reasoning follows the diagnosis, so that the name alone is wrong
        draft.argument = f"Taken together this is in keeping with {name[:1].lower()}{name[1:]}."
    draft.diagnosis = name
    return _gold(Dimension.DX, pattern, "MS.drug_diagnosis_mismatch", "DX.diagnosis_reasoning_mismatch")


@operator(Dimension.DX, "match_exact")
def reference_diagnosis(draft: Draft, choice: Choice) -> Gold | None:
    """The reference diagnosis itself (costs nothing; measured like the others)."""
    draft.diagnosis = choice.item([d["name"] for d in draft.case["references"]["diagnoses"]])
    return _gold(Dimension.DX, "match_exact")


@operator(Dimension.DX, "match_partial")
def other_wording(draft: Draft, choice: Choice) -> Gold | None:
    """Another wording or a subtype of the reference diagnosis."""
    return _other_diagnosis(draft, choice, "partial", "match_partial")


@operator(Dimension.DX, "match_minorly_incorrect")
def near_diagnosis(draft: Draft, choice: Choice) -> Gold | None:
    """A plausible diagnosis that lacks what is essential."""
    return _other_diagnosis(draft, choice, "minor", "match_minorly_incorrect")


@operator(Dimension.DX, "match_majorly_incorrect")
def unrelated_diagnosis(draft: Draft, choice: Choice) -> Gold | None:
    """A diagnosis of another organ or kind."""
    return _other_diagnosis(draft, choice, "major", "match_majorly_incorrect")


@operator(Dimension.DX, "information_omission")
def findings_left_out(draft: Draft, choice: Choice) -> Gold | None:
    """Reasoning that uses nothing of what was told."""
    draft.reasoning = choice.of("dx_information_omission")
    return _gold(Dimension.DX, "information_omission", "DX.flawed_reasoning_process")


@operator(Dimension.DX, "incorrect_assumption")
def assumed_finding(draft: Draft, choice: Choice) -> Gold | None:
    """The reasoning rests on a symptom that was denied or never mentioned."""
    sentence = choice.of("dx_incorrect_assumption").format(absent=choice.item(draft.absent))
    draft.reasoning = f"{draft.full_reasoning()} {sentence}"
    return _gold(Dimension.DX, "incorrect_assumption")


@operator(Dimension.DX, "flawed_reasoning_process")
def no_steps(draft: Draft, choice: Choice) -> Gold | None:
    """A conclusion without steps."""
    draft.reasoning = choice.of("dx_flawed_reasoning")
    return _gold(Dimension.DX, "flawed_reasoning_process", "DX.information_omission")


@operator(Dimension.DX, "diagnosis_reasoning_mismatch")
def other_conclusion(draft: Draft, choice: Choice) -> Gold | None:
    """Reasoning that ends in another diagnosis than the one stated."""
    argument = choice.item(draft.planted("mismatch"))
    draft.argument = argument
    return _gold(Dimension.DX, "diagnosis_reasoning_mismatch", "DX.incorrect_assumption", "MS.drug_diagnosis_mismatch")


@operator(Dimension.DX, "diagnostic_questioning_bias")
def single_track(draft: Draft, choice: Choice) -> Gold | None:
    """All questions stay with the complaint; nothing else was considered."""
    draft.remove("review", "associated", "fever")
    draft.argument = "This is the usual cause of such a complaint in a person of this age."
    brings = ("IC.major_omission", "IC.minor_omission")
    return Gold(dimension=Dimension.DX, pattern="diagnostic_questioning_bias", brings=brings)


def _drug_added(draft: Draft, choice: Choice, key: str, pattern: str) -> Gold | None:
    offered = draft.planted(key)
    if not offered:
        return None
    name, reason = choice.item(offered)
    draft.drugs[name] = reason
    return _gold(Dimension.MS, pattern)


@operator(Dimension.MS, "unsafe_drug_use")
def harmful_drug(draft: Draft, choice: Choice) -> Gold | None:
    """A drug that an allergy, a condition, a home medicine or the plan itself forbids."""
    return _drug_added(draft, choice, "unsafe", "unsafe_drug_use")


@operator(Dimension.MS, "drug_diagnosis_mismatch")
def irrelevant_drug(draft: Draft, choice: Choice) -> Gold | None:
    """A drug for a condition that the patient does not have."""
    return _drug_added(draft, choice, "irrelevant", "drug_diagnosis_mismatch")


@operator(Dimension.MS, "reference_drug_deviation")
def unusual_drug(draft: Draft, choice: Choice) -> Gold | None:
    """A drug for the condition that is neither in the record nor of a class that is."""
    return _drug_added(draft, choice, "deviation", "reference_drug_deviation")


@operator(Dimension.MS, "missing_important_drug")
def key_drug_left_out(draft: Draft, choice: Choice) -> Gold | None:
    """A key drug of the record is left out and not replaced."""
    name = choice.item(draft.planted("key"))
    draft.drugs.pop(name)
    return _gold(Dimension.MS, "missing_important_drug")


@operator(Dimension.MS, "incorrect_or_missing_explanation")
def empty_reason(draft: Draft, choice: Choice) -> Gold | None:
    """A drug whose reason is missing or says nothing."""
    name = choice.item(list(draft.drugs))
    draft.drugs[name] = choice.of("ms_incorrect_explanation")
    return _gold(Dimension.MS, "incorrect_or_missing_explanation")


@operator(Dimension.MS, "incorrect_or_missing_explanation")
def wrong_reason(draft: Draft, choice: Choice) -> Gold | None:
    """A drug whose reason names a purpose that it does not serve."""
    offered = draft.planted("wrong_reason")
    if not offered:
        return None
    name, reason = choice.item(offered)
    draft.drugs[name] = reason
    return _gold(Dimension.MS, "incorrect_or_missing_explanation")

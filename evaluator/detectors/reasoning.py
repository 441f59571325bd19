"""The plan's reasoning against what was said and against its own diagnosis (DX). Words are in `data/reasoning.yaml`."""

import re

from etl.caserecord import Assertion
from evaluator.detectors.retelling import Telling, covered, retold, tellings
from evaluator.detectors.said import affirmed_stems, relatives_in, said_in_words, told_as_fact
from evaluator.detectors.speech import document, first_match, sentences, stems
from evaluator.diagnosis.matching import Grade, grade
from evaluator.diagnosis.names import parts, words
from evaluator.diagnosis.sufficiency import presenting
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from evaluator.statements import Statement, statements
from kg.facts import Domain
from simulator.consultation.transcript import FinalPlan
from simulator.patient.asks import AskStatus
from terminology import concepts

NAME = "detector:diagnosis@2"
_LEXICON = "reasoning.yaml"
_PARTS = re.compile(r"\s*[;:]\s*|,?\s+so\s+", re.IGNORECASE)
_SHORT = 3  # letters of a stem that may mean anything
_PAST = (Domain.PAST_HISTORY, Domain.SURGICAL_HISTORY)
KEY_SHARE, LEAST_REASONING_WORDS = 2 / 5, 8


def finding(pattern: str, quote: str, reason: str, turns: tuple[int, ...] = ()) -> Finding:
    """A finding on diagnosis or reasoning."""
    return Finding(dimension=Dimension.DX, pattern=pattern, turns=turns, quote=quote, reason=reason, decided_by=NAME)


def related(concept: str, known: set[str] | frozenset[str]) -> bool:
    """Whether a concept is one of `known`, or stands above or below one."""
    return any(concept == one or concepts.is_a(concept, one) or concepts.is_a(one, concept) for one in known)


def flawed(plan: FinalPlan) -> list[Finding]:
    """Reasoning that is absent, names no finding, or claims that one sign settles everything."""
    stated = statements(plan.reasoning)
    absolute = next((s for s in sentences(plan.reasoning) if first_match(_LEXICON, "absolute", s)), "")
    if absolute:
        return [finding("flawed_reasoning_process", absolute, "One finding is said to prove or exclude everything.")]
    long_enough = len(plan.reasoning.split()) >= LEAST_REASONING_WORDS
    if long_enough and stated:
        return []
    reason = (
        "The reasoning names no finding that it rests on." if long_enough else "The reasoning is missing or a fragment."
    )
    return [finding("flawed_reasoning_process", plan.reasoning[:200], reason)]


def mismatch(plan: FinalPlan, evidence: EvaluationInput) -> list[Finding]:
    """The reasoning arrives at another condition, and the stated diagnosis is nowhere asserted."""
    named = [
        s
        for s in statements(plan.reasoning)
        if s.kind == "condition" and s.assertion is not Assertion.ABSENT and not _of_others(plan.reasoning, s)
        if s.concept not in document(_LEXICON)["no_claims"]
    ]
    stated = parts(plan.diagnosis)
    last = (sentences(plan.reasoning) or ("",))[-1]
    explicit = bool(first_match(_LEXICON, "explicit", last))
    if explicit:
        named = [s for s in named if s.sentence == last] or named
    if any(_one_line(part, s.text) for part in stated for s in named):
        return []
    text = last if explicit else plan.reasoning
    if any(words(part) and words(part) <= words(text) for part in stated):
        return []
    own = [fact for fact in evidence.disclosed if fact.domain in _PAST and fact.experiencer == "patient"]
    past = {fact.concept for fact in own if fact.concept}
    reached = [s for s in named if not s.historical and not s.hypothetical and not _broader(s.concept, past)]
    reached = [s for s in reached if explicit or not first_match("integration.yaml", "doubts", _after(s))]
    reached = [s for s in reached if not any(words(s.text) <= words(part) for part in stated)]
    settled = [s for s in reached if first_match(_LEXICON, "settles", s.sentence) or s.text in last]
    if not settled:
        return []
    reason = f"The reasoning arrives at {settled[-1].text} and never at the diagnosis stated."
    return [finding("diagnosis_reasoning_mismatch", settled[-1].sentence, reason)]


def _broader(concept: str, known: set[str]) -> bool:
    """Whether a concept is one of `known` or a wider word for one ("diabetes" for type 2 diabetes)."""
    return any(concept == one or concepts.is_a(one, concept) for one in known)


def _after(stated: Statement) -> str:
    """What the sentence says of a condition, to the end of the clause."""
    rest = stated.sentence[max(stated.sentence.find(stated.text), 0) :]
    return re.split(r"[,;]", rest, maxsplit=1)[0]


def _of_others(reasoning: str, stated: Statement) -> bool:
    """Whether a condition is a relative's, is history ("an earlier heart attack") or too general to be a diagnosis."""
    before = reasoning[max(stated.start - 40, 0) : stated.start]
    clause = before[max(before.rfind(mark) for mark in ",.;") + 1 :]
    concludes = first_match(_LEXICON, "concludes", clause)
    clause = clause[concludes.end() :] if concludes else clause
    past = first_match(_LEXICON, "of_the_past", clause)
    return bool(past or relatives_in(clause)) or stated.concept in document("integration.yaml")["general"] + [
        "infection"
    ]


def _one_line(stated: str, named: str) -> bool:
    return min(grade(stated, named)[0], grade(named, stated)[0]) <= Grade.PARTIAL


def assumptions(evidence: EvaluationInput, plan: FinalPlan) -> list[Finding]:
    """A symptom, habit or illness stated as the patient's that was denied or never mentioned; tests never done."""
    told = _told(evidence)
    denied = {concept for concept, assertion in told.items() if assertion is Assertion.ABSENT}
    heard = (told.keys() - denied) | {s.concept for s in statements(evidence.transcript.opening)}
    words_said = affirmed_stems(evidence.transcript)
    findings: dict[str, Finding] = {}
    for stated in statements(plan.reasoning):
        if stated.assertion is not Assertion.PRESENT or stated.hypothetical or not _could_be_told(stated, plan):
            continue
        if first_match(_LEXICON, "left_open", _part_with(stated)):
            continue
        if related(stated.concept, heard) or _on_record(stated, evidence, denied):
            continue
        if said_in_words(stated.concept, stated.text, words_said, evidence.facts):
            continue
        if not related(stated.concept, denied) and _special(stated) & words_said:
            continue  # part of the words was said: a paraphrase, as far as anyone can prove
        how = "was denied" if related(stated.concept, denied) else "was never mentioned"
        reason = f"{stated.text} {how}, yet the reasoning takes it as given."
        findings.setdefault(stated.sentence, finding("incorrect_assumption", stated.sentence, reason))
    ranked = sorted(findings.values(), key=lambda one: "was denied" not in one.reason)
    denials = [one for one in ranked if "was denied" in one.reason]
    found = [*denials, *_unseen_tests(evidence, plan), *ranked[len(denials) :]]
    return found[:1]  # the rubric takes points for one


def _part_with(stated: Statement) -> str:
    """The part of the sentence that names the concept: from a semicolon, colon or "so" to the next."""
    return next((part for part in _PARTS.split(stated.sentence) if stated.text in part), stated.sentence)


def _on_record(stated: Statement, evidence: EvaluationInput, denied: set[str]) -> bool:
    """Whether the record holds it as so: the words then paraphrase what was told, and invent nothing."""
    true = {fact.concept for fact in evidence.facts if fact.concept and fact.assertion is Assertion.PRESENT}
    recorded = stated.concept not in denied and related(stated.concept, true)
    return recorded or told_as_fact(stated.text, evidence.facts or evidence.disclosed)


def _special(stated: Statement) -> frozenset[str]:
    general = frozenset(document("integration.yaml")["general_words"])
    return frozenset(word for word in stems(stated.text) - general if len(word) > _SHORT)


def _unseen_tests(evidence: EvaluationInput, plan: FinalPlan) -> list[Finding]:
    """Results of tests that the reasoning reports as seen, though no test of the kind was spoken of as done."""
    if any(fact.domain in (Domain.TEST_RESULT, Domain.EXAMINATION) for fact in evidence.disclosed):
        return []
    said = stems("\n".join(_affirmed(evidence)))
    reported = [(s, first_match(_LEXICON, "reports_a_test", s)) for s in sentences(plan.reasoning)]
    return [
        finding("incorrect_assumption", sentence, f"No {found['test']} was spoken of, yet the reasoning reports it.")
        for sentence, found in reported
        if found and not stems(found["test"]) & said and not first_match(_LEXICON, "planned", sentence)
    ]


def _affirmed(evidence: EvaluationInput) -> list[str]:
    """What was said to be so: the opening, answers that deny nothing with their questions, the doctor's statements."""
    said = [evidence.transcript.opening]
    for turn in evidence.transcript.turns:
        answer = [s for s in sentences(turn.patient.words) if not first_match("integration.yaml", "denies", s)]
        whole = len(answer) == len(sentences(turn.patient.words))
        said += answer
        said += [s for s in sentences(turn.doctor_words) if whole or not s.endswith("?")]
    return said


def _could_be_told(stated: Statement, plan: FinalPlan) -> bool:
    """Symptoms and habits; conditions as history or where the patient is said to have them."""
    concept = concepts.get(stated.concept)
    if stated.concept in (*document("integration.yaml")["general"], *document(_LEXICON)["no_claims"]):
        return False
    if concept and concept.system == "social":
        return False
    of_diagnosis = any(s.concept == stated.concept for s in statements(plan.diagnosis))
    if of_diagnosis or words(stated.text) <= words(plan.diagnosis):
        return False
    if stated.kind == "habit":
        return stated.concept in document(_LEXICON)["habit_claims"]
    if stated.kind == "symptom":
        return True
    before = stated.sentence[: stated.sentence.find(stated.text)]
    owned = first_match(_LEXICON, "has_it", before) and not first_match(_LEXICON, "concludes", before)
    return stated.kind in ("condition", "procedure") and (stated.historical or bool(owned))


def _told(evidence: EvaluationInput) -> dict[str, Assertion]:
    """Concepts that the patient spoke of; what was ever affirmed counts as affirmed, whatever was denied elsewhere."""
    told: dict[str, Assertion] = {}

    def hear(concept: str, assertion: Assertion) -> None:
        if told.get(concept) is not Assertion.PRESENT:
            told[concept] = assertion

    for turn in evidence.transcript.turns:
        for stated in statements(turn.patient.words, spoken=True):
            hear(stated.concept, stated.assertion)
        for fact in turn.patient.disclosed:
            if fact.concept:
                hear(fact.concept, fact.assertion)
        for outcome in turn.patient.outcomes:
            if outcome.ask.concept and outcome.status in (AskStatus.DENIED, AskStatus.ASSUMED_DENIED):
                hear(outcome.ask.concept, Assertion.ABSENT)
            elif outcome.ask.concept and outcome.status is AskStatus.GIVEN:
                hear(outcome.ask.concept, Assertion.PRESENT)
    return told


def omissions(evidence: EvaluationInput, plan: FinalPlan) -> list[Finding]:
    """Fewer than two fifths of the present symptoms that were told stand in the reasoning, in whatever words."""
    told = presenting(evidence.disclosed)
    text = f"{plan.reasoning}. {plan.diagnosis}"
    stated, spoken = statements(text), tellings(evidence)
    facts = tuple(evidence.disclosed)

    def used(fact_concept: str) -> bool:
        fact = told[fact_concept]
        again = retold(fact, text, facts, spoken.get(fact.fact_id, Telling()))
        return again or related(fact_concept, {s.concept for s in stated}) or covered(fact, stated, text, facts)

    left_out = [fact.text for concept, fact in told.items() if not used(concept)]
    if len(told) < 2 or len(told) - len(left_out) >= KEY_SHARE * len(told):
        return []
    reason = f"The reasoning leaves out what was told: {', '.join(left_out)}."
    return [finding("information_omission", plan.reasoning[:200], reason)]

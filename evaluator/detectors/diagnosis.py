"""DX: the final diagnosis against the references, and the reasoning against what was said."""

from etl.caserecord import Assertion
from evaluator.detectors.detection import Detection
from evaluator.detectors.said import affirmed_stems, relatives_in, said_in_words
from evaluator.detectors.speech import document, first_match, sentences, stems
from evaluator.diagnosis.matching import Grade, best_match, grade
from evaluator.diagnosis.names import parts, words
from evaluator.diagnosis.sufficiency import presenting
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from evaluator.statements import Statement, statements
from kg.facts import Domain
from simulator.consultation.transcript import FinalPlan
from simulator.patient.asks import AskStatus, Attribute
from terminology import concepts

NAME = "detector:diagnosis@1"
PATTERNS = {
    Grade.EXACT: "match_exact",
    Grade.PARTIAL: "match_partial",
    Grade.MINOR: "match_minorly_incorrect",
    Grade.MAJOR: "match_majorly_incorrect",
}
KEY_SHARE, LEAST_REASONING_WORDS, LEAST_QUESTIONS = 2 / 5, 8, 3
SYMPTOM_DOMAINS = (Domain.CHIEF_COMPLAINT, Domain.SYMPTOM, Domain.SYMPTOM_DETAIL, Domain.REVIEW_OF_SYSTEMS)


def detect(evidence: EvaluationInput) -> Detection:
    """All that names, codes and the trace can say about diagnosis and reasoning."""
    plan = evidence.transcript.plan
    matched = _match(evidence, plan)
    assessed = list(PATTERNS.values()) if matched else []
    findings = list(matched)
    if plan is not None:
        assessed += ["flawed_reasoning_process", "diagnosis_reasoning_mismatch"]
        findings += [*_flawed(plan), *_mismatch(plan)]
        if evidence.transcript.traced:
            assessed += ["incorrect_assumption", "information_omission", "diagnostic_questioning_bias"]
            findings += [*_assumptions(evidence, plan), *_omissions(evidence, plan), *_single_track(evidence)]
    opportunities = {"references": len(evidence.answer_key.diagnoses) if evidence.answer_key else 0}
    return Detection(findings=tuple(findings), assessed_patterns=tuple(assessed), opportunities=opportunities)


def _finding(pattern: str, quote: str, reason: str, turns: tuple[int, ...] = ()) -> Finding:
    return Finding(dimension=Dimension.DX, pattern=pattern, turns=turns, quote=quote, reason=reason, decided_by=NAME)


def _match(evidence: EvaluationInput, plan: FinalPlan | None) -> list[Finding]:
    """The grade of the final diagnosis; no plan at all is majorly incorrect, since a plan is always asked for."""
    references = evidence.answer_key.diagnoses if evidence.answer_key else ()
    if not references:
        return []
    if plan is None:
        return [_finding("match_majorly_incorrect", "", "No final diagnosis was given although it was asked for.")]
    best = best_match(plan.diagnosis, references)
    assert best is not None
    reason = f"Nearest to the reference diagnosis “{best.reference}” (rank {best.rank}): {best.why}."
    return [_finding(PATTERNS[best.grade], plan.diagnosis, reason)]


def _flawed(plan: FinalPlan) -> list[Finding]:
    """Reasoning that is absent, or names no finding at all: steps are missing."""
    stated = statements(plan.reasoning)
    long_enough = len(plan.reasoning.split()) >= LEAST_REASONING_WORDS
    if long_enough and stated:
        return []
    reason = (
        "The reasoning names no finding that it rests on." if long_enough else "The reasoning is missing or a fragment."
    )
    return [_finding("flawed_reasoning_process", plan.reasoning[:200], reason)]


def _mismatch(plan: FinalPlan) -> list[Finding]:
    """The last condition that the reasoning asserts is another one, and the stated diagnosis is nowhere asserted."""
    named = [
        s
        for s in statements(plan.reasoning)
        if s.kind == "condition" and s.assertion is not Assertion.ABSENT and not _of_others(plan.reasoning, s)
    ]
    concluded = [s for s in named if not s.historical and not s.hypothetical]
    stated = parts(plan.diagnosis)
    if not concluded or any(_one_line(part, s.text) for part in stated for s in named):
        return []
    if any(words(part) and words(part) <= words(plan.reasoning) for part in stated):
        return []
    last = concluded[-1]
    if any(words(last.text) <= words(part) for part in stated):
        return []
    reason = f"The reasoning arrives at {last.text} and never at the diagnosis stated."
    return [_finding("diagnosis_reasoning_mismatch", last.sentence, reason)]


def _of_others(reasoning: str, stated: Statement) -> bool:
    """Whether a condition is a relative's, is history ("an earlier heart attack") or too general to be a diagnosis."""
    before = reasoning[max(stated.start - 40, 0) : stated.start]
    clause = before[max(before.rfind(mark) for mark in ",.;") + 1 :]
    concludes = first_match("reasoning.yaml", "concludes", clause)
    clause = clause[concludes.end() :] if concludes else clause
    past = first_match("reasoning.yaml", "of_the_past", clause)
    return bool(past or relatives_in(clause)) or stated.concept in document("integration.yaml")["general"] + [
        "infection"
    ]


def _one_line(stated: str, named: str) -> bool:
    return min(grade(stated, named)[0], grade(named, stated)[0]) <= Grade.PARTIAL


def _assumptions(evidence: EvaluationInput, plan: FinalPlan) -> list[Finding]:
    """A symptom, habit or past condition stated as present that the patient denied or never mentioned."""
    told = _told(evidence)
    denied = {concept for concept, assertion in told.items() if assertion is Assertion.ABSENT}
    opening = {s.concept for s in statements(evidence.transcript.opening)}
    general = document("integration.yaml")["general"]
    words_said = affirmed_stems(evidence.transcript)
    findings: dict[str, Finding] = {}
    for stated in statements(plan.reasoning):
        if stated.assertion is not Assertion.PRESENT or stated.hypothetical or not _could_be_told(stated, plan):
            continue
        if stated.concept in opening or _related(stated.concept, told.keys() - denied):
            continue
        if stated.concept in general or said_in_words(stated.concept, stated.text, words_said, evidence.facts):
            continue
        how = "was denied" if _related(stated.concept, denied) else "was never mentioned"
        findings.setdefault(
            stated.sentence,
            _finding(
                "incorrect_assumption", stated.sentence, f"{stated.text} {how}, yet the reasoning takes it as given."
            ),
        )
    return [*findings.values(), *_unseen_tests(evidence, plan)]


def _unseen_tests(evidence: EvaluationInput, plan: FinalPlan) -> list[Finding]:
    """Results of tests that the reasoning reports as seen, though no test of the kind was spoken of or recorded."""
    said = stems(evidence.transcript.opening)
    for turn in evidence.transcript.turns:
        said |= stems(f"{turn.doctor_words} {turn.patient.words}")
    if any(fact.domain in (Domain.TEST_RESULT, Domain.EXAMINATION) for fact in evidence.disclosed):
        return []
    reported = [(s, first_match("reasoning.yaml", "reports_a_test", s)) for s in sentences(plan.reasoning)]
    return [
        _finding("incorrect_assumption", sentence, f"No {found['test']} was spoken of, yet the reasoning reports it.")
        for sentence, found in reported
        if found and not stems(found["test"]) & said and not first_match("reasoning.yaml", "planned", sentence)
    ]


def _could_be_told(stated: Statement, plan: FinalPlan) -> bool:
    """Symptoms and habits; conditions only as history, since the others are what the reasoning is about."""
    if stated.kind in ("symptom", "habit"):
        return not any(s.concept == stated.concept for s in statements(plan.diagnosis))
    return stated.kind in ("condition", "procedure") and stated.historical


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


def _related(concept: str, known: "set[str] | frozenset[str]") -> bool:
    return any(concept == one or concepts.is_a(concept, one) or concepts.is_a(one, concept) for one in known)


def _omissions(evidence: EvaluationInput, plan: FinalPlan) -> list[Finding]:
    """Fewer than two fifths of the present symptoms that were told stand in the reasoning."""
    told = presenting(evidence.disclosed)
    named = {s.concept for s in statements(f"{plan.reasoning}. {plan.diagnosis}")}
    used = [c for c, fact in told.items() if _related(c, named) or fact.text.lower() in plan.reasoning.lower()]
    if len(told) < 2 or len(used) >= KEY_SHARE * len(told):
        return []
    left_out = ", ".join(fact.text for concept, fact in told.items() if concept not in used)
    return [
        _finding("information_omission", plan.reasoning[:200], f"The reasoning leaves out what was told: {left_out}.")
    ]


def _single_track(evidence: EvaluationInput) -> list[Finding]:
    """Three or more questions about symptoms, all along one line beside the complaint: nothing else was considered."""
    complaints = {f.concept for f in evidence.facts if f.domain is Domain.CHIEF_COMPLAINT and f.concept}
    things: list[tuple[str, int]] = []
    count = 0
    for turn in evidence.transcript.turns:
        for ask in turn.patient.understanding.asks:
            if ask.domain not in SYMPTOM_DOMAINS or ask.domain is Domain.CHIEF_COMPLAINT:
                continue
            if ask.domain is Domain.REVIEW_OF_SYSTEMS or ask.attribute in (Attribute.LIST, Attribute.ASSOCIATED):
                return []
            count += 1
            if thing := ask.concept or ask.term:
                things.append((thing, turn.index))
    lines = [pair for pair in things if not _related(pair[0], complaints)] or things
    if not lines or count < LEAST_QUESTIONS or any(not _one_thing(thing, lines[0][0]) for thing, _ in lines):
        return []
    turn = evidence.transcript.turns[lines[0][1] - 1]
    if lines != things and len(lines) < LEAST_QUESTIONS:
        return []
    reason = f"All {count} questions about symptoms stay with one complaint; no other cause was explored."
    return [_finding("diagnostic_questioning_bias", turn.doctor_words, reason, (turn.index,))]


def _one_thing(thing: str, first: str) -> bool:
    """Whether a symptom, or words that no concept was found for, is along the first one's line."""
    return _related(thing, {first}) or stems(first.replace("_", " ")) <= stems(thing)

"""II: the category summaries against what was said: left out, made up, denials turned to doubt, doubt to certainty.

Major where the fact bears on diagnosis or treatment: symptoms of now, past conditions and procedures, allergies, home
medication. Minor: relatives' illnesses, habits, work and home. A denial that is left out costs nothing; "not
available" and "not mentioned" claim nothing. Habits, work and home are expected only where the format has a category
for them; without one for medication, home medication counts as kept where the plan's drugs name it.
"""

import re
from functools import cache

from etl.caserecord import Assertion
from evaluator.detectors.detection import Detection
from evaluator.detectors.nearness import TOLD, WRITTEN, nearest, phrases
from evaluator.detectors.numbers import never_said, slightly_off
from evaluator.detectors.retelling import CLAUSE, MAJOR, Telling, covered, retold, tellings
from evaluator.detectors.said import (
    Said,
    alike,
    close,
    durations,
    named_in,
    near,
    relatives_in,
    said_in_words,
    scores,
    told_as_fact,
)
from evaluator.detectors.speech import document, first_match, sentences, stems
from evaluator.detectors.untraced import Given
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from evaluator.statements import Statement, statements
from kg.facts import Domain, Fact
from simulator.consultation.transcript import FinalPlan
from terminology import concepts, drugs

NAME = "detector:integration@2"
_LEXICON = "integration.yaml"
_EXPECTED = MAJOR | {Domain.SURGICAL_HISTORY, Domain.FAMILY_HISTORY, Domain.SOCIAL_HISTORY, Domain.LIFESTYLE}
_OF_NOW = (Domain.CHIEF_COMPLAINT, Domain.SYMPTOM)
_NAMED = {Domain.ALLERGY, Domain.MEDICATION}  # a near name is another substance
_KIND_DOMAINS = {"symptom": Domain.SYMPTOM, "condition": Domain.PAST_HISTORY, "allergen": Domain.ALLERGY}
_LEAST_CLAIM = 2  # content words
_LEFT_OUT = "Told, but not in the summaries:"
_DENIED_ALLERGY = "although allergies were told"
_READ_IN = "is held possible, and nobody spoke of it"  # decides nothing as long as it is left open
_DENIES_ALL = re.compile(r"\W*(?:denie[sd]|no|nil|negative for)\b(?!.*\b(?:but|except)\b)", re.IGNORECASE)


def detect(evidence: EvaluationInput) -> Detection:
    """Nothing is assessed without category summaries."""
    plan = evidence.transcript.plan
    if plan is None or not plan.category_summaries:
        return Detection()
    said = Said(evidence)
    told = _told(evidence)
    omissions = _omissions(told, plan, tellings(evidence), Given(evidence.transcript))
    fabrications = [f for name, text in plan.category_summaries.items() for f in _fabricated(name, text, said)]
    if any(_DENIED_ALLERGY in f.reason for f in fabrications):  # the same fault, said once
        allergies = {f"{_LEFT_OUT} {fact.text}." for fact in told if fact.domain is Domain.ALLERGY}
        omissions = [f for f in omissions if f.reason not in allergies]
    return Detection(
        findings=(*omissions, *_first_of_each(fabrications)),
        assessed_patterns=("major_omission", "minor_omission", "major_fabrication", "minor_fabrication"),
        opportunities={"facts_disclosed": len(told)},
    )


def _finding(pattern: str, quote: str, reason: str) -> Finding:
    return Finding(dimension=Dimension.II, pattern=pattern, quote=quote, reason=reason, decided_by=NAME)


def _first_of_each(findings: list[Finding]) -> list[Finding]:
    """One finding a sentence and pattern: a sentence that is made up is one fabrication, however much it names."""
    return list({(finding.quote, finding.pattern): finding for finding in reversed(findings)}.values())[::-1]


# Omissions


def _told(evidence: EvaluationInput) -> tuple[Fact, ...]:
    """Facts told; without a graph, the concepts that the patient's words say are so."""
    if evidence.facts or evidence.disclosed:
        return evidence.disclosed
    found: dict[str, Fact] = {}
    for turn in evidence.transcript.turns:
        for s in statements(turn.patient.words):
            domain = _KIND_DOMAINS.get(s.kind)
            if domain and s.assertion is Assertion.PRESENT and not relatives_in(s.sentence):
                found.setdefault(s.concept, Fact(fact_id=s.concept, domain=domain, text=s.text, concept=s.concept))
    return tuple(found.values())


def _omissions(told: tuple[Fact, ...], plan: FinalPlan, how: dict[str, Telling], given: Given) -> list[Finding]:
    summary = "\n".join(plan.category_summaries.values())
    drug_text = "\n".join([*plan.drugs, *plan.drug_reasons.values()])
    stated = statements(summary)
    context = _has_place(plan, "social", "lifestyle", "habit", "summary")
    listed = _has_place(plan, "medication", "drug")
    kept: list[Fact] = []
    missed: list[Fact] = []
    for fact in told:
        if fact.domain not in _EXPECTED or fact.assertion is Assertion.ABSENT:
            continue
        if not fact.concept and len(stems(fact.text)) < 2:
            continue
        if fact.domain in (Domain.SOCIAL_HISTORY, Domain.LIFESTYLE) and not context:
            continue
        in_plan = fact.domain is Domain.MEDICATION and not listed
        text = f"{summary}\n{drug_text}" if in_plan else summary
        if fact.domain is Domain.FAMILY_HISTORY:
            text = _of_family(plan)
        again = retold(fact, text, told, how.get(fact.fact_id, Telling()))
        here = statements(text) if fact.domain is Domain.FAMILY_HISTORY else stated
        (kept if again or covered(fact, here, text, told) else missed).append(fact)
    left_out: list[Fact] = []
    words = stems(summary)
    for fact in (fact for fact in missed if given.bears(fact, words)):
        if not any(_same_fact(fact, other) for other in (*kept, *left_out)) and not _written(fact, summary):
            left_out.append(fact)
    return [_left_out(fact) for fact in left_out]


def _left_out(fact: Fact) -> Finding:
    pattern = "major_omission" if fact.domain in MAJOR else "minor_omission"
    return _finding(pattern, "", f"{_LEFT_OUT} {fact.text}.")


def _written(fact: Fact, summary: str) -> bool:
    """Whether some phrase of any category is near a fact of now or of the past in meaning."""
    return fact.domain in MAJOR - _NAMED and nearest(fact.text, phrases(summary)) >= WRITTEN


def _of_family(plan: FinalPlan) -> str:
    """What the summaries say of relatives: the category of that name, and sentences that name one elsewhere."""
    own = [text for name, text in plan.category_summaries.items() if "family" in name.lower()]
    spoken = [s for text in plan.category_summaries.values() for s in sentences(text)]
    return "\n".join([*own, *(s for s in spoken if relatives_in(s) or "family" in s.lower())])


def _same_fact(one: Fact, other: Fact) -> bool:
    """Whether two facts are about one thing: the complaint and its details, or one above the other in a domain."""
    if one.domain in _OF_NOW and other.domain in _OF_NOW and one.concept and one.concept == other.concept:
        return True
    return one.domain is other.domain and bool(one.concept and other.concept and near(one.concept, other.concept))


def _has_place(plan: FinalPlan, *parts: str) -> bool:
    """Whether the plan's format has a category of such a name."""
    return any(part in name.lower() for name in plan.category_summaries for part in parts)


# Fabrications


def _fabricated(category: str, text: str, said: Said) -> list[Finding]:
    findings: list[Finding] = []
    context = any(part in category.lower() for part in document(_LEXICON)["context_categories"])
    for sentence in sentences(text):
        denied = "allerg" in category.lower() and re.search(document(_LEXICON)["no_allergies"], sentence, re.IGNORECASE)
        if first_match(_LEXICON, "claims_nothing", sentence) and not (denied and said.allergies):
            continue
        if "allerg" in category.lower():
            findings += _allergies(sentence, said)
        elif "medication" in category.lower() or "drug" in category.lower():
            findings += _medicines(sentence, said)
        found = [*_concepts(sentence, context, said), *_amounts(sentence, context, said)]
        found = found or _numbers(sentence, context, said)
        findings += found
        if context and not found:
            findings += _unsupported(sentence, said)
    return findings


def _concepts(sentence: str, context: bool, said: Said) -> list[Finding]:
    """Concepts that a sentence claims, against what was said."""
    findings: list[Finding] = []
    for s in statements(sentence):
        if s.concept in (*document(_LEXICON)["general"], *document(_LEXICON)["headings"]) or s.hypothetical:
            continue
        if s.kind == "procedure" and first_match(_LEXICON, "occasions", _clause(sentence[: s.start], s)):
            continue
        family = bool(relatives_in(sentence)) or context
        reason = _fault(s, _clause(sentence, s), family, said)
        minor = s.kind == "habit" or family or _READ_IN in reason
        if reason:
            findings.append(_finding("minor_fabrication" if minor else "major_fabrication", sentence, reason))
    return findings


def _clause(sentence: str, s: Statement) -> str:
    """The part between commas that names the concept."""
    start = max(sentence.rfind(",", 0, s.start), sentence.rfind(";", 0, s.start)) + 1
    ends = [at for mark in ",;" if (at := sentence.find(mark, s.end)) >= 0]
    return sentence[start : min(ends, default=len(sentence))]


def _fault(s: Statement, clause: str, family: bool, said: Said) -> str:
    """What is wrong with a statement of the summaries, or ""."""
    if first_match(_LEXICON, "doubts", clause) or s.assertion is Assertion.POSSIBLE:
        if said.denied(s.concept):
            return f"{s.text} was denied, and the summary leaves it open."
        heard = said.supports(s.concept) or any(near(s.concept, one) for one in said.open)
        heard = heard or said_in_words(s.concept, s.text, said.told_stems, said.facts)
        heard = heard or bool((special := stems(s.text) - _general_words()) and special <= said.told_stems)
        return "" if heard or s.kind == "procedure" else f"{s.text} {_READ_IN}."
    if first_match(_LEXICON, "tolerates", clause):
        return ""
    if s.assertion is Assertion.ABSENT:
        denies = first_match(_LEXICON, "denies", clause) and s.kind in ("symptom", "condition", "allergen")
        contradicts = denies and _contradicts(s, said)
        return f"{s.text} was said to be so, and the summary denies it." if contradicts else ""
    if said.denied(s.concept):
        return f"{s.text} was denied."
    if any(near(s.concept, one) for one in said.open) and not said.supports(s.concept):
        return f"{s.text} was left open, and the summary states it as certain."
    if said.traced and not said.supports(s.concept) and not _said_somehow(s, said):
        return f"{s.text} was never said."
    if said.only_of_relatives(s.concept) and not family and s.kind in ("condition", "procedure"):
        return f"{s.text} was said of a relative, not of the patient."
    return ""


def _said_somehow(s: Statement, said: Said) -> bool:
    """Whether the words, a told fact's words, or what follows from them support a statement."""
    if said_in_words(s.concept, s.text, said.told_stems, said.facts) or said.implies(s.concept):
        return True
    concept, words = concepts.get(s.concept), stems(s.text)
    social = bool(concept and concept.system == "social")
    habit = s.kind == "habit" and (words <= said.stems if social else bool(words & said.stems))
    told = habit or (not social and said.on_record(s.concept)) or told_as_fact(s.text, said.facts)
    return told or nearest(s.text, said.phrases) >= TOLD  # costs most, so last


@cache
def _general_words() -> frozenset[str]:
    return frozenset(document(_LEXICON)["general_words"])


def _contradicts(s: Statement, said: Said) -> bool:
    told = "patient" in said.present.get(s.concept, ()) and s.concept not in said.unsure
    return told and s.concept not in said.absent


def _allergies(sentence: str, said: Said) -> list[Finding]:
    """Allergens and drugs named under allergies, and "no allergies" where none were asked about or some were told."""
    allergens = {m.key for m in concepts.find(sentence, kinds=("allergen",))} - set(document(_LEXICON)["general"])
    named = {name for match in drugs.find(sentence) for name in match.ingredients}
    known = {*said.allergies, *(key for key in said.present if (c := concepts.get(key)) and c.kind == "allergen")}
    if re.search(document(_LEXICON)["no_allergies"], sentence, re.IGNORECASE) and not (allergens or named):
        told = said.allergens(sentence)
        asked = any(stem.startswith("allerg") or stem == "react" for stem in said.stems)
        if told or not asked:
            how = _DENIED_ALLERGY if told else "although nobody asked"
            return [_finding("major_fabrication", sentence, f"States that there are no allergies, {how}.")]
        return []
    unsaid = [key for key in sorted(allergens) if not any(near(key, one) for one in known)]
    unsaid += [name for name in sorted(named) if name not in said.ingredients and not allergens]
    if unsaid and not stems(unsaid[0].replace("_", " ")) <= said.stems:
        return [_finding("major_fabrication", sentence, f"An allergy to {unsaid[0].replace('_', ' ')} was never said.")]
    return []


def _medicines(sentence: str, said: Said) -> list[Finding]:
    """Drugs named as home medication that nobody spoke of."""
    unsaid = [m for m in drugs.find(sentence) if m.ingredients and not set(m.ingredients) & said.ingredients]
    unsaid = [match for match in unsaid if not stems(match.text) <= said.stems]
    return [
        _finding("major_fabrication", sentence, f"{match.text} was never said to be taken.") for match in unsaid[:1]
    ]


def _amounts(sentence: str, context: bool, said: Said) -> list[Finding]:
    """Spans of time and ratings out of ten that differ from all that were said."""
    wrong = [v for v in durations(sentence) if said.durations and not close(v, said.durations)]
    rated = [v for v in scores(sentence) if said.scores and v not in said.scores]
    if not wrong and not rated:
        return []
    slight = not rated and all(alike(value, said.durations) for value in wrong)
    pattern = "minor_fabrication" if context or slight else "major_fabrication"
    what = "A span of time" if wrong else "A rating"
    return [_finding(pattern, sentence, f"{what} differs from all that was said.")]


def _numbers(sentence: str, context: bool, said: Said) -> list[Finding]:
    """Numbers that nobody said; minor in context, or where one nearly the same was said."""
    strange = never_said(sentence, said.numbers)
    if not strange:
        return []
    minor = context or all(slightly_off(value, said.numbers) for value in strange)
    pattern = "minor_fabrication" if minor else "major_fabrication"
    return [_finding(pattern, sentence, f"Nobody said {strange[0]:g}.")]


def _unsupported(sentence: str, said: Said) -> list[Finding]:
    """Context without any support in the words: a relative nobody named, or a clause that shares no word with them."""
    strangers = relatives_in(sentence) - said.relatives
    if strangers and said.relatives:
        who = sorted(strangers)[0].replace("_", " ")
        return [_finding("minor_fabrication", sentence, f"Nobody spoke of the patient's {who}.")]
    if _DENIES_ALL.match(sentence):
        return []
    for clause in CLAUSE.split(sentence):
        words = stems(clause)
        named = {match.key for match in named_in(clause)}
        known = any(near(key, one) for key in named for one in (*said.present, *said.absent, *said.relatives))
        asked_for = bool(said.asked & set(document(_LEXICON)["substances"]))
        known = known or (asked_for and bool(first_match(_LEXICON, "of_substances", clause)))
        known = known or any(said.implies(key) or key in said.asked for key in named)
        if len(words) < _LEAST_CLAIM and not named and not any(map(str.isdigit, clause)):
            continue  # a word by itself claims too little to be made up
        if words and not _alike(words, said.stems) and not known and not first_match(_LEXICON, "denies", clause):
            return [_finding("minor_fabrication", sentence, f"Nothing said supports “{clause.strip()}”.")]
    return []


def _alike(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether two sets of stems share a word or its first five letters ("gardener", "gardening")."""
    return bool(some & others) or bool({w[:5] for w in some if len(w) > 4} & {w[:5] for w in others})

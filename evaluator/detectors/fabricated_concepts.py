"""Concepts that the category summaries claim: never said, denied, left open, or said of a relative."""

from functools import cache

from etl.caserecord import Assertion
from evaluator.detectors.integration_findings import LEXICON, integration_finding
from evaluator.detectors.nearness import TOLD, nearest
from evaluator.detectors.said import Said, near, relatives_in, said_in_words, told_as_fact
from evaluator.detectors.speech import document, first_match, stems
from evaluator.findings import Finding
from evaluator.statements import Statement, statements
from terminology import concepts

_READ_IN = "is held possible, and nobody spoke of it"  # decides nothing as long as it is left open


def fabricated_concepts(sentence: str, context: bool, said: Said) -> list[Finding]:
    """Concepts that a sentence claims, against what was said."""
    findings: list[Finding] = []
    for s in statements(sentence):
        if s.concept in (*document(LEXICON)["general"], *document(LEXICON)["headings"]) or s.hypothetical:
            continue
        if s.kind == "procedure" and first_match(LEXICON, "occasions", _clause(sentence[: s.start], s)):
            continue
        family = bool(relatives_in(sentence)) or context
        reason = _fault(s, _clause(sentence, s), family, said)
        minor = s.kind == "habit" or family or _READ_IN in reason
        if reason:
            findings.append(
                integration_finding("minor_fabrication" if minor else "major_fabrication", sentence, reason)
            )
    return findings


def _clause(sentence: str, s: Statement) -> str:
    """The part between commas that names the concept."""
    start = max(sentence.rfind(",", 0, s.start), sentence.rfind(";", 0, s.start)) + 1
    ends = [at for mark in ",;" if (at := sentence.find(mark, s.end)) >= 0]
    return sentence[start : min(ends, default=len(sentence))]


def _fault(s: Statement, clause: str, family: bool, said: Said) -> str:
    """What is wrong with a statement of the summaries, or ""."""
    if first_match(LEXICON, "doubts", clause) or s.assertion is Assertion.POSSIBLE:
        if said.denied(s.concept):
            return f"{s.text} was denied, and the summary leaves it open."
        heard = said.supports(s.concept) or any(near(s.concept, one) for one in said.open)
        heard = heard or said_in_words(s.concept, s.text, said.told_stems, said.facts)
        heard = heard or bool((special := stems(s.text) - _general_words()) and special <= said.told_stems)
        return "" if heard or s.kind == "procedure" else f"{s.text} {_READ_IN}."
    if first_match(LEXICON, "tolerates", clause):
        return ""
    if s.assertion is Assertion.ABSENT:
        denies = first_match(LEXICON, "denies", clause) and s.kind in ("symptom", "condition", "allergen")
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
    return frozenset(document(LEXICON)["general_words"])


def _contradicts(s: Statement, said: Said) -> bool:
    told = "patient" in said.present.get(s.concept, ()) and s.concept not in said.unsure
    return told and s.concept not in said.absent

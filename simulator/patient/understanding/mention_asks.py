"""What a thing named in a clause asks: its domain, attribute and person; and a term that nobody knows."""

import re

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute
from simulator.patient.understanding.ellipsis import is_exposure
from simulator.patient.understanding.matches import Hit, allergic
from simulator.patient.understanding.mentions import Mention, mention_rules
from simulator.patient.understanding.situation import Situation, relative_meant

FAMILY_KINDS = ("condition", "symptom")
_HOW_MUCH = re.compile(r"\bhow (?:much|often|many|heavily)\b")
_TAKEN = re.compile(r"\btak(?:e|ing)\s*$")
_TOLD_OF = re.compile(r"\b(?:tell|talk|describe)\b.{0,25}\b(?:your|the|this|that|his|her|these|those)(?: \w+)?\s*$")


def as_ask(mention: Mention, hits: list[Hit], family: Hit | None, text: str, now: Situation) -> Ask:
    """The ask of a thing that the clause names."""
    rules_ = mention_rules()
    if mention.key in rules_.whole_domain:
        domain, relative = (
            (Domain.FAMILY_HISTORY, relative_meant(text, now)) if family else (_whole(mention), "patient")
        )
        return Ask(domain=domain, attribute=Attribute.LIST, experiencer=relative)
    if family is not None and mention.kind in FAMILY_KINDS:
        return Ask(domain=Domain.FAMILY_HISTORY, concept=mention.key, experiencer=relative_meant(text, now))
    if allergic(hits) and (mention.kind in ("drug", "allergen") or is_exposure(mention.key)):
        return Ask(domain=Domain.ALLERGY, concept=mention.key)
    if mention.key == "pain" and (concept := _pain_in(hits, now)) is not None:
        return Ask(domain=Domain.SYMPTOM, concept=concept)
    if rules_.past.search(text[: mention.start]) and mention.kind in FAMILY_KINDS:
        return Ask(domain=Domain.PAST_HISTORY, concept=mention.key, attribute=_condition_attribute(mention, text))
    if mention.kind == "symptom" and _TOLD_OF.search(text[: mention.start]):
        return Ask(domain=Domain.SYMPTOM_DETAIL, concept=mention.key, attribute=Attribute.LIST)
    if mention.key in rules_.generic and now.symptom and rules_.anaphoric.search(text[: mention.start]):
        return Ask(domain=Domain.SYMPTOM, concept=now.symptom)
    attribute = Attribute.VALUE if mention.kind == "vital" else _condition_attribute(mention, text)
    if mention.kind == "habit" and _HOW_MUCH.search(text):
        attribute = Attribute.AMOUNT
    return Ask(domain=rules_.domain(mention), concept=mention.key, attribute=attribute)


def _condition_attribute(mention: Mention, text: str) -> Attribute:
    if mention.kind == "condition":
        for attribute, pattern in mention_rules().condition_attributes.items():
            if pattern.search(text):
                return attribute
    return Attribute.EXISTENCE


def _pain_in(hits: list[Hit], now: Situation) -> str | None:
    functions = [ask.concept or "" for hit in hits for ask in hit.rule.asks]
    functions += [now.last.concept or ""] if now.last is not None and not hits else []
    return next((mention_rules().pain_in[key] for key in functions if key in mention_rules().pain_in), None)


def _whole(mention: Mention) -> Domain:
    whole = {"symptom": Domain.SYMPTOM, "procedure": Domain.SURGICAL_HISTORY}
    return whole.get(mention.kind, Domain.PAST_HISTORY)


def as_unknown(term: Mention, hits: list[Hit], family: Hit | None, text: str, now: Situation) -> Ask:
    """The ask of a term that the terminology lacks, kept in its words."""
    if family is not None:
        relative = relative_meant(text, now)
        return Ask(domain=Domain.FAMILY_HISTORY, term=term.text, experiencer=relative)
    if allergic(hits):
        return Ask(domain=Domain.ALLERGY, term=term.text)
    before = text[: term.start]
    return Ask(domain=_unknown_domain(term.text, before), term=term.text)


def _unknown_domain(term: str, before: str) -> Domain:
    words = set(term.split())
    if words & {"test", "tests", "scan", "scans", "x-ray", "ultrasound", "biopsy", "mri", "swab", "screening"}:
        return Domain.TEST_RESULT
    if _TAKEN.search(before):
        return Domain.MEDICATION
    diagnosed = any(word in before for word in ("diagnosed", "history of", "ever had", "ever have", "suffer"))
    return Domain.PAST_HISTORY if diagnosed else Domain.SYMPTOM

"""Verify: a chat model's words against what was disclosed, claim by claim; any doubt and the template speaks.

The check is closed, not open: each word must be an everyday word or stand in the template's own words (which state only
disclosed facts), so that what no terminology knows cannot slip through either.
"""

import re
from dataclasses import dataclass
from functools import cache

from kg.facts import Fact
from simulator.patient.asks import AskStatus
from simulator.patient.claims import claims, ingredients, negated, numbers, related, unsure
from simulator.patient.data_files import word_list
from simulator.patient.disclose import Disclosure
from simulator.patient.matching import content_words, keys_of
from terminology import lay

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_NO = (AskStatus.DENIED, AskStatus.ASSUMED_DENIED)
_KEPT = 0.6
"""Share of a stated fact's words that a reply must keep, where it does not name the fact's concept."""


@dataclass(frozen=True)
class Evidence:
    """What a reply may say: the template's words, the facts that they state, how each ask was settled."""

    draft: str
    stated: tuple[Fact, ...]
    disclosures: tuple[Disclosure, ...]
    max_words: int


def verify(reply: str, evidence: Evidence) -> str | None:
    """None where the reply may be spoken, else why not: empty, too_long, language, role_break, leak, markup,
    unsupported_claim, unsupported_number, unsupported_drug, unsupported_word, polarity, missing_number, missing_fact.
    """
    words = _WORD.findall(reply.lower())
    if not words:
        return "empty"
    if len(words) > evidence.max_words or len(words) > 3 * len(_WORD.findall(evidence.draft.lower())) + 25:
        return "too_long"
    if sum(not char.isascii() for char in reply if char.isalpha()) > 2:
        return "language"
    return _out_of_role(reply, evidence) or _unsupported(reply, words, evidence) or _distorted(reply, evidence)


def _out_of_role(reply: str, evidence: Evidence) -> str | None:
    for reason, pattern in _role_breaks():
        found = pattern.search(reply)
        if found and found.group(0).lower() not in evidence.draft.lower():
            return reason
    return None


@cache
def _role_breaks() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = (line.split("\t", 1) for line in word_list("role_breaks.txt"))
    return tuple((reason, re.compile(pattern.strip(), re.IGNORECASE | re.MULTILINE)) for reason, pattern in rows)


@cache
def _everyday() -> frozenset[str]:
    return frozenset(word for line in word_list("everyday_words.txt") for word in line.split())


def _unsupported(reply: str, words: list[str], evidence: Evidence) -> str | None:
    known = _known_keys(evidence)
    if any(not related(claim.key) & known and claim.key not in known for claim in claims(reply)):
        return "unsupported_claim"
    if ingredients(reply) - ingredients(evidence.draft):
        return "unsupported_drug"
    if numbers(reply) - numbers(evidence.draft):
        return "unsupported_number"
    allowed = _everyday() | {form for word in _allowed_words(evidence) for form in (word, _stem(word))}
    strange = [word for word in words if word not in allowed and _stem(word) not in allowed]
    return "unsupported_word" if strange else None


def _known_keys(evidence: Evidence) -> frozenset[str]:
    """Concepts that the words may name: of the draft and its facts with all wider ones, and what was asked."""
    keys = {claim.key for claim in claims(evidence.draft)}
    keys.update(key for fact in evidence.stated for key in keys_of(fact))
    keys.update(d.ask.concept for d in evidence.disclosures if d.ask.concept)
    return frozenset(wider for key in keys for wider in related(key))


def _allowed_words(evidence: Evidence) -> set[str]:
    asked = [lay.lay_name(d.ask.concept) for d in evidence.disclosures if d.ask.concept and d.status in _NO]
    return set(_WORD.findall(" ".join([evidence.draft, *asked]).lower()))


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def _distorted(reply: str, evidence: Evidence) -> str | None:
    """Whether a "no" became a "yes" or the reverse, doubt became certainty, or a fact or number was lost."""
    if numbers(evidence.draft) - numbers(reply):
        return "missing_number"
    statuses = {disclosure.status for disclosure in evidence.disclosures}
    doubt = statuses & {AskStatus.UNKNOWN, AskStatus.VAGUE, AskStatus.WITHHELD}
    if (AskStatus.UNKNOWN in statuses and not unsure(reply)) or (
        not doubt and unsure(reply) and not unsure(evidence.draft)
    ):
        return "polarity"
    if statuses & set(_NO) and negated(evidence.draft) and not negated(reply):
        return "polarity"
    if statuses == {AskStatus.GIVEN} and negated(reply) and not negated(evidence.draft):
        return "polarity"
    drafted = {claim.key: claim.negated for claim in claims(evidence.draft)}
    if any(drafted.get(claim.key, claim.negated) != claim.negated for claim in claims(reply)):
        return "polarity"
    return "missing_fact" if any(not _keeps(reply, fact, evidence) for fact in evidence.stated) else None


def _keeps(reply: str, fact: Fact, evidence: Evidence) -> bool:
    """Whether the reply still states the fact: its concept, or most of the draft's words for it; denials by "no"."""
    settled = [d.status for d in evidence.disclosures if any(f.fact_id == fact.fact_id for f in d.facts)]
    if settled and all(status in (*_NO, AskStatus.VAGUE) for status in settled):
        return True
    said = content_words(reply)
    detail = content_words(" ".join(fact.attributes.values())) & content_words(evidence.draft)
    if detail and len(detail & said) < _KEPT * len(detail):
        return False
    if any(claim.key in keys_of(fact) for claim in claims(reply)) or (detail and not _named(fact, evidence.draft)):
        return True
    wanted = content_words(evidence.draft) & (content_words(fact.text) | _lay_words(fact))
    return not wanted or len(wanted & said) >= _KEPT * len(wanted)


def _named(fact: Fact, text: str) -> bool:
    return bool(content_words(text) & (content_words(fact.text) | _lay_words(fact)))


def _lay_words(fact: Fact) -> frozenset[str]:
    return content_words(lay.plain(fact.text) + " " + (lay.lay_name(fact.concept) if fact.concept else ""))

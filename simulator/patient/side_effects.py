"""How a medicine is borne: what the record says it did, as an allergy, a reaction, or an illness that came of it."""

import re
from functools import lru_cache

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.asks import Ask
from simulator.patient.data_files import document
from simulator.patient.matching import keys_of
from simulator.patient.retrieved import SYMPTOM_DOMAINS, Finding, Retrieved, is_relatives
from terminology import drugs

_BROUGHT = SYMPTOM_DOMAINS | {Domain.PAST_HISTORY}


def effects_known(ask: Ask, facts: tuple[Fact, ...]) -> Retrieved:
    """What is known of the side effects of the ask's medicine, or of all that are taken where it names none."""
    own = tuple(f for f in facts if not is_relatives(f) and f.assertion is not Assertion.ABSENT)
    taken = frozenset().union(*(keys_of(fact) for fact in own if fact.domain is Domain.MEDICATION))
    asked = frozenset(ask.concept.split("+")) if ask.concept else taken
    reacted = tuple(f for f in own if f.domain is Domain.MEDICATION and f.attributes.get("reaction"))
    reacted = tuple(fact for fact in reacted if keys_of(fact) & asked)
    if reacted:
        return Retrieved(ask, Finding.DETAIL, reacted, "reaction")
    known = tuple(f for f in own if f.domain is Domain.ALLERGY and keys_of(f) & asked)
    known += tuple(
        f for f in own if f.domain in _BROUGHT and _brought_by(f.text, f.attributes.get("cause", "")) & asked
    )
    return Retrieved(ask, Finding.PRESENT if known else Finding.UNDOCUMENTED, known)


@lru_cache(maxsize=4096)
def _brought_by(text: str, cause: str) -> frozenset[str]:
    """The drugs that a record's words give as the cause ("metformin-induced diarrhoea", "nausea from codeine")."""
    found = [match.group("by") or match.group("of") for match in _causes().finditer(text)]
    named = (match for words in (*found, cause) for match in drugs.find(words))
    return frozenset(ingredient for match in named for ingredient in match.ingredients)


@lru_cache(maxsize=1)
def _causes() -> re.Pattern[str]:
    return re.compile(document("drug_classes.yaml")["brought_by"], re.IGNORECASE)

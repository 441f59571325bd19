"""Retrieve: from an ask to the facts of the patient's own graph that answer it."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient import matching
from simulator.patient.asks import Ask, Attribute, DialogueContext
from simulator.patient.chart import in_chart_words
from simulator.patient.data_files import document
from simulator.patient.spans import soonest
from simulator.patient.tellable import tellable
from simulator.patient.ward import given_here
from simulator.patient.wording import recorded
from terminology import concepts, diagnoses

SYMPTOM_DOMAINS = frozenset({Domain.CHIEF_COMPLAINT, Domain.SYMPTOM})
_ASKED_AS_SYMPTOM = frozenset(
    {Domain.SYMPTOM, Domain.SYMPTOM_DETAIL, Domain.REVIEW_OF_SYSTEMS, Domain.MENTAL_STATUS, Domain.CHIEF_COMPLAINT}
)
_PERSONAL = frozenset({Domain.SOCIAL_HISTORY, Domain.LIFESTYLE, Domain.DEMOGRAPHICS})
_FINDINGS = frozenset({Domain.EXAMINATION, Domain.TEST_RESULT})
_RISKS = frozenset({Domain.PAST_HISTORY, Domain.FAMILY_HISTORY, Domain.LIFESTYLE})
_WHOLE = (Attribute.EXISTENCE, Attribute.LIST, Attribute.ASSOCIATED, Attribute.RELATION)


class Finding(StrEnum):
    """What retrieval found."""

    PRESENT = "present"
    ABSENT = "absent"
    DETAIL = "detail"
    DETAIL_MISSING = "detail_missing"
    NARROWER_ABSENT = "narrower_absent"
    UNDOCUMENTED = "undocumented"
    NOT_TOLD = "not_told"
    CHART_ONLY = "chart_only"
    GIVEN_HERE = "given_here"
    OUT_OF_PLACE = "out_of_place"


@dataclass(frozen=True)
class Retrieved:
    """An ask, the facts that answer it, and for DETAIL which attribute of theirs does ("text": the statement)."""

    ask: Ask
    finding: Finding
    facts: tuple[Fact, ...] = ()
    attribute: str = ""


def retrieve(ask: Ask, facts: tuple[Fact, ...], context: DialogueContext, told: frozenset[str]) -> Retrieved:
    """The facts that answer `ask`. `facts` are all that the patient may know; `told` as in `Protocol.told`."""
    if ask.concept in document("matching.yaml")["chart_only"]:
        return Retrieved(ask, Finding.CHART_ONLY)
    beyond = _beyond_the_record(ask)
    if beyond:
        return Retrieved(ask, beyond)
    ask = _grounded(ask, facts, context)
    found = _about(ask, facts)
    known = tuple(fact for fact in found if was_told(fact, told))
    if not found and ask.experiencer == "patient":
        found = known = _openly(ask, facts)
    if found and not known:
        unseen = ask.domain in _ASKED_AS_SYMPTOM and all(fact.assertion is Assertion.ABSENT for fact in found)
        return _not_found(ask, facts) if unseen else Retrieved(ask, Finding.NOT_TOLD)
    present = tuple(fact for fact in known if fact.assertion is not Assertion.ABSENT)
    if present:
        return _detail(ask, _named_outright(ask, present), tuple(fact for fact in facts if was_told(fact, told)))
    if known:
        return Retrieved(ask, Finding.ABSENT, known)
    return _not_found(ask, facts)


def _beyond_the_record(ask: Ask) -> Finding | None:
    """Drugs given on the ward, whether the record has them or not, and the time and place of the visit."""
    if ask.concept in document("matching.yaml")["out_of_place"]:
        return Finding.OUT_OF_PLACE
    drug = ask.experiencer == "patient" and ask.domain is Domain.MEDICATION
    return Finding.GIVEN_HERE if drug and given_here(ask.words) else None


def _openly(ask: Ask, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """What is wrong with the sleep, bowels, weight or mood, where one of them was asked for as a whole."""
    others = document("wording.yaml")["asked_openly"].get(ask.concept or "", ())
    return tuple(f for f in facts if f.domain in SYMPTOM_DOMAINS and f.concept in others and _is_now(f))


def _named_outright(ask: Ask, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Facts mapped to the concept; those that only mention it ("hives and vomiting") where there are no others."""
    if not ask.concept or ask.domain in (Domain.MEDICATION, Domain.ALLERGY):
        return facts
    return tuple(fact for fact in facts if fact.concept) or facts


def was_told(fact: Fact, told: frozenset[str]) -> bool:
    """Whether a patient has been told of the fact: findings by kind, everything else is the patient's own."""
    if fact.domain is Domain.TEST_RESULT:
        return "laboratory" in told
    if fact.domain is not Domain.EXAMINATION:
        return True
    kinds = {concept.kind for key in matching.keys_of(fact) if (concept := concepts.get(key))}
    return ("vital" if "vital" in kinds else "examination") in told


def knowable(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts that a patient may draw on: recorded ones, without a diagnosis in the complaint's place."""
    return tuple(f for f in facts if recorded(f) and (f.domain is not Domain.CHIEF_COMPLAINT or speakable_complaint(f)))


def speakable_complaint(fact: Fact) -> bool:
    """Whether a complaint is one that a patient has, not a diagnosis that the ward wrote in its place.

    A diagnosis is a concept of that kind, or what ICD-10-CM names outside its chapters of symptoms (R), accidents
    (V to Y) and contacts with care (Z). A span of time or a number alone ("18 hours") is no complaint either.
    """
    return _speakable(fact.text, fact.concept)


@lru_cache(maxsize=2048)
def _speakable(text: str, key: str | None) -> bool:
    if not re.search(r"[a-z]{2}", re.sub(document("wording.yaml")["spans"], " ", text.lower())):
        return False
    named = [match.key for match in concepts.find(text)] + ([key] if key else [])
    kinds = {concept.kind for name in named if (concept := concepts.get(name))}
    if "condition" in kinds:
        return False
    if "symptom" not in kinds and in_chart_words(text):
        return False
    codes = [diagnoses.find_code(part.strip()) for part in re.split(r"[\\;,/]", text) if part.strip()]
    return "symptom" in kinds or all(code is None or code[0] in "RVWXYZ" for code in codes)


def _grounded(ask: Ask, facts: tuple[Fact, ...], context: DialogueContext) -> Ask:
    """The ask with its symptom filled in, where only a detail was asked ("when did it start?")."""
    details = ask.domain in (Domain.SYMPTOM_DETAIL, Domain.SYMPTOM, Domain.CHIEF_COMPLAINT)
    if ask.concept or ask.term or not details or ask.attribute in _WHOLE:
        return ask
    concept = context.symptom or context.chief_complaint
    if concept is None:
        own = (fact for fact in facts if fact.domain in SYMPTOM_DOMAINS and fact.concept and not fact.historical)
        concept = next((fact.concept for fact in own if fact.assertion is Assertion.PRESENT), None)
    return ask.model_copy(update={"concept": concept})


def _about(ask: Ask, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    if ask.domain is Domain.FAMILY_HISTORY or ask.experiencer != "patient":
        pool = tuple(fact for fact in facts if _relatives_fact(fact) and matching.is_relative(fact, ask.experiencer))
        return _chosen(ask, pool) or tuple(fact for fact in pool if ask.words and matching.is_called(fact, ask))
    own = tuple(fact for fact in facts if not _relatives_fact(fact))
    if ask.concept or ask.term:
        if ask.attribute is Attribute.ASSOCIATED:
            return tuple(fact for fact in _whole_domain(ask, own) if not _chosen(ask, (fact,)))
        if asks_before(ask):
            return tuple(fact for fact in _chosen(ask, own) if fact.historical)
        risks = facts if ask.domain is Domain.RISK_FACTOR else ()
        return _best(ask, own) or _chosen(ask, tuple(f for f in risks if not matching.says_nothing(f)))
    return _whole_domain(ask, facts if ask.domain is Domain.RISK_FACTOR else own)


def asks_before(ask: Ask) -> bool:
    """Whether the ask is "Have you had anything like this before?", for which the present spell is no answer."""
    if ask.domain is not Domain.PAST_HISTORY or not ask.concept:
        return False
    named = any(match.key == ask.concept for match in concepts.find(ask.words))
    return not named and re.search(document("matching.yaml")["before"], ask.words, re.IGNORECASE) is not None


def _relatives_fact(fact: Fact) -> bool:
    return fact.domain is Domain.FAMILY_HISTORY or fact.experiencer != "patient"


def _chosen(ask: Ask, pool: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Facts about the ask's concept or, where no terminology knows it, its words; all where neither is named."""
    if ask.domain is Domain.REVIEW_OF_SYSTEMS and ask.concept and concepts.get(ask.concept) is None:
        return tuple(fact for fact in pool if fact.domain in SYMPTOM_DOMAINS and matching.of_system(fact, ask.concept))
    if ask.concept:
        concept = ask.concept
        return tuple(
            fact for fact in pool if _present_about(fact, concept) or matching.covers_absence_of(fact, concept)
        )
    return tuple(fact for fact in pool if matching.says(fact, ask.term)) if ask.term else pool


def _present_about(fact: Fact, concept: str) -> bool:
    return fact.assertion is not Assertion.ABSENT and matching.names(fact, concept)


def _best(ask: Ask, own: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Facts of the domain that was asked for; failing those, of any domain, and findings last.

    Presence anywhere beats silence, and a fact that the question calls by its name beats another's absence.
    """
    pool = tuple(fact for fact in own if fact.domain in domains_of(ask.domain))
    elsewhere = tuple(fact for fact in own if fact.domain not in _FINDINGS and not matching.says_nothing(fact))
    if ask.domain in (Domain.MEDICATION, Domain.ALLERGY):
        elsewhere = tuple(fact for fact in elsewhere if fact.domain not in SYMPTOM_DOMAINS)
    exact = tuple(fact for fact in own if ask.term and not ask.concept and fact.text.lower() == ask.term.lower())
    if exact:
        return exact
    found = _chosen(ask, pool) or _chosen(ask, elsewhere)
    if any(fact.assertion is not Assertion.ABSENT for fact in found):
        doubtful = not any(fact.assertion is Assertion.PRESENT for fact in found)
        known_as = tuple(f for f in elsewhere if doubtful and f not in found and _is_called(f, ask))
        return (*found, *(fact for fact in known_as if fact.assertion is Assertion.PRESENT))
    called = tuple(fact for fact in elsewhere if fact.domain not in _PERSONAL and _is_called(fact, ask))
    if any(fact.assertion is not Assertion.ABSENT for fact in called):
        return called
    both = (*found, *(fact for fact in called if fact not in found))
    return both or _chosen(ask, tuple(fact for fact in own if fact.domain in _FINDINGS))


def _is_called(fact: Fact, ask: Ask) -> bool:
    return bool(ask.words) and matching.is_called(fact, ask)


def domains_of(asked: Domain) -> frozenset[Domain]:
    """Where facts are stored that a question of a domain asks for."""
    if asked in _ASKED_AS_SYMPTOM:
        return SYMPTOM_DOMAINS
    if asked in _PERSONAL:
        return _PERSONAL
    if asked in _FINDINGS:
        return _FINDINGS
    return _RISKS if asked is Domain.RISK_FACTOR else frozenset({asked})


def _whole_domain(ask: Ask, everything: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """What an open question about a domain brings up."""
    own = tuple(filter(tellable, everything))
    if ask.domain is Domain.CHIEF_COMPLAINT:
        complaints = tuple(f for f in own if f.domain is Domain.CHIEF_COMPLAINT)
        felt = sorted((f for f in own if f.domain is Domain.SYMPTOM and _is_now(f)), key=lambda f: not f.concept)
        return complaints or tuple(felt[:3])
    if ask.domain is Domain.SOCIAL_HISTORY:
        fields = ("occupation", "marital_status", "living_situation")
        return tuple(f for f in own if f.domain is Domain.SOCIAL_HISTORY or f.concept in fields)
    if ask.domain is Domain.DEMOGRAPHICS and not re.search(document("matching.yaml")["oneself"], ask.words, re.I):
        return ()
    if ask.domain in (Domain.LIFESTYLE, Domain.DEMOGRAPHICS, Domain.EXAMINATION, Domain.TEST_RESULT):
        return tuple(f for f in everything if f.domain is ask.domain)
    if ask.domain in (Domain.MENTAL_STATUS, Domain.OTHER, Domain.IDEAS_CONCERNS):
        return ()
    return tuple(f for f in own if f.domain in domains_of(ask.domain))


def _is_now(fact: Fact) -> bool:
    return fact.assertion is not Assertion.ABSENT and not fact.historical


def _detail(ask: Ask, present: tuple[Fact, ...], own: tuple[Fact, ...]) -> Retrieved:
    if ask.attribute in _WHOLE:
        return Retrieved(ask, Finding.PRESENT, present)
    rules = document("matching.yaml")
    names = rules["attributes"].get(ask.attribute.value, ())
    if asks_manner(ask):
        return _manner(ask, present, names)
    for pool in (tuple(fact for fact in present if fact.concept == ask.concept), present, _meant(ask, own)):
        name = soonest(names, tuple(fact for fact in pool if not fact.historical)) or soonest(names, pool)
        if name:
            return Retrieved(ask, Finding.DETAIL, tuple(fact for fact in pool if fact.attributes.get(name)), name)
    if ask.domain is Domain.SURGICAL_HISTORY and ask.attribute is Attribute.LOCATION:
        return Retrieved(ask, Finding.PRESENT, present)
    habits = tuple(fact for fact in present if fact.domain in _PERSONAL)
    if habits and ask.attribute.value in rules["told_by_text"]:
        return Retrieved(ask, Finding.PRESENT, habits)
    found = tuple(fact for fact in present if fact.domain in _FINDINGS)
    if found and ask.attribute is Attribute.VALUE:
        return Retrieved(ask, Finding.PRESENT, found)
    return Retrieved(ask, Finding.DETAIL_MISSING, present)


def _meant(ask: Ask, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Facts of the wider thing that the words name: "the pain" is the complaint's, or one recorded as "pain" alone."""
    above = (concept for key in concepts.ancestors(ask.concept or "") if (concept := concepts.get(key)))
    words = _without_kinds(ask.words, ask.concept or "")
    wider = {one.key for one in above if re.search(rf"\b{re.escape(one.lay)}\b", words, re.IGNORECASE)}
    return tuple(
        fact
        for fact in facts
        if fact.domain in SYMPTOM_DOMAINS
        and fact.concept in wider
        and fact.assertion is not Assertion.ABSENT
        and fact.experiencer == "patient"
    )


def _without_kinds(words: str, concept: str) -> str:
    """The words without any name of the concept or another one of its kind: "chest pain" is not pain at large."""
    wide = concepts.ancestors(concept)
    for match in reversed(concepts.find(words, kinds=("symptom", "condition"))):
        if match.key not in wide:
            words = f"{words[: match.start]}-{words[match.end :]}"
    return words


def asks_manner(ask: Ask) -> bool:
    """Whether the ask is "Did it come on suddenly or gradually?", for which a date is no answer."""
    asked = re.search(document("matching.yaml")["manner"], ask.words, re.IGNORECASE)
    return ask.attribute is Attribute.ONSET and asked is not None


def _manner(ask: Ask, present: tuple[Fact, ...], names: list[str]) -> Retrieved:
    for name in (*names, "course"):
        told = tuple(f for f in present if tells_manner(f.attributes.get(name, "")))
        if told:
            return Retrieved(ask, Finding.DETAIL, told, name)
    return Retrieved(ask, Finding.DETAIL_MISSING, present)


def tells_manner(value: str) -> bool:
    """Whether the value says in which way a thing began ("gradually"), not when."""
    return re.search(document("matching.yaml")["manner_told"], value, re.IGNORECASE) is not None


def _not_found(ask: Ask, facts: tuple[Fact, ...]) -> Retrieved:
    """Absent kinds of the thing that was asked ("any pain?" where only chest pain is denied), or silence."""
    if not ask.concept or ask.experiencer != "patient" or ask.domain is Domain.FAMILY_HISTORY:
        return Retrieved(ask, Finding.UNDOCUMENTED)
    own = (fact for fact in facts if not _relatives_fact(fact) and fact.domain not in _FINDINGS)
    absent = tuple(fact for fact in own if fact.assertion is Assertion.ABSENT and matching.names(fact, ask.concept))
    return Retrieved(ask, Finding.NARROWER_ABSENT if absent else Finding.UNDOCUMENTED, absent)

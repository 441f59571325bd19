"""Disclose: what becomes of each ask under a persona and a protocol; how much, how sure, never which facts are true."""

import random
import re
from dataclasses import dataclass, field, replace
from enum import StrEnum

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.asks import Ask, AskOutcome, AskStatus, Attribute
from simulator.patient.data_files import document
from simulator.patient.knowable import speakable_complaint
from simulator.patient.matching import keys_of, named_in
from simulator.patient.persona import Persona
from simulator.patient.protocol import Protocol, Undocumented
from simulator.patient.retrieved import SYMPTOM_DOMAINS, Finding, Retrieved, asks_effects
from simulator.patient.tellable import narrowest, tellable, told_already
from simulator.patient.wording import blank, spoken_value

_BLURRED = frozenset({"onset", "duration", "frequency", "severity", "timing"})
_OPEN = (Attribute.LIST, Attribute.ASSOCIATED)
_WHOLE_LISTS = (Domain.MEDICATION, Domain.ALLERGY, Domain.SURGICAL_HISTORY)


class Offer(StrEnum):
    """Why a fact was volunteered."""

    DETAIL = "detail"
    COMPLAINT = "complaint"


@dataclass(frozen=True)
class Disclosure:
    """One ask, settled. `attribute` names the detail given ("" for the whole); `more` says that a list was cut."""

    ask: Ask
    finding: Finding
    status: AskStatus
    facts: tuple[Fact, ...] = ()
    attribute: str = ""
    repeated: bool = False
    pursued: bool = False
    more: bool = False
    policy: Undocumented | None = None
    offered: tuple[tuple[Offer, Fact], ...] = ()

    def outcome(self) -> AskOutcome:
        """The ask's outcome as the transcript records it."""
        return AskOutcome(ask=self.ask, status=self.status, fact_ids=tuple(fact.fact_id for fact in self.facts))


@dataclass
class Memory:
    """What the patient remembers of the consultation: statuses of former asks, and the ids of facts told."""

    statuses: dict[tuple[str, ...], AskStatus] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    pending: tuple[Ask, ...] = ()

    def former(self, ask: Ask) -> AskStatus | None:
        """What became of the same ask before."""
        return self.statuses.get(_key(ask))

    def remember(self, disclosures: tuple[Disclosure, ...]) -> None:
        """Keep what this turn settled."""
        for disclosure in disclosures:
            self.statuses[_key(disclosure.ask)] = disclosure.status
            self.told.update(fact.fact_id for fact in disclosure.facts if disclosure.status is not AskStatus.WITHHELD)
            self.told.update(fact.fact_id for _, fact in disclosure.offered)
        unsettled = (AskStatus.VAGUE, AskStatus.WITHHELD)
        self.pending = tuple(d.ask for d in disclosures if d.status in unsettled)


def _key(ask: Ask) -> tuple[str, ...]:
    subject = ask.concept or ask.term or ask.domain.value
    attribute = "" if ask.attribute in (Attribute.EXISTENCE, Attribute.LIST) else ask.attribute.value
    return subject, attribute, ask.experiencer


def disclose(
    retrieved: Retrieved, persona: Persona, protocol: Protocol, memory: Memory, chance: random.Random
) -> Disclosure:
    """Settle one ask."""
    former = memory.former(retrieved.ask)
    settled = _settled(_without_blanks(retrieved), protocol)
    settled = replace(settled, repeated=former is not None, pursued=former in (AskStatus.VAGUE, AskStatus.WITHHELD))
    if former is None:
        settled = _held_back(settled, persona, protocol, chance)
    return _listed(settled, protocol, memory)


def _without_blanks(retrieved: Retrieved) -> Retrieved:
    """A detail that de-identification blanked out is a detail that is missing."""
    if retrieved.finding is not Finding.DETAIL:
        return retrieved
    legible = tuple(fact for fact in retrieved.facts if not blank(fact.attributes[retrieved.attribute]))
    finding = Finding.DETAIL if legible else Finding.DETAIL_MISSING
    return replace(retrieved, finding=finding, facts=legible or retrieved.facts)


def _settled(retrieved: Retrieved, protocol: Protocol) -> Disclosure:
    ask, finding, facts = retrieved.ask, retrieved.finding, retrieved.facts
    if finding in (Finding.PRESENT, Finding.DETAIL):
        return Disclosure(ask, finding, AskStatus.GIVEN, facts, retrieved.attribute)
    if finding in (Finding.ABSENT, Finding.NARROWER_ABSENT):
        return Disclosure(ask, finding, AskStatus.DENIED, facts)
    further = ask.domain is Domain.OTHER and ask.attribute in _OPEN
    policy = protocol.undocumented_policy(Domain.SYMPTOM if further else ask.domain, ask.concept)
    if finding is Finding.UNDOCUMENTED and policy is Undocumented.DENY and _deniable(ask):
        return Disclosure(ask, finding, AskStatus.ASSUMED_DENIED, policy=policy)
    return Disclosure(ask, finding, AskStatus.UNKNOWN, policy=policy)


def _deniable(ask: Ask) -> bool:
    """Whether silence can be a "no": existence of something named, or an open question; never a detail of a symptom.

    How much of a habit, or how often of all medicines, is a "no" too: what is not recorded is not done.
    """
    if ask.term and not ask.concept:
        return False
    none_taken = ask.domain in _WHOLE_LISTS and (not ask.concept or ask.domain is Domain.SURGICAL_HISTORY)
    lived = ask.domain is Domain.LIFESTYLE or asks_effects(ask)
    return ask.attribute in (Attribute.EXISTENCE, *_OPEN) or lived or none_taken


def _held_back(settled: Disclosure, persona: Persona, protocol: Protocol, chance: random.Random) -> Disclosure:
    """The first answer to a question may be blurred or refused; the next one is straight."""
    if settled.status is not AskStatus.GIVEN:
        return settled
    sensitive = _sensitive(settled.ask)
    if protocol.withholding and sensitive and chance.random() < persona.rate("withheld"):
        return replace(settled, status=AskStatus.WITHHELD, facts=())
    blurred = settled.finding is Finding.DETAIL and settled.attribute in _BLURRED
    own_symptom = all(fact.domain in SYMPTOM_DOMAINS for fact in settled.facts)
    if protocol.vagueness and blurred and own_symptom and chance.random() < persona.rate("vague"):
        return replace(settled, status=AskStatus.VAGUE)
    return settled


def _sensitive(ask: Ask) -> bool:
    data = document("disclosure.yaml")["sensitive"]
    return ask.concept in data["concepts"] or (ask.domain.value in data["domains"] and ask.concept is None)


def _listed(settled: Disclosure, protocol: Protocol, memory: Memory) -> Disclosure:
    """Long lists are told in parts; what was not told yet comes first."""
    if len(settled.facts) <= protocol.list_limit:
        return settled
    fresh = [fact for fact in settled.facts if fact.fact_id not in memory.told]
    stale = [fact for fact in settled.facts if fact.fact_id in memory.told]
    return replace(settled, facts=tuple([*fresh, *stale][: protocol.list_limit]), more=len(fresh) > protocol.list_limit)


def volunteer(
    disclosure: Disclosure, facts: tuple[Fact, ...], persona: Persona, protocol: Protocol, memory: Memory
) -> Disclosure:
    """Add what the persona offers unasked when it says why it came: when it began, then further complaints."""
    budget = int(persona.rate("volunteered")) if protocol.volunteering else 0
    opening = disclosure.ask.domain is Domain.CHIEF_COMPLAINT and disclosure.status is AskStatus.GIVEN
    if not budget or not opening or disclosure.repeated or disclosure.attribute:
        return disclosure
    stated = (*disclosure.facts, *(fact for fact in facts if fact.fact_id in memory.told))
    concepts = {key for fact in disclosure.facts for key in (*keys_of(fact), *named_in(fact))}
    own = [fact for fact in facts if fact.domain in SYMPTOM_DOMAINS and fact.experiencer == "patient"]
    own = [fact for fact in own if fact.assertion is Assertion.PRESENT and not fact.historical]
    details = [(Offer.DETAIL, fact) for fact in own if fact.concept in concepts and _since(fact)]
    details.sort(key=lambda detail: blank(detail[1].attributes.get("onset", "")))
    others = [fact for fact in own if speakable_complaint(fact) and tellable(fact)]
    complaints: list[tuple[Offer, Fact]] = []
    for fact in sorted(narrowest(tuple(others)), key=lambda fact: not fact.concept):
        if not told_already(fact, (*stated, *(told for _, told in complaints)), narrower=True):
            complaints.append((Offer.COMPLAINT, fact))
    return replace(disclosure, offered=tuple([*details[:1], *complaints][:budget]))


def _since(fact: Fact) -> str:
    value = fact.attributes.get("onset") or fact.attributes.get("duration") or ""
    return "" if blank(value) else spoken_value(value)


_SEVERE = re.compile(
    r"\b(severe|worst|excruciating|terrible|unbearable|10/10|9/10|8/10|10 out of|9 out of)", re.IGNORECASE
)


def emotion(disclosures: tuple[Disclosure, ...], persona: Persona, chance: random.Random) -> str | None:
    """What the patient feels aloud this turn: "frustration", "pain", "fear", or None."""
    if any(d.repeated and not d.pursued for d in disclosures) and chance.random() < persona.rate("frustration"):
        return "frustration"
    given = [fact for d in disclosures if d.status is AskStatus.GIVEN for fact in d.facts]
    own = [f for f in given if f.domain in SYMPTOM_DOMAINS and f.experiencer == "patient" and not f.historical]
    severe = any(_SEVERE.search(f.attributes.get("severity", "") + " " + f.text) for f in own)
    if severe and chance.random() < persona.rate("distress"):
        return "pain"
    return "fear" if own and chance.random() < persona.rate("fear") else None

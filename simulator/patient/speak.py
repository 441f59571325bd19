"""Speak: settled asks and speech acts into a person's words, from templates; the words state only disclosed facts."""

import re
from dataclasses import dataclass

from kg.facts import Domain, Fact
from simulator.patient.asked_detail import asks_manner
from simulator.patient.asks import Ask, AskStatus, Attribute, SpeechAct
from simulator.patient.candidates import asks_before
from simulator.patient.data_files import document
from simulator.patient.details import alone, detail
from simulator.patient.disclose import Disclosure, Offer
from simulator.patient.echoes import without_echoes
from simulator.patient.grammar import is_doing, listed, with_article
from simulator.patient.matching import says_nothing
from simulator.patient.names import name_of
from simulator.patient.phrasing import Manner, continued
from simulator.patient.protocol import Undocumented
from simulator.patient.retrieved import Finding, asks_effects
from simulator.patient.statements import STATED_WITH, kind_of, said_of, state
from simulator.patient.wording import blank, complaint_names, spoken_value
from terminology import concepts, lay

_OPEN = (Attribute.LIST, Attribute.ASSOCIATED)
_GROUPED = (Domain.SYMPTOM, Domain.REVIEW_OF_SYSTEMS, Domain.LIFESTYLE, Domain.RISK_FACTOR)
_FELT = (
    Domain.SYMPTOM,
    Domain.SYMPTOM_DETAIL,
    Domain.REVIEW_OF_SYSTEMS,
    Domain.CHIEF_COMPLAINT,
    Domain.MENTAL_STATUS,
)


@dataclass(frozen=True)
class Said:
    """Words, and the facts that they state, each with only the attributes that were said."""

    words: str
    stated: tuple[Fact, ...] = ()


def say_all(disclosures: tuple[Disclosure, ...], manner: Manner) -> Said:
    """Every ask answered, in the order asked; equal sentences are said once."""
    said = without_echoes(disclosures)
    several = len(said) > 1
    parts = [_said_together(group, manner, several) for group in _grouped(said)]
    sentences = list(dict.fromkeys(part.words for part in parts if part.words))
    return Said(" ".join(sentences), tuple(fact for part in parts for fact in part.stated))


def _grouped(disclosures: list[Disclosure]) -> list[list[Disclosure]]:
    """Neighbouring plain "no" answers to symptoms and habits are said in one sentence; every other ask has its own."""
    groups: list[list[Disclosure]] = []
    for disclosure in disclosures:
        if groups and _plain_no(disclosure) and _plain_no(groups[-1][-1]):
            groups[-1].append(disclosure)
        else:
            groups.append([disclosure])
    return groups


def _plain_no(disclosure: Disclosure) -> bool:
    ask = disclosure.ask
    no = disclosure.status in (AskStatus.DENIED, AskStatus.ASSUMED_DENIED) and not disclosure.repeated
    return (
        no
        and ask.domain in _GROUPED
        and not asks_how(ask)
        and bool(ask.concept)
        and ask.attribute is Attribute.EXISTENCE
    )


def _said_together(group: list[Disclosure], manner: Manner, several: bool) -> Said:
    if len(group) == 1:
        return say_one(group[0], manner, several)
    topics = list(dict.fromkeys(name for disclosure in group for name in _denied_names(disclosure, manner)))
    named = topics[0] if len(topics) == 1 else f"{', '.join(topics[:-1])} or {topics[-1]}"
    return Said(manner.say("denied", "symptom_list", x=named), tuple(_trimmed(f, ()) for d in group for f in d.facts))


def _denied_names(disclosure: Disclosure, manner: Manner) -> list[str]:
    """What a plain "no" denies: the thing that was asked for, or the narrower things that the record denies."""
    if disclosure.finding is not Finding.NARROWER_ABSENT:
        return [topic_of(disclosure, manner)]
    return [name_of(fact, manner).removeprefix("the ") for fact in disclosure.facts]


def say_one(disclosure: Disclosure, manner: Manner, several: bool = False) -> Said:
    """One settled ask in words."""
    said = _said(disclosure, manner, several)
    if disclosure.pursued and disclosure.status is AskStatus.GIVEN:
        return Said(f"{manner.say('pursued')} {said.words}", said.stated)
    if disclosure.repeated and disclosure.status in (AskStatus.GIVEN, AskStatus.DENIED):
        return Said(continued(manner.say("repeated"), said.words), said.stated)
    return said


def _said(disclosure: Disclosure, manner: Manner, several: bool) -> Said:
    status = disclosure.status
    if status is AskStatus.GIVEN:
        return _given(disclosure, manner)
    if status is AskStatus.VAGUE:
        return Said(manner.say("vague", disclosure.attribute), tuple(_trimmed(fact, ()) for fact in disclosure.facts))
    if status is AskStatus.DENIED:
        return Said(_denied(disclosure, manner, several), tuple(_trimmed(fact, ()) for fact in disclosure.facts))
    if status is AskStatus.ASSUMED_DENIED:
        return Said(_assumed(disclosure, manner, several))
    if status is AskStatus.WITHHELD:
        return Said(manner.say("withheld"))
    return Said(_unknown(disclosure, manner, several))


def topic_of(disclosure: Disclosure, manner: Manner) -> str:
    """What was asked for, in lay words; the doctor's own short term where no terminology knows it."""
    ask = disclosure.ask
    topics = document("phrases.yaml")["topics"]
    if ask.domain is Domain.MEDICATION and ask.term and _sayable(ask.term):
        return ask.term.lower()  # as the doctor called it: "water tablets"
    if ask.concept in topics:
        return str(topics[ask.concept])
    if ask.concept and concepts.get(ask.concept) and ask.domain is not Domain.DEMOGRAPHICS:
        return re.sub(r"^not being able\b", "being unable", lay.lay_name(ask.concept)).removeprefix("the ")
    named = (ask.concept or "").replace("_", " ")
    if named and ask.domain is Domain.MEDICATION and named.rstrip("s") in ask.words.lower():
        return named
    if named and ask.domain is Domain.MEDICATION:
        return "medicine like that"
    if ask.term and _sayable(ask.term):
        return ask.term.lower()
    return str(topics.get(ask.domain.value, "that"))


def _sayable(term: str) -> bool:
    """A few plain words that a patient may say after the doctor: no field of a chart ("hadm id")."""
    plain = re.fullmatch(r"[A-Za-z][A-Za-z' -]{1,40}", term) and len(term.split()) <= 4
    return bool(plain) and "_".join(term.lower().split()) not in document("matching.yaml")["chart_only"]


def _given(disclosure: Disclosure, manner: Manner) -> Said:
    facts = disclosure.facts
    if disclosure.ask.domain is Domain.IDEAS_CONCERNS:
        clinical = manner.persona.knows_clinical_words
        names = listed([name for fact in facts for name in complaint_names(fact, clinical)])
        active = any(is_doing(name) or name.startswith("being ") for name in re.split(r", | and ", names))
        return Said(
            manner.say("concerns", "known_doing" if active else "known", x=names),
            tuple(_trimmed(fact, ()) for fact in facts),
        )
    if disclosure.attribute:
        words = detail(disclosure, manner)
        return Said(words, tuple(_trimmed(fact, (disclosure.attribute, "unit")) for fact in facts))
    if disclosure.ask.domain is Domain.SURGICAL_HISTORY and disclosure.ask.attribute is Attribute.LOCATION:
        done = [with_article(spoken_value(fact.text)) for fact in facts]  # in the record's words, which tell the side
        return Said(manner.say("given", "surgical_history_list", x=listed(done)), tuple(_trimmed(f, ()) for f in facts))
    named = bool(disclosure.ask.concept or disclosure.ask.term) and not asks_how(disclosure.ask)
    open_question = disclosure.ask.attribute in _OPEN or not named
    words = state(facts, manner, open_question, disclosure.ask.domain is Domain.CHIEF_COMPLAINT and open_question)
    stated = tuple(_trimmed(fact, STATED_WITH.get(kind_of(fact), ())) for fact in facts)
    if disclosure.more:
        words += " " + manner.say("given", "more")
    offers = [_offer(offer, fact, manner) for offer, fact in disclosure.offered]
    return Said(" ".join([words, *(offer.words for offer in offers)]), (*stated, *(o.stated[0] for o in offers)))


def _offer(offer: Offer, fact: Fact, manner: Manner) -> Said:
    if offer is Offer.COMPLAINT:
        name = said_of(fact, manner)
        wording = "doing" if is_doing(name) else "complaint"
        return Said(manner.say("offered", wording, x=name.removeprefix("being ")), (_trimmed(fact, ()),))
    name = "onset" if not blank(fact.attributes.get("onset", "")) else "duration"
    value = spoken_value(fact.attributes[name])
    return Said(alone(name, value, manner), (_trimmed(fact, (name,)),))


def _denied(disclosure: Disclosure, manner: Manner, several: bool = False) -> str:
    ask, facts = disclosure.ask, disclosure.facts
    if ask.attribute not in (Attribute.EXISTENCE, Attribute.RELATION, *_OPEN) and ask.concept:
        if ask.domain is Domain.LIFESTYLE:
            return manner.say("denied", "statement", x=topic_of(disclosure, manner))
        return manner.say("not_absent", topic=topic_of(disclosure, manner))
    general = [fact for fact in facts if says_nothing(fact)]
    if ask.concept and concepts.get(ask.concept) and disclosure.finding is not Finding.NARROWER_ABSENT:
        named = topic_of(disclosure, manner)
    elif general:
        named = document("phrases.yaml")["topics"].get(facts[0].domain.value, "that")
    else:
        named = " or ".join(dict.fromkeys(name_of(fact, manner).removeprefix("the ") for fact in facts))
    kind = kind_of(facts[0])
    if kind == "symptom" and is_doing(named):
        kind, named = "symptom_doing", named.removeprefix("being ")
    if kind == "allergy" and "allerg" not in named:
        kind = "allergy_named"
    kind = kind if manner.has("denied", kind) else "statement"
    how = f"{manner.say('assumed_denied', 'how')} " if asks_how(ask) else ""
    return how + manner.say("denied", kind, holding="x" if several else "", x=named)


def _assumed(disclosure: Disclosure, manner: Manner, several: bool = False) -> str:
    ask = disclosure.ask
    if asks_how(ask):
        return manner.say("assumed_denied", "how")
    if asks_before(ask):
        return manner.say("assumed_denied", "before")
    if asks_effects(ask):
        return manner.say("assumed_denied", "side_effects", topic=topic_of(disclosure, manner))
    kind = "symptom" if ask.domain in _FELT else ask.domain.value
    if ask.attribute in _OPEN or not (ask.concept or ask.term):
        kind += "_list"
    concept = concepts.get(ask.concept) if ask.concept else None
    lived = kind == Domain.PAST_HISTORY.value and concept is not None and concept.kind == "habit"
    if lived or not manner.has("assumed_denied", kind):
        kind = "other"
    topic = topic_of(disclosure, manner)
    if kind == "symptom" and is_doing(topic):
        kind, topic = "symptom_doing", topic.removeprefix("being ")
    return manner.say("assumed_denied", kind, holding="topic" if several else "", topic=topic)


def _unknown(disclosure: Disclosure, manner: Manner, several: bool) -> str:
    ask = disclosure.ask
    if disclosure.finding in (Finding.GIVEN_HERE, Finding.OUT_OF_PLACE):
        return manner.say("unknown", disclosure.finding.value)
    not_told = disclosure.finding is Finding.NOT_TOLD
    if (not_told and ask.domain not in _FELT) or disclosure.policy is Undocumented.NOT_TOLD:
        return manner.say("unknown", "not_told")
    if disclosure.policy in (Undocumented.PRIVATE, Undocumented.NO_WORDS):
        return manner.say("unknown", disclosure.policy.value)
    if disclosure.finding is Finding.CHART_ONLY:
        return manner.say("unknown", "chart_only")
    if (not_told or disclosure.finding is Finding.DETAIL_MISSING) and manner.has("questions", ask.attribute.value):
        question = document("phrases.yaml")["questions"]["manner" if asks_manner(ask) else ask.attribute.value]
        asked = manner.voice.say(question)
        return manner.say("unknown", "detail", question=asked[:1].lower() + asked[1:])
    if disclosure.policy is Undocumented.HEDGE and ask.attribute in (Attribute.EXISTENCE, *_OPEN):
        return manner.say("unknown", "hedge")
    if ask.domain is Domain.IDEAS_CONCERNS:
        return manner.say("concerns", "unknown")
    if ask.domain is Domain.FAMILY_HISTORY and manner.persona.traits.communication != "low":
        return manner.say("unknown", "family_history")
    if several:
        return manner.say("unknown", "with_topic", topic=topic_of(disclosure, manner))
    return manner.say("unknown")


def _trimmed(fact: Fact, attributes: tuple[str, ...]) -> Fact:
    """The fact with only the attributes that were said."""
    return fact.model_copy(update={"attributes": {k: v for k, v in fact.attributes.items() if k in attributes}})


def asks_how(ask: Ask) -> bool:
    """Whether the ask is an open "How has your mood been?", to which a plain "no" is no answer."""
    return bool(re.search(document("hearing.yaml")["how"], ask.words, re.IGNORECASE))


def react(acts: tuple[SpeechAct, ...], manner: Manner, answered: bool, thanks: bool = True) -> str:
    """A short human reaction to what was said besides asking; less of it where questions are answered too.

    `thanks` says whether comfort may be thanked for beside an answer: people do so once in a while.
    """
    order = [
        SpeechAct.SIMULATION_QUESTION,
        SpeechAct.GREETING,
        SpeechAct.CLOSING,
        SpeechAct.EMPATHY,
        SpeechAct.INSTRUCTION,
        SpeechAct.EXPLANATION,
        SpeechAct.ACKNOWLEDGEMENT,
    ]
    said = [act for act in order if act in acts]
    if answered:
        always = (SpeechAct.SIMULATION_QUESTION, SpeechAct.GREETING)
        spoken = (*always, SpeechAct.EMPATHY) if thanks else always
        said = [act for act in said if act in spoken]
    return manner.say("acts", said[0].value) if said else ""

"""States facts: each domain's facts as sentences of the patient or of the relative who speaks."""

import re
from collections.abc import Iterable
from itertools import groupby

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient import circumstances, matching
from simulator.patient.circumstances import demographic, habits
from simulator.patient.data_files import document
from simulator.patient.grammar import is_doing, is_person, listed, with_article, without_repeats
from simulator.patient.medicines import medicine, once_each
from simulator.patient.names import name_of, relative_of
from simulator.patient.phrasing import Manner, capital
from simulator.patient.wording import blank, clean, complaint_names, spoken_value
from terminology import concepts

_KINDS = {
    Domain.CHIEF_COMPLAINT: "symptom",
    Domain.SYMPTOM: "symptom",
    Domain.PAST_HISTORY: "past_history",
    Domain.SURGICAL_HISTORY: "surgical_history",
    Domain.MEDICATION: "medication",
    Domain.ALLERGY: "allergy",
    Domain.FAMILY_HISTORY: "family_history",
    Domain.SOCIAL_HISTORY: "statement",
    Domain.LIFESTYLE: "statement",
    Domain.EXAMINATION: "finding",
    Domain.TEST_RESULT: "finding",
    Domain.DEMOGRAPHICS: "demographics",
}
STATED_WITH = {
    "medication": ("dose", "route", "frequency"),
    "allergy": ("reaction",),
    "finding": ("value", "unit", "flag"),
    "statement": circumstances.STATED_WITH,
}
"""Attributes that are said together with a fact, by kind."""


def kind_of(fact: Fact) -> str:
    """The group of wordings that a fact belongs to."""
    return "family_history" if fact.experiencer != "patient" else _KINDS.get(fact.domain, "statement")


def state(facts: tuple[Fact, ...], manner: Manner, open_question: bool, complaint: bool) -> str:
    """Sentences that say that the facts are so; possible ones are said to be unsure."""
    sentences = []
    sure = _without_past_spells([fact for fact in facts if fact.assertion is Assertion.PRESENT])
    for kind, group in groupby(sorted(sure, key=_order), key=_order):
        sentence = _sentence(kind[1], list(group), manner, open_question, complaint)
        sentences += [sentence] if sentence not in sentences else []
    unsure = [fact for fact in facts if fact.assertion is Assertion.POSSIBLE]
    if unsure:
        sentences.append(manner.say("given", "maybe", x=listed([said_of(fact, manner) for fact in unsure])))
    return " ".join(sentences)


def _without_past_spells(facts: list[Fact]) -> list[Fact]:
    """The facts without former spells of what is there now: "I have chest pain" is enough."""
    now = {fact.concept for fact in facts if kind_of(fact) == "symptom" and not fact.historical and fact.concept}
    return [fact for fact in facts if not (kind_of(fact) == "symptom" and fact.historical and fact.concept in now)]


def _once(sentences: Iterable[str]) -> str:
    said = list(dict.fromkeys(sentences))
    return " ".join(each for each in said if not any(_goes_on(other, each) for other in said))


def _goes_on(longer: str, sentence: str) -> bool:
    """Whether another sentence says the same with more words ("I smoke." beside "I smoke half a pack per day.")."""
    return longer != sentence and longer.startswith(f"{sentence.rstrip('.')} ")


def _order(fact: Fact) -> tuple[int, str]:
    kind = kind_of(fact)
    if kind == "symptom" and fact.historical:
        kind = "symptom_past"
    order = ["demographics", "symptom", "symptom_past", "past_history", "surgical_history", "medication", "allergy"]
    return order.index(kind) if kind in order else len(order), kind


def _sentence(kind: str, facts: list[Fact], manner: Manner, open_question: bool, complaint: bool) -> str:
    if kind == "demographics":
        return _once(demographic(fact, manner) for fact in facts)
    if kind == "family_history":
        return _family(facts, manner)
    if kind == "statement":
        return _once(habits(facts, manner))
    if kind == "medication":
        return _medicines(facts, manner, open_question)
    if kind == "allergy":
        return _allergies(facts, manner, open_question)
    names = without_repeats([name for fact in facts for name in _names_said(fact, manner)])
    states = [name.removeprefix("being ") for name in names if name.startswith("being ")]
    persons = [name for name in names if is_person(name)]
    names = [name for name in names if not name.startswith("being ") and name not in persons]
    sentences = _had_and_done(kind, names, manner, open_question, complaint)
    lasting = "state" if kind == "past_history" else "state_now"
    sentences += [manner.say("given", lasting, x=listed(states))] if states else []
    sentences += [manner.say("given", "state", x=listed(persons))] if persons else []
    return " ".join(sentences)


def _had_and_done(kind: str, names: list[str], manner: Manner, open_question: bool, complaint: bool) -> list[str]:
    """What one has ("a fever") and what one has been doing ("throwing up"), each with its own verb."""
    doing = [name for name in names if is_doing(name)] if kind == "symptom" and not manner.persona.brief else []
    things = [name for name in names if name not in doing]
    sentences = [_things(kind, things, manner, open_question, complaint)] if things else []
    if not doing:
        return sentences
    if things:
        return [*sentences, manner.say("given", "and_doing", x=listed(doing))]
    wording = "chief_complaint_doing" if complaint else "symptom_doing_list" if open_question else "symptom_doing"
    return [manner.say("given", wording, x=listed(doing))]


def _names_said(fact: Fact, manner: Manner) -> list[str]:
    """The names of a fact's things: a complaint may hold several ("tongue swelling, lip swelling")."""
    if fact.domain is not Domain.CHIEF_COMPLAINT:
        return [said_of(fact, manner)]
    return [with_article(name) for name in complaint_names(fact, manner.persona.knows_clinical_words)]


def _things(kind: str, names: list[str], manner: Manner, open_question: bool, complaint: bool) -> str:
    said = listed(names)
    if complaint and kind == "symptom":
        return manner.say("given", "chief_complaint", x=said)
    wording = f"{kind}_list" if open_question and manner.has("given", f"{kind}_list") else kind
    return manner.say("given", wording, x=said)


def _allergies(facts: list[Fact], manner: Manner, open_question: bool) -> str:
    """Plain allergies in one sentence; each with a reaction in its own."""
    plain = list(dict.fromkeys(name_of(fact, manner) for fact in facts if blank(fact.attributes.get("reaction", ""))))
    told = list(dict.fromkeys(said_of(f, manner) for f in facts if not blank(f.attributes.get("reaction", ""))))
    told = [name for name in told if name]
    groups = ([listed(plain)] if plain else []) + told
    first = manner.say("given", "allergy_list" if open_question else "allergy", x=groups[0])
    return " ".join([first, *(manner.say("given", "allergy_next", x=group) for group in groups[1:])])


def _medicines(facts: list[Fact], manner: Manner, open_question: bool) -> str:
    names = list(dict.fromkeys(said_of(fact, manner) for fact in once_each(facts)))
    first = manner.say("given", "medication_list" if open_question else "medication", x=names[0])
    return " ".join([first, *(manner.say("given", "medication_next", x=name) for name in names[1:])])


def said_of(fact: Fact, manner: Manner) -> str:
    """A fact as the object of a sentence, with what is always said along with it."""
    kind = kind_of(fact)
    if kind == "medication":
        return medicine(fact, manner.persona.knows_clinical_words)
    if kind == "finding":
        return finding(fact, manner)
    name = with_article(name_of(fact, manner)) if kind != "allergy" else name_of(fact, manner)
    if kind == "past_history":
        name = document("wording.yaml")["recurring"].get(re.sub(r"^an? ", "", name), name)
    reaction = fact.attributes.get("reaction", "") if kind == "allergy" else ""
    if blank(reaction):
        return name
    gives = "give" if re.search(r"[^s]s$", name) else "gives"
    return f"{name}, which {gives} {manner.voice.words()['me']} {with_article(spoken_value(reaction))}"


def finding(fact: Fact, manner: Manner) -> str:
    """A vital sign, finding or result with its value and unit: "blood pressure, 150/90 mmHg"."""
    name = finding_name(fact, manner)
    value = " ".join(clean(fact.attributes.get(part, "")) for part in ("value", "unit")).strip()
    return name if not value or value in name else f"{name}, {value}"


def finding_name(fact: Fact, manner: Manner) -> str:
    """The name of what was measured, without its value ("BP: 79/50" is "blood pressure")."""
    measured = (concepts.get(key) for key in sorted(matching.keys_of(fact)))
    vital = next((concept for concept in measured if concept and concept.kind in ("vital", "test")), None)
    return vital.lay if vital and fact.attributes.get("value") else name_of(fact, manner)


def _family(facts: list[Fact], manner: Manner) -> str:
    sentences: list[str] = []
    for relative, group in groupby(sorted(facts, key=lambda fact: fact.experiencer), key=lambda fact: fact.experiencer):
        who = relative_of(relative, manner.voice)
        names = listed([with_article(name_of(fact, manner)) for fact in group])
        who_low = who if relative != "someone" else who.lower()
        wording = "family_history_next" if sentences else "family_history"
        sentences.append(manner.say("given", wording, x=names, who=capital(who), who_low=who_low))
    return " ".join(sentences)

"""States facts: each domain's facts as sentences of the patient or of the relative who speaks."""

import re
from collections.abc import Iterable
from itertools import groupby

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient import matching
from simulator.patient.data_files import document
from simulator.patient.phrasing import Manner, capital
from simulator.patient.voice import Voice
from simulator.patient.wording import (
    blank,
    clean,
    is_doing,
    listed,
    medicine,
    own_words,
    spoken_name,
    spoken_value,
    verb_phrase,
    with_article,
    without_repeats,
)
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
    "statement": ("amount", "status", "frequency", "duration", "quantity"),
}
"""Attributes that are said together with a fact, by kind."""


def kind_of(fact: Fact) -> str:
    """The group of wordings that a fact belongs to."""
    return "family_history" if fact.experiencer != "patient" else _KINDS.get(fact.domain, "statement")


def name_of(fact: Fact, manner: Manner) -> str:
    """What the speaker calls the fact's thing, in a sentence."""
    name = spoken_name(fact, manner.persona.knows_clinical_words)
    return own_words(name, str(manner.voice.words()["my"])) if fact.experiencer == "patient" else name


def state(facts: tuple[Fact, ...], manner: Manner, open_question: bool, complaint: bool) -> str:
    """Sentences that say that the facts are so; possible ones are said to be unsure."""
    sentences = []
    sure = [fact for fact in facts if fact.assertion is Assertion.PRESENT]
    for kind, group in groupby(sorted(sure, key=_order), key=_order):
        sentence = _sentence(kind[1], list(group), manner, open_question, complaint)
        sentences += [sentence] if sentence not in sentences else []
    unsure = [fact for fact in facts if fact.assertion is Assertion.POSSIBLE]
    if unsure:
        sentences.append(manner.say("given", "maybe", x=listed([said_of(fact, manner) for fact in unsure])))
    return " ".join(sentences)


def _once(sentences: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(sentences))


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
        return _once(statement(fact, manner) for fact in facts)
    if kind == "medication":
        return _medicines(facts, manner, open_question)
    names = without_repeats([said_of(fact, manner) for fact in facts])
    said = listed(names)
    if kind == "symptom" and len(names) == 1 and is_doing(said) and not complaint:
        return manner.say("given", "symptom_doing", x=said)
    if complaint and kind == "symptom":
        return manner.say("given", "chief_complaint", x=said)
    wording = f"{kind}_list" if open_question and manner.has("given", f"{kind}_list") else kind
    return manner.say("given", wording, x=said)


def _medicines(facts: list[Fact], manner: Manner, open_question: bool) -> str:
    said = list(dict.fromkeys(said_of(fact, manner) for fact in facts))
    names = [name for name in said if not any(_starts(other, name) for other in said)]
    first = manner.say("given", "medication_list" if open_question else "medication", x=names[0])
    return " ".join([first, *(manner.say("given", "medication_next", x=name) for name in names[1:])])


def _starts(longer: str, name: str) -> bool:
    """Whether `longer` is the same medicine with more said of it."""
    return longer.lower().startswith(f"{name.lower()},")


def said_of(fact: Fact, manner: Manner) -> str:
    """A fact as the object of a sentence, with what is always said along with it."""
    kind = kind_of(fact)
    if kind == "medication":
        return medicine(fact, manner.persona.knows_clinical_words)
    if kind == "finding":
        return finding(fact, manner)
    name = with_article(name_of(fact, manner)) if kind != "allergy" else name_of(fact, manner)
    reaction = fact.attributes.get("reaction", "") if kind == "allergy" else ""
    return name if blank(reaction) else f"{name}, which gives {manner.voice.words()['me']} {spoken_value(reaction)}"


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


def statement(fact: Fact, manner: Manner) -> str:
    """A habit or circumstance: "I smoke 1 pack per day", "I'm married", or the record's words as they stand."""
    text = own_words(clean(fact.text), str(manner.voice.words()["my"]))
    extras = _extras(fact, text)
    split = verb_phrase(text)
    if split:
        return _with_verb(split[0], spoken_value(split[1]) + extras, manner)
    if text.lower() in document("wording.yaml")["states"]:
        return manner.voice.say("{Im} {x}.", x=spoken_value(text) + extras)
    return manner.say("given", "statement", x=name_of(fact, manner) + extras)


def _with_verb(verb: str, rest: str, manner: Manner) -> str:
    if verb == "am":
        return manner.voice.say("{Im} {rest}.", rest=rest)
    if " " in verb or verb in ("never", "sometimes", "now"):
        return manner.voice.say("{I} {verb} {rest}.", verb=verb, rest=rest)
    return manner.voice.say("{I} {v:" + verb + "} {rest}.", rest=rest).replace(" .", ".")


def _extras(fact: Fact, text: str) -> str:
    parts = []
    for name in STATED_WITH["statement"]:
        value = fact.attributes.get(name, "")
        said = "" if blank(value) else spoken_value(document("wording.yaml")["statuses"].get(value.lower(), value))
        if said and said.lower() not in spoken_value(text).lower():
            parts.append(said)
    return "".join(f", {part}" for part in parts)


def _family(facts: list[Fact], manner: Manner) -> str:
    sentences = []
    for relative, group in groupby(sorted(facts, key=lambda fact: fact.experiencer), key=lambda fact: fact.experiencer):
        who = relative_of(relative, manner.voice)
        names = listed([with_article(name_of(fact, manner)) for fact in group])
        who_low = who if relative != "someone" else who.lower()
        sentences.append(manner.say("given", "family_history", x=names, who=capital(who), who_low=who_low))
    return " ".join(sentences)


def relative_of(experiencer: str, voice: Voice) -> str:
    """ "my mother", "her mother", or "someone in the family" where the record does not say who."""
    if experiencer in ("patient", "family", "family member", "relative", "", "other"):
        return "someone in the family"
    return f"{voice.words()['my']} {experiencer.lower()}"


def demographic(fact: Fact, manner: Manner) -> str:
    """A person's own: age, sex, marriage, work, home, language, insurance, race, religion."""
    field = fact.concept or fact.fact_id.rsplit("/", 1)[-1]
    said = demographic_value(field, fact.text)
    lowered = said.lower()
    if field in ("marital_status", "marital_group") or lowered in document("wording.yaml")["states"]:
        return manner.say("demographics", "state", x=lowered)
    if field == "living_situation" and not re.match(r"(with|alone|at|in|on|by)\b", lowered):
        return _lives(fact, manner)
    field = field.removesuffix("_group")
    if field == "occupation":
        split = verb_phrase(clean(fact.text))
        if split:
            return statement(fact, manner)
        said = with_a(said)
    return manner.say("demographics", field if manner.has("demographics", field) else "other", x=said)


def _lives(fact: Fact, manner: Manner) -> str:
    split = verb_phrase(clean(fact.text))
    if split:
        return statement(fact, manner)
    return manner.say("demographics", "other", x=own_words(spoken_value(fact.text), str(manner.voice.words()["my"])))


def with_a(name: str) -> str:
    """ "a teacher", "an engineer"."""
    if re.match(r"(a|an|the|in|at|for|self)\b", name, re.IGNORECASE):
        return name
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def demographic_value(field: str, text: str) -> str:
    """The recorded value as said: "over 89" for ">89", "a woman" for "F", names of faiths and groups with capitals."""
    if text.startswith(">"):
        return f"over {text[1:].strip()}"
    if field == "sex":
        return {"f": "a woman", "m": "a man", "female": "a woman", "male": "a man"}.get(text.lower(), text)
    shown = clean(text)
    capitals = ("religion", "religion_group", "race", "race_group", "language", "insurance")
    return shown.title() if field in capitals else shown

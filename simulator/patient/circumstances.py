"""Habits, home, work and the rest that a person knows of themself, as sentences."""

import re
from functools import cache

from kg.facts import Fact
from simulator.patient.data_files import document
from simulator.patient.names import name_of
from simulator.patient.phrasing import Manner
from simulator.patient.retold import own_words, verb_phrase
from simulator.patient.wording import blank, clean, spoken_value

_PRESENT = re.compile(r"^(\w+) (smoke|drink|use|chew|vape)s?\b")
_NO = re.compile(r"\b(?:no|not|never|none)\b", re.IGNORECASE)
STATED_WITH = ("amount", "status", "frequency", "duration", "quantity")
"""Attributes that are said together with a habit or circumstance."""


def is_given_up(fact: Fact) -> bool:
    """Whether the record says that a habit is one of the past."""
    rules = document("wording.yaml")
    if fact.attributes.get("status", "").lower() in rules["past_statuses"]:
        return True
    return fact.historical or re.search(rules["given_up"], f"{fact.concept}|{fact.text}", re.IGNORECASE) is not None


def habits(facts: list[Fact], manner: Manner) -> list[str]:
    """Sentences of habits and circumstances; what the record calls given up in one place is not told as going on."""
    ended = {_habit_of(fact) for fact in facts if is_given_up(fact)} - {""}
    return [statement(fact, manner, _habit_of(fact) in ended) for fact in facts]


def _habit_of(fact: Fact) -> str:
    return next((name for name in ("smok", "tobacco", "alcohol", "drink", "drug") if name in (fact.concept or "")), "")


def statement(fact: Fact, manner: Manner, ended: bool = False) -> str:
    """A habit or circumstance: "I smoke 1 pack per day", "I'm married", or the record's words as they stand.

    `ended` says that it is a habit of the past ("I used to smoke 1 pack per day").
    """
    text = own_words(clean(fact.text), str(manner.voice.words()["my"]))
    sentence = _habit(fact, text, manner) or _verbal(text, manner)
    if sentence and ended:
        sentence = _PRESENT.sub(r"\1 used to \2", sentence)
    if sentence is None and text.lower() in document("wording.yaml")["states"]:
        sentence = manner.voice.say("{Im} {x}", x=spoken_value(text))
    if sentence is None:
        return manner.say("given", "statement", x=name_of(fact, manner) + _extras(fact, text))
    return f"{sentence.rstrip('.')}{_extras(fact, f'{text} {sentence}')}."


def _verbal(text: str, manner: Manner) -> str | None:
    """The text that begins with a verb of the record's ("currently smokes 1 pack per day"), in the speaker's form."""
    split = verb_phrase(text)
    return _conjugated(split[0], split[1], spoken_value(split[2]), manner) if split else None


def _conjugated(adverb: str, verb: str, rest: str, manner: Manner) -> str:
    if verb == "am":
        return manner.voice.say("{Im} {adverb} {rest}", adverb=adverb, rest=rest).replace("  ", " ").strip()
    first, _, further = verb.partition(" ")
    template = "{I} {adverb} {v:" + first + "} {further} {rest}"
    said = manner.voice.say(template, adverb=adverb, further=further, rest=rest)
    return re.sub(r"\s+([,.])", r"\1", re.sub(r"\s+", " ", said)).strip()


@cache
def _habits() -> tuple[tuple[re.Pattern[str], str, str, str], ...]:
    """(form of the record, adverb, verb, object) of wording.yaml's `habits`."""
    rows = document("wording.yaml")["habits"]
    return tuple((re.compile(form, re.IGNORECASE), adverb, verb, thing) for form, adverb, verb, thing in rows)


def _habit(fact: Fact, text: str, manner: Manner) -> str | None:
    """A habit that the record writes without a verb ("Former smoker, 10 pack-years"), or None."""
    written = f"{fact.concept or ''}|{text}"
    for form, adverb, verb, thing in _habits():
        found = form.match(written)
        if found:
            left = written[found.end() :]
            comma = "," if left.startswith(",") else ""
            rest = f"{found.expand(thing)}{comma} {spoken_value(left)}"
            return _conjugated(found.expand(adverb).lower(), verb, rest.strip(), manner)
    return None


def _extras(fact: Fact, said_already: str) -> str:
    parts = []
    statuses = document("wording.yaml")["statuses"]
    for name in STATED_WITH:
        value = fact.attributes.get(name, "")
        said = "" if blank(value) else spoken_value(statuses.get(value.lower(), value))
        if name == "status" and _NO.search(said_already):
            continue
        if said and said.lower() not in f"{said_already} {spoken_value(said_already)}".lower():
            parts.append(said)
    return "".join(f", {part}" for part in parts)


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
    if field == "living_situation":
        said = own_words(said, str(manner.voice.words()["my"]))
    if field == "occupation":
        if verb_phrase(clean(fact.text)) or _habit(fact, clean(fact.text), manner):
            return statement(fact, manner)
        said = with_a(said)
    return manner.say("demographics", field if manner.has("demographics", field) else "other", x=said)


def _lives(fact: Fact, manner: Manner) -> str:
    if verb_phrase(clean(fact.text)):
        return statement(fact, manner)
    return manner.say("demographics", "other", x=own_words(spoken_value(fact.text), str(manner.voice.words()["my"])))


@cache
def _languages() -> dict[str, str]:
    """Language by its code, in small letters (data/languages.yaml)."""
    table = document("languages.yaml")
    return {code: name for name, codes in table.items() for code in codes}


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
    shown = _languages().get(text.strip().lower(), clean(text)) if field == "language" else clean(text)
    capitals = ("religion", "religion_group", "race", "race_group", "language", "insurance")
    return shown.title() if field in capitals else shown

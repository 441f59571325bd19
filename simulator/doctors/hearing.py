"""What the built-in clinicians understand of the patient's words: concepts with yes or no, drugs, allergens, relatives.

Reads words alone, never the trace. A clause with "no", "not", "never" … denies what it names; an answer that says
"I don't know" or "it could be" leaves its subject open; a bare "no" denies what was asked.
"""

import re
from dataclasses import dataclass, field

from terminology import concepts, drugs
from terminology.lay import lay_name

_CLAUSES = re.compile(r"(?<=[.!?;])\s+|,? but |, though |\s+–\s+", re.IGNORECASE)
_NO = re.compile(
    r"\b(no|not|none|never|nothing|neither|nor|without|cannot|\w+n't)\b",
    re.IGNORECASE,
)
_YES = re.compile(r"^\W*(yes|yeah|yep|i do|i have|i did|that's right|a little|some)\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"(don't|do not|doesn't|didn't) (really )?(know|remember|recall)|not (really |quite |so )?(sure|certain)"
    r"|(can't|couldn't|cannot) (say|remember|recall|tell|be certain)|hard to say|no idea|wasn't told"
    r"|wish i (knew|could)",
    re.IGNORECASE,
)
_POSSIBLE = re.compile(r"\b(could|may|might) (be|have)\b|\b(possibl[ey]|perhaps|maybe|suspected)\b", re.IGNORECASE)
_VAGUE = re.compile(
    r"\b(a (good |little )?while|some time|for ages|quite (bad|a bit)|kind of|sort of|so-so|comes and goes|on and off"
    r"|now and (then|again)|every so often|pretty bad|it varies|here and there|all sorts|bothers|enough to bother"
    r"|hard to put)\b",
    re.IGNORECASE,
)
_RELUCTANT = re.compile(
    r"why do you (need|want|ask)|rather not|what does that have to do|do we have to|none of your business",
    re.IGNORECASE,
)
_EMOTION = {
    "fear": re.compile(
        r"scare|afraid|worr(y|ied)|fear|frighten|nervous|can't stop thinking|terrif|nothing bad", re.IGNORECASE
    ),
    "distress": re.compile(
        r"hurts so|hard to (bear|take|watch)|(can't|hardly) stand|unbearable|agony|hard on \w+\.", re.IGNORECASE
    ),
    "frustration": re.compile(r"already (said|told)|how many times|fed up|frustrat|annoy|move on", re.IGNORECASE),
}
_SOCIAL = ("habit",)
_MEDICAL = ("symptom", "condition", "procedure")


@dataclass
class Heard:
    """Everything heard so far. Keys are terminology keys (drugs: ingredient), values the words they were heard in.

    `possible` is what was held possible and neither affirmed nor denied.
    `none_of` are topics to which a plain no was said; `details` are topics of the main complaint that some answer told,
    asked or not; `answered` says whether the last answer named anything.
    """

    symptoms: dict[str, str] = field(default_factory=dict)
    denied: dict[str, str] = field(default_factory=dict)
    possible: dict[str, str] = field(default_factory=dict)
    history: dict[str, str] = field(default_factory=dict)
    family: list[tuple[str, str]] = field(default_factory=list)
    habits: dict[str, str] = field(default_factory=dict)
    habits_denied: dict[str, str] = field(default_factory=dict)
    drugs: dict[str, str] = field(default_factory=dict)
    allergens: dict[str, str] = field(default_factory=dict)
    said: dict[str, list[str]] = field(default_factory=dict)
    unsure: list[str] = field(default_factory=list)
    none_of: set[str] = field(default_factory=set)
    details: dict[str, str] = field(default_factory=dict)
    answered: bool = True


def unsure(words: str) -> bool:
    """Whether an answer says that the patient does not know."""
    return _UNSURE.search(words) is not None


def vague(words: str) -> bool:
    """Whether an answer blurs what it says."""
    return _VAGUE.search(words) is not None


def reluctant(words: str) -> bool:
    """Whether the patient holds an answer back."""
    return _RELUCTANT.search(words) is not None


def emotion(words: str) -> str | None:
    """ "fear", "distress" or "frustration" where the words show it."""
    return next((name for name, pattern in _EMOTION.items() if pattern.search(words)), None)


def denies(clause: str) -> bool:
    """Whether a clause says no to what it names."""
    return _NO.search(clause) is not None


def affirmed(clause: str) -> str:
    """The part of a clause before its first denial: "it began today and won't stop" affirms that it began today."""
    denial = _NO.search(clause)
    return clause[: denial.start()] if denial else clause


def clauses(words: str) -> list[str]:
    """An answer in clauses that each affirm or deny."""
    return [part.strip() for part in _CLAUSES.split(words) if part.strip()]


def listen(heard: Heard, topic: str, asked: tuple[str, ...], words: str) -> None:
    """Add one answer to `heard`. `topic` is the question's (questions.yaml), `asked` the concepts that it named."""
    heard.said.setdefault(topic, []).append(words)
    named = False
    for clause in clauses(words):
        if unsure(clause):
            heard.unsure.append(topic)
            continue
        if reluctant(clause):
            return
        named = _take(heard, topic, clause) or named
    heard.answered = named
    if not named and not unsure(words):
        _bare(heard, topic, asked, words)


def _bare(heard: Heard, topic: str, asked: tuple[str, ...], words: str) -> None:
    """An answer that names nothing: yes or no to what was asked."""
    if denies(words):
        heard.none_of.add(topic)
    for key in asked:
        if denies(words):
            _deny(heard, key, words)
        elif _YES.search(words):
            _affirm(heard, topic, key, words)


def _take(heard: Heard, topic: str, clause: str) -> bool:
    if topic == "medications" and not denies(clause):
        return _take_drugs(heard, clause)
    if topic == "allergies":
        return _take_allergens(heard, clause)
    if topic == "family":
        return _take_family(heard, clause)
    kinds = (*_MEDICAL, *_SOCIAL)
    found = [match for match in concepts.find(clause, kinds=kinds) if not (match.key == "fear" and emotion(clause))]
    for match in found:
        if denies(clause):
            _deny(heard, match.key, clause)
        elif _POSSIBLE.search(clause):
            _leave_open(heard, match.key, clause)
        else:
            _affirm(heard, topic, match.key, clause)
    return bool(found)


def _affirm(heard: Heard, topic: str, key: str, words: str) -> None:
    concept = concepts.get(key)
    kind = concept.kind if concept else "symptom"
    place = heard.history if kind in ("condition", "procedure") else heard.habits if kind == "habit" else heard.symptoms
    if topic in ("past_history", "surgery") and kind == "symptom":
        place = heard.history
    place.setdefault(key, words)
    heard.denied.pop(key, None)
    heard.possible.pop(key, None)


def _deny(heard: Heard, key: str, words: str) -> None:
    concept = concepts.get(key)
    if concept and concept.kind == "habit":
        if key not in heard.habits:
            heard.habits_denied.setdefault(key, words)
    elif key not in heard.symptoms and key not in heard.history:
        heard.denied.setdefault(key, words)
        heard.possible.pop(key, None)


def _leave_open(heard: Heard, key: str, words: str) -> None:
    if not any(key in known for known in (heard.symptoms, heard.history, heard.habits, heard.denied)):
        heard.possible.setdefault(key, words)


def _take_drugs(heard: Heard, clause: str) -> bool:
    found = drugs.find(clause)
    for match in found:
        for ingredient in match.ingredients:
            heard.drugs.setdefault(ingredient, match.text)
    return bool(found)


def _take_allergens(heard: Heard, clause: str) -> bool:
    found = concepts.find(clause, kinds=("allergen",))
    named = [
        (match.key, match.text) for match in found if match.key not in ("allergy", "drug_allergen", "food_allergen")
    ]
    named += [(match.ingredients[0], match.text) for match in drugs.find(clause) if match.ingredients]
    if denies(clause):
        if not heard.allergens:
            heard.none_of.add("allergies")
        return True
    for key, text in named:
        if not any(text.lower() in other.lower() for other in heard.allergens.values()):
            heard.allergens[key] = text
    return bool(named)


def _take_family(heard: Heard, clause: str) -> bool:
    if denies(clause):
        heard.none_of.add("family")
        return True
    relatives = [match.key for match in concepts.find(clause, kinds=("relative",)) if match.key != "family"]
    found = concepts.find(clause, kinds=("condition", "symptom"))
    for match in found:
        heard.family.append((lay_name(relatives[0]) if relatives else "a relative", match.text))
    return bool(found)

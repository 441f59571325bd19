"""Whom an ask is about: a question whose subject is another person is no question about the patient."""

import re
from functools import cache

from kg.facts import Domain
from simulator.patient.asks import Ask, DialogueContext, Understanding
from simulator.patient.data_files import document
from simulator.patient.matching import relative_names
from simulator.patient.understanding.mentions import mention_rules, relations
from terminology import concepts

_PERSONAL = (Domain.DEMOGRAPHICS, Domain.SOCIAL_HISTORY, Domain.IDEAS_CONCERNS, Domain.EXAMINATION, Domain.OTHER)
_HOME = ("living_situation", "marital_status", "children", "social_support")
_OF_ALL_KIN = ("family", "family member", "relative")
_HABITS = ("smoking", "alcohol", "drug_use")
_DOMAIN_OF = {"habit": Domain.LIFESTYLE, "symptom": Domain.SYMPTOM, "condition": Domain.PAST_HISTORY}
_YOURS = re.compile(r"\b(?:your|the)\b", re.IGNORECASE)
_GRANDCHILDREN = ("grandson", "granddaughter")
_BESIDE_YOU = re.compile(r"\b(?:with|like|as|than|around|near|beside) you\b(?! (?:are|have|do|were|had)\b)")
_YOU = re.compile(r"\b(?:you|your|yours)\b")
_PRONOUN = re.compile(
    r"^(?:(?:and|so|but),? )*(?:(?:how|what|when|where|why)(?: \w+)? )?"
    r"(?:do|does|did|has|have|had|is|are|was|were)(?:n't)? (?:he|she|they)\b",
    re.IGNORECASE,
)


def about_whom(understanding: Understanding, said: str, context: DialogueContext) -> Understanding:
    """The understanding, its asks about another person turned to that person ("family_history", else "other").

    `said` is the whole utterance; the context tells who speaks, and whom "she" means where patients do themselves.
    """
    asks: list[Ask] = []
    for ask in understanding.asks:
        last = (asks or list(context.understanding.asks))[-1:]
        before = said.partition(ask.words)[0] if ask.words else ""
        whom = last_named(before) or (last[0].experiencer if last else "patient")
        asks.append(_turned(ask, context, whom))
    turned = tuple(asks)
    return understanding if turned == understanding.asks else understanding.model_copy(update={"asks": turned})


def last_named(words: str) -> str | None:
    """The last person whom the words name."""
    found = [match.group() for match in re.finditer(rf"\b(?:{_names()})\b", words.lower())]
    return found[-1] if found else None


def _turned(ask: Ask, context: DialogueContext, whom: str) -> Ask:
    person = subject(ask.words)
    own = context.speaker == "patient" and whom not in ("patient", *_OF_ALL_KIN)
    if person is None and own and _PRONOUN.match(ask.words):
        person = whom if _subject_alone(ask.words) else None
    if person is None or ask.concept in _HOME or (ask.domain is Domain.RISK_FACTOR and ask.concept not in _HABITS):
        return ask
    if _YOURS.search(ask.words) and _is_patient(person, context.speaker, context.patient_sex):
        return _own(ask)
    if ask.experiencer in relations(ask.words.lower()) and _plain(person) and person not in _GRANDCHILDREN:
        return ask
    of_family = ask.domain is Domain.FAMILY_HISTORY or bool(ask.concept or ask.term)
    known = person not in document("relatives.yaml")["no_kin"] and of_family and ask.domain not in _PERSONAL
    domain = Domain.FAMILY_HISTORY if known else Domain.OTHER
    return ask.model_copy(update={"domain": domain, "experiencer": _kin(person)})


def _own(ask: Ask) -> Ask:
    """The ask as one of the patient, whom the relative who speaks calls "my husband"."""
    concept = concepts.get(ask.concept) if ask.concept else None
    if ask.domain is not Domain.FAMILY_HISTORY or concept is None or concept.kind not in _DOMAIN_OF:
        return ask
    return ask.model_copy(update={"domain": _DOMAIN_OF[concept.kind], "experiencer": "patient"})


def _subject_alone(words: str) -> bool:
    """Whether nothing in the clause speaks of the patient ("does she say that you snore?" does)."""
    return _YOU.search(_BESIDE_YOU.sub("", words.lower())) is None


def subject(words: str) -> str | None:
    """The person, in the doctor's words, that is the grammatical subject of a clause; None where it is the patient.

    None too where the person saw, said or did something about the patient ("did your wife notice that you …?").
    """
    found = _subject_pattern().search(" ".join(words.lower().replace("’", "'").split()))
    if found is None:
        return None
    rest = _BESIDE_YOU.sub("", found["rest"])
    if _YOU.search(rest) or re.match(document("relatives.yaml")["observes"], found["rest"]):
        return None
    person, owner = found["person"].strip(), (found["owner"] or "").strip()
    return _kin_of(owner, person) if owner else person


def _kin_of(owner: str, person: str) -> str:
    """ "Mother's sister" is the maternal aunt; what is no line of descent keeps its words."""
    side = {"mother": "maternal", "father": "paternal"}.get(next(iter(relations(owner)), ""))
    kin = document("relatives.yaml")["of_parents"].get(_kin(person))
    return f"{side} {kin}" if side and kin else f"{owner} {person}"


@cache
def _names() -> str:
    data = document("relatives.yaml")
    kin = sorted({*mention_rules().relatives, *data["no_kin"], *data["same"]}, key=len, reverse=True)
    return "|".join(re.escape(name) for name in kin if not name.endswith("'s"))


@cache
def _subject_pattern() -> re.Pattern[str]:
    data = document("relatives.yaml")
    names = _names()
    person = rf"(?:{data['not_by_birth_before']})?(?:{names})(?:s\b)?(?:{data['not_by_birth_after']})?"
    whose = r"(?:any of |either of |one of |all (?:of )?|both )?(?:your|his|her|their|the)"
    whose += r" (?:(?!step|foster|god|great|adopt)\w+ )?"
    named = rf"{whose}(?P<owner>(?:{names})'s )?(?P<person>{person})\b(?P<rest>.*)"
    lead = (
        r"^(?:(?!\byou\b|\byour\b).)*?\b(?:do|does|did|has|have|had|is|are|was|were|will|can|could|would)(?:n't)? "
        r"|^(?:(?:and|so|ok|okay|now|well),? )*(?:(?:how|what) about )?"
        r"|\b(?:know|tell (?:me|us)|wonder\w*|ask) (?:if|whether|how|what|which|when|that)\b(?:(?! you).)*? "
        r"|\btell (?:me|us) (?:\w+ )?about "
        r"|^(?:how|what|where|who|when)'s "
    )
    return re.compile(rf"(?:{lead}){named}")


def _is_patient(person: str, speaker: str, sex: str) -> bool:
    """Whether the speaker's relative is the patient: to a wife, her husband."""
    patient = document("relatives.yaml")["patient_is"].get(speaker, {})
    names = {patient.get(sex, "")} if sex else set(patient.values())
    called = _kin(document("relatives.yaml")["same"].get(person, person))
    return any(name and (name == called or name in (relative_names(called) or ())) for name in names)


def _plain(person: str) -> bool:
    """Whether the word is that of a relative as such: no stepmother, no great-uncle, no aunt by marriage."""
    return person in mention_rules().relatives


def _kin(person: str) -> str:
    """ "Mum" is the mother; a grandson stays a grandson, and who is no relative keeps their word."""
    name = mention_rules().relatives.get(person, person) if _plain(person) else person
    return person if person in _GRANDCHILDREN else name

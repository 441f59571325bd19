"""Whom an ask is about: a question whose subject is another person is no question about the patient."""

import re
from functools import cache

from kg.facts import Domain
from simulator.patient.asks import Ask, Understanding
from simulator.patient.data_files import document
from simulator.patient.matching import relative_names
from simulator.patient.understanding.mentions import mention_rules, relations

_PERSONAL = (Domain.DEMOGRAPHICS, Domain.SOCIAL_HISTORY, Domain.IDEAS_CONCERNS, Domain.EXAMINATION, Domain.OTHER)
_HOME = ("living_situation", "marital_status", "children", "social_support")
_OF_ALL_KIN = ("family", "family member", "relative")
_HABITS = ("smoking", "alcohol", "drug_use")
_GRANDCHILDREN = ("grandson", "granddaughter")
_BESIDE_YOU = re.compile(r"\b(?:with|like|as|than|around|near|beside) you\b(?! (?:are|have|do|were|had)\b)")
_YOU = re.compile(r"\b(?:you|your|yours)\b")
_PRONOUN = re.compile(
    r"^(?:(?:and|so|but),? )*(?:(?:how|what|when|where|why)(?: \w+)? )?"
    r"(?:do|does|did|has|have|had|is|are|was|were)(?:n't)? (?:he|she|they)\b",
    re.IGNORECASE,
)


def about_whom(understanding: Understanding, speaker: str, sex: str, before: tuple[Ask, ...] = ()) -> Understanding:
    """The understanding, its asks about another person turned to that person ("family_history", else "other").

    `speaker` and `sex` (of the patient: "F", "M", "") tell which relative the speaker calls the patient; of the asks
    `before`, the last tells whom "she" means where patients speak for themselves.
    """
    asks: list[Ask] = []
    for ask in understanding.asks:
        last = (asks or list(before))[-1:]
        whom = last[0].experiencer if last and speaker == "patient" else "patient"
        asks.append(_turned(ask, speaker, sex, whom))
    turned = tuple(asks)
    return understanding if turned == understanding.asks else understanding.model_copy(update={"asks": turned})


def _turned(ask: Ask, speaker: str, sex: str, whom: str) -> Ask:
    person = subject(ask.words)
    if person is None and whom not in ("patient", *_OF_ALL_KIN) and _PRONOUN.match(ask.words):
        person = whom if _subject_alone(ask.words) else None
    if person is None or ask.concept in _HOME or (ask.domain is Domain.RISK_FACTOR and ask.concept not in _HABITS):
        return ask
    if re.search(r"\byour\b", ask.words, re.IGNORECASE) and _is_patient(person, speaker, sex):
        return ask
    if ask.experiencer in relations(ask.words.lower()) and _plain(person) and person not in _GRANDCHILDREN:
        return ask
    of_family = ask.domain is Domain.FAMILY_HISTORY or bool(ask.concept or ask.term)
    known = person not in document("relatives.yaml")["no_kin"] and of_family and ask.domain not in _PERSONAL
    domain = Domain.FAMILY_HISTORY if known else Domain.OTHER
    return ask.model_copy(update={"domain": domain, "experiencer": _kin(person)})


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
def _subject_pattern() -> re.Pattern[str]:
    data = document("relatives.yaml")
    kin = sorted({*mention_rules().relatives, *data["no_kin"], *data["same"]}, key=len, reverse=True)
    names = "|".join(re.escape(name) for name in kin if not name.endswith("'s"))
    person = rf"(?:{data['not_by_birth_before']})?(?:{names})(?:s\b)?(?:{data['not_by_birth_after']})?"
    whose = r"(?:any of |either of |one of |all (?:of )?|both )?(?:your|his|her|their|the patient's)"
    whose += r" (?:(?!step|foster|god|great|adopt)\w+ )?"
    named = rf"{whose}(?P<owner>(?:{names})'s )?(?P<person>{person})\b(?P<rest>.*)"
    lead = (
        r"^(?:(?!\byou\b|\byour\b).)*?\b(?:do|does|did|has|have|had|is|are|was|were|will|can|could|would)(?:n't)? "
        r"|^(?:(?:and|so|ok|okay|now|well),? )*(?:(?:how|what) about )?"
        r"|\b(?:do|would) you (?:happen to )?know (?:if|whether|how|what|which)\b.*? "
        r"|^(?:how|what|where|who|when)'s "
    )
    return re.compile(rf"(?:{lead}){named}")


def _is_patient(person: str, speaker: str, sex: str) -> bool:
    """Whether the speaker's relative is the patient: to a wife, her husband."""
    patient = document("relatives.yaml")["patient_is"].get(speaker, {})
    names = {patient.get(sex, "")} if sex else set(patient.values())
    called = _kin(person)
    return any(name and (name == called or name in (relative_names(called) or ())) for name in names)


def _plain(person: str) -> bool:
    """Whether the word is that of a relative as such: no stepmother, no great-uncle, no aunt by marriage."""
    return person in mention_rules().relatives


def _kin(person: str) -> str:
    """ "Mum" is the mother; a grandson stays a grandson, and who is no relative keeps their word."""
    name = mention_rules().relatives.get(person, person) if _plain(person) else person
    return person if person in _GRANDCHILDREN else name

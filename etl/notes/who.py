"""Who the patient is and who speaks for them, from a note's words."""

import re
from typing import Literal

from etl.caserecord import Spokesperson
from etl.notes.note import DemographicsHints
from etl.notes.reading import Reading
from etl.notes.rules.patterns import load_patterns, value_span
from etl.notes.section_kinds import SectionKind

_UNITS = r"(?:years?|yrs?|y)"
_UNITS_IN_WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_TEENS = [
    "ten",
    "eleven",
    "twelve",
    *(f"{stem}teen" for stem in ("thir", "four", "fif", "six", "seven", "eigh", "nine")),
]
_NUMBERS = {word: number for number, word in enumerate([*_UNITS_IN_WORDS, *_TEENS], start=1)} | {
    word: 10 * number for number, word in enumerate(_TENS, start=2)
}
_NUMBER_WORDS = rf"(?:(?:{'|'.join(_TENS)})(?:-|–| )(?:{'|'.join(_UNITS_IN_WORDS)})|{'|'.join(_NUMBERS)})"
_AGE = re.compile(
    rf"(?<![\w.])(?P<over>>\s?89|(?:over|>) ?89)\b|\b(?P<years>\d{{1,3}})(?:-|–|‐| )?{_UNITS}(?:\.|s)?(?:-|–|‐| |"
    rf"/)?(?:old|o\b|of age)"
    rf"|\b(?P<short>\d{{1,3}}) ?(?:yo|y/o|y\.o\.|yr/o)(?:[MF]\b|\b)|\b(?P<infant>\d{{1,3}}|an?|one|two|three|four|"
    rf"five|six)(?:-|–| )(?P<unit>day|week|month|hour)s?(?:-|–| )old"
    rf"|\baged? (?:of )?(?P<aged>\d{{1,3}})\b|\b(?P<letter>\d{{1,3}}) ?(?P<lettersex>[MF])\b|"
    rf"\b(?P<word>{_NUMBER_WORDS})(?:-|–| )years?(?:-|–| )old",
    re.IGNORECASE,
)
_FEMALE = re.compile(r"\b(?:woman|female|girl|lady|gentlewoman|she|her|mrs|ms|f)\b", re.IGNORECASE)
_MALE = re.compile(r"\b(?:man|male|boy|gentleman|he|his|him|mr|m)\b", re.IGNORECASE)
_SEX_FIELD = re.compile(r"\b(?:sex|gender)\s*:\s*(?P<sex>[MF])", re.IGNORECASE)
_RELATION = (
    r"(?P<relation>mother|father|parents?|daughter(?:-in-law)?|son(?:-in-law)?|wife|husband|spouse|partner|sister|brother|niece|nephew|"
    r"grandmother|grandson|granddaughter|caregiver|carer|aide|guardian|family|nursing home staff|nurse|roommate|"
    r"friend|neighbor|neighbour)"
)
_FROM = re.compile(
    rf"\b(?:history|hx|information|hpi|details|story|account)(?: [a-z]+){{0,4}}? (?:from|by|per|through|"
    rf"via)(?: (?:the|his|her|patient's|pt's|a|an))*\s{_RELATION}\b"
    rf"|\bper (?:the |his |her |patient's |pt's )*{_RELATION.replace('relation', 'per')}\b"
    rf"|\b(?:his|her|the|patient's|"
    rf"pt's) {_RELATION.replace('relation', 'tells')},? (?:who [a-z ]{{3,40}},? )?(?:reports|reported|states|stated|"
    rf"provides|provided|gives|gave|supplies|supplied|says|describes|answers|speaks|tells|told|relates|notes|noticed)\b",
    re.IGNORECASE,
)
_ENOUGH_TEXT = 3000


def demographics(reading: Reading) -> DemographicsHints:
    """Age and sex from the note's opening, occupation and living situation from its social history."""
    text = reading.plain[:_ENOUGH_TEXT]
    match = _AGE.search(text)
    age, over = _age(match) if match else (None, False)
    sex = _sex(text, match) or _sex(reading.plain, None)
    return DemographicsHints(
        age=age, age_over_89=over, sex=sex,
        occupation=_social(reading, "occupation"), living_situation=_social(reading, "living"),
    )  # fmt: skip


def age_told(reading: Reading) -> int | None:
    """The age in whole years that the note gives first, the patient's; None where it gives none, or over 89."""
    match = _AGE.search(reading.plain, 0, _ENOUGH_TEXT)
    return _age(match)[0] if match else None


def spokesperson(reading: Reading) -> Spokesperson | None:
    """Who gives the history where the patient cannot, and why; None where the patient speaks.

    A relative's word alone makes no spokesperson: the note must also say why the patient cannot speak.
    """
    match = _FROM.search(reading.plain)
    if match is None:
        return None
    reason = _reason(reading, match)
    relation = (match["relation"] or match["per"] or match["tells"]).lower()
    return Spokesperson(relation=relation, reason=reason) if reason else None


def _reason(reading: Reading, match: re.Match[str]) -> str:
    """The first cause named near the statement, else one named anywhere in the present illness."""
    near = reading.lower[max(0, match.start() - 400) : match.end() + 400]
    for name, pattern in load_patterns("cannot_speak.csv"):
        if pattern.search(near):
            return name
    age = _AGE.search(reading.plain[:_ENOUGH_TEXT])
    if age is None:
        return ""
    if age["infant"]:
        return "infant"
    years = age["years"] or age["short"] or age["aged"]
    return "young child" if years and int(years) < 6 else ""


def _age(match: re.Match[str]) -> tuple[int | None, bool]:
    if match["over"]:
        return None, True
    if match["infant"]:
        unit, number = match["unit"].lower(), match["infant"]
        months = int(number) if number.isdigit() and unit == "month" else 0
        return months // 12, False
    word = match["word"]
    digits = match["years"] or match["short"] or match["aged"] or match["letter"]
    years = sum(_NUMBERS[part] for part in re.findall(r"[a-z]+", word.lower())) if word else int(digits)
    if years > 120:
        return None, years >= 300
    return (None, True) if years > 89 else (years, False)


def _sex(text: str, match: re.Match[str] | None) -> Literal["F", "M", ""]:
    field = _SEX_FIELD.search(text)
    if field:
        return "F" if field["sex"].upper() == "F" else "M"
    if match and match["lettersex"]:
        return "F" if match["lettersex"].upper() == "F" else "M"
    start = match.end() if match else 0
    for piece in (text[start : start + 80], text[:400], text):
        female, male = _FEMALE.search(piece), _MALE.search(piece)
        if female and (not male or female.start() < male.start()):
            return "F"
        if male:
            return "M"
    return ""


def _social(reading: Reading, wanted: str) -> str | None:
    for sentence in reading.sentences:
        if sentence.section is not SectionKind.SOCIAL_HISTORY:
            continue
        for name, pattern in load_patterns("social_patterns.csv"):
            match = pattern.search(reading.plain, sentence.start, sentence.end) if name == wanted else None
            if match:
                start, end = value_span(match)
                return reading.note.text[start:end].strip()
    return None

"""Diagnoses: codes and names of ICD-9-CM and ICD-10-CM, and the terms that people use for them.

Codes are handled without dots, in capitals. Nothing is ever dropped: a code that no dictionary has is named from its
parent, and `CodeName.source` says so.
"""

import csv
import re
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Literal

from foundation.records import Frozen
from terminology import concepts
from terminology.abbreviations import expand
from terminology.icd_tables import icd9_names, icd10_inclusions, icd10_names, nine_to_ten, procedure_names
from terminology.wordforms import forms_of

Source = Literal["dictionary", "parent", "none"]

_UNSPECIFIED = re.compile(r",? (unspecified.*|not otherwise specified|NOS)$", re.I)
_CODED_KINDS = ("condition", "symptom")
_COURSE = re.compile(
    r"\b(acute|chronic|subacute|on|exacerbation|flare(-up)?|crisis|attack|recurrent|severe|mild|moderate|probable|likely"
    r"|suspected|possible|new|worsening|decompensated|complicated|uncomplicated|early|late|stage \w+|secondary to .*"
    r"|due to .*|status post .*|with .*|\(.*?\))(?=\W|$)",
    re.I,
)

_EMPTY_WORDS = (
    *("unspecified", "nos", "other", "with", "without", "and", "or", "of", "in", "the", "to", "due", "elsewhere"),
    *("classified", "not", "specified", "type", "site", "part", "organism", "mention", "complication", "stated"),
    "uncontrolled",
)


class CodeName(Frozen):
    """A code's name, and where it comes from.

    `source`: "dictionary" (the code itself), "parent" (a category's or a shorter code's name, also for codes that
    were retired), "none" (no ICD code; `name` then repeats it).
    """

    name: str
    source: Source


def normalise_code(code: str, version: int) -> str:
    """A recorded code as the dictionaries spell it: capitals, no dot or blank, lost leading zeros put back.

    Spreadsheets and integer columns eat leading zeros ("0389" becomes 389, "008.45" becomes 8.45) and trailing ones
    ("250.00" becomes 250). A dot says how many digits stood before it. Without one, zeros are put back where that
    makes a billable code and the digits alone are none; records hold billable codes only. `version` is 9 or 10.
    """
    text = _spelt(code, version)
    if version == 10 or not text.isdigit() or text in icd9_names():
        return text
    if "." in str(code):
        return text
    padded = (text.zfill(width) for width in (3, 4, 5) if width > len(text))
    return next((spelling for spelling in padded if spelling in icd9_names()), text.zfill(3))


def _spelt(code: str, version: int) -> str:
    """A code or a category without dot, blank and lower case; zeros only as a dot or the three digits demand."""
    text = re.sub(r"\s", "", str(code)).upper().strip("'\"")
    if version == 10:
        return text.replace(".", "")
    whole, dot, rest = text.partition(".")
    if whole.isdigit():
        whole = whole.zfill(3)
        return whole + _known_rest(whole, rest) if dot else whole
    if dot and whole.startswith("V"):
        return "V" + whole[1:].zfill(2) + rest
    return whole + rest


def name_of(code: str, version: int) -> CodeName:
    """The code's name, or its nearest parent's; never fails. `version` is 9 or 10."""
    code = _spelt(code, version)
    names = icd10_names() if version == 10 else icd9_names()
    if code in names:
        return CodeName(name=names[code], source="dictionary")
    if version == 9 and code in _written_categories():
        return CodeName(name=_written_categories()[code], source="parent")
    for shorter in _parents(code, version):
        if shorter in names:
            return CodeName(name=names[shorter], source="parent")
        if version == 9 and (name := _icd9_category_name(shorter)):
            return CodeName(name=name, source="parent")
    if version == 9 and (name := _icd9_category_name(code)):
        return CodeName(name=name, source="parent")
    return CodeName(name=code, source="none")


def procedure_name(code: str, version: int) -> CodeName:
    """The name of an ICD-9-CM or ICD-10-PCS procedure code; a code that no table has keeps itself as its name."""
    text = re.sub(r"[\s.]", "", str(code)).upper()
    names = procedure_names()[version]
    for spelling in (text, text.zfill(3), text.zfill(4)) if version == 9 else (text,):
        if spelling in names:
            return CodeName(name=names[spelling], source="dictionary")
    return CodeName(name=text, source="none")


def parent_of(code: str, version: int) -> str | None:
    """The next shorter code; None for a three-character category (four for ICD-9-CM E codes)."""
    parents = _parents(_spelt(code, version), version)
    return parents[0] if parents else None


def to_icd10(code9: str) -> str | None:
    """The ICD-10-CM code of an ICD-9-CM code; of its first known longer or shorter code where it has none itself."""
    code = _spelt(code9, 9)
    table = nine_to_ten()
    for shorter in (code, *_parents(code, 9)):
        if shorter in table:
            return table[shorter]
        unspecified = [longer for longer in _children(shorter) if longer in table]
        if unspecified:
            return table[next((one for one in reversed(unspecified) if one.endswith("9")), unspecified[0])]
    return None


def category(code: str, version: int) -> str:
    """The three-character ICD-10-CM category; an ICD-9-CM code without equivalent keeps its own category."""
    code = _spelt(code, version)
    if version == 10:
        return code[:3]
    ten = to_icd10(code)
    return ten[:3] if ten else code[:3]


def find_code(term: str) -> str | None:
    """The ICD-10-CM code that a diagnosis in words names, without dot, or None.

    A concept's own name first, then the names and inclusion terms of ICD-10-CM in any word order, then any other
    name of a concept; abbreviations are written out ("T2DM"), and words of course and stage left out at need
    ("acute on chronic systolic heart failure", "COPD exacerbation").
    """
    for wording in dict.fromkeys((term, expand(term))):
        concept = concepts.lookup(wording, kinds=_CODED_KINDS)
        own_name = concept is not None and wording.lower() in (concept.name.lower(), concept.lay.lower())
        if concept and concept.icd10 and own_name:
            return concept.icd10[0]
        code = _by_words().get(_word_set(wording))
        if code or (concept and concept.icd10):
            return code or (concept.icd10[0] if concept else None)
    shorter = _COURSE.sub(" ", expand(term)).strip(" ,")
    return find_code(shorter) if shorter and shorter.lower() != expand(term).lower() else None


def synonyms(term: str) -> tuple[str, ...]:
    """Other names of a diagnosis, without `term` itself: the concept's, then the ICD-10-CM name and inclusion terms."""
    concept = concepts.lookup(term) or concepts.lookup(expand(term))
    names = list(concept.wordings()) if concept else []
    code = find_code(term)
    if code in icd10_names():
        names += [icd10_names()[code], *icd10_inclusions().get(code, ())]
    expanded = expand(term)
    return tuple(dict.fromkeys(name for name in [expanded, *names] if name.lower() != term.lower()))


def _known_rest(whole: str, rest: str) -> str:
    """Decimals as they were: 250.0 may have been 250.00 (a number column drops trailing zeros)."""
    for zeros in ("", "0", "00"):
        if len(rest + zeros) <= 2 and whole + rest + zeros in icd9_names():
            return rest + zeros
    return "" if rest == "0" and whole in icd9_names() else rest


def _parents(code: str, version: int) -> list[str]:
    shortest = 4 if version == 9 and code.startswith("E") else 3
    return [code[:length] for length in range(len(code) - 1, shortest - 1, -1)]


@cache
def _children_table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for code in icd9_names():
        for length in range(3, len(code)):
            table.setdefault(code[:length], []).append(code)
    return table


def _children(code: str) -> list[str]:
    return _children_table().get(code, [])


def _icd9_category_name(code: str) -> str:
    """A name for an ICD-9-CM category, which the code list lacks: a written one, or what its children's names share."""
    if code in _written_categories():
        return _written_categories()[code]
    names = [icd9_names()[child] for child in _children(code)]
    if not names:
        return ""
    vague = [_UNSPECIFIED.sub("", name) for name in names if _UNSPECIFIED.search(name)]
    columns = zip(*(name.split() for name in names), strict=False)
    shared = [words[0] for words in takewhile(lambda words: len(set(words)) == 1, columns)]
    while shared and shared[-1].lower() in _EMPTY_WORDS:
        shared.pop()
    if vague:
        return min(vague, key=len)
    return " ".join(shared).rstrip(",") if shared else names[-1]


@cache
def _written_categories() -> dict[str, str]:
    text = files("terminology").joinpath("data/diagnoses_icd9_categories.csv").read_text("utf-8")
    return {row["code"]: row["name"] for row in csv.DictReader(text.splitlines())}


def _word_set(term: str) -> frozenset[str]:
    return frozenset(form for form in forms_of(term) if form.isalnum() and form not in _empty_forms())


@cache
def _empty_forms() -> frozenset[str]:
    return frozenset(form for word in _EMPTY_WORDS for form in forms_of(word))


@cache
def _by_words() -> dict[frozenset[str], str]:
    """Content words of every ICD-10-CM name → its shortest code; inclusion terms do not override names."""
    table: dict[frozenset[str], str] = {}
    codes = sorted(icd10_names(), key=lambda code: (len(code), code))
    for code in codes:
        if len(code) <= 6:
            table.setdefault(_word_set(icd10_names()[code]), code)
    for code in codes:
        for name in icd10_inclusions().get(code, ()):
            table.setdefault(_word_set(name), code)
    table.pop(frozenset(), None)
    return table

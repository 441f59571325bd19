"""Names and concepts of codes, drugs and tests, each looked up once."""

from functools import cache
from typing import Literal

from etl.structured.values import text_of
from terminology import concepts, diagnoses, drugs


@cache
def drug(name: str) -> drugs.DrugName:
    """The drug by its active ingredients."""
    return drugs.normalise(name)


@cache
def concept_key(name: str, kind: str) -> str | None:
    """The terminology key of a name as written, or None."""
    found = concepts.lookup(name, kinds=(kind,))
    return found.key if found else None


@cache
def the_concept_in(phrase: str, kind: str) -> str | None:
    """The one concept that a phrase names; None where it names none, or several."""
    keys = {match.key for match in concepts.find(phrase, kinds=(kind,))}
    return keys.pop() if len(keys) == 1 else None


@cache
def code_name(code: str, version: Literal["9", "10"], dictionary_name: str) -> tuple[str, str]:
    """A code's name and where it is from: the source's own dictionary, else the parent's or the terminology's name."""
    if dictionary_name:
        return dictionary_name, "dictionary"
    found = diagnoses.name_of(code, int(version))
    return text_of(found.name) or code, "parent" if found.source == "parent" else "terminology"

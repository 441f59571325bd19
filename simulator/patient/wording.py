"""A record's words as a person says them: no blanks, no abbreviations, lay words, the same numbers."""

import re
from functools import cache, lru_cache

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.chart import has_chart_words
from simulator.patient.data_files import document, text
from simulator.patient.matching import content_words
from terminology import abbreviations, concepts, lay
from terminology.concepts import Concept

_QUANTITY = re.compile(
    r"\d[\d.,/-]*\s*(?:mm\s?hg|mg/d?l|g/d?l|mcg|ug|µg|mg|kg|g|ml|dl|l|meq(?:/l)?|mmol/l|units?|iu|%|cm|mm|lbs?|oz|bpm)\b(?!\w)"
    r"|\d[\d.,/-]*\s?%",
    re.IGNORECASE,
)
_FELT = (Domain.SYMPTOM, Domain.PAST_HISTORY)


@cache
def _blanks() -> re.Pattern[str]:
    return re.compile("|".join(document("wording.yaml")["blanks"]))


@cache
def _directions() -> tuple[tuple[re.Pattern[str], str], ...]:
    lines = [line for line in text("directions.tsv").splitlines() if line and not line.startswith("#")]
    rows = (line.split("	") for line in lines)
    return tuple((re.compile(pattern, re.IGNORECASE), said) for pattern, said in rows)


@lru_cache(maxsize=8192)
def clean(recorded: str) -> str:
    """The text without de-identification's blanks and what they leave dangling; shouted text in small letters."""
    legible = _blanks().sub(" ", recorded)
    if legible != recorded:
        legible = re.sub(document("wording.yaml")["dangling"], "", legible.strip(" ,;:.-"), flags=re.IGNORECASE)
    legible = re.sub(r"\s+([,.;])", r"\1", re.sub(r"\s+", " ", legible)).strip(" ,;:.-")
    if legible.isupper() and sum(char.isalpha() for char in legible) > 5:
        return legible.lower()
    first, _, rest = legible.partition(" ")
    small = first[:1].isupper() and not any(char.isupper() for char in first[1:])
    return f"{first.lower()}{' ' if rest else ''}{rest}" if small and (not rest or not legible.istitle()) else legible


def blank(recorded: str) -> bool:
    """Whether nothing legible is left of the text."""
    return not re.search(r"[A-Za-z0-9]", clean(recorded))


def recorded(fact: Fact) -> bool:
    """Whether the record says anything of the patient: no blank or stray letter, "NOT SPECIFIED", "unremarkable"."""
    unsaid = fact.domain is Domain.DEMOGRAPHICS and fact.text.strip().lower() in document("wording.yaml")["unrecorded"]
    denied = fact.assertion is Assertion.ABSENT and bool(fact.concept)
    if fact.domain in _FELT and not denied and _says_no_finding(fact.text.strip()):
        return False
    letter = fact.domain is not Domain.DEMOGRAPHICS and len(re.findall(r"[A-Za-z0-9]", fact.text)) < 2
    return not unsaid and not letter and not blank(fact.text)


@lru_cache(maxsize=4096)
def _says_no_finding(text: str) -> bool:
    """Whether the text is an examiner's word for "nothing", a bare adjective or a span of time, and no complaint."""
    rules = document("wording.yaml")
    timeless = re.sub(rules["spans"], " ", text.lower())
    return bool(re.search(rules["no_finding"], text, re.IGNORECASE)) or not re.search(r"[a-z0-9]", timeless)


@lru_cache(maxsize=8192)
def spoken_value(value: str, clinical: bool = False) -> str:
    """A detail as said aloud ("25 mg po bid" → "25 mg by mouth twice a day"); `clinical` keeps clinical words."""
    words = clean(value)
    for pattern, said in _directions():
        words = pattern.sub(said, words)
    quantities: list[str] = []
    words = _QUANTITY.sub(lambda found: _kept(found[0], quantities), words)
    words = abbreviations.expand(words) if clinical else _begun_small(lay.plain(words), words)
    for number, quantity in enumerate(quantities):
        words = words.replace(f"§{number}§", quantity)
    return re.sub(r"\s+", " ", words).strip(" ,;:.-")


def _begun_small(said: str, words: str) -> str:
    """Lay words in the place of a name ("Stevens-Johnson syndrome") begin small within a sentence."""
    changed = said.split(" ", 1)[0] != words.split(" ", 1)[0]
    return said[:1].lower() + said[1:] if changed and said[1:2].islower() else said


def _kept(quantity: str, quantities: list[str]) -> str:
    """A mark in the place of a number with its unit, so that both survive as they stand."""
    quantities.append(quantity)
    return f"§{len(quantities) - 1}§"


def spoken_name(fact: Fact, clinical: bool = False) -> str:
    """What a fact is called: the concept's lay name where the record's words add nothing to it, else those words."""
    return _spoken_name(fact.text, fact.concept, clinical)


@lru_cache(maxsize=8192)
def _spoken_name(recorded: str, key: str | None, clinical: bool) -> str:
    concept = concepts.get(key) if key else None
    words = clean(recorded)
    clinical = clinical and not _always_lay(concept)
    if concept and concept.kind != "habit" and (not words or not adds_to(words, key or "")):
        return _clinical_name(concept, words) if clinical else _spoken_lay(concept)
    said = spoken_value(words, clinical)
    if concept and concept.kind == "symptom" and has_chart_words(said):
        return _spoken_lay(concept)
    return said or (_spoken_lay(concept) if concept else "something")


def _clinical_name(concept: Concept, words: str) -> str:
    """The clinical name; the record's own words where those are plain already ("trouble breathing")."""
    plain = bool(words) and not words.isupper() and lay.plain(words) == words
    return words if plain else concept.name


def _always_lay(concept: Concept | None) -> bool:
    """Whether even those who know clinical words use the lay ones: of symptoms but for a few, of some illnesses,
    and of what no terminology knows.
    """
    rules = document("wording.yaml")
    if concept is None:
        return True
    if concept.kind == "symptom":
        return concept.key not in rules["clinical_symptoms"]
    return concept.key in rules["always_lay"] or re.search(rules["chart_names"], concept.name) is not None


def _spoken_lay(concept: Concept) -> str:
    """The lay name as said aloud: "irregular heartbeat (atrial fibrillation)" has two, other additions are left out."""
    name = re.sub(r"^not being able\b", "being unable", concept.lay)
    beside = re.search(r"\s*\(([^)]*)\)", name)
    known = beside is not None and beside[1].lower() in map(str.lower, concept.wordings())
    return re.sub(r"\s*\(([^)]*)\)", r" called \1" if known else "", name)


def adds_to(words: str, key: str) -> bool:
    """Whether the record's words say more than the concept's names do ("isolates" is just social withdrawal)."""
    named = concepts.find(words)
    if len(named) == 1 and named[0].key == key and named[0].end - named[0].start >= len(words) - 1:
        return False
    return bool(content_words(words) - _concept_words(key))


@lru_cache(maxsize=4096)
def _concept_words(key: str) -> frozenset[str]:
    concept = concepts.get(key)
    named = concept.wordings() if concept else ()
    return frozenset(word for wording in named for word in content_words(wording))


def complaint_names(fact: Fact, clinical: bool = False) -> list[str]:
    """The things that a complaint names, each in spoken words: "Tongue swelling, lip swelling" is two.

    Parted at commas and slashes, and at "and" where each part names something that terminology knows.
    """
    written = clean(fact.text)
    parts = [part for part in re.split(r"\s*[,;/\\]\s*(?:and\s+)?|\s+and\s+", written) if part]
    if len(parts) < 2 or not all(concepts.find(part) for part in parts):
        return [spoken_name(fact, clinical)]
    return list(dict.fromkeys(_part_said(part, clinical) for part in parts))


def _part_said(part: str, clinical: bool) -> str:
    """The record's own words where plain already ("tingling"), else the concept's lay name."""
    concept = concepts.lookup(part)
    clinical = clinical and not _always_lay(concept)
    said = spoken_value(part, clinical)
    formal = concept is not None and said.lower() == part.lower() == concept.name.lower()
    return _spoken_name(part, concept.key, clinical) if formal and concept else said

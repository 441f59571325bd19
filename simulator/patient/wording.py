"""A record's words as a person says them: no blanks, no abbreviations, lay words, the same numbers."""

import re
from functools import cache, lru_cache

from kg.facts import Domain, Fact
from simulator.patient.data_files import document, text
from simulator.patient.matching import content_words
from terminology import abbreviations, concepts, drugs, lay

_POSSESSIVE = re.compile(r"\b(his|her|their|the patient's|patient's|pt's)\b(?=\s+\w)", re.IGNORECASE)
_PATIENT = re.compile(r"^(the )?(patient|pt|she|he|they|who)\b\.?\s*", re.IGNORECASE)
_QUANTITY = re.compile(
    r"\d[\d.,/-]*\s*(?:mm\s?hg|mg/d?l|g/d?l|mcg|ug|µg|mg|kg|g|ml|dl|l|meq(?:/l)?|mmol/l|units?|iu|%|cm|mm|lbs?|oz|bpm)\b(?!\w)"
    r"|\d[\d.,/-]*\s?%",
    re.IGNORECASE,
)
_DETERMINER = re.compile(r"^(a|an|the|my|some|no|any|\d)\b", re.IGNORECASE)


_FELT = (Domain.SYMPTOM, Domain.PAST_HISTORY)
_OPERATION = ("ectomy", "otomy", "ostomy", "plasty", "scopy", "pexy")


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
    if fact.domain in _FELT and re.search(document("wording.yaml")["no_finding"], fact.text.strip(), re.IGNORECASE):
        return False
    letter = fact.domain is not Domain.DEMOGRAPHICS and len(re.findall(r"[A-Za-z0-9]", fact.text)) < 2
    return not unsaid and not letter and not blank(fact.text)


@lru_cache(maxsize=8192)
def spoken_value(value: str, clinical: bool = False) -> str:
    """A detail as said aloud ("25 mg po bid" → "25 mg by mouth twice a day"); `clinical` keeps clinical words."""
    words = clean(value)
    for pattern, said in _directions():
        words = pattern.sub(said, words)
    quantities: list[str] = []
    words = _QUANTITY.sub(lambda found: _kept(found[0], quantities), words)
    words = abbreviations.expand(words) if clinical else lay.plain(words)
    for number, quantity in enumerate(quantities):
        words = words.replace(f"§{number}§", quantity)
    return re.sub(r"\s+", " ", words).strip(" ,;:.-")


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
    clinical = clinical and key not in document("wording.yaml")["always_lay"]
    if concept and (not words or not _adds_to(words, key or "")):
        return concept.name if clinical else _spoken_lay(concept.lay)
    return spoken_value(words, clinical) or (_spoken_lay(concept.lay) if concept else "something")


def _spoken_lay(name: str) -> str:
    """A lay name as said aloud: "irregular heartbeat (atrial fibrillation)" has two names."""
    return re.sub(r"\s*\(([^)]*)\)", r" called \1", name)


def _adds_to(words: str, key: str) -> bool:
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
    said, concept = spoken_value(part, clinical), concepts.lookup(part)
    formal = concept is not None and said.lower() == part.lower() == concept.name.lower()
    return _spoken_name(part, concept.key, clinical) if formal and concept else said


_VOWEL = re.compile(r"(?!u[nrst][eiao]|eu|one\b)[aeiou]|hour", re.IGNORECASE)


def with_article(name: str) -> str:
    """ "a headache", "an infection", "a urine infection"; plural and mass nouns stay as they are."""
    head = name.split(",")[0].split(" called ")[0].split(" of ")[0].split(" in ")[0].split(" with ")[0].split()[-1:]
    noun = re.split(r"[\s-]", head[0].lower())[-1] if head else ""
    countable = noun in document("wording.yaml")["countable"] or noun.endswith(_OPERATION)
    if not head or _DETERMINER.match(name) or not countable:
        return name
    return f"{'an' if _VOWEL.match(name) else 'a'} {name}"


def is_doing(name: str) -> bool:
    """Whether the name is something that one does or undergoes ("feeling sick"), said after "I've been"."""
    first = name.split(" ", 1)[0].lower()
    words = document("wording.yaml")["doing"]
    return first in words["also"] or (first.endswith("ing") and first not in words["nouns"])


def listed(names: list[str]) -> str:
    """ "a, b and c"; each once."""
    unique = list(dict.fromkeys(names))
    return unique[0] if len(unique) == 1 else f"{', '.join(unique[:-1])} and {unique[-1]}"


def without_repeats(names: list[str]) -> list[str]:
    """The names without those that another says too, with more words ("pain" beside "sudden pain")."""
    said = list(dict.fromkeys(names))
    words = {name: content_words(name) for name in said}
    return [name for name in said if not any(words[name] < words[other] for other in said)]


def own_words(recorded: str, my: str) -> str:
    """The text with "his", "her" and "the patient's" turned into the speaker's word for it; relatives get one too."""
    return _relatives().sub(rf"\1 {my} \2", _POSSESSIVE.sub(my, recorded))


@cache
def _relatives() -> re.Pattern[str]:
    """ "with wife", "and husband": a relative without a word of whose."""
    names = "|".join(document("wording.yaml")["relatives"])
    return re.compile(rf"\b(with|and|by|near)\s+({names})\b", re.IGNORECASE)


def verb_phrase(recorded: str) -> tuple[str, str, str] | None:
    """(adverb, verb in the first person, rest) of "now smokes 1 pack per day"; None where no verb comes first."""
    words = _PATIENT.sub("", recorded)
    rules = document("wording.yaml")
    first, _, rest = words.partition(" ")
    adverb = rules["adverbs"].get(first.lower(), "")
    if first.lower() in rules["adverbs"]:
        first, _, rest = rest.partition(" ")
    verb = rules["verbs"].get(first.lower())
    return (adverb, verb, rest) if verb else None


def medicine(fact: Fact, clinical: bool = False) -> str:
    """A medicine with its dose and times, and its way unless that is by mouth: "metoprolol, 25 mg, twice a day"."""
    name = spoken_value(fact.text, clinical=True) or spoken_name(fact, clinical)
    brand = drugs.normalise(name.split()[0].strip(",")) if name else None
    if brand and brand.resolved and name.split()[0].lower().strip(",") not in " ".join(brand.ingredients):
        parts = [name[:1].upper() + name[1:]]
    else:
        parts = [name[:1].lower() + name[1:] if name[1:2].islower() else name]
    for name in ("dose", "route", "frequency"):
        value = fact.attributes.get(name, "")
        said = "" if blank(value) else spoken_value(value, clinical)
        if said and said != "by mouth" and said.lower() not in " ".join(parts).lower():
            parts.append(said)
    return ", ".join(parts)

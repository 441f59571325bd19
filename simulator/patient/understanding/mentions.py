"""Concepts, drugs, relatives and unknown terms that a clause names."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import yaml

from kg.facts import Domain
from simulator.patient.asks import Attribute
from simulator.patient.understanding.spelling import strange_words
from simulator.patient.understanding.wording import RULES, compiled, wording
from terminology import concepts, drugs
from terminology.frequency import frequency

_WORD = re.compile(r"[a-z][a-z'-]+")
_LIST = re.compile(r"\s*(?:,|/|\bor\b|\band\b|\bincluding\b|\bsuch as\b|\blike\b)\s*")
_DETERMINER = re.compile(
    r"^(?:(?:any|to|a|an|the|some|other|your|his|her|of|that|this|ever|had|have|been|no|either|even|just|kind of)"
    r"\b\s*)+"
)
_TRAIL = re.compile(
    r"\s*\b(?:at all|before|recently|lately|right now|in the past|now|today|either|yet|at any point|anymore|as well"
    r"|too)\b.*$"
)


_PRONOUN = re.compile(r"\b(?:you|it|it's|they|he|she|i|we)\b")
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|being|using|having|taking|done|checked|caused|feel|spent|might|could|may|maybe)\b"
)
_RARE = 10_000
_TAKING = re.compile(r"\btak(?:e|ing)\b")
_PREPOSITIONS = ("on ", "in ", "at ", "around ", "over ", "under ", "from ", "near ", "with ")
_PLACES = re.compile(r" (?:in|on|to|with) (?:any|other|any other)\b")
_HISTORY_OF = re.compile(
    r"^(?:any )?(?:other )?(?:family )?(?:medical )?history of (?:any )?"
    r"| (?:in|that runs? in) (?:the|your|his|her) family\b.*$"
)
_KIND_OF_DISEASE = re.compile(r"\b([a-z]+) (?:conditions?|disorders?|problems?|issues|illness(?:es)?|diseases?)\b")
_AND_OR = re.compile(r" (?:or|and) ")
_CAPITALS = re.compile(r"\b[A-Z]{2,5}\b")
_ALLERGIC = re.compile(r"\b(?:allerg(?!ens?\b)|react|intoleran|anaphyla)")
_KINDS = ("symptom", "condition", "procedure", "test", "vital", "habit")


@dataclass(frozen=True)
class Mention:
    """Something named at [start, end): kind as in terminology.concepts, "drug", or "" for an unknown term."""

    start: int
    end: int
    key: str
    kind: str
    text: str


@dataclass(frozen=True)
class MentionRules:
    """rules/90_mentions.yaml."""

    domain_of_kind: dict[str, Domain]
    domain_of_concept: dict[str, Domain]
    generic: frozenset[str]
    anaphoric: re.Pattern[str]
    reason: re.Pattern[str]
    relatives: dict[str, str]
    spouses: frozenset[str]
    not_terms: frozenset[str]
    blood_in: dict[str, str]
    discharge_in: dict[str, str]
    ignored: frozenset[str]
    not_asked: frozenset[str]
    wider: dict[str, list[str]]
    habits: frozenset[str]
    pain_in: dict[str, str]
    whole_domain: frozenset[str]
    alike: tuple[frozenset[str], ...]
    covers: dict[str, tuple[str, ...]]
    beside_complaint: frozenset[str]
    past: re.Pattern[str]
    condition_attributes: dict[Attribute, re.Pattern[str]]

    def domain(self, mention: Mention) -> Domain:
        """Where a concept is asked of the patient, when nothing else says so."""
        if mention.kind == "drug":
            return Domain.MEDICATION
        concept = concepts.get(mention.key)
        if concept is not None and concept.system == "psychiatric" and mention.kind == "symptom":
            return self.domain_of_concept.get(mention.key, Domain.MENTAL_STATUS)
        return self.domain_of_concept.get(mention.key, self.domain_of_kind.get(mention.kind, Domain.SYMPTOM))


@cache
def mention_rules() -> MentionRules:
    """The table, read once."""
    table = yaml.safe_load((RULES / "90_mentions.yaml").read_text(encoding="utf-8"))
    return MentionRules(
        domain_of_kind={str(kind): Domain(domain) for kind, domain in table["domain_of_kind"].items()},
        domain_of_concept={str(key): Domain(domain) for key, domain in table["domain_of_concept"].items()},
        generic=frozenset(table["generic"]),
        anaphoric=re.compile(table["anaphoric"]),
        reason=re.compile(table["reason"]),
        relatives={str(word): str(relation) for relation, words in table["relatives"].items() for word in words},
        spouses=frozenset(table["spouses"]),
        not_terms=frozenset(str(table["not_terms"]).split()),
        ignored=frozenset(str(word) for word in table["ignored"]),
        not_asked=frozenset(table["not_asked"]),
        wider={str(key): [str(part) for part in parts] for key, parts in table["wider"].items()},
        habits=frozenset(table["habits"]),
        pain_in={str(function): str(key) for function, key in table["pain_in"].items()},
        whole_domain=frozenset(table["whole_domain"]),
        covers={str(concept): tuple(keys) for concept, keys in table["covers"].items()},
        beside_complaint=frozenset(table["beside_complaint"]),
        alike=tuple(frozenset(group) for group in table["alike"]),
        condition_attributes={
            Attribute(name): re.compile(pattern) for name, pattern in table["condition_attributes"].items()
        },
        past=re.compile(table["past"]),
        discharge_in={str(place): str(key) for place, key in table["discharge_in"].items()},
        blood_in={str(symptom): str(key) for symptom, key in table["blood_in"].items()},
    )


def named(text: str) -> list[Mention]:
    """Concepts and drugs named in `text`, left to right, not overlapping."""
    return list(_named(text))


@lru_cache(maxsize=4096)
def _named(text: str) -> tuple[Mention, ...]:
    """Remembered, since the words of the turn before are read again with each question."""
    found = list(_by_phrases(text))
    strange = bool(strange_words(text))
    for match in _matches(text, strange):
        if _counts(match) and not any(mention.start < match.end and match.start < mention.end for mention in found):
            found.extend(_parts(match))
    for kind in _KIND_OF_DISEASE.finditer(text):
        concept = concepts.lookup(f"{kind.group(1)} disease", kinds=("condition",))
        if concept and not any(mention.start < kind.end() and kind.start() < mention.end for mention in found):
            found.append(Mention(kind.start(), kind.end(), concept.key, "condition", kind.group()))
    for drug in drugs.find(text):
        if drug.text.lower() not in mention_rules().ignored and not any(
            mention.start < drug.end and drug.start < mention.end for mention in found
        ):
            key = "+".join(drug.ingredients) or drug.text
            found.append(Mention(drug.start, drug.end, key, "drug", drug.text))
    return tuple(sorted((mention for mention in found if mention.key), key=lambda mention: mention.start))


def _matches(text: str, fuzzy: bool) -> list[concepts.Match]:
    """The concepts of a clause; where it speaks of allergies, a substance counts before what else bears its name.

    "Environmental allergies" are no substance: as a condition they come first.
    """
    found = concepts.find(text, kinds=_KINDS, fuzzy=fuzzy)
    if _ALLERGIC.search(text):
        allergens = concepts.find(text, kinds=("allergen",), fuzzy=fuzzy)
        substances = [match for match in allergens if "allerg" not in match.text]
        found = [*substances, *found, *(match for match in allergens if match not in substances)]
    return sorted(found, key=lambda match: match.start - match.end)


def relations(text: str) -> list[str]:
    """Relatives named in `text`, each once, in order; of "mum or dad" only the pair."""
    found = [match.group(1) for match in _relative_pattern().finditer(text)]
    return list(dict.fromkeys(mention_rules().relatives[word] for word in found))


def capitals(words: str, text: str) -> list[Mention]:
    """Abbreviations that mean something in capitals only ("DM", "AF"): `words` as written, `text` as read."""
    result = []
    for word in dict.fromkeys(_CAPITALS.findall(words)):
        match = re.search(rf"\b{word.lower()}\b", text)
        named_so = concepts.find(word, kinds=_KINDS) if match else []
        if match and named_so and not words.isupper():
            concept = concepts.get(named_so[0].key)
            kind = concept.kind if concept else "condition"
            result.append(Mention(match.start(), match.end(), named_so[0].key, kind, word))
    return result


def qualified(text: str, mention: Mention) -> bool:
    """Whether a word unknown to English stands beside it: "zoster ophthalmicus" is not simply "zoster"."""
    after = re.match(r" ([a-z]{5,})", text[mention.end :])
    before = re.search(r"([a-z]{5,}) $", text[: mention.start])
    beside = [match.group(1) for match in (before, after) if match]
    return any(strange_words(word) and not named(word) for word in beside)


def unknown_terms(text: str, known: list[Mention]) -> list[Mention]:
    """Phrases that are asked about and that nothing knows ("do you have zoster ophthalmicus?")."""
    match = wording().unknown_frame.search(text)
    if match is None:
        return []
    result, position = [], match.start("list")
    pieces = _LIST.split(_PLACES.split(match.group("list"))[0])
    for piece in pieces:
        start = text.find(piece, position) if piece else -1
        if start < 0:
            continue
        position = start + len(piece)
        if any(mention.start < position and start < mention.end for mention in known):
            continue
        term = _TRAIL.sub("", _DETERMINER.sub("", _HISTORY_OF.sub("", piece.strip()))).strip(" ,.-")
        if _is_term(term, bare=match.start("list") == 0 or _TAKING.search(text[:start]) is not None):
            result.append(Mention(start, position, "", "", term))
    return result


def rare(term: str) -> bool:
    """Whether a phrase holds a word rare in English: then it is the name of something, and not ordinary talk."""
    words = [word for word in _WORD.findall(term) if word not in mention_rules().not_terms and len(word) > 2]
    return any(frequency(word) < _RARE for word in words)


def _by_phrases(text: str) -> Iterator[Mention]:
    taken: list[tuple[int, int]] = []
    for pattern, key, kind in _phrases():
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            taken.append(match.span())
            yield Mention(match.start(), match.end(), key, kind, match.group())


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    """rules/91_phrases.csv: how doctors ask for a thing in words that are no name of it (pattern, concept, kind).

    A row without a concept says that the words name nothing ("cold air" is no cold).
    """
    rows = csv.DictReader((RULES / "91_phrases.csv").read_text(encoding="utf-8").splitlines())
    return tuple((compiled(row["pattern"], "91_phrases.csv"), row["concept"], row["kind"]) for row in rows)


def _parts(match: concepts.Match) -> list[Mention]:
    """ "Fevers or chills" names two things, also where the terminology has the phrase for one."""
    if _AND_OR.search(match.text):
        parts = concepts.find(match.text.replace(" or ", " ,  ").replace(" and ", " ,   "), kinds=_KINDS)
        if len({part.key for part in parts}) > 1:
            return [
                replace(_of_concept(part), start=match.start + part.start, end=match.start + part.end) for part in parts
            ]
    return [_of_concept(match)]


def _counts(match: concepts.Match) -> bool:
    """Ordinary words and habits that have rules of their own are no mentions."""
    if match.text.lower() in mention_rules().ignored or match.key in mention_rules().not_asked:
        return False
    concept = concepts.get(match.key)
    return concept is None or concept.kind != "habit" or match.key in mention_rules().habits


def _of_concept(match: concepts.Match) -> Mention:
    wider, stem = mention_rules().wider.get(match.key, [match.key, ""])
    key = match.key if stem in match.text else wider
    concept = concepts.get(key)
    return Mention(match.start, match.end, key, concept.kind if concept else "symptom", match.text)


def _is_term(term: str, bare: bool) -> bool:
    """Some word that is not ordinary; a bare fragment needs one that is rare in English."""
    words = _WORD.findall(term)
    content = [word for word in words if word not in mention_rules().not_terms and len(word) > 2]
    content = [word for word in content if not word.endswith("ly")]
    if not content or len(words) > 6 or term.startswith(_PREPOSITIONS) or _PRONOUN.search(term):
        return False
    if _VERB.search(term):
        return False
    return not bare or min(frequency(word) for word in content) < _RARE


@cache
def _relative_pattern() -> re.Pattern[str]:
    words = sorted(mention_rules().relatives, key=len, reverse=True)
    return re.compile(r"\b(" + "|".join(re.escape(word) for word in words) + r")\b")

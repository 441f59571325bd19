"""How other people's labels are read: other names of domains, attributes and acts, and what counts as the same.

The table is data/label_conventions.yaml. Labels differ in convention ("Any fevers?" is a symptom or the review of
systems), and a measurement should not depend on which of two sound conventions the labeller keeps.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute, SpeechAct
from terminology import concepts

_FILE = files("simulator.patient") / "data" / "label_conventions.yaml"
_SEPARATORS = re.compile(r"[\s\-/&,]+")
_WIDE = re.compile(r"\b(?:conditions?|disorders?|problems?|issues|illness(?:es)?|diseases)\b")
_MEASURED = ("vital", "test")
_MEASURING = (Domain.EXAMINATION, Domain.TEST_RESULT)


@dataclass(frozen=True)
class Conventions:
    """data/label_conventions.yaml."""

    domains: dict[str, str]
    attributes: dict[str, str]
    acts: dict[str, str]
    acts_not_counted: frozenset[str]
    always: tuple[frozenset[str], ...]
    same_concept: tuple[frozenset[str], ...]
    no_concept: dict[str, frozenset[str]]
    same_concepts: tuple[frozenset[str], ...]


@cache
def conventions() -> Conventions:
    """The table, read once."""
    table = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return Conventions(
        domains=_turned(table["domains"]),
        attributes=_turned(table["attributes"]),
        acts=_turned(table["acts"]),
        acts_not_counted=frozenset(table["acts_not_counted"]),
        always=_groups(table["equivalent_domains"]["always"]),
        same_concept=_groups(table["equivalent_domains"]["same_concept"]),
        no_concept={str(domain): frozenset(names) for domain, names in table["no_concept"].items()},
        same_concepts=_groups(table["same_concepts"]),
    )


def plain_name(name: str) -> str:
    """Lower case, every separator an underscore."""
    return _SEPARATORS.sub("_", name.strip().lower()).strip("_")


def domain_named(name: str) -> str:
    """Our domain for a label's ("Past medical history", "vital or examination"); unknown names come back plain."""
    plain = plain_name(name)
    return plain if plain in set(Domain) else conventions().domains.get(plain, plain)


def attribute_named(name: str) -> str:
    """Our attribute for a label's ("quality" is character)."""
    plain = plain_name(name)
    return plain if plain in set(Attribute) else conventions().attributes.get(plain, plain)


def acts_named(names: Iterable[str]) -> tuple[SpeechAct, ...]:
    """Our acts for a label's; "question" and the like are read past. Raises ValueError for a name that nobody knows."""
    plain = [plain_name(name) for name in names]
    known = [conventions().acts.get(name, name) for name in plain if name not in conventions().acts_not_counted]
    return tuple(dict.fromkeys(SpeechAct(name) for name in known))


def same_domain(gold: Ask, predicted: Ask) -> bool:
    """The same domain, or two that a clinician may give the same question."""
    pair = {str(gold.domain), str(predicted.domain)}
    if len(pair) == 1 or any(pair <= group for group in conventions().always):
        return True
    return equal_concept(gold, predicted) and any(pair <= group for group in conventions().same_concept)


def equal_concept(gold: Ask, predicted: Ask) -> bool:
    """Names of one concept in the terminology or in the table, in any spelling ("shortness of breath" is dyspnea)."""
    return bool(_keys(gold) & _keys(predicted))


def related_concept(gold: Ask, predicted: Ask) -> bool:
    """Equal, or one is a kind of the other ("chest_pain" is a "pain")."""
    if equal_concept(gold, predicted):
        return True
    pairs = [(one, other) for one in _keys(gold) for other in _keys(predicted)]
    return any(_kind_of(one, other) or _kind_of(other, one) for one, other in pairs)


def _kind_of(key: str, ancestor: str) -> bool:
    return bool(key and ancestor) and concepts.get(key) is not None and concepts.is_a(key, ancestor)


def _keys(ask: Ask) -> frozenset[str]:
    return _keys_of(ask.concept or ask.term, ask.domain)


@cache
def _keys_of(name: str, domain: Domain) -> frozenset[str]:
    """Every key that a name may mean in a domain; the empty one where it only repeats the domain."""
    spoken = " ".join(name.strip().lower().replace("_", " ").split())
    if not spoken or spoken in conventions().no_concept.get(domain, frozenset()):
        return frozenset([""])
    found = {name.strip(), plain_name(name)}
    kinds = _MEASURED if domain in _MEASURING else None
    wide = _WIDE.sub("disease", spoken).replace("ological", "ologic")
    looked_up = concepts.lookup(spoken, kinds=kinds) or concepts.lookup(wide) if kinds else concepts.lookup(wide)
    if looked_up is not None and concepts.get(name.strip()) is None:
        found.add(looked_up.key)
    for group in conventions().same_concepts:
        if found & group or spoken in group:
            found |= group
    return frozenset(found)


def _turned(table: dict[str, list[Any]]) -> dict[str, str]:
    return {str(name): str(ours) for ours, names in table.items() for name in names}


def _groups(rows: list[list[str]]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(str(name) for name in row) for row in rows)

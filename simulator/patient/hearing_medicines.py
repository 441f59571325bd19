"""A second hearing of questions for medicines: classes of drugs by their spoken names, and how a medicine is borne.

"Are you on water tablets?" asks for the medicines of that class alone, "Does metformin make you ill?" whether it has
side effects. The words are in data/drug_classes.yaml.
"""

import re
from functools import cache

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute
from simulator.patient.data_files import document
from simulator.patient.substances import class_asked, class_named
from terminology import concepts, drugs

_WHOLE = (Attribute.EXISTENCE, Attribute.LIST)


def medicines_heard(clause: str, asks: list[Ask]) -> list[Ask]:
    """The asks of a clause: side effects of a medicine, or the medicines of the classes that it names."""
    if any(ask.experiencer != "patient" for ask in asks):
        return asks
    return _effects(clause, asks) or _classes(clause, asks) or asks


def _effects(clause: str, asks: list[Ask]) -> list[Ask]:
    """The ask for side effects of the medicine, or the food, that the clause names, or of all medicines; else none."""
    illnesses = document("matching.yaml")["food_illness"]
    if any(ask.domain is Domain.ALLERGY or ask.concept in illnesses for ask in asks):
        return []
    words = asks[0].words if asks else clause
    whole = {"domain": Domain.MEDICATION, "attribute": Attribute.REACTION, "words": words}
    for match in drugs.find(clause):
        if match.ingredients and _asks_effects(clause, match.start, match.end):
            return [Ask(**whole, concept="+".join(match.ingredients), term=match.text)]
    for food in concepts.find(clause, kinds=("allergen",)):
        if concepts.is_a(food.key, "food_allergen") and _asks_effects(clause, food.start, food.end):
            return [Ask(domain=Domain.ALLERGY, concept=food.key, words=words)]
    meant = re.search(document("drug_classes.yaml")["the_medicine"], clause)
    if meant and _asks_effects(clause, *meant.span()):
        return [Ask(**whole)]
    return []


def _asks_effects(clause: str, start: int, end: int) -> bool:
    before = re.sub(r"\b(?:your|the|this|that|his|her|taking) $", "", clause[:start])
    return any(form.search(f"{before}\N{PILL}{clause[end:]}") for form in _effect_forms())


def _classes(clause: str, asks: list[Ask]) -> list[Ask]:
    """The asks with one for each class of drugs that is asked for; empty where none is, or all medicines are."""
    rules = document("drug_classes.yaml")
    if re.search(rules["not_meant"], clause) or any(ask.attribute not in _WHOLE for ask in asks):
        return []
    of_allergies = any(ask.domain is Domain.ALLERGY for ask in asks)
    found = class_named(clause) if not of_allergies or re.search(document("hearing.yaml")["taking"], clause) else []
    rest = clause
    for start, end in reversed(found):
        rest = f"{rest[:start]}\N{PILL}{rest[end:]}"
    taking = re.search(rules["taking"], clause) or (found and re.search(rules["bare"], clause[: found[0][0]]))
    if not found or not taking or re.search(rules["at_large"], rest):
        return []
    words = asks[0].words if asks else clause
    kept = [ask for ask in asks if _named_beside(ask, rest)]
    classes = [_of_class(clause[start:end], words, asks) for start, end in found]
    return [*classes, *(ask for ask in kept if ask not in classes)]


def _of_class(name: str, words: str, asks: list[Ask]) -> Ask:
    """The ask for a class by its spoken name; under the key that the understanding gave it, where it knew one."""
    known = next((ask for ask in asks if ask.domain is Domain.MEDICATION and ask.concept and class_asked(ask)), None)
    allergen = concepts.lookup(name, kinds=("allergen",))
    key = allergen.key if allergen and not drugs.classes(allergen.key) else name.replace(" ", "_")
    concept = known.concept if known and len(asks) == 1 else key
    return Ask(domain=Domain.MEDICATION, concept=concept, attribute=Attribute.EXISTENCE, words=words, term=name)


def _named_beside(ask: Ask, rest: str) -> bool:
    """Whether the ask is of something that the clause names beside its classes of drugs."""
    if ask.domain is Domain.MEDICATION and ask.concept and ask.attribute is Attribute.EXISTENCE:
        return any(ask.concept in match.ingredients for match in drugs.find(rest))
    return any(match.key == ask.concept for match in concepts.find(rest))


@cache
def _effect_forms() -> tuple[re.Pattern[str], ...]:
    forms = document("drug_classes.yaml")["effects"]
    return tuple(re.compile(form.replace("{drug}", "\N{PILL}")) for form in forms)

"""A second hearing of questions for allergies that do not say so, or that name the list or a class of drugs twice."""

import re

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute
from simulator.patient.data_files import document
from simulator.patient.substances import class_asked
from terminology import concepts


def allergies_heard(clause: str, asks: list[Ask]) -> list[Ask]:
    """The asks of a clause: the allergies where it asks what is not tolerated, else each allergy asked for once.

    "Any medicines you should avoid?" asks for all allergies, "Has an antibiotic ever made you ill?" for one of a
    class; `asks` may be empty where the understanding heard nothing.
    """
    forms = document("hearing.yaml")["allergies"]
    if any(ask.experiencer != "patient" for ask in asks) or re.search(forms["not_meant"], clause):
        return asks
    words = asks[0].words if asks else clause
    if re.search(forms["alone"], clause):
        return [Ask(domain=Domain.ALLERGY, attribute=Attribute.LIST, words=words)]
    if any(re.search(form, clause) for form in forms["foods"]) and not re.search(forms["not_foods"], clause):
        return [_of_foods(clause, words)]
    if any(re.search(form, clause) for form in forms["not_tolerated"]):
        return [_of_all_or_class(clause, words)]
    return _once(clause, [_as_allergen(ask) for ask in asks])


def _as_allergen(ask: Ask) -> Ask:
    """The ask of a class of drugs by the key under which terminology has it as an allergen, so that it has a name."""
    if ask.domain is not Domain.ALLERGY or not class_asked(ask) or concepts.get(ask.concept or ""):
        return ask
    allergen = concepts.lookup(ask.term or (ask.concept or "").replace("_", " "), kinds=("allergen",))
    return ask.model_copy(update={"concept": allergen.key, "term": ""}) if allergen else ask


def _of_foods(clause: str, words: str) -> Ask:
    """ "Are there foods you can't eat?" asks for allergies to food; with medicines beside them, for every allergy."""
    others = re.search(document("hearing.yaml")["allergies"]["beside_foods"], clause)
    concept, attribute = (None, Attribute.LIST) if others else ("food_allergen", Attribute.EXISTENCE)
    return Ask(domain=Domain.ALLERGY, concept=concept, attribute=attribute, words=words)


def _of_all_or_class(clause: str, words: str) -> Ask:
    for match in concepts.find(clause, kinds=("allergen",)):
        ask = Ask(domain=Domain.ALLERGY, concept=match.key, words=words)
        if class_asked(ask):
            return ask
    return Ask(domain=Domain.ALLERGY, attribute=Attribute.LIST, words=words)


def _once(clause: str, asks: list[Ask]) -> list[Ask]:
    """ "Allergic to any antibiotics?" asks for those alone, "to medicines such as antibiotics" for all allergies."""
    whole = [ask for ask in asks if ask.domain is Domain.ALLERGY and ask.attribute is Attribute.LIST]
    whole = [ask for ask in whole if not ask.term and ask.concept in (None, "allergy", "drug_allergen")]
    classes = [ask for ask in asks if ask.domain is Domain.ALLERGY and ask not in whole and class_asked(ask)]
    if not whole or not classes:
        return asks
    at_large = re.search(document("hearing.yaml")["allergies"]["at_large"], clause)
    return [ask for ask in asks if ask not in (classes if at_large else whole)]

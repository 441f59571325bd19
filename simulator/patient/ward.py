"""Drugs that the hospital gave: what was given on the ward is not asked of the record that the patient draws on.

The record's drugs are those taken at home; the ward's are in the answer key. Whether or not a drug is there, a patient
says that they do not know what they were given, so that no answer tells which.
"""

import re

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute, Understanding
from simulator.patient.data_files import document

_SENTENCE = re.compile(r"[^.?!]+[.?!]*")


def given_here(words: str) -> bool:
    """Whether the words ask for what was given in the hospital, and not before it."""
    rules = document("matching.yaml")
    here = re.search(rules["given_here"], words, re.IGNORECASE)
    return here is not None and not re.search(rules["not_here"], words, re.IGNORECASE)


def with_place(understanding: Understanding, words: str) -> Understanding:
    """The understanding in which a question for the ward's drugs asks for these alone.

    "In the hospital, did you get aspirin?" keeps its place in the ask's words; "What did they give you here?" asks for
    drugs; a stay that is only the place ("since you were admitted") is no ask beside them.
    """
    asks = list(understanding.asks)
    for sentence in _SENTENCE.findall(words):
        within = [ask for ask in asks if ask.experiencer == "patient" and ask.words and ask.words in sentence]
        if within and given_here(sentence):
            drugs = _of_drugs(within, sentence.strip())
            place = asks.index(within[0])
            others = [ask for ask in asks if ask not in within] if drugs else asks
            asks = [*others[:place], *drugs, *others[place:]]
    return understanding.model_copy(update={"asks": tuple(asks)})


def _of_drugs(within: list[Ask], sentence: str) -> list[Ask]:
    """The sentence's asks: its drugs, in its own words, without the stay; a list where it asks what was given."""
    named = [ask.model_copy(update={"words": sentence}) for ask in within if ask.domain is Domain.MEDICATION]
    rest = [ask for ask in within if ask.domain is not Domain.MEDICATION and not _is_stay(ask)]
    if named:
        return [*named, *rest]
    if re.search(document("matching.yaml")["what_was_given"], sentence, re.IGNORECASE):
        return [Ask(domain=Domain.MEDICATION, attribute=Attribute.LIST, words=sentence)]
    return []


def _is_stay(ask: Ask) -> bool:
    return ask.concept == "hospitalization_history"

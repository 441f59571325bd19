"""A patient recognises the very words of what they have, also where no terminology knows them.

"Have you been troubled by a wobbly gait?" asks for the record's own "wobbly gait". The understanding knows no record
and may take such words for another question, or for none.
"""

import re
from functools import cache

from kg.facts import Domain, Fact
from simulator.patient.asks import Ask, Attribute, Understanding
from simulator.patient.data_files import document
from terminology import concepts, drugs

_DOMAINS = frozenset({Domain.SYMPTOM, Domain.CHIEF_COMPLAINT, Domain.PAST_HISTORY, Domain.SURGICAL_HISTORY})
_SENTENCE = re.compile(r"[^.?!]+")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_BESIDE = re.compile(r"\([^()]*\)")  # no second bracket within: linear in a run of them
_OWNERS = frozenset({"his", "her", "their", "your", "my", "the", "a", "an", "any"})


def recognised(understanding: Understanding, words: str, facts: tuple[Fact, ...]) -> Understanding:
    """The understanding with an ask for each unmapped fact that a sentence of `words` asks for by its very words.

    Only a sentence of asking words with nothing else in it counts; whatever it was taken for gives way. An ask that was
    not understood gives way too.
    """
    asks = list(understanding.asks)
    known = {ask.term.lower() for ask in asks if ask.term and not ask.concept and _plain(ask)}
    for sentence in _SENTENCE.findall(words):
        fact = _asked_for(sentence, facts)
        if fact is None or fact.text.lower() in known:
            continue
        kept = [ask for ask in asks if not _of(sentence, ask) and not _empty(ask)]
        kept += _asked_again(sentence, words, [ask for ask in asks if ask not in kept])
        asks = [*kept, Ask(domain=fact.domain, attribute=Attribute.EXISTENCE, words=sentence.strip(), term=fact.text)]
    if len(asks) == len(understanding.asks) and all(ask in understanding.asks for ask in asks):
        return understanding
    place = {id(ask): words.find(ask.words) for ask in asks}
    return understanding.model_copy(update={"asks": tuple(sorted(asks, key=lambda ask: place[id(ask)]))})


def _plain(ask: Ask) -> bool:
    """Whether the ask is whether something is there, of what a person feels or has had."""
    return ask.attribute is Attribute.EXISTENCE and ask.domain in _DOMAINS and ask.experiencer == "patient"


def _asked_again(sentence: str, words: str, dropped: list[Ask]) -> list[Ask]:
    """Asks that give way in this sentence and that another one asks by name: "Any dull pain up here? Any pain?"."""
    others = [other for other in _SENTENCE.findall(words) if other != sentence]
    named = {match.key: other.strip() for other in others for match in concepts.find(other)}
    named |= {one: other.strip() for other in others for match in drugs.find(other) for one in match.ingredients}
    return [ask.model_copy(update={"words": named[ask.concept]}) for ask in dropped if ask.concept in named]


def _asked_for(sentence: str, facts: tuple[Fact, ...]) -> Fact | None:
    """The unmapped fact of the patient's whose words are all that the sentence asks for."""
    asked = _content(sentence)
    if not asked:
        return None
    own = (fact for fact in facts if fact.experiencer == "patient" and fact.domain in _DOMAINS)
    return next((fact for fact in own if is_unmapped(fact) and _named(asked, fact.text)), None)


def is_unmapped(fact: Fact) -> bool:
    """Whether terminology has no name for the fact's thing, or only one of another kind ("resistant to penicillin")."""
    concept = concepts.get(fact.concept) if fact.concept else None
    return concept is None or concept.kind not in ("symptom", "condition", "procedure", "habit")


def _named(asked: tuple[str, ...], text: str) -> bool:
    named = tuple(word for word in _WORD.findall(_BESIDE.sub(" ", text.lower())) if word not in _OWNERS)
    size = len(named)
    places = [n for n in range(len(asked) - size + 1) if asked[n : n + size] == named] if size else []
    return any(_asking() >= {*asked[:place], *asked[place + size :]} for place in places)


def _content(sentence: str) -> tuple[str, ...]:
    return tuple(word for word in _WORD.findall(_BESIDE.sub(" ", sentence.lower())) if word not in _OWNERS)


@cache
def _asking() -> frozenset[str]:
    return frozenset(document("hearing.yaml")["asking_words"])


def _of(sentence: str, ask: Ask) -> bool:
    return bool(ask.words) and (ask.words.strip(" .?!").lower() in sentence.lower() or sentence.strip() in ask.words)


def _empty(ask: Ask) -> bool:
    return ask.domain is Domain.OTHER and not ask.concept and not ask.term

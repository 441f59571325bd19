"""Plainly written questions about things of the terminology: what the rules read plainly has to stand.

Labelled questions are spoken and name common things. Written ones name anything, and a model that has never met them
trusts itself more than the rules (CARD.md). Wordings: data/written_questions.yaml; the encoder learns every other one,
the ranker the rest.
"""

import random
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import yaml

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute
from simulator.patient.understanding.labelled import Labelled
from simulator.patient.understanding.learned.examples import Example
from terminology import concepts, drug_table

WRITTEN = "written_questions"
_FILE = files("simulator.patient") / "data" / "written_questions.yaml"
_COUNT = 1500
_KINDS = {
    Domain.SYMPTOM: "symptom",
    Domain.SYMPTOM_DETAIL: "symptom",
    Domain.PAST_HISTORY: "condition",
    Domain.FAMILY_HISTORY: "condition",
    Domain.SURGICAL_HISTORY: "procedure",
}
_ANSWERS = ("No.", "Yes.", "Not that I know.", "It started last week.", "I think so, yes.")
Asked = tuple[str, Ask]


def written(half: int, count: int = _COUNT) -> Iterator[Example]:
    """So many turns of one to three questions, after another question and its answer; the same ones every time.

    `half` 0 or 1 chooses the wordings: no wording is in both.
    """
    chance = random.Random(half)
    for number in range(count):
        asked = [_question(chance, half) for _ in range(chance.choice((1, 1, 1, 2, 2, 3)))]
        words = chance.choice((" ", " And ", " ")).join(words for words, _ in asked)
        before = (("D", _question(chance, half)[0]), ("P", chance.choice(_ANSWERS)))
        asks = tuple(dict.fromkeys(ask for _, ask in asked))
        yield Example(Labelled(words, asks, (), before=before, part=WRITTEN), f"{WRITTEN}|{half}|{number}")


def _question(chance: random.Random, half: int) -> Asked:
    domain, attribute, wordings = chance.choice(_wordings(half))
    name, concept = chance.choice(_things(domain))
    who = chance.choice(_relatives()) if domain is Domain.FAMILY_HISTORY else "patient"
    words = chance.choice(wordings).format(x=name, who=who)
    return words, Ask(domain=domain, concept=concept, attribute=attribute, experiencer=who)


@cache
def _wordings(half: int) -> tuple[tuple[Domain, Attribute, tuple[str, ...]], ...]:
    """Domain, attribute and wordings of a half, as often as there are wordings."""
    table = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return tuple(
        (Domain(domain), Attribute(attribute), mine)
        for domain, by_attribute in table.items()
        for attribute, wordings in by_attribute.items()
        if (mine := tuple(wordings[half::2]))
        for _ in mine
    )


@cache
def _things(domain: Domain) -> tuple[tuple[str, str], ...]:
    """Names of things that a domain asks about, clinical and lay, each with its key."""
    if domain in (Domain.MEDICATION, Domain.ALLERGY):
        return tuple((name, name) for name in drug_table.ingredients())
    known = concepts.all_concepts(_KINDS[domain])
    return tuple(dict.fromkeys((name, each.key) for each in known for name in (each.name, each.lay) if name))


@cache
def _relatives() -> tuple[str, ...]:
    return tuple(each.name for each in concepts.all_concepts("relative"))

"""Facts that a patient's own words state, for dialogue without a graph."""

from collections.abc import Iterator

from etl.caserecord import Assertion
from evaluator.imported.answers import affirmed, status
from evaluator.imported.dialogue import lexicon
from evaluator.imported.matching import says
from evaluator.statements import Statement, statements
from kg.facts import Domain, Fact
from simulator.patient.asks import Ask, AskStatus, Attribute
from terminology import concepts, drugs

_BY_KIND = {
    "symptom": Domain.SYMPTOM,
    "condition": Domain.PAST_HISTORY,
    "procedure": Domain.SURGICAL_HISTORY,
    "allergen": Domain.ALLERGY,
    "habit": Domain.LIFESTYLE,
}
SHORTEST_NAME, LONGEST_SENTENCE = 3, 60
_FROM_ASK = frozenset({Attribute.EXISTENCE, Attribute.LIST, Attribute.ASSOCIATED})


class Told:
    """Gathers what was told, turn by turn; a fact keeps the id of the turn in which it was first told."""

    def __init__(self) -> None:
        self._facts: dict[tuple[str, str, Assertion], Fact] = {}
        self._complaint = False

    def turn(self, index: int, words: str, asks: tuple[Ask, ...]) -> tuple[Fact, ...]:
        """The facts that turn `index` states (new or again), one per concept, in the order of the words."""
        found: dict[str, Fact] = {}
        for fact in (*self._stated(index, words, asks), *self._answered(index, words, asks)):
            known = self._facts.setdefault((fact.concept or "", fact.experiencer, fact.assertion), fact)
            found.setdefault(f"{known.concept}/{known.experiencer}", known)
        return tuple(found.values())

    def recounted(self, index: int, words: str, asks: tuple[Ask, ...]) -> tuple[Fact, ...]:
        """Illnesses and operations that the doctor recounts from the chart, and does not ask for."""
        asked = {ask.concept for ask in asks if ask.attribute in _FROM_ASK}
        found: dict[str, Fact] = {}
        for stated in statements(words):
            known = stated.kind in ("condition", "procedure") and stated.assertion is Assertion.PRESENT
            heading = stated.concept in lexicon()["headings"]
            if len(stated.text) <= SHORTEST_NAME or len(stated.sentence.split()) > LONGEST_SENTENCE:
                continue
            if not known or heading or stated.concept in asked or not says("recounted", stated.sentence):
                continue
            fact = Fact(
                fact_id=f"{index}/{stated.concept}",
                domain=_BY_KIND[stated.kind],
                text=stated.text,
                concept=stated.concept,
                historical=True,
                attributes={"said_by": "doctor"},
            )
            key = (stated.concept, "patient", Assertion.PRESENT)
            found.setdefault(stated.concept, self._facts.setdefault(key, fact))
        return tuple(found.values())

    def _stated(self, index: int, words: str, asks: tuple[Ask, ...]) -> Iterator[Fact]:
        wanted = {ask.concept for ask in asks}
        sure = {(s.start, s.concept) for s in statements(words)}
        for stated in statements(words, spoken=True):
            # A word such as "low", "cold" or "worried" names a complaint only where the doctor asked for it.
            certain = (stated.start, stated.concept) in sure and stated.concept not in lexicon()["feelings"]
            if stated.concept in lexicon()["headings"] or not (certain or stated.concept in wanted):
                continue
            if stated.kind not in _BY_KIND or stated.hypothetical or not self._is_meant(stated, asks):
                continue
            if stated.sentence.rstrip().endswith("?"):
                continue
            if stated.kind == "procedure" and not (stated.concept in wanted or says("operated", stated.sentence)):
                continue
            relative = _about_family(stated, asks)
            domain = Domain.FAMILY_HISTORY if relative else self._domain(stated)
            yield Fact(
                fact_id=f"{index}/{stated.concept}",
                domain=domain,
                text=stated.text,
                concept=stated.concept,
                assertion=stated.assertion,
                historical=stated.historical,
                experiencer="family" if relative else "patient",
            )
        for match in drugs.find(words):
            for name in match.ingredients:
                asked = any(ask.domain is Domain.ALLERGY for ask in asks)
                domain = Domain.ALLERGY if asked or says("allergic", words) else Domain.MEDICATION
                yield Fact(fact_id=f"{index}/{name}", domain=domain, text=match.text, concept=name)

    def _domain(self, stated: Statement) -> Domain:
        """The first symptom that the patient has is what the patient came with."""
        domain = _BY_KIND[stated.kind]
        if domain is Domain.SYMPTOM and not self._complaint and stated.assertion is Assertion.PRESENT:
            self._complaint = True
            return Domain.CHIEF_COMPLAINT
        return domain

    def _is_meant(self, stated: Statement, asks: tuple[Ask, ...]) -> bool:
        """An allergen is one only where allergy is spoken of ("eggs" for breakfast are none)."""
        if stated.kind != "allergen":
            return True
        return any(ask.domain is Domain.ALLERGY for ask in asks) or says("allergic", stated.sentence)

    def _answered(self, index: int, words: str, asks: tuple[Ask, ...]) -> Iterator[Fact]:
        """What a plain yes or no says about the concepts asked for."""
        for ask in asks:
            concept = concepts.get(ask.concept) if ask.concept and ask.attribute in _FROM_ASK else None
            if concept is None or concept.kind not in _BY_KIND or ask.attribute is not Attribute.EXISTENCE:
                continue
            if not _named(ask):
                continue
            became = status(ask, words)
            single = len([a for a in asks if a.concept]) == 1
            if became is AskStatus.DENIED or (became is AskStatus.GIVEN and single and affirmed(words)):
                family = ask.experiencer != "patient"
                yield Fact(
                    fact_id=f"{index}/{concept.key}",
                    domain=Domain.FAMILY_HISTORY if family else _BY_KIND[concept.kind],
                    text=concept.name,
                    concept=concept.key,
                    assertion=Assertion.ABSENT if became is AskStatus.DENIED else Assertion.PRESENT,
                    experiencer="family" if family else "patient",
                )


def _named(ask: Ask) -> bool:
    """Whether the question itself names the thing: "how is your appetite?" says nothing by a yes or no."""
    named = statements(ask.words, spoken=True)
    plainly = not says("normal", ask.words)
    return plainly and any(s.concept == ask.concept and s.assertion is Assertion.PRESENT for s in named)


def _about_family(stated: Statement, asks: tuple[Ask, ...]) -> bool:
    if any(ask.experiencer != "patient" for ask in asks) and len(asks) == 1:
        return True
    return says("family", stated.sentence) and not stated.sentence.lower().lstrip().startswith(("i ", "i'"))

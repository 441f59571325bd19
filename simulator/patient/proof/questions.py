"""The questions of a proof: every fact in several wordings, silence, details, pairs; each with what is expected."""

import random
import re
from collections.abc import Iterator

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.data_files import document
from simulator.patient.knowable import speakable_complaint
from simulator.patient.proof.askable import (
    SYMPTOMS,
    concept_kind,
    drug_name,
    is_felt,
    is_named,
    names_no_thing,
    question_kind,
    same_thing,
    touches,
    with_article,
)
from simulator.patient.proof.expected import Expected, ProofQuestion
from simulator.patient.proof.wordings import Wordings
from simulator.patient.recognise import is_unmapped
from simulator.patient.tellable import tellable
from simulator.patient.wording import recorded
from terminology import concepts

_LISTED = {
    Domain.PAST_HISTORY: "past_history_list",
    Domain.SURGICAL_HISTORY: "surgical_history_list",
    Domain.MEDICATION: "medication_list",
    Domain.ALLERGY: "allergy_list",
    Domain.FAMILY_HISTORY: "family_history_list",
    Domain.CHIEF_COMPLAINT: "chief_complaint",
}


class Questioner:
    """Makes the questions of one case; `each` wordings a fact, chosen by the generator."""

    def __init__(self, facts: tuple[Fact, ...], wordings: Wordings, each: int, chance: random.Random) -> None:
        self._facts = tuple(fact for fact in facts if recorded(fact))
        self._wordings = wordings
        self._each = each
        self._chance = chance

    def questions(self) -> Iterator[ProofQuestion]:
        """All questions: facts, lists, details, silence, pairs."""
        single: list[ProofQuestion] = []
        for fact in self._facts:
            single.extend(self._about(fact))
        yield from single
        yield from self._lists()
        for fact in self._facts:
            yield from self._details(fact)
        yield from self._silence()
        yield from self._pairs(single)
        yield from self._several()

    def _worded(self, kind: str, **slots: str) -> list[str]:
        templates = self._wordings.get(kind, [])
        chosen = self._chance.sample(templates, min(self._each, len(templates)))
        return [template.format(**slots) if "{" in template else template for template in chosen]

    def _named(self, fact: Fact) -> list[str]:
        """The lay and the clinical name by turns; the record's words where no terminology knows the thing."""
        concept = concepts.get(fact.concept) if fact.concept else None
        if fact.domain in (*SYMPTOMS, Domain.PAST_HISTORY) and is_unmapped(fact):
            concept = None
        names = [concept.lay, concept.name] if concept else [fact.text.lower()]
        return [re.sub(r"\s*\(.*\)", "", name).removeprefix("the ") for name in names]

    def _about(self, fact: Fact) -> Iterator[ProofQuestion]:
        kind = question_kind(fact)
        if kind is None or names_no_thing(fact):
            return
        names = self._named(fact) if kind not in ("medication", "allergy") else [drug_name(fact)]
        for turn in range(self._each):
            x = names[turn % len(names)]
            words = self._worded(kind, x=x, a_x=with_article(x), who=fact.experiencer)
            if words:
                yield ProofQuestion(words[min(turn, len(words) - 1)], kind, (self._expected(fact, x),))

    def _expected(self, fact: Fact, name: str) -> Expected:
        same = tuple(f for f in self._facts if f is not fact and (same_thing(f, fact) or is_named(f, fact, name)))
        return Expected("fact", (fact, *same), concept=fact.concept or "", name=name)

    def _lists(self) -> Iterator[ProofQuestion]:
        for domain, kind in _LISTED.items():
            present = (f for f in self._facts if f.domain is domain and f.assertion is not Assertion.ABSENT)
            facts = tuple(filter(tellable, present))
            if facts and not (domain is Domain.CHIEF_COMPLAINT and not all(map(speakable_complaint, facts))):
                for words in self._worded(kind, who="family"):
                    yield ProofQuestion(words, kind, (Expected("all", facts),))

    def _details(self, fact: Fact) -> Iterator[ProofQuestion]:
        name = self._named(fact)[0]
        if is_felt(fact):
            for attribute in document("bench_wordings.yaml")["symptom_attributes"]:
                if attribute != "radiation" or concept_kind(fact) == "symptom":
                    yield from self._detail(fact, attribute, attribute, name)
        nameless = re.fullmatch(document("hearing.yaml")["general"], fact.text.lower()) is not None
        if fact.domain is Domain.MEDICATION and fact.assertion is Assertion.PRESENT and not nameless:
            yield from self._detail(fact, "dose", "dose", drug_name(fact))
            yield from self._detail(fact, "frequency", "medication_frequency", drug_name(fact))
        if fact.domain is Domain.ALLERGY and fact.attributes.get("reaction"):
            yield from self._detail(fact, "reaction", "reaction", drug_name(fact))

    def _detail(self, fact: Fact, attribute: str, kind: str, name: str) -> Iterator[ProofQuestion]:
        same = (
            fact,
            *(
                f
                for f in self._facts
                if f is not fact and same_thing(f, fact) and f.domain in (*SYMPTOMS, Domain.MEDICATION)
            ),
        )
        words = self._worded(kind, x=name)
        if words:
            expected = Expected("detail", same, attribute, fact.concept or "")
            yield ProofQuestion(self._chance.choice(words), f"detail_{attribute}", (expected,))

    def _silence(self) -> Iterator[ProofQuestion]:
        for key in document("bench_wordings.yaml")["common_symptoms"]:
            concept = concepts.get(key)
            if concept and not any(touches(fact, key) for fact in self._facts):
                words = self._chance.choice(self._worded("symptom", x=concept.lay) or [""])
                if words:
                    yield ProofQuestion(words, "undocumented", (Expected("silence", concept=key),))

    def _several(self) -> Iterator[ProofQuestion]:
        """Three things in one clause: recorded ones and such as the record is silent about, mixed."""
        recorded_ones = [fact for fact in self._facts if is_felt(fact)]
        by_key = {fact.concept or "": fact for fact in recorded_ones}
        common = (concepts.get(key) for key in document("bench_wordings.yaml")["common_symptoms"])
        silent = [c for c in common if c and not any(touches(fact, c.key) for fact in self._facts)]
        for fact in list(by_key.values())[: 4 * self._each]:
            if not silent:
                return
            name = self._named(fact)[0]
            expected = [(name, self._expected(fact, name))]
            for concept in self._chance.sample(silent, min(2, len(silent))):
                expected.append((concept.lay, Expected("silence_among", concept=concept.key)))
            self._chance.shuffle(expected)
            names = [name for name, _ in expected]
            words = f"Any {', '.join(names[:-1])} or {names[-1]}?"
            yield ProofQuestion(words, "several", tuple(one for _, one in expected))

    def _pairs(self, single: list[ProofQuestion]) -> Iterator[ProofQuestion]:
        closed = [question for question in single if question.words.endswith("?")]
        shuffled = [question for question in closed if not question.kind.startswith("family")]
        self._chance.shuffle(shuffled)
        for first, second in zip(shuffled[::2], shuffled[1::2], strict=False):
            joined = f"{first.words} And {second.words[:1].lower()}{second.words[1:]}"
            yield ProofQuestion(joined, "compound", (*first.expected, *second.expected))

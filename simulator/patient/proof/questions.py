"""The questions of a proof: every fact in several wordings, silence, details, pairs; each with what is expected."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from etl.caserecord import Assertion
from foundation.errors import UserError
from kg.facts import Domain, Fact
from simulator.patient.data_files import document
from simulator.patient.proof.real_wordings import real_wordings
from simulator.patient.recognise import is_unmapped
from simulator.patient.retrieve import speakable_complaint
from simulator.patient.tellable import tellable
from simulator.patient.wording import recorded
from terminology import concepts, drugs

_SYMPTOMS = (Domain.SYMPTOM, Domain.CHIEF_COMPLAINT)
_PERSONAL = ("smoking", "alcohol", "drug_use", "occupation", "living_situation", "marital_status", "age", "sex")
_LISTED = {
    Domain.PAST_HISTORY: "past_history_list",
    Domain.SURGICAL_HISTORY: "surgical_history_list",
    Domain.MEDICATION: "medication_list",
    Domain.ALLERGY: "allergy_list",
    Domain.FAMILY_HISTORY: "family_history_list",
    Domain.CHIEF_COMPLAINT: "chief_complaint",
}


@dataclass(frozen=True)
class Expected:
    """What a right answer does with the facts of `kind`.

    kind "fact": one of `facts` is given or denied as it is recorded; "detail": `value` of one of them is said;
    "silence": nothing is recorded; "silence_among": the same, in a question that asks for more; "all": each is said.
    """

    kind: str
    facts: tuple[Fact, ...] = ()
    attribute: str = ""
    concept: str = ""
    name: str = ""


@dataclass(frozen=True)
class ProofQuestion:
    """A question, the kind of wording, and what is expected (two expectations for a compound question)."""

    words: str
    kind: str
    expected: tuple[Expected, ...]


Wordings = dict[str, list[str]]


def own_wordings() -> Wordings:
    """The wordings of data/bench_wordings.yaml."""
    data = document("bench_wordings.yaml")
    return {kind: list(words) for kind, words in data.items() if kind not in ("common_symptoms", "symptom_attributes")}


def read_wordings(path: Path) -> Wordings:
    """Other people's wordings, JSONL of {"kind", "words"}; kinds as in data/bench_wordings.yaml, {x} as there.

    "shared" stands for real doctors' wordings (`proof.real_wordings`), the package's own where those have none.

    Raises UserError with line and field.
    """
    if str(path) == "shared":
        return own_wordings() | real_wordings()
    found: Wordings = {}
    for number, row in read_rows(path, ("kind", "words")):
        if row["kind"] not in own_wordings():
            raise UserError(f"{path}, line {number}, kind: {row['kind']!r}", f"use one of {', '.join(own_wordings())}")
        found.setdefault(row["kind"], []).append(row["words"])
    return found


def read_rows(path: Path, fields: tuple[str, ...]) -> list[tuple[int, dict[str, str]]]:
    """Rows of a JSONL file that must hold the string fields. Raises UserError with line and field."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}", "give a JSONL file") from error
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise UserError(f"{path}, line {number} is not JSON", "write one JSON object a line") from error
        missing = [name for name in fields if not isinstance(row, dict) or not isinstance(row.get(name), str)]
        if missing:
            raise UserError(f"{path}, line {number}: {missing[0]} must be a string", f"give {', '.join(fields)}")
        rows.append((number, row))
    return rows


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
        if fact.domain in (*_SYMPTOMS, Domain.PAST_HISTORY) and is_unmapped(fact):
            concept = None
        names = [concept.lay, concept.name] if concept else [fact.text.lower()]
        return [re.sub(r"\s*\(.*\)", "", name).removeprefix("the ") for name in names]

    def _about(self, fact: Fact) -> Iterator[ProofQuestion]:
        kind = _kind(fact)
        if kind is None or _names_no_thing(fact):
            return
        names = self._named(fact) if kind not in ("medication", "allergy") else [_drug_name(fact)]
        for turn in range(self._each):
            x = names[turn % len(names)]
            words = self._worded(kind, x=x, a_x=_article(x), who=fact.experiencer)
            if words:
                yield ProofQuestion(words[min(turn, len(words) - 1)], kind, (self._expected(fact, x),))

    def _expected(self, fact: Fact, name: str) -> Expected:
        same = tuple(f for f in self._facts if f is not fact and (_same_thing(f, fact) or _is_named(f, fact, name)))
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
        if _is_felt(fact):
            for attribute in document("bench_wordings.yaml")["symptom_attributes"]:
                if attribute != "radiation" or _kind_of(fact) == "symptom":
                    yield from self._detail(fact, attribute, attribute, name)
        nameless = re.fullmatch(document("hearing.yaml")["general"], fact.text.lower()) is not None
        if fact.domain is Domain.MEDICATION and fact.assertion is Assertion.PRESENT and not nameless:
            yield from self._detail(fact, "dose", "dose", _drug_name(fact))
            yield from self._detail(fact, "frequency", "medication_frequency", _drug_name(fact))
        if fact.domain is Domain.ALLERGY and fact.attributes.get("reaction"):
            yield from self._detail(fact, "reaction", "reaction", _drug_name(fact))

    def _detail(self, fact: Fact, attribute: str, kind: str, name: str) -> Iterator[ProofQuestion]:
        same = (
            fact,
            *(
                f
                for f in self._facts
                if f is not fact and _same_thing(f, fact) and f.domain in (*_SYMPTOMS, Domain.MEDICATION)
            ),
        )
        words = self._worded(kind, x=name)
        if words:
            expected = Expected("detail", same, attribute, fact.concept or "")
            yield ProofQuestion(self._chance.choice(words), f"detail_{attribute}", (expected,))

    def _silence(self) -> Iterator[ProofQuestion]:
        for key in document("bench_wordings.yaml")["common_symptoms"]:
            concept = concepts.get(key)
            if concept and not any(_touches(fact, key) for fact in self._facts):
                words = self._chance.choice(self._worded("symptom", x=concept.lay) or [""])
                if words:
                    yield ProofQuestion(words, "undocumented", (Expected("silence", concept=key),))

    def _several(self) -> Iterator[ProofQuestion]:
        """Three things in one clause: recorded ones and such as the record is silent about, mixed."""
        recorded_ones = [fact for fact in self._facts if _is_felt(fact)]
        by_key = {fact.concept or "": fact for fact in recorded_ones}
        common = (concepts.get(key) for key in document("bench_wordings.yaml")["common_symptoms"])
        silent = [c for c in common if c and not any(_touches(fact, c.key) for fact in self._facts)]
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


def _is_felt(fact: Fact) -> bool:
    """Whether a fact is a symptom or illness of the patient's that has a name and can be asked for details.

    "No symptoms", an operation or a habit in a symptom's place has none: nobody asks how bad they are. Where "it goes"
    is asked of what is felt only: a tumour that spreads is another matter than a pain that does.
    """
    named = fact.domain is Domain.SYMPTOM and fact.experiencer == "patient" and not is_unmapped(fact)
    return named and _kind_of(fact) in ("symptom", "condition") and not _names_no_thing(fact)


def _kind_of(fact: Fact) -> str:
    concept = concepts.get(fact.concept) if fact.concept else None
    return concept.kind if concept else ""


def _names_no_thing(fact: Fact) -> bool:
    """ "No past medical history", "no regular medication": asked for by the lists, not by its name.

    The same holds for what is called "chronic illness" and no more, and for a relative's part in the story.
    """
    if fact.concept in document("hearing.yaml")["general_concepts"]:
        return True
    if fact.domain is Domain.FAMILY_HISTORY and _is_told(fact):
        return True
    if fact.assertion is not Assertion.ABSENT and re.match(r"(no|without|denies)\b", fact.text, re.IGNORECASE):
        return True
    words = ("history", "medication", "allerg", "surger", "problem", "illness", "disease")
    return (
        fact.assertion is Assertion.ABSENT
        and fact.text.lower().rstrip("s").endswith(words)
        and (len(fact.text.split()) < 5)
    )


def _is_told(fact: Fact) -> bool:
    """Whether a relative's fact is a piece of the story ("her mother is worried", "lives with") and no illness."""
    if fact.concept:
        return fact.concept in _PERSONAL and _kind_of(fact) == "habit" and fact.concept not in ("smoking", "alcohol")
    return re.search(rf"{document('wording.yaml')['clause']}|\b(?:is|are|his|her|their)\b", fact.text, re.I) is not None


def _kind(fact: Fact) -> str | None:
    if fact.domain is Domain.FAMILY_HISTORY or fact.experiencer != "patient":
        named = fact.experiencer not in ("patient", "family", "relative", "other", "")
        return "family_history" if named else "family_history_anyone"
    if fact.concept in _PERSONAL or fact.domain is Domain.DEMOGRAPHICS:
        return fact.concept if fact.concept in own_wordings() else None
    if fact.domain is Domain.PAST_HISTORY and _kind_of(fact) == "habit":
        return "habit"
    if fact.domain is Domain.CHIEF_COMPLAINT:
        return "symptom" if fact.concept and speakable_complaint(fact) else None
    if fact.domain is Domain.EXAMINATION:
        concept = concepts.get(fact.concept) if fact.concept else None
        return "vital" if concept and concept.kind == "vital" else None
    kinds = {
        Domain.SYMPTOM: "symptom",
        Domain.PAST_HISTORY: "past_history",
        Domain.SURGICAL_HISTORY: "surgical_history",
        Domain.MEDICATION: "medication",
        Domain.ALLERGY: "allergy",
    }
    return kinds.get(fact.domain)


def _drug_name(fact: Fact) -> str:
    found = drugs.find(fact.text)
    if found:
        return found[0].text.lower()
    concept = concepts.get(fact.concept) if fact.concept else None
    return concept.lay if concept else fact.text.lower()


def _article(name: str) -> str:
    return name if name.endswith("s") else f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def _same_thing(one: Fact, other: Fact) -> bool:
    """Whether `one` is what `other` is or something narrower, of the same person (of any relative for any other)."""
    if _of_kin(one) != _of_kin(other):
        return False
    if (one.domain is Domain.ALLERGY) != (other.domain is Domain.ALLERGY):
        return False
    if other.domain is Domain.MEDICATION:
        return one.domain is Domain.MEDICATION and bool(_ingredients(one) & _ingredients(other))
    if one.concept and other.concept:
        return concepts.is_a(one.concept, other.concept)
    return one.text.lower() == other.text.lower()


def _of_kin(fact: Fact) -> bool:
    return fact.domain is Domain.FAMILY_HISTORY or fact.experiencer != "patient"


def _is_named(one: Fact, other: Fact, name: str) -> bool:
    """Whether a fact of the same person is called `name` too: two concepts may share a lay name."""
    concept = concepts.get(one.concept) if one.concept else None
    same_person = one.experiencer == other.experiencer and (one.domain is Domain.ALLERGY) == (
        other.domain is Domain.ALLERGY
    )
    return same_person and concept is not None and name in (word.lower() for word in concept.wordings())


def _ingredients(fact: Fact) -> set[str]:
    return {ingredient for match in drugs.find(fact.text) for ingredient in match.ingredients} or {fact.text.lower()}


def _touches(fact: Fact, key: str) -> bool:
    keys = {fact.concept} if fact.concept else {match.key for match in concepts.find(fact.text)}
    return any(key_ and (concepts.is_a(key_, key) or concepts.is_a(key, key_)) for key_ in keys)

"""Which kind of question asks for a recorded fact, by which name, and which other facts answer it."""

import re

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.data_files import document
from simulator.patient.knowable import speakable_complaint
from simulator.patient.proof.wordings import own_wordings
from simulator.patient.recognise import is_unmapped
from terminology import concepts, drugs

SYMPTOMS = (Domain.SYMPTOM, Domain.CHIEF_COMPLAINT)
_PERSONAL = ("smoking", "alcohol", "drug_use", "occupation", "living_situation", "marital_status", "age", "sex")


def is_felt(fact: Fact) -> bool:
    """Whether a fact is a symptom or illness of the patient's that has a name and can be asked for details.

    "No symptoms", an operation or a habit in a symptom's place has none: nobody asks how bad they are. Where "it goes"
    is asked of what is felt only: a tumour that spreads is another matter than a pain that does.
    """
    named = fact.domain is Domain.SYMPTOM and fact.experiencer == "patient" and not is_unmapped(fact)
    return named and concept_kind(fact) in ("symptom", "condition") and not names_no_thing(fact)


def concept_kind(fact: Fact) -> str:
    """The kind of the fact's concept, "" where it has none."""
    concept = concepts.get(fact.concept) if fact.concept else None
    return concept.kind if concept else ""


def names_no_thing(fact: Fact) -> bool:
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
        return (
            fact.concept in _PERSONAL and concept_kind(fact) == "habit" and fact.concept not in ("smoking", "alcohol")
        )
    return re.search(rf"{document('wording.yaml')['clause']}|\b(?:is|are|his|her|their)\b", fact.text, re.I) is not None


def question_kind(fact: Fact) -> str | None:
    """The kind of wording that asks for the fact, by data/bench_wordings.yaml; None where no question does."""
    if fact.domain is Domain.FAMILY_HISTORY or fact.experiencer != "patient":
        named = fact.experiencer not in ("patient", "family", "relative", "other", "")
        return "family_history" if named else "family_history_anyone"
    if fact.concept in _PERSONAL or fact.domain is Domain.DEMOGRAPHICS:
        return fact.concept if fact.concept in own_wordings() else None
    if fact.domain is Domain.PAST_HISTORY and concept_kind(fact) == "habit":
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


def drug_name(fact: Fact) -> str:
    """The drug as a question names it: the name in the record, else the everyday word."""
    found = drugs.find(fact.text)
    if found:
        return found[0].text.lower()
    concept = concepts.get(fact.concept) if fact.concept else None
    return concept.lay if concept else fact.text.lower()


def with_article(name: str) -> str:
    """ "an ulcer", "a cough"; plurals as they are."""
    return name if name.endswith("s") else f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def same_thing(one: Fact, other: Fact) -> bool:
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


def is_named(one: Fact, other: Fact, name: str) -> bool:
    """Whether a fact of the same person is called `name` too: two concepts may share a lay name."""
    concept = concepts.get(one.concept) if one.concept else None
    same_person = one.experiencer == other.experiencer and (one.domain is Domain.ALLERGY) == (
        other.domain is Domain.ALLERGY
    )
    return same_person and concept is not None and name in (word.lower() for word in concept.wordings())


def _ingredients(fact: Fact) -> set[str]:
    return {ingredient for match in drugs.find(fact.text) for ingredient in match.ingredients} or {fact.text.lower()}


def touches(fact: Fact, key: str) -> bool:
    """Whether the fact is of the concept, of a narrower or of a wider one."""
    keys = {fact.concept} if fact.concept else {match.key for match in concepts.find(fact.text)}
    return any(key_ and (concepts.is_a(key_, key) or concepts.is_a(key, key_)) for key_ in keys)

"""The cases of a proof: a patient's facts, and what must never be said."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from etl.caserecord import CaseRecord, Diagnosis, Medication, MedicationRole, TableEvidence
from kg.answer_key import answer_key
from kg.domains import domain_of
from kg.facts import Domain, Fact
from kg.patient_view import PatientView
from kg.store import Reader
from simulator.patient.sources import FactsInMemory, FactSource
from terminology import concepts, drugs

_PERSONAL = ("sex", "race", "religion", "marital_status", "language", "insurance", "occupation", "living_situation")


@dataclass(frozen=True)
class Secrets:
    """What the patient must not say: names of diagnoses, ingredients of hospital drugs, identifiers of the chart."""

    diagnoses: tuple[str, ...] = ()
    ingredients: frozenset[str] = frozenset()
    identifiers: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProofCase:
    """One case: its facts behind a fact source, and its secrets."""

    case_id: str
    source: FactSource
    secrets: Secrets


def from_records(cases: Iterable[CaseRecord]) -> Iterator[ProofCase]:
    """Cases without a graph: the same facts as `kg.patient_view.PatientView` gives, in memory."""
    for case in cases:
        facts = tuple(facts_of(case))
        secret = Secrets(
            *_secret_names(case.diagnoses, case.medications, facts),
            _identifiers(case.case_id),
        )
        yield ProofCase(case.case_id, FactsInMemory(facts, case.spokesperson), secret)


def from_graph(store: Reader, case_ids: Iterable[str]) -> Iterator[ProofCase]:
    """Cases of a graph, through the patient's own door; the secrets through the evaluator's."""
    for case_id in case_ids:
        view = PatientView(store, case_id)
        key = answer_key(store, case_id)
        identifiers = tuple(part for part in case_id.split(":")[1:] if part.isdigit() and len(part) > 3)
        yield ProofCase(
            case_id, view, Secrets(*_secret_names(key.diagnoses, key.medications, view.facts()), identifiers)
        )


def _identifiers(case_id: str) -> tuple[str, ...]:
    """Numbers of the chart long enough not to be a dose or an age."""
    return tuple(part for part in case_id.split(":")[1:] if part.isdigit() and len(part) > 3)


def facts_of(case: CaseRecord) -> Iterator[Fact]:
    """The facts that a patient may know of a case: mentions, demographics and the complaint."""
    if case.chief_complaint:
        concept = next((m.concept for m in case.mentions if m.text == case.chief_complaint), None)
        yield Fact(fact_id="chief_complaint", domain=Domain.CHIEF_COMPLAINT, text=case.chief_complaint, concept=concept)
    person = case.demographics
    values = {"age": person.age_shown} | {name: getattr(person, name) or "" for name in _PERSONAL}
    for name, value in values.items():
        if value:
            evidence = (TableEvidence(table="CaseRecord", row_key=f"field=demographics.{name}"),)
            fact_id = f"demographics/{name}"
            yield Fact(fact_id=fact_id, domain=Domain.DEMOGRAPHICS, text=value, concept=name, evidence=evidence)
    for mention in case.mentions:
        yield Fact(
            fact_id=mention.mention_id,
            domain=domain_of(mention),
            text=mention.text,
            concept=mention.concept,
            assertion=mention.assertion,
            historical=mention.historical,
            experiencer=mention.experiencer,
            attributes=mention.attributes,
            evidence=mention.evidence,
        )


def _secret_names(
    diagnoses: Iterable[Diagnosis], medications: Iterable[Medication], facts: tuple[Fact, ...]
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Diagnosis names and hospital ingredients that no fact of the patient's own holds under any name."""
    own = {name.lower() for fact in facts for name in _names(fact)}
    names = {d.name.lower() for d in diagnoses if d.name}
    secret = tuple(sorted(name for name in names if not any(name in mine for mine in own)))
    mine = {ingredient for fact in facts for match in drugs.find(fact.text) for ingredient in match.ingredients}
    given = {i for m in medications if m.role is not MedicationRole.HOME for i in m.ingredients}
    return secret, frozenset(given - mine)


def _names(fact: Fact) -> tuple[str, ...]:
    concept = concepts.get(fact.concept) if fact.concept else None
    return (fact.text, *(concept.wordings() if concept else ()))

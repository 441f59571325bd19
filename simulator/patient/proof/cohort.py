"""The cases of a proof: a patient's facts, and what must never be said."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from etl.caserecord import Assertion, CaseRecord, Diagnosis, Medication, MedicationRole, TableEvidence
from kg.answer_key import answer_key
from kg.domains import domain_of
from kg.facts import Domain, Fact
from kg.known import is_lasting, known_mentions
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
    for mention in known_mentions(case):
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
    recorded: Iterable[Diagnosis], medications: Iterable[Medication], facts: tuple[Fact, ...]
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Diagnosis names and hospital ingredients that no fact of the patient's own holds under any name.

    The main diagnosis is secret under every name that terminology has for it, unless the facts that hold it are
    documented history: a finding of this admission in a history's place must not excuse itself.
    """
    diagnosed = tuple(recorded)
    own = {name.lower() for fact in facts for name in _names(fact)}
    excused = {name.lower() for fact in facts if _is_history(fact) for name in _names(fact)}
    first = {name.lower() for diagnosis in _first(diagnosed) for name in _all_names(diagnosis)}
    others = {d.name.lower() for d in diagnosed if d.name} - first
    secret = {name for name in first if not _held(name, excused)} | {name for name in others if not _held(name, own)}
    mine = {ingredient for fact in facts for match in drugs.find(fact.text) for ingredient in match.ingredients}
    given = {i for m in medications if m.role is not MedicationRole.HOME for i in m.ingredients}
    return tuple(sorted(secret)), frozenset(given - mine)


def _held(name: str, names: set[str]) -> bool:
    return any(name in mine for mine in names)


def _first(diagnosed: tuple[Diagnosis, ...]) -> tuple[Diagnosis, ...]:
    """The main recorded diagnosis, and the first that the notes assert."""
    groups = ([d for d in diagnosed if d.code and d.rank == 1], [d for d in diagnosed if not d.code])
    return tuple(min(group, key=lambda diagnosis: diagnosis.rank) for group in groups if group)


def _all_names(diagnosis: Diagnosis) -> Iterator[str]:
    yield diagnosis.name
    for match in concepts.find(diagnosis.name, kinds=("condition",)):
        concept = concepts.get(match.key)
        yield from (name for name in (concept.wordings() if concept else ()) if len(name) > 2)


def _is_history(fact: Fact) -> bool:
    """Whether a fact may hold the main diagnosis: a relative's, a symptom, the record's own "before", or what lasts."""
    if fact.experiencer != "patient" or fact.historical or fact.assertion is Assertion.ABSENT:
        return True
    if fact.domain is not Domain.PAST_HISTORY:
        concept = concepts.get(fact.concept) if fact.concept else None
        return concept is None or concept.kind != "condition"
    return bool(fact.attributes.get("onset")) or (fact.concept is not None and is_lasting(fact.concept))


def _names(fact: Fact) -> tuple[str, ...]:
    concept = concepts.get(fact.concept) if fact.concept else None
    return (fact.text, *(concept.wordings() if concept else ()))

"""The patient's only door to the graph: facts of one admission, by queries of one catalogue."""

import json
from collections.abc import Iterable
from functools import cached_property

from pydantic import TypeAdapter

from etl.caserecord import Assertion, Evidence, Spokesperson, TableEvidence
from foundation.errors import UserError
from kg.facts import Domain, Fact
from kg.queries.patient import FAMILY, KNOWN, PATIENT_QUERIES, PERSON
from kg.store import Reader, Row

_EVIDENCE: TypeAdapter[tuple[Evidence, ...]] = TypeAdapter(tuple[Evidence, ...])
_ORDER = {domain: position for position, domain in enumerate(Domain)}
_PERSONAL = (
    "age",
    "sex",
    "race",
    "religion",
    "marital_status",
    "language",
    "insurance",
    "occupation",
    "living_situation",
)


class PatientView:
    """What the patient of `case_id` may know; its diagnoses and hospital drugs cannot be reached from here.

    The facts are read once, at first use, in three small queries, and kept for the consultation. Raises UserError
    where the graph has no such case.
    """

    def __init__(self, store: Reader, case_id: str) -> None:
        self._store = store
        self.case_id = case_id

    def facts(self, domain: Domain | None = None, concept: str | None = None) -> tuple[Fact, ...]:
        """Facts, all or those of a domain or concept, by domain and then in the record's order."""
        return tuple(
            fact
            for fact in self._facts
            if (domain is None or fact.domain is domain) and (concept is None or fact.concept == concept)
        )

    def known_domains(self) -> frozenset[Domain]:
        """Domains in which the graph holds a fact of this admission."""
        return frozenset(fact.domain for fact in self._facts)

    @property
    def spokesperson(self) -> Spokesperson | None:
        """Who answers for a patient who cannot, and why."""
        relation, reason = self._person["spokesperson_relation"], self._person["spokesperson_reason"]
        return Spokesperson(relation=relation, reason=reason or "") if relation else None

    def query(self, name: str) -> tuple[Fact, ...]:
        """Facts by one query of the catalogue, fresh from the graph; `name` is a key of PATIENT_QUERIES."""
        if name == PERSON.name:
            return tuple(_personal_facts(self._run(name)[0], self.case_id))
        return _sorted(self._run(name))

    @cached_property
    def _person(self) -> Row:
        rows = self._run(PERSON.name)
        if not rows:
            raise UserError(
                f"the graph has no case {self.case_id!r}", "build the graph from the cohort that holds this case"
            )
        return rows[0]

    @cached_property
    def _facts(self) -> tuple[Fact, ...]:
        personal = _personal_facts(self._person, self.case_id)
        recorded = _sorted([*self._run(KNOWN.name), *self._run(FAMILY.name)])
        return tuple(sorted((*personal, *recorded), key=lambda fact: _ORDER[fact.domain]))

    def _run(self, name: str) -> list[Row]:
        return self._store.read(PATIENT_QUERIES[name].cypher, case_id=self.case_id)


def _sorted(rows: Iterable[Row]) -> tuple[Fact, ...]:
    return tuple(_fact(row) for row in sorted(rows, key=lambda row: (row["position"], row["mention_id"])))


def _fact(row: Row) -> Fact:
    return Fact(
        fact_id=row["mention_id"],
        domain=Domain(row["domain"]),
        text=row["name"],
        concept=row["concept"],
        assertion=Assertion(row["assertion"]),
        historical=row["historical"],
        experiencer=row["experiencer"],
        attributes=json.loads(row["attributes"]),
        evidence=_EVIDENCE.validate_json(row["evidence"]),
    )


def _personal_facts(person: Row, case_id: str) -> list[Fact]:
    """What people know of themselves, and why they came; each points at the field of the case that states it."""
    facts = [
        Fact(
            fact_id=f"demographics/{field}",
            domain=Domain.DEMOGRAPHICS,
            text=str(person[field]),
            concept=field,
            evidence=(_case_field(case_id, f"demographics.{field}"),),
        )
        for field in _PERSONAL
        if person[field] is not None
    ]
    if person["chief_complaint"] is not None:
        complaint = Fact(
            fact_id="chief_complaint",
            domain=Domain.CHIEF_COMPLAINT,
            text=person["chief_complaint"],
            concept=person["chief_complaint_concept"],
            evidence=(_case_field(case_id, "chief_complaint"),),
        )
        facts.insert(0, complaint)
    return facts


def _case_field(case_id: str, field: str) -> TableEvidence:
    return TableEvidence(table="CaseRecord", row_key=f"case_id={case_id}, field={field}")

"""What is true in a hand-written case: the patient's facts, and the reference diagnoses and medications."""

from typing import Any

from etl.caserecord import Assertion, Diagnosis, Medication, MedicationRole
from evaluator.planted.dialogue_fields import domain_of
from evaluator.planted.fields import Record, as_word
from evaluator.planted.spellings import ASSERTION_WORDS, NONE, SUBSTANCE
from foundation.errors import UserError
from kg.facts import AnswerKey, Domain, Fact
from terminology import concepts, drugs

_FACT_FIELDS = {"id", "fact_id", "domain", "kind", "text", "concept", "assertion", "historical", "experiencer"}


def facts_of(content: Any, origin: str) -> tuple[Fact, ...]:
    """Facts from a list, or from {domain: [facts]}; a fact is an object or a phrase."""
    if isinstance(content, dict):
        items = [
            {"domain": domain, **(fact if isinstance(fact, dict) else {"text": str(fact)})}
            for domain, listed in content.items()
            for fact in (listed if isinstance(listed, list) else [listed])
        ]
    else:
        items = [fact if isinstance(fact, dict) else {"text": str(fact)} for fact in content]
    return tuple(_fact(fact, number, f"{origin}, fact {number}") for number, fact in enumerate(items, 1))


def _fact(content: dict[str, Any], number: int, origin: str) -> Fact:
    text = str(content.get("text") or content.get("name") or content.get("value") or "")
    domain = domain_of(content.get("domain") or content.get("kind") or "other", origin)
    if domain is Domain.SOCIAL_HISTORY and _is_habit(text):
        domain = Domain.LIFESTYLE
    given = content.get("attributes")
    attributes = dict(given) if isinstance(given, dict) else {}
    attributes |= {
        k: v for k, v in content.items() if k not in _FACT_FIELDS | {"attributes", "evidence", "name", "value"}
    }
    field = str(content.get("concept") or "")
    default = f"demographics/{field}" if domain is Domain.DEMOGRAPHICS and field else f"f{number}"
    try:
        return Fact(
            fact_id=str(content.get("fact_id") or content.get("id") or default),
            domain=domain,
            text=text,
            concept=concept_of(field, text, domain),
            assertion=Assertion.ABSENT if NONE.match(text) else _assertion(content),
            historical=bool(content.get("historical", False)),
            experiencer=str(content.get("experiencer") or ("family" if domain is Domain.FAMILY_HISTORY else "patient")),
            attributes={str(k): str(v) for k, v in attributes.items()},
        )
    except ValueError as error:
        raise UserError(f"{origin}: assertion must be present, absent or possible", "correct the assertion") from error


def _is_habit(text: str) -> bool:
    """Tobacco, alcohol, drugs, diet and the like, which many files keep under social history."""
    concept = concepts.lookup(text)
    if SUBSTANCE.search(text):
        return True
    return bool(concept and concept.kind == "habit" and concept.system != "social")


def _assertion(content: dict[str, Any]) -> Assertion:
    word = as_word(content.get("assertion") or content.get("status") or "present")
    return ASSERTION_WORDS.get(word) or Assertion(word)


def concept_of(key: str, text: str, domain: Domain) -> str | None:
    """The terminology's key for a key or a phrase that somebody wrote; None where nothing matches."""
    if domain is Domain.DEMOGRAPHICS:
        return key or None
    if domain is Domain.MEDICATION:
        found = drugs.normalise(key or text).ingredients or drugs.normalise(text).ingredients
        return found[0] if len(found) == 1 else key or None
    if key and concepts.get(key):
        return key
    for phrase in (text, key.replace("_", " ")):
        concept = concepts.lookup(phrase) if phrase else None
        if concept:
            return concept.key
    matches = concepts.find(text) if text else []
    return matches[0].key if matches else key or None


def key_of(record: Record, case: Record, case_id: str) -> AnswerKey | None:
    """Reference diagnoses and medications; None where there are none."""
    references = record.nested("references")
    if not references.content:
        references = case.nested("references") if case.nested("references").content else case
    named = references.get("diagnoses") or ()
    given = references.get("medications") or ()
    if not named and not given:
        return None
    diagnoses = [_diagnosis(d, rank) for rank, d in enumerate(named, 1)]
    medications = [_medication(d) for d in given]
    return AnswerKey(case_id=case_id, diagnoses=tuple(diagnoses), medications=tuple(medications))


def _diagnosis(content: Any, rank: int) -> Diagnosis:
    fields = content if isinstance(content, dict) else {"name": str(content)}
    return Diagnosis(
        code=str(fields.get("code") or ""),
        version=_version(fields),
        rank=fields.get("rank") or rank,
        name=str(fields.get("name") or fields.get("text") or ""),
        name_source="note",
    )


def _version(fields: dict[str, Any]) -> Any:
    """The ICD's version, as it is written: 9 and 10 may be numbers."""
    version = fields.get("version") or ("10" if fields.get("code") else "")
    return str(version) if isinstance(version, int) else version


def _medication(content: Any) -> Medication:
    fields = content if isinstance(content, dict) else {"name": str(content)}
    name = str(fields.get("name") or fields.get("drug") or "")
    role = as_word(fields.get("role") or "discharge")
    normal = drugs.normalise(name)
    return Medication(
        name=name,
        ingredients=fields.get("ingredients") or normal.ingredients,
        role=MedicationRole(role) if role in tuple(MedicationRole) else MedicationRole.DISCHARGE,
        carrier_fluid=normal.carrier_fluid,
    )

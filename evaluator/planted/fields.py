"""Fields of hand-written consultations, with the spellings that people use for them."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from etl.caserecord import Assertion, Diagnosis, Medication, MedicationRole
from evaluator.findings import Dimension
from evaluator.planted.instance import Gold
from evaluator.planted.spellings import (
    ASSERTION_WORDS,
    DOMAIN_WORDS,
    NO_EMOTION,
    NONE,
    SPELLINGS,
    STATUS_WORDS,
    SUBSTANCE,
)
from foundation.errors import UserError
from foundation.parsing import refused
from kg.facts import AnswerKey, Domain, Fact
from simulator.consultation.transcript import FinalPlan
from simulator.patient.asks import Ask, AskStatus, Attribute
from terminology import concepts, drugs

_FACT_FIELDS = {"id", "fact_id", "domain", "kind", "text", "concept", "assertion", "historical", "experiencer"}
_Scalar = str | int | float
_Object = dict[Any, Any]
_Alone = BeforeValidator(lambda value: [value] if isinstance(value, str) else value)
"""One text alone is a list of one."""
_FORMS: dict[str, tuple[TypeAdapter[Any], str]] = {
    "turns": (TypeAdapter(list[Any]), "a list of turns"),
    "facts": (TypeAdapter(list[_Scalar | _Object] | _Object), "a list of facts, or facts by domain"),
    "findings": (TypeAdapter(list[str | _Object]), "a list of findings, each an object or a text"),
    "termination": (TypeAdapter(str), "a word"),
    "doctor": (TypeAdapter(_Scalar), "the doctor's words"),
    "asks": (TypeAdapter(list[str | _Object]), "a list of asks, each an object or a text"),
    "told": (TypeAdapter(Annotated[list[_Scalar], _Alone]), "a list of facts' ids"),
    "volunteered": (TypeAdapter(Annotated[list[_Scalar], _Alone]), "a list of facts' ids"),
    "plan": (TypeAdapter(_Object | str), "an object with diagnosis and drugs"),
    "differentials": (TypeAdapter(Annotated[list[_Scalar | _Object], _Alone]), "a list of diagnoses"),
    "drugs": (
        TypeAdapter(Annotated[list[str | _Object | Annotated[list[Any], Field(min_length=1)]] | _Object, _Alone]),
        "a list of drugs, or an object of drugs and reasons",
    ),
    "drug_reasons": (
        TypeAdapter(_Object | list[Annotated[list[Any], Field(min_length=2, max_length=2)]]),
        "an object of drugs and reasons",
    ),
    "diagnoses": (TypeAdapter(Annotated[list[str | _Object], _Alone]), "a list of diagnoses, each a name or an object"),
    "medications": (TypeAdapter(Annotated[list[str | _Object], _Alone]), "a list of drugs, each a name or an object"),
}
"""The form of each field that is more than a word, whatever its spelling; others are read as text or left out."""


class Record:
    """A parsed object whose fields may be spelt in several ways; `origin` is for messages."""

    def __init__(self, content: dict[str, Any], origin: str) -> None:
        self.content = content
        self.origin = origin

    @classmethod
    def of_turn(cls, content: Any, origin: str) -> "Record":
        """A turn: an object, or a pair of words."""
        if isinstance(content, list | tuple) and len(content) >= 2:
            return cls({"doctor": content[0], "patient": content[1]}, origin)
        if not isinstance(content, dict):
            raise UserError(f"{origin}: a turn is an object with doctor and patient", "see docs/evaluator.md")
        return cls(content, origin)

    def get(self, field: str, default: Any = None) -> Any:
        """The field under the first spelling that is there. Raises UserError where its form is another."""
        names = SPELLINGS.get(field, (field,))
        name = next((name for name in names if self.content.get(name) is not None), None)
        if name is None:
            return default
        return self._formed(field, name, self.content[name])

    def _formed(self, field: str, name: str, value: Any) -> Any:
        if field not in _FORMS:
            return value
        form, words = _FORMS[field]
        try:
            return form.validate_python(value, strict=True)
        except ValidationError:
            raise UserError(
                f"{self.origin}, {name}: expected {words}", "see docs/evaluator.md for the format"
            ) from None

    def text(self, field: str) -> str:
        """The field as text, "" where it is missing or not text."""
        value = self.get(field)
        return str(value) if isinstance(value, str | int | float) else ""

    def nested(self, field: str) -> "Record":
        """The field as a record, empty where it is missing or no object."""
        value = self.get(field)
        return Record(value if isinstance(value, dict) else {}, f"{self.origin}, {field}")


def _word(value: Any) -> str:
    return re.sub(r"[\s-]+", "_", str(value).strip().lower())


def statuses_of(value: Any, origin: str) -> tuple[AskStatus, ...] | None:
    """A word, a list of words, or {…: word}; None where nothing is said."""
    if value is None:
        return None
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    return tuple(_status(v.get("status") if isinstance(v, dict) else v, origin) for v in values) or None


def _status(value: Any, origin: str) -> AskStatus:
    word = _word(value)
    if word in STATUS_WORDS:
        return STATUS_WORDS[word]
    try:
        return AskStatus(word)
    except ValueError as error:
        known = ", ".join(status.value for status in AskStatus)
        raise UserError(f"{origin}: status {word!r} is not known", f"use one of {known}") from error


def domain_of(value: Any, origin: str) -> Domain:
    """A domain by its name or a common word for it."""
    word = _word(value)
    if word in DOMAIN_WORDS:
        return DOMAIN_WORDS[word]
    try:
        return Domain(word)
    except ValueError as error:
        known = ", ".join(domain.value for domain in Domain)
        raise UserError(f"{origin}: domain {word!r} is not known", f"use one of {known}") from error


def ask_of(content: Any, origin: str) -> Ask:
    """An ask from {domain, concept, attribute, …} or from "domain/concept/attribute"."""
    if isinstance(content, str):
        parts = [*content.split("/"), "", ""]
        content = {"domain": parts[0], "concept": parts[1] or None, "attribute": parts[2] or "existence"}
    try:
        attribute = Attribute(_word(content.get("attribute") or "existence"))
    except ValueError as error:
        raise UserError(f"{origin}: attribute is not known", f"use one of {', '.join(Attribute)}") from error
    domain = domain_of(content.get("domain", "other"), origin)
    try:
        return Ask(
            domain=domain,
            concept=content.get("concept"),
            attribute=attribute,
            experiencer=str(content.get("experiencer") or "patient"),
            words=str(content.get("words") or ""),
            term=str(content.get("term") or ""),
        )
    except ValidationError as error:
        raise refused(error, f"{origin}, asks", "see docs/evaluator.md for the format") from None


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
    word = _word(content.get("assertion") or content.get("status") or "present")
    return ASSERTION_WORDS.get(word) or Assertion(word)


def emotion_of(value: Any) -> str | None:
    """The emotion as written; None for none at all and for one that asks for no comfort ("relief")."""
    return str(value) if value and _word(value) not in NO_EMOTION else None


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


def plan_of(record: Record) -> FinalPlan | None:
    """The final plan; drugs may be names, objects with a reason, or {drug: reason}."""
    content = record.get("plan")
    if not isinstance(content, dict):
        return None
    plan = Record(content, f"{record.origin}, plan")
    reasons = {str(k): str(v or "") for k, v in dict(plan.get("drug_reasons") or {}).items()}
    names: list[str] = []
    listed = plan.get("drugs") or ()
    for drug in listed.items() if isinstance(listed, dict) else listed:
        name, reason = _drug(drug)
        names.append(name)
        if reason:
            reasons.setdefault(name, reason)
    summaries = plan.get("category_summaries") or {}
    try:
        return FinalPlan(
            diagnosis=_joined(plan.get("diagnosis")),
            differentials=tuple(str(d) for d in plan.get("differentials") or ()),
            reasoning=_joined(plan.get("reasoning")),
            drugs=tuple(names),
            drug_reasons=reasons,
            category_summaries={str(k): _joined(v) for k, v in summaries.items()}
            if isinstance(summaries, dict)
            else {"summary": _joined(summaries)},
        )
    except ValidationError as error:
        raise UserError(f"{plan.origin}: {error.errors()[0]['loc']}", "see docs/evaluator.md") from error


def _joined(value: Any) -> str:
    return "; ".join(str(v) for v in value) if isinstance(value, list) else str(value or "")


def _drug(content: Any) -> tuple[str, str]:
    if isinstance(content, dict):
        return str(content.get("name") or content.get("drug") or ""), str(content.get("reason") or "")
    if isinstance(content, list | tuple):
        return str(content[0]), str(content[1] or "") if len(content) > 1 else ""
    return str(content), ""


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
    role = _word(fields.get("role") or "discharge")
    normal = drugs.normalise(name)
    return Medication(
        name=name,
        ingredients=fields.get("ingredients") or normal.ingredients,
        role=MedicationRole(role) if role in tuple(MedicationRole) else MedicationRole.DISCHARGE,
        carrier_fluid=normal.carrier_fluid,
    )


def gold_of(content: Any, origin: str) -> Gold:
    """A label: {dimension, pattern, turns} or "QS.repetitive_question" or "QS/repetitive_question/5"."""
    if isinstance(content, str):
        parts = re.split(r"[./:@\s]+", content.strip())
        content = {"dimension": parts[0], "pattern": parts[1] if len(parts) > 1 else "", "turns": parts[2:]}
    label = Record(content, origin)
    turns = label.get("turn")
    numbers: Any = turns if isinstance(turns, list) else [] if turns is None else [turns]
    try:
        return Gold(
            dimension=Dimension(str(label.get("dimension")).upper()),
            pattern=_word(label.get("pattern")),
            turns=numbers,
            quote=label.text("quote"),
        )
    except ValueError as error:
        known = ", ".join(Dimension)
        raise UserError(f"{origin}: a finding's dimension or turn is wrong", f"dimensions are {known}") from error

"""A chat model's reading of words that the rules do not know: one call, structured output, everything validated.

The model sees the doctor's words and the turn before, never the patient's record. Whatever it replies, only asks of
our own domains, with concepts of the terminology, come out; anything else leaves the rules' answer standing.
"""

import json
from typing import Any

from pydantic import ValidationError

from chatmodels.interface import ChatModel, ChatModelError, Message
from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute, DialogueContext, Understanding
from simulator.patient.data_files import document
from simulator.patient.understanding.conventions import attribute_named, domain_named
from terminology import concepts, drugs

_TABLE = "understanding_model.yaml"
_CONFIDENCE = 0.6
_LONGEST_TERM = 60


def unsure(understood: Understanding) -> bool:
    """Whether a model is worth a call: something is asked, and the rules only guessed what."""
    return bool(understood.asks) and understood.confidence <= float(document(_TABLE)["ask_at_or_below"])


def asked_of_model(model: ChatModel, words: str, context: DialogueContext, understood: Understanding) -> Understanding:
    """The model's asks in place of the rules' guesses; the rules' stand where the model fails or says nothing.

    One call. Raises UserError for a wrong key, address or model name.
    """
    table = document(_TABLE)
    try:
        reply = model.complete(
            _messages(words, context), schema=_schema(), max_tokens=table["max_tokens"], temperature=0
        )
    except ChatModelError:
        return understood
    asks = validated(reply.text, words)
    if not asks:
        return understood.model_copy(update={"usage": reply.usage})
    return understood.model_copy(
        update={"asks": asks, "confidence": _CONFIDENCE, "by": model.name, "usage": reply.usage}
    )


def validated(reply: str, words: str) -> tuple[Ask, ...]:
    """The asks of a reply that keep to our domains; none where it is no such JSON. Never raises for odd text."""
    start, end = reply.find("{"), reply.rfind("}")
    try:
        rows = json.loads(reply[start : end + 1])["asks"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ()
    if not isinstance(rows, list):
        return ()
    found = [_ask(row, words) for row in rows[: int(document(_TABLE)["max_asks"])]]
    return tuple(dict.fromkeys(ask for ask in found if ask is not None))


def _ask(row: Any, words: str) -> Ask | None:
    if not isinstance(row, dict):
        return None
    try:
        domain = Domain(domain_named(str(row.get("domain"))))
        attribute = Attribute(attribute_named(str(row.get("attribute") or "existence")))
        concept, term = _concept(row.get("concept"), domain)
        return Ask(
            domain=domain,
            concept=concept,
            attribute=attribute,
            experiencer=_person(row.get("experiencer"), domain),
            words=words,
            term=term,
        )
    except (ValueError, ValidationError):
        return None


def _concept(name: Any, domain: Domain) -> tuple[str | None, str]:
    """A key of the terminology or a drug; a name that neither knows is kept as a term (answered "unknown")."""
    spoken = " ".join(str(name).replace("_", " ").lower().split())[:_LONGEST_TERM] if isinstance(name, str) else ""
    if not spoken or spoken in ("null", "none", "patient", str(domain).replace("_", " ")):
        return None, ""
    if domain is Domain.DEMOGRAPHICS:
        return spoken.replace(" ", "_"), ""
    known = concepts.lookup(spoken)
    if known is not None:
        return known.key, ""
    named = drugs.find(spoken) if domain in (Domain.MEDICATION, Domain.ALLERGY) else []
    return ("+".join(named[0].ingredients) or None, "") if named else (None, spoken)


def _person(name: Any, domain: Domain) -> str:
    spoken = str(name or "patient").strip().lower()
    if spoken in ("patient", "self", "you"):
        return "family" if domain is Domain.FAMILY_HISTORY else "patient"
    relative = concepts.lookup(spoken, kinds=("relative",))
    return relative.key if relative else ("family" if domain is Domain.FAMILY_HISTORY else "patient")


def _messages(words: str, context: DialogueContext) -> list[Message]:
    table = document(_TABLE)
    before, longest = int(table["longest_before"]), int(table["longest_words"])
    lines = [f"Doctor before: {context.doctor_words[-before:]}"] if context.doctor_words else []
    lines += [f"Patient: {context.patient_words[-before:]}"] if context.patient_words else []
    task = "\n".join([*lines, f"Label this: {words[-longest:]}"])
    return [Message(role="system", content=str(table["prompt"])), Message(role="user", content=task)]


def _schema() -> dict[str, Any]:
    ask = {
        "type": "object",
        "properties": {
            "domain": {"type": "string", "enum": [*Domain]},
            "concept": {"type": ["string", "null"]},
            "attribute": {"type": "string", "enum": [*Attribute]},
            "experiencer": {"type": "string"},
        },
        "required": ["domain", "concept", "attribute", "experiencer"],
        "additionalProperties": False,
    }
    asks = {"type": "array", "items": ask, "maxItems": int(document(_TABLE)["max_asks"])}
    return {"type": "object", "properties": {"asks": asks}, "required": ["asks"], "additionalProperties": False}

"""What was asked, felt, planned and found in a hand-written consultation, with the words that people use for it."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from pydantic import ValidationError

from evaluator.findings import Dimension
from evaluator.planted.fields import Record, as_word
from evaluator.planted.instance import Gold
from evaluator.planted.spellings import DOMAIN_WORDS, NO_EMOTION, STATUS_WORDS
from foundation.errors import UserError
from foundation.parsing import refused
from kg.facts import Domain
from simulator.consultation.transcript import FinalPlan
from simulator.patient.asks import Ask, AskStatus, Attribute

_Name = TypeVar("_Name", bound=StrEnum)


def statuses_of(value: Any, origin: str) -> tuple[AskStatus, ...] | None:
    """A word, a list of words, or {…: word}; None where nothing is said."""
    if value is None:
        return None
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    return tuple(_status(v.get("status") if isinstance(v, dict) else v, origin) for v in values) or None


def _status(value: Any, origin: str) -> AskStatus:
    return _known(AskStatus, STATUS_WORDS, value, f"{origin}: status")


def domain_of(value: Any, origin: str) -> Domain:
    """A domain by its name or a common word for it."""
    return _known(Domain, DOMAIN_WORDS, value, f"{origin}: domain")


def _known(kind: type[_Name], words: Mapping[str, _Name], value: Any, what: str) -> _Name:
    """A name of `kind`, by itself or by a word for it. Raises UserError that lists the names."""
    word = as_word(value)
    if word in words:
        return words[word]
    try:
        return kind(word)
    except ValueError as error:
        raise UserError(f"{what} {word!r} is not known", f"use one of {', '.join(kind)}") from error


def ask_of(content: Any, origin: str) -> Ask:
    """An ask from {domain, concept, attribute, …} or from "domain/concept/attribute"."""
    if isinstance(content, str):
        parts = [*content.split("/"), "", ""]
        content = {"domain": parts[0], "concept": parts[1] or None, "attribute": parts[2] or "existence"}
    try:
        attribute = Attribute(as_word(content.get("attribute") or "existence"))
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


def emotion_of(value: Any) -> str | None:
    """The emotion as written; None for none at all and for one that asks for no comfort ("relief")."""
    return str(value) if value and as_word(value) not in NO_EMOTION else None


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
            pattern=as_word(label.get("pattern")),
            turns=numbers,
            quote=label.text("quote"),
        )
    except ValueError as error:
        known = ", ".join(Dimension)
        raise UserError(f"{origin}: a finding's dimension or turn is wrong", f"dimensions are {known}") from error

"""IC: the ten domains of a history, each relevant or not for this case, present or missing (rule: docs/evaluator.md).

A domain is present where the doctor asked for it or the patient told of it unasked. Missing complaint details, past
history, allergies or related symptoms is a major omission; a missing relevant domain of the other six a minor one.
"""

from collections.abc import Callable

from evaluator.detectors.asked import SYMPTOMATIC
from evaluator.detectors.detection import Detection
from evaluator.detectors.speech import document
from evaluator.evidence import EvaluationInput
from evaluator.findings import Dimension, Finding
from kg.facts import Domain, Fact
from simulator.patient.asks import Ask, Attribute
from terminology import concepts

NAME = "detector:coverage@1"
_DETAILS = frozenset(
    {
        Attribute.ONSET, Attribute.DURATION, Attribute.FREQUENCY, Attribute.SEVERITY, Attribute.CHARACTER,
        Attribute.LOCATION, Attribute.RADIATION, Attribute.AGGRAVATING, Attribute.RELIEVING, Attribute.TIMING,
        Attribute.COURSE, Attribute.IMPACT, Attribute.CAUSE,
    }
)  # fmt: skip


class _Seen:
    """What was asked and told, gathered once."""

    def __init__(self, evidence: EvaluationInput) -> None:
        turns = evidence.transcript.turns
        self.asks: list[Ask] = [ask for turn in turns for ask in turn.patient.understanding.asks]
        self.volunteered: list[Fact] = [
            fact for turn in turns for fact in turn.patient.disclosed if fact.fact_id in turn.patient.volunteered
        ]
        self.disclosed = evidence.disclosed
        self.facts = evidence.facts or evidence.disclosed
        complaint = [f.concept for f in self.facts if f.domain is Domain.CHIEF_COMPLAINT and f.concept]
        self.complaints = frozenset(complaint)
        self.emotions = any(turn.patient.emotion for turn in turns)

    def asked(self, *domains: Domain) -> bool:
        """Whether a domain was asked for, or told of unasked."""
        return any(a.domain in domains for a in self.asks) or any(f.domain in domains for f in self.volunteered)

    def systems(self, key: str | None) -> str:
        """The body system of a concept, or ""."""
        concept = concepts.get(key) if key else None
        return concept.system if concept else ""


def _details(seen: _Seen) -> bool:
    return any(a.domain in SYMPTOMATIC and a.attribute in _DETAILS for a in seen.asks)


def _related_symptoms(seen: _Seen) -> bool:
    for ask in seen.asks:
        if ask.domain is Domain.REVIEW_OF_SYSTEMS or ask.attribute is Attribute.ASSOCIATED:
            return True
        if ask.domain is Domain.SYMPTOM and (ask.concept or ask.term) and ask.concept not in seen.complaints:
            return True
        if ask.domain is Domain.SYMPTOM and not ask.concept and ask.attribute is Attribute.LIST:
            return True
    return False


def _review(seen: _Seen) -> bool:
    if seen.asked(Domain.REVIEW_OF_SYSTEMS):
        return True
    own = {seen.systems(key) for key in seen.complaints}
    open_ones = any(a.domain is Domain.SYMPTOM and not a.concept and not a.term for a in seen.asks)
    others = {seen.systems(a.concept) for a in seen.asks if a.domain in SYMPTOMATIC and a.concept} - own - {""}
    return open_ones or len(others) >= 2


def _mental(seen: _Seen) -> bool:
    psychiatric = any(seen.systems(a.concept) == "psychiatric" for a in seen.asks)
    return psychiatric or seen.asked(Domain.MENTAL_STATUS, Domain.IDEAS_CONCERNS)


def _risks(seen: _Seen) -> bool:
    risky = set(document("coverage.yaml")["risk_concepts"])
    return seen.asked(Domain.RISK_FACTOR) or any(a.concept in risky for a in seen.asks)


_PRESENT: dict[str, Callable[[_Seen], bool]] = {
    "chief complaint details": _details,
    "past history": lambda seen: seen.asked(Domain.PAST_HISTORY, Domain.SURGICAL_HISTORY),
    "allergies": lambda seen: seen.asked(Domain.ALLERGY),
    "related symptoms": _related_symptoms,
    "family history": lambda seen: seen.asked(Domain.FAMILY_HISTORY),
    "social history": lambda seen: seen.asked(Domain.SOCIAL_HISTORY),
    "lifestyle": lambda seen: seen.asked(Domain.LIFESTYLE),
    "review of systems": _review,
    "mental state": _mental,
    "risk factors": _risks,
}
_CRITICAL = frozenset({"chief complaint details", "past history", "allergies", "related symptoms"})


def detect(evidence: EvaluationInput) -> Detection:
    """One finding per relevant domain that is missing."""
    if not evidence.transcript.turns:
        return Detection()
    seen = _Seen(evidence)
    relevant = [name for name in _PRESENT if name in _CRITICAL or _relevant(name, seen)]
    missing = [name for name in relevant if not _PRESENT[name](seen)]
    return Detection(
        findings=tuple(_finding(name) for name in missing),
        assessed_patterns=("major_omission", "minor_omission"),
        opportunities={"relevant_domains": len(relevant), "present_domains": len(relevant) - len(missing)},
    )


def _relevant(name: str, seen: _Seen) -> bool:
    rules = document("coverage.yaml")["relevant"][name]
    if rules.get("always"):
        return True
    age = next((f.text for f in seen.facts if f.fact_id == "demographics/age"), "")
    old = age.strip(">").isdigit() and int(age.strip(">")) >= rules.get("from_age", 999)
    systems = {seen.systems(f.concept) for f in seen.facts if f.domain in (Domain.CHIEF_COMPLAINT, Domain.PAST_HISTORY)}
    return old or bool(systems & set(rules.get("systems", ()))) or (seen.emotions and rules.get("emotion", False))


def _finding(name: str) -> Finding:
    pattern = "major_omission" if name in _CRITICAL else "minor_omission"
    return Finding(dimension=Dimension.IC, pattern=pattern, reason=f"Never asked or told: {name}.", decided_by=NAME)

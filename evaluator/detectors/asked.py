"""What a turn asks, made comparable: subjects, groups of attributes, and the topic clusters of `data/topics.yaml`."""

from typing import NamedTuple

from evaluator.detectors.speech import document
from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute
from terminology import concepts

SYMPTOMATIC = frozenset({Domain.CHIEF_COMPLAINT, Domain.SYMPTOM, Domain.SYMPTOM_DETAIL, Domain.REVIEW_OF_SYSTEMS})
WHOLE = frozenset({Attribute.EXISTENCE, Attribute.LIST, Attribute.ASSOCIATED})


class Subject(NamedTuple):
    """What is asked, without its wording: two asks of the same subject ask for the same information."""

    field: str
    thing: str
    attribute: str
    experiencer: str


def subject(ask: Ask) -> Subject:
    """The ask's subject; symptoms are one field wherever they were understood to belong."""
    field = "symptom" if ask.domain in SYMPTOMATIC else ask.domain.value
    if ask.domain in (Domain.CHIEF_COMPLAINT, Domain.REVIEW_OF_SYSTEMS) and not ask.concept:
        field = ask.domain.value
    attribute = "" if ask.attribute in WHOLE else ask.attribute.value
    concept = "" if ask.concept in document("topics.yaml")["whole_domain"] else ask.concept
    return Subject(field, concept or ask.term.lower(), attribute, ask.experiencer)


def attribute_group(attribute: str) -> str:
    """The group of attributes that answer for one another ("onset" and "duration"), by `data/topics.yaml`."""
    groups: dict[str, list[str]] = document("topics.yaml")["attribute_groups"]
    return next((name for name, members in groups.items() if attribute in members), attribute)


def cluster(ask: Ask) -> str:
    """The topic cluster of an ask: its domain's, a body system for symptoms, "" where it has none."""
    content = document("topics.yaml")
    special: dict[str, str] = content["concept_clusters"]
    if ask.concept and ask.concept in special:
        return special[ask.concept]
    if ask.domain in SYMPTOMATIC:
        concept = concepts.get(ask.concept) if ask.concept else None
        return f"system:{concept.system}" if concept and concept.system else "symptoms"
    domains: dict[str, str] = content["domain_clusters"]
    return domains.get(ask.domain.value, "")


def clusters(ask: Ask) -> frozenset[str]:
    """The ask's cluster; a single past illness belongs with the symptoms of its organ too."""
    known = concepts.get(ask.concept) if ask.concept and ask.domain is Domain.PAST_HISTORY else None
    organ = f"system:{known.system}" if known and known.system else ""
    return frozenset({cluster(ask), organ} - {""})


def related(first: str, second: str) -> bool:
    """Whether two clusters belong together: the same, one unknown, or listed as related."""
    if first == second or not first or not second or "symptoms" in (first, second):
        return True
    pairs: list[list[str]] = document("topics.yaml")["related"]
    return any(_member(first, group) and _member(second, group) for group in pairs)


def _member(name: str, group: list[str]) -> bool:
    return name.removeprefix("system:") in group

"""Real doctors' wordings for the proof: labelled turns of the shared dialogues, read where they lie, never copied.

A labelled turn that asks for one thing and names it becomes a wording with {x} in the name's place; one that asks for
a whole domain or a habit is taken as it stands. Turns that name anything else
besides, or only lean on what was said before ("How about cancer?" in a talk of the family), are left out.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute
from simulator.patient.bench_understand import OWN_LABELS
from simulator.patient.data_files import document
from simulator.patient.understanding.labelled import Labelled, read_labelled
from terminology import concepts, drugs

SHARED = Path("../shared/data")
_LONGEST = 40
"""Words of a turn; longer ones are explanations with a question somewhere."""

_NAMED = {
    Domain.SYMPTOM: "symptom",
    Domain.REVIEW_OF_SYSTEMS: "symptom",
    Domain.PAST_HISTORY: "past_history",
    Domain.SURGICAL_HISTORY: "surgical_history",
    Domain.MEDICATION: "medication",
    Domain.ALLERGY: "allergy",
    Domain.FAMILY_HISTORY: "family_history_anyone",
}
_LISTS = {
    Domain.CHIEF_COMPLAINT: "chief_complaint",
    Domain.PAST_HISTORY: "past_history_list",
    Domain.SURGICAL_HISTORY: "surgical_history_list",
    Domain.MEDICATION: "medication_list",
    Domain.ALLERGY: "allergy_list",
    Domain.FAMILY_HISTORY: "family_history_list",
}
_HABITS = {
    "smoking": "smoking",
    "alcohol": "alcohol",
    "recreational_drugs": "drug_use",
    "drug_use": "drug_use",
    "occupation": "occupation",
    "living_situation": "living_situation",
    "marital_status": "marital_status",
    "age": "age",
}
_DETAILS = frozenset(
    {"onset", "duration", "frequency", "severity", "character", "location", "aggravating", "relieving", "radiation"}
)


def real_wordings(shared: Path = SHARED, labels: Path = OWN_LABELS) -> dict[str, list[str]]:
    """Wordings by kind (kinds as in data/bench_wordings.yaml). Raises UserError where the shared data is not there."""
    found: dict[str, list[str]] = {}
    for labelled in read_labelled(labels, shared):
        for kind, words in _wordings(labelled):
            if words not in found.setdefault(kind, []):
                found[kind].append(words)
    return found


def _wordings(labelled: Labelled) -> Iterator[tuple[str, str]]:
    words = labelled.utterance
    if len(labelled.asks) != 1 or "{" in words or "?" not in words or len(words.split()) > _LONGEST:
        return
    ask = labelled.asks[0]
    if ask.experiencer not in ("patient", "family"):
        return
    kind = _kind(ask, words)
    if kind is None:
        return
    if ask.domain is Domain.FAMILY_HISTORY and not re.search(document("hearing.yaml")["of_kin"], words, re.IGNORECASE):
        return
    if ask.concept in _HABITS or ask.attribute is Attribute.LIST:
        if len(words.split()) > 3 and (ask.concept in _HABITS or not concepts.find(words, kinds=("condition",))):
            yield kind, words
        return
    template = _with_slot(words, ask)
    if template and len(template.split()) > 2 and not concepts.find(template.replace("{x}", "-"), spoken=True):
        yield kind, template


def _kind(ask: Ask, words: str) -> str | None:
    if ask.concept in _HABITS:
        return _HABITS[ask.concept] if ask.attribute is Attribute.EXISTENCE else None
    if ask.attribute is Attribute.LIST:
        return _LISTS.get(ask.domain) if not ask.concept else None
    if ask.attribute.value in _DETAILS:
        return ask.attribute.value if ask.domain is Domain.SYMPTOM_DETAIL and _asks_detail(ask, words) else None
    return _NAMED.get(ask.domain) if ask.attribute is Attribute.EXISTENCE else None


def _asks_detail(ask: Ask, words: str) -> bool:
    """Whether the turn says which detail it asks for ("What about the pain?" leaves it to what was said before)."""
    form = document("hearing.yaml")["detail"].get(ask.attribute.value)
    return form is None or re.search(form, words.lower()) is not None


def _with_slot(words: str, ask: Ask) -> str | None:
    """The turn with {x} for the name of what it asks for; None where it does not name it once."""
    spans = [(m.start, m.end) for m in concepts.find(words, spoken=True) if m.key == ask.concept]
    spans += [(m.start, m.end) for m in drugs.find(words) if ask.concept in m.ingredients]
    if len(spans) != 1:
        return None
    start, end = spans[0]
    before = words[:start]
    for article in ("a ", "an "):
        if before.lower().endswith(f" {article}"):
            before = before[: -len(article)]
    return f"{before}{{x}}{words[end:]}"

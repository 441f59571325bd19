"""What a question names stays what it asks for, also where no terminology knows it.

"How bad is your zorbal syndrome?" asks for the zorbal syndrome, not for what the patient came with, and "Does it run in
the family?" of such a name not for the family's other illnesses; "Which knee was replaced?" asks for an operation. The
understanding lends such questions the complaint or the whole family; here the name is put back. No record is read.
"""

import re
from functools import cache

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute, Understanding
from simulator.patient.data_files import document
from simulator.patient.understanding.mentions import Mention, named, qualified
from simulator.patient.understanding.spelling import mended
from terminology import concepts
from terminology.frequency import frequency

_WORD = re.compile(r"[a-z0-9]+(?:['-][a-z0-9]+)*")
_LENT = frozenset(
    {Domain.SYMPTOM, Domain.SYMPTOM_DETAIL, Domain.CHIEF_COMPLAINT, Domain.REVIEW_OF_SYSTEMS, Domain.PAST_HISTORY}
)
_STRANGE = 200
"""Occurrences in terminology's frequency list below which a word is taken for a name."""
_KINDS = ("condition", "symptom", "procedure")


def with_names(understanding: Understanding) -> Understanding:
    """The understanding with each ask that its clause's own thing was lost from asking for that thing again."""
    asks = tuple(_renamed(ask) for ask in understanding.asks)
    return understanding if asks == understanding.asks else understanding.model_copy(update={"asks": asks})


def _renamed(ask: Ask) -> Ask:
    clause = " ".join(ask.words.lower().split())
    aged = _form("aged").search(clause)
    if aged and ask.experiencer == "patient":
        return _aged(ask, aged["what"])
    if ask.term or not (ask.domain in _LENT or ask.domain in (Domain.FAMILY_HISTORY, Domain.OTHER)):
        return ask
    done = _form("operated").search(clause) if ask.experiencer == "patient" else None
    if done:
        return _operated(ask, clause, done)
    name = _strange_name(clause)
    quality = ask.attribute is Attribute.CHARACTER and name is not None and " " not in name
    if name is None or quality or (ask.concept and _names(clause, ask.concept)):
        return ask
    attribute = Attribute.EXISTENCE if ask.attribute is Attribute.LIST else ask.attribute
    domain = Domain.PAST_HISTORY if ask.domain is not Domain.FAMILY_HISTORY else ask.domain
    return ask.model_copy(update={"concept": None, "term": name, "attribute": attribute, "domain": domain})


def _aged(ask: Ask, what: str) -> Ask:
    """ "How old were you when …?" asks when that was, not for the age now."""
    done = _form("operated").search(what)
    if done:
        return _operated(ask.model_copy(update={"attribute": Attribute.ONSET}), what, done)
    if ask.domain is not Domain.DEMOGRAPHICS and (ask.term or (ask.concept and _names(what, ask.concept))):
        return ask
    found = next((mention for mention in named(what) if mention.kind in _KINDS), None)
    domain = Domain.SURGICAL_HISTORY if found and found.kind == "procedure" else Domain.PAST_HISTORY
    update = {"domain": domain, "attribute": Attribute.ONSET, "concept": found.key if found else None}
    return ask.model_copy(update=update | {"term": "" if found else what.strip(" ?.!")})


def _operated(ask: Ask, clause: str, done: re.Match[str]) -> Ask:
    """ "Which leg was amputated?" asks for the amputation of a leg, not for where the complaint is."""
    noun = document("naming.yaml")["operations"][done["done"]]
    part = done["part"]
    wordings = (f"{part} {done['done']}", f"{part} {noun}")
    exact = (concepts.lookup(wording, kinds=("procedure", "condition")) for wording in wordings)
    known = next((mention.key for mention in named(clause) if mention.kind == "procedure"), None)
    concept = known or next((found.key for found in exact if found), None)
    attribute = Attribute.LOCATION if clause.startswith("which") else ask.attribute
    update = {"domain": Domain.SURGICAL_HISTORY, "concept": concept, "attribute": attribute}
    return ask.model_copy(update=update | {"term": "" if concept else f"{part} {noun}"})


def _names(clause: str, concept: str) -> bool:
    """Whether the clause names the concept, or a kind of it, and no stranger thing of which it is but a part."""
    found = _mentions(clause)
    return any(concepts.is_a(mention.key, concept) or concepts.is_a(concept, mention.key) for mention in found)


def _mentions(clause: str) -> list[Mention]:
    text = mended(clause)
    whole = [m for m in named(text) if "-" not in (text[m.end : m.end + 1], text[max(m.start - 1, 0) : m.start])]
    return [mention for mention in whole if not qualified(text, mention)]


def _strange_name(clause: str) -> str | None:
    """The name in the clause that no terminology knows: words with one in it that is rare or heads an illness."""
    known = [(mention.start, mention.end) for mention in _mentions(clause)] if mended(clause) == clause else []
    if mended(clause) != clause and _mentions(clause):
        return None
    for phrase in _phrases(clause):
        start = clause.find(phrase)
        covered = any(first < start + len(phrase) and start < last for first, last in known)
        if not covered and _is_name(phrase):
            return phrase
    return None


def _phrases(clause: str) -> list[str]:
    """The runs of words between words of asking, of time and of degree."""
    ordinary = frozenset(str(document("naming.yaml")["ordinary"]).split())
    runs: list[list[str]] = [[]]
    for word in _WORD.findall(clause):
        if word in ordinary:
            runs.append([])
        else:
            runs[-1].append(word)
    return [" ".join(run) for run in runs if run]


def _is_name(phrase: str) -> bool:
    words = phrase.split()
    if words[-1] in document("naming.yaml")["heads"]:
        return len(words) > 1
    rare = [word for word in words if len(word) > 3 and word.isalpha() and frequency(word) < _STRANGE]
    return any(mended(word) == word for word in rare)


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(document("naming.yaml")[name])

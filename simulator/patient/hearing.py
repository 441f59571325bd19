"""A second hearing of each ask, by the plain form of its clause and by terminology alone; it knows no record.

Where a question has one of the plain forms of data/hearing.yaml ("Have you had any …?", "When did the … start?",
"Are you taking …?", "… in your uncle?") and the understanding disagrees with that form, the form wins. Other asks pass
unchanged.
"""

import re
from functools import cache

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute, Understanding
from simulator.patient.data_files import document
from simulator.patient.hearing_allergies import allergies_heard
from simulator.patient.hearing_medicines import medicines_heard
from simulator.patient.understanding.matches import allergies_at_large
from terminology import concepts, drugs

_SYMPTOMATIC = frozenset(
    {Domain.SYMPTOM, Domain.SYMPTOM_DETAIL, Domain.REVIEW_OF_SYSTEMS, Domain.MENTAL_STATUS, Domain.RISK_FACTOR}
)
_ILLNESS = _SYMPTOMATIC | {Domain.PAST_HISTORY, Domain.SURGICAL_HISTORY}
_LISTS = frozenset(
    {Domain.PAST_HISTORY, Domain.SURGICAL_HISTORY, Domain.MEDICATION, Domain.ALLERGY, Domain.FAMILY_HISTORY}
)

_MISHEARD = frozenset(
    {Attribute.CHARACTER, Attribute.ONSET, Attribute.FREQUENCY, Attribute.CAUSE, Attribute.IMPACT, Attribute.SEVERITY}
)
"""Details that a thing's own name may be taken for ("dry" cough, urinary "frequency")."""


def heard(understanding: Understanding, words: str) -> Understanding:
    """The understanding with asks put right by the form of their clauses; asks that become equal are one."""
    by_clause: dict[str, list[Ask]] = {}
    for ask in understanding.asks:
        by_clause.setdefault((ask.words or words).lower(), []).append(ask)
    by_clause = by_clause or {words.lower(): []}
    asks = [ask for clause, group in by_clause.items() for ask in _clause_heard(clause, group)]
    asks = _without_talk(asks)
    unique = list({(a.domain, a.concept, a.term, a.attribute, a.experiencer): a for a in asks}.values())
    return understanding.model_copy(update={"asks": tuple(unique)})


def _without_talk(asks: list[Ask]) -> list[Ask]:
    """The asks without complaints taken for illnesses of the past.

    "I'd like to ask about your health before this. Any long-term illness?" asks for the list alone.
    """
    past = [ask for ask in asks if ask.domain is Domain.PAST_HISTORY and ask.experiencer == "patient"]
    if not any(ask.attribute is Attribute.LIST and not ask.concept for ask in past):
        return asks
    named = {match.key for ask in past for match in concepts.find(ask.words, kinds=("symptom", "condition"))}
    spurious = [ask for ask in past if ask.concept and not any(_covers(ask.concept, key) for key in named)]
    return [ask for ask in asks if ask not in spurious]


def _chosen(clause: str, asks: list[Ask]) -> list[Ask]:
    """ "Hours ago or days ago?" asks when it began and "mild or severe?" how bad it is; neither asks anything else."""
    about = [ask for ask in asks if ask.concept and ask.domain in _SYMPTOMATIC]
    for name, form in document("hearing.yaml")["choice"].items():
        if about and re.search(form, clause) and not _form("compound").search(re.sub(form, "", clause)):
            detail = Attribute(name)
            update = {"domain": Domain.SYMPTOM_DETAIL, "attribute": detail}
            return [about[-1].model_copy(update=update), *(ask for ask in asks if ask not in about)]
    return asks


def _clause_heard(clause: str, asks: list[Ask]) -> list[Ask]:
    """The asks of one clause: of a vital sign, of medicines, or of illness by name, form and relative."""
    asks = medicines_heard(clause, allergies_heard(clause, asks))
    if not asks:
        return []
    if _form("complaint").search(clause) and asks[0].domain not in (Domain.CHIEF_COMPLAINT, Domain.IDEAS_CONCERNS):
        return [Ask(domain=Domain.CHIEF_COMPLAINT, attribute=Attribute.LIST, words=asks[0].words)]
    vital = _measured(clause, asks[0])
    if vital:
        return [vital]
    taken = _taken(clause, asks[0])
    if taken:
        return taken
    allergen = _allergen(clause, asks[0])
    if allergen:
        return [allergen]
    asks = [_relieved_of_term(ask, clause) for ask in _chosen(clause, _of_thing(clause, asks))]
    asks = [_as_formed(ask, clause) for ask in _named_first(clause, asks)]
    return [_with_relative(ask, clause) for ask in _of_family(clause, asks)]


def _measured(clause: str, ask: Ask) -> Ask | None:
    """ "What is your temperature?" asks for a value."""
    if ask.domain is Domain.EXAMINATION or not _form("measured").search(clause):
        return None
    vital = next(iter(concepts.find(clause, kinds=("vital",))), None)
    return _asked(ask, Domain.EXAMINATION, vital.key, Attribute.VALUE) if vital else None


def _taken(clause: str, ask: Ask) -> list[Ask]:
    """ "Are you on docusate sodium?" asks for a medicine, whatever else its name is the name of."""
    if ask.domain in (Domain.MEDICATION, Domain.ALLERGY, Domain.FAMILY_HISTORY) or not _form("taking").search(clause):
        return []
    found = [match.ingredients[0] for match in drugs.find(clause) if match.ingredients]
    return [_asked(ask, Domain.MEDICATION, ingredient, Attribute.EXISTENCE) for ingredient in found]


def _allergen(clause: str, ask: Ask) -> Ask | None:
    """ "Have you ever had a reaction to shellfish?" asks for an allergy, and "allergic to …" for the one named."""
    named_already = ask.domain is Domain.ALLERGY and (ask.concept or ask.term or ask.attribute is not Attribute.LIST)
    found = None if named_already else _form("allergen").search(clause)
    if found is None or _form("compound").search(found["to"]) or allergies_at_large(clause):
        return None
    substance = next(iter(concepts.find(found["to"], kinds=("allergen",))), None)
    drug = next((match.ingredients[0] for match in drugs.find(found["to"]) if match.ingredients), None)
    key = substance.key if substance else drug
    return _asked(ask, Domain.ALLERGY, key, Attribute.EXISTENCE) if key else None


def _asked(ask: Ask, domain: Domain, concept: str, attribute: Attribute) -> Ask:
    return ask.model_copy(update={"domain": domain, "concept": concept, "attribute": attribute, "term": ""})


def _relieved_of_term(ask: Ask, clause: str) -> Ask:
    """ "Any illnesses in your family?" names no illness: it asks for all. "How much … do you take?" asks for a dose."""
    if ask.domain is Domain.MEDICATION and ask.attribute is Attribute.EXISTENCE and _form("dose").search(clause):
        return ask.model_copy(update={"attribute": Attribute.DOSE})
    if ask.domain in _LISTS and ask.concept in document("hearing.yaml")["general_concepts"]:
        return ask.model_copy(update={"concept": None, "attribute": Attribute.LIST})
    general = bool(ask.term) and bool(_form("general").search(ask.term.lower()))
    shapeless = ask.attribute is Attribute.CHARACTER and not ask.term
    if ask.domain in _LISTS and ask.concept is None and (general or shapeless):
        return ask.model_copy(update={"term": "", "attribute": Attribute.LIST})
    return ask


def _of_thing(clause: str, asks: list[Ask]) -> list[Ask]:
    """ "When did the injury start?" asks of the injury, not of the complaint that its understanding lent it.

    Only where the clause asks a detail and names one thing, behind "the" or "your".
    """
    found = [match for match in _named(clause) if _kind(match) in ("symptom", "condition", "procedure")]
    if len(found) != 1 or _detail(clause) is None or found[0].key in document("hearing.yaml")["general_concepts"]:
        return asks
    thing, before = found[0].key, clause[: found[0].start]
    lent = [ask for ask in asks if ask.domain is Domain.SYMPTOM_DETAIL and not ask.term]
    if not _form("owned").search(before) or _form("compound").search(clause):
        return asks
    return [
        ask.model_copy(update={"concept": thing}) if ask in lent and not _covers(ask.concept or "", thing) else ask
        for ask in asks
    ]


def _named_first(clause: str, asks: list[Ask]) -> list[Ask]:
    """A simple clause of a plain form that names one thing outright, in two words or more, asks for that thing.

    Asks of other illnesses, which the words only brought to mind ("had blood" in "Have you had blood in the stool?"),
    are dropped. Clauses with "and", "or" or commas are left to the understanding.
    """
    named = _outright(clause)
    illness = [ask for ask in asks if ask.domain in (_ILLNESS - {Domain.RISK_FACTOR}) | {Domain.LIFESTYLE}]
    illness += [ask for ask in asks if ask.domain is Domain.EXAMINATION and not ask.concept]
    known = all(_may_change(ask) for ask in illness)
    if named is None or not illness or not known:
        return asks
    kept = [ask for ask in asks if ask not in illness or _covers(ask.concept or "", named)]
    if any(ask in illness for ask in kept):
        return [_narrowed(ask, named) if ask in illness else ask for ask in kept]
    domain = illness[0].domain if illness[0].domain is Domain.PAST_HISTORY else Domain.SYMPTOM
    attribute = illness[0].attribute if _detail(clause) else Attribute.EXISTENCE
    return [*kept, _asked(illness[0], domain, named, attribute)]


def _narrowed(ask: Ask, named: str) -> Ask:
    """The ask of the narrower thing that the clause names: "vomiting blood" is not any vomiting."""
    if ask.concept == named or not concepts.is_a(named, ask.concept or ""):
        return ask
    return ask.model_copy(update={"concept": named, "term": ""})


def _may_change(ask: Ask) -> bool:
    """Whether an ask may give way to what its clause names: a named thing's, or of the examination at large."""
    if ask.domain is Domain.EXAMINATION:
        return True
    return bool(ask.concept and concepts.get(ask.concept)) and ask.attribute is not Attribute.LIST


def _outright(clause: str) -> str | None:
    """The one symptom or condition that a simple clause of a plain form names in two words or more."""
    if not (_form("existence").search(clause) or _detail(clause)) or _form("compound").search(clause):
        return None
    found = [match for match in _named(clause) if _kind(match) in ("symptom", "condition")]
    if len(found) != 1 or " " not in found[0].text or found[0].key in document("hearing.yaml")["general_concepts"]:
        return None
    return found[0].key


def _named(clause: str) -> list[concepts.Match]:
    """What the clause names, longest names first to be taken: "weight loss surgery" is no loss of weight.

    An article within a name belongs to the wording: "feel the fainting" names the fainting.
    """
    found = []
    for match in concepts.find(clause):
        inner = _form("article").search(match.text.lower())
        after = concepts.find(match.text[inner.end() :]) if inner else []
        shifted = [one.model_copy(update={"start": match.end - len(one.text), "end": match.end}) for one in after[-1:]]
        found.extend(shifted or [match])
    return found


def _kind(match: concepts.Match) -> str:
    concept = concepts.get(match.key)
    return concept.kind if concept else ""


def _covers(concept: str, named: str) -> bool:
    return concepts.is_a(named, concept) or concepts.is_a(concept, named)


def _as_formed(ask: Ask, clause: str) -> Ask:
    """The attribute that the clause's form gives, and the longest name where a part of it was taken for a detail."""
    if ask.domain not in _ILLNESS or not ask.concept:
        return ask
    detail = _detail(clause)
    if detail and ask.attribute is Attribute.EXISTENCE and ask.domain is not Domain.SURGICAL_HISTORY:
        return ask.model_copy(update={"attribute": detail, "domain": Domain.SYMPTOM_DETAIL})
    if detail or not _form("existence").search(clause) or ask.attribute not in _MISHEARD:
        return ask
    found = concepts.find(clause, kinds=("symptom", "condition"))
    narrower = [match for match in found if concepts.is_a(match.key, ask.concept)]
    if not narrower:
        return ask
    longest = max(narrower, key=lambda match: match.end - match.start)
    return _asked(ask, Domain.SYMPTOM, longest.key, Attribute.EXISTENCE)


def _of_family(clause: str, asks: list[Ask]) -> list[Ask]:
    """ "Has anyone in the family had a stroke?" asks for the family's strokes, neither one's own nor all illnesses."""
    if not _form("family").search(clause):
        return asks
    named = [ask for ask in asks if ask.concept and ask.domain in {*_ILLNESS, Domain.FAMILY_HISTORY, Domain.LIFESTYLE}]
    found = [match.key for match in concepts.find(clause, kinds=("symptom", "condition"))]
    if not named or not found:
        return asks
    update = {"domain": Domain.FAMILY_HISTORY, "experiencer": "family"}
    moved = [ask.model_copy(update=update) if ask.experiencer == "patient" else ask for ask in named]
    if not any(_covers(ask.concept or "", key) for ask in moved for key in found):
        moved = [ask.model_copy(update={"concept": found[0]}) for ask in moved[:1]]
    return [*moved, *(ask for ask in asks if ask not in named and ask.domain is not Domain.FAMILY_HISTORY)]


def _with_relative(ask: Ask, clause: str) -> Ask:
    """The ask of a relative whom the clause names as the one who is ill."""
    found = _form("relative").search(clause) if ask.domain in _ILLNESS else None
    if found is None or ask.experiencer != "patient":
        return ask
    relative = concepts.lookup(found["r1"] or found["r2"], kinds=("relative",))
    if relative is None:
        return ask
    return ask.model_copy(update={"experiencer": relative.key.replace("_", " "), "domain": Domain.FAMILY_HISTORY})


def _detail(clause: str) -> Attribute | None:
    return next((Attribute(name) for name, pattern in _details() if pattern.search(clause)), None)


@cache
def _details() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(form)) for name, form in document("hearing.yaml")["detail"].items())


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(document("hearing.yaml")[name])

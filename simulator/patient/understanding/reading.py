"""A clause read: rules first, then the concepts that it names, then unknown terms."""

import re
from dataclasses import replace
from itertools import pairwise

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute
from simulator.patient.understanding.beside import (
    JOINED,
    aside_spans,
    example_spans,
    within,
    without_repeats,
    without_topic,
)
from simulator.patient.understanding.ellipsis import is_exposure
from simulator.patient.understanding.fluids import blood_asked, discharge_asked
from simulator.patient.understanding.matches import Hit, allergic, allergies_at_large, matching, without_circumstances
from simulator.patient.understanding.mention_asks import FAMILY_KINDS, as_ask, as_unknown
from simulator.patient.understanding.mentions import (
    Mention,
    capitals,
    mention_rules,
    named,
    qualified,
    rare,
    unknown_terms,
)
from simulator.patient.understanding.situation import THINGS, Situation, relative_meant, thing_told
from simulator.patient.understanding.wording import wording
from terminology import concepts

SYMPTOM = "$symptom"
_KINDS_OF_COUGH = re.compile(r"(?:dry|wet|productive|chesty|barking|barky|hacking) cough(?:ing)?")
_REASONED = (
    Domain.MEDICATION,
    Domain.SURGICAL_HISTORY,
    Domain.TEST_RESULT,
    Domain.EXAMINATION,
    Domain.PAST_HISTORY,
)
_TOLD = re.compile(
    r"you said|you mentioned|you told me|i know you|besides|other than|apart from|aside from"
    r"|(?:since|after|before|during) (?:your|the|that|this|his|her)"
)
_SUCH_AS = re.compile(
    r"\b(?:(?:any|other|medical|health|chronic|term|the|of|have|known|significant|serious)"
    r" (?:conditions?|illness(?:es)?|diseases?|problems?)|anything)\b,? (?:like|such as|including)\b"
)
_LISTED = {Domain.FAMILY_HISTORY, Domain.ALLERGY}
_SOURCE = re.compile(
    r"\bblood\b.{0,15}\b(?:when (?:you|he|she)|in (?:the|your|his|her|any of the)|with (?:the|your|that))\s*$"
)
_SYMPTOMS_AT_LARGE = re.compile(r"\b(?:your|his|her|the|these|those|all) (?:other )?symptoms\b")
_CIRCUMSTANCE = re.compile(
    r"^(?:(?:is|was) (?:it|that)|it's|that's|do you think (?:it's|that's)) "
    r"(?:just |only |mainly |mostly |more |usually |really )*"
    r"(?:(?:with|after|during|when|while) (?:the |your |you(?:'re| are)? |he(?:'s| is)? |she(?:'s| is)? )?\w+ing\b"
    r"|because of (?:the|your|his|her)\b)"
)
_MORE_THINGS = re.compile(
    r"\b(?:any|other|what|which|else|all|regular|prescri\w+|daily|current\w*|over)\b.{0,25}"
    r"\b(?:medic\w+|meds|drugs|tablets|pills|supplements|surger\w+|operations?|procedures)\b|\bover[- ]the[- ]counter\b"
)
_ONE_OF_THEM = re.compile(
    r"\b(?:among(?:st)?|one of|part of|included in|listed (?:in|on|among)"
    r"|(?:on|in) (?=(?:your|the|his|her) (?:\w+ ){0,2}list))"
    r"(?: (?:your|the|his|her|all|those|these|any|regular|current|daily|other))*\b"
    r"|\b(?:your|his|her) (?:\w+ )?(?:tablets|medic\w+|meds|pills|drugs|list|prescriptions?) "
    r"(?:include|contain|have|list)\b"
    r"|^(?:is|was) \S+(?: \S+){0,3} (?:a|an|the|another|some)? ?(?:\w+ )?(?:tablet|medic\w+|drug|pill|thing|something) "
    r"(?:that |which )?(?:you|he|she)\b"
)
_KINDS_OF_THINGS = re.compile(
    r"\b(?:medic\w+|meds|drugs?|tablets?|pills?|supplements?|vitamins?|remed\w+|inhalers?|creams?|anything|something"
    r"|treatments?|over|otc|pain ?killers?|pain relief|surger\w+|operat\w+|procedures?|what|prescriptions?)\b"
)
_CLOSE = 12
_BY_NAME = (Domain.MEDICATION, Domain.TEST_RESULT)
_HOW_IS_BLOOD = re.compile(r"\b(?:how|what|when)\b.{0,25}\bblood\b")
_ASKED_OF_BLOOD = (Attribute.AMOUNT, Attribute.CHARACTER, Attribute.FREQUENCY, Attribute.ONSET, Attribute.DURATION)


def read_clause(text: str, words: str, now: Situation) -> tuple[Ask, ...]:
    """The asks of one asking clause by rules and lexicons, in the order of the words; empty where they find none."""
    if _CIRCUMSTANCE.match(text) and now.symptom:
        attribute = Attribute.CAUSE if "because" in text else Attribute.AGGRAVATING
        return (Ask(domain=Domain.SYMPTOM_DETAIL, concept=now.symptom, attribute=attribute, words=words),)
    found = [mention for mention in _named(text, words) if not qualified(text, mention)]
    aside, everything = aside_spans(text), found
    found = without_repeats(text, without_topic(text, found))
    told = [span for span in aside if span not in example_spans(text)]
    now = now.mentioning([mention for mention in found if within(mention.start, mention.end, told)])
    found = [mention for mention in found if not within(mention.start, mention.end, aside)]
    hits = _without_named(text, matching(text, found, of_patient=now.patient_named(text)), found)
    placed: list[tuple[int, Ask]] = [*blood_asked(text, found, now), *discharge_asked(text, found, now)]
    if placed:
        found = [mention for mention in found if not _SOURCE.search(text[: mention.start])]
    if placed and _HOW_IS_BLOOD.search(text) and any(hit.rule.asks[0].attribute in _ASKED_OF_BLOOD for hit in hits):
        now, placed, found = replace(now, symptom=placed[0][1].concept, symptom_term=""), [], []
    if allergic(hits):
        found = [mention for mention in found if mention.key != "exposure_reaction"]
    hits = _without_asides(text, hits, aside, bool(found))
    hits = _without_lists_of_one(text, hits, found)
    if any(is_exposure(mention.key) for mention in found):
        hits = [hit for hit in hits if hit.rule.asks[0].attribute is not Attribute.AGGRAVATING]
    family = next((hit for hit in hits if hit.domain is Domain.FAMILY_HISTORY), None)
    hits = without_circumstances(text, found, hits, now.symptom)
    targets = _targets(found, hits)
    symptoms = [mention for mention in found if mention.kind == "symptom"]
    for hit in hits:
        placed.extend((hit.start, _thing_meant(ask, found, now)) for ask in _filled(hit, targets, symptoms, text, now))
    ruled = len(placed)
    if not any(hit.rule.only for hit in hits):
        free = [mention for mention in found if mention not in targets and not _taken(mention, hits, text)]
        free = _without_generic([mention for mention in free if not _is_thing(mention, placed)])
        placed.extend((mention.start, as_ask(mention, hits, family, text, now)) for mention in free)
        if (not hits or family or _only_list_allergy(hits)) and not wording().blood.search(text):
            terms = [term for term in unknown_terms(text, everything) if not within(term.start, term.end, aside)]
            terms = [term for term in terms if not placed or rare(term.text)]
            placed.extend((term.start, as_unknown(term, hits, family, text, now)) for term in terms)
    if not _SUCH_AS.search(text):
        placed = _specific_only(placed, ruled, allergies_at_large(text))
    if family is not None:
        placed = [(start, _inherited(ask, text, now)) for start, ask in placed]
    placed.sort(key=lambda pair: pair[0])
    return _distinct([ask.model_copy(update={"words": words}) for _, ask in placed])


def _without_asides(text: str, hits: list[Hit], aside: list[tuple[int, int]], named_too: bool) -> list[Hit]:
    """Rules that match only in what was told or in a list of triggers ask nothing, where something else is asked."""
    told = [span for span in aside if _TOLD.match(text, span[0])]
    triggers = [span for span in aside if span not in told and span[1] == len(text)]
    kept = [hit for hit in hits if not within(hit.start, hit.end, told)]
    asks_triggers = any(hit.rule.asks[0].attribute is Attribute.AGGRAVATING for hit in kept)
    if asks_triggers:
        kept = [hit for hit in kept if hit.rule.asks[0].concept == SYMPTOM or not within(hit.start, hit.end, triggers)]
    return kept if kept or named_too else hits


def _without_named(text: str, hits: list[Hit], found: list[Mention]) -> list[Hit]:
    """ "Any cold intolerance?" asks for no allergies, "trouble with double vision?" not for eyesight at large."""
    intolerances = [(m.start, m.end) for m in found if m.kind in FAMILY_KINDS and "intoleran" in m.text]
    outright = [hit for hit in hits if hit.domain is Domain.ALLERGY and within(hit.start, hit.end, intolerances)]
    if "allerg" in text:
        outright = []
    return [hit for hit in hits if hit not in outright and not any(_narrower(mention, hit) for mention in found)]


def _narrower(mention: Mention, hit: Hit) -> bool:
    """Whether the words that a rule about a system took are the name of something narrower."""
    asked = hit.rule.asks[0]
    inside = hit.start < mention.start and mention.end >= hit.end > mention.start
    wider = bool(asked.concept) and asked.concept in concepts.ancestors(mention.key)
    return inside and wider and asked.domain is Domain.REVIEW_OF_SYSTEMS


def _without_lists_of_one(text: str, hits: list[Hit], found: list[Mention]) -> list[Hit]:
    """ "Do you take a statin medication?", "have you had bypass surgery?": the one thing is asked, not all of them.

    Nor are all medicines by the first word of an illness's name ("any history of drug abuse?").
    """
    kinds = {Domain.MEDICATION: "drug", Domain.SURGICAL_HISTORY: "procedure"}
    hits = [hit for hit in hits if hit.domain not in _BY_NAME or not _begins_name(hit, found)]
    return [
        hit
        for hit in hits
        if hit.rule.asks[0].attribute is not Attribute.LIST
        or hit.domain not in kinds
        or (_MORE_THINGS.search(text) and not _ONE_OF_THEM.search(text))
        or not any(
            mention.kind == kinds[hit.domain]
            and mention.key not in ("surgery", "inhaler")
            and (_ONE_OF_THEM.search(text) or _next_to(mention, hit, text))
            for mention in found
        )
    ]


def _next_to(mention: Mention, hit: Hit, text: str) -> bool:
    """Whether the rule took the thing's own name, or only a verb before it ("has anyone prescribed a statin")."""
    if not _KINDS_OF_THINGS.search(text[hit.start : hit.end]):
        return hit.start < mention.end
    return hit.start < mention.end <= hit.end + _CLOSE and mention.start < hit.end


def _begins_name(hit: Hit, found: list[Mention]) -> bool:
    """Whether a list is asked only in words that begin or end a name ("side effects of a drug", "camera test of …")."""
    if hit.rule.asks[0].attribute is not Attribute.LIST:
        return False
    return any(m.kind in ("condition", "procedure") and m.start < hit.end <= m.end and " " in m.text for m in found)


def _inherited(ask: Ask, text: str, now: Situation) -> Ask:
    """ "Asthma or allergies in the family?" does not ask for the patient's own allergies."""
    if ask.domain is not Domain.ALLERGY:
        return ask
    concept = ask.concept or ("" if ask.term else "allergy")
    update = {"domain": Domain.FAMILY_HISTORY, "concept": concept or None, "attribute": Attribute.EXISTENCE}
    return ask.model_copy(update=update | {"experiencer": relative_meant(text, now)})


def _named(text: str, words: str) -> list[Mention]:
    found = named(text)
    for mention in capitals(words, text):
        if not any(other.start < mention.end and mention.start < other.end for other in found):
            found.append(mention)
    found.sort(key=lambda mention: mention.start)
    wide = mention_rules().whole_domain
    leads = {one for one, other in pairwise(found) if one.key in wide and other.start <= one.end + 5}
    return [mention for mention in found if mention not in leads]


def _targets(found: list[Mention], hits: list[Hit]) -> list[Mention]:
    """The symptoms that the clause's attributes are asked of, where it asks attributes."""
    if not any(ask.concept == SYMPTOM for hit in hits for ask in hit.rule.asks):
        return []
    others = {"injury"} | mention_rules().whole_domain
    return [mention for mention in found if mention.kind in FAMILY_KINDS and mention.key not in others]


def _told_about(text: str, symptoms: list[Mention]) -> str | None:
    """ "Tell me more about your cough": everything about the cough."""
    specific = [mention.key for mention in symptoms if mention.key not in mention_rules().generic]
    return specific[0] if specific and wording().tell_me_more.search(text) else None


def _filled(hit: Hit, targets: list[Mention], symptoms: list[Mention], text: str, now: Situation) -> list[Ask]:
    """The rule's asks with the symptom and the relative that are meant."""
    result = []
    for ask in hit.rule.asks:
        if ask.concept == SYMPTOM:
            at_large = ask.domain is Domain.SYMPTOM_DETAIL and not targets and _SYMPTOMS_AT_LARGE.search(text)
            for concept, term in [(None, "")] if at_large else _meant_symptoms(targets, text, now):
                result.append(
                    ask.model_copy(update={"concept": concept, "term": term, "domain": _detail(ask, concept)})
                )
        elif ask.domain is Domain.CHIEF_COMPLAINT and (named_one := _told_about(text, symptoms)):
            update = {"domain": Domain.SYMPTOM_DETAIL, "concept": named_one}
            result.append(ask.model_copy(update=update))
        elif ask.experiencer == "$relative":
            result.append(ask.model_copy(update={"experiencer": relative_meant(text, now)}))
        else:
            result.append(ask)
    return result


def _plainly(mention: Mention) -> str:
    """ "Is it a dry cough or a wet cough?" asks the character of the cough."""
    return "cough" if _KINDS_OF_COUGH.fullmatch(mention.text) else mention.key


def _detail(ask: Ask, key: str | None) -> Domain:
    """Attributes of a condition belong to the past history."""
    concept = concepts.get(key) if key else None
    return Domain.PAST_HISTORY if concept is not None and concept.kind == "condition" else ask.domain


def _thing_meant(ask: Ask, found: list[Mention], now: Situation) -> Ask:
    """The drug or test whose dose, reason, result and so on is asked: named in the clause, else the one before."""
    kinds = THINGS.get(ask.domain)
    if kinds is None or ask.concept is not None or ask.attribute is Attribute.LIST:
        return ask
    names = [mention.key for mention in found if mention.kind in kinds]
    concept = next((name for name in names if name != "allergy"), names[0] if names else None)
    if concept is None and now.last is not None and now.last.domain is ask.domain:
        concept = now.last.concept or thing_told(now)
    return ask.model_copy(update={"concept": concept})


def _meant_symptoms(targets: list[Mention], text: str, now: Situation) -> list[tuple[str | None, str]]:
    """The symptoms named (several where they are named together), else the one under discussion."""
    specific = [mention for mention in targets if mention.key not in mention_rules().generic]
    if specific:
        together = [specific[0]]
        for mention in specific[1:]:
            if JOINED.fullmatch(text[together[-1].end : mention.start]):
                together.append(mention)
        return [(_plainly(mention), "") for mention in together]
    pain = any(mention.key == "pain" for mention in targets)
    if pain and now.symptom and not concepts.is_a(now.symptom, "pain"):
        return [("pain", "")]
    if now.symptom or now.symptom_term:
        return [(now.symptom, now.symptom_term)]
    return [(targets[0].key, "")] if targets else [(None, "")]


def _taken(mention: Mention, hits: list[Hit], text: str) -> bool:
    """Whether a rule's span covers the mention, or the mention is only the reason of a medication asked about."""
    if allergic(hits) and mention.kind == "condition" and "allerg" in mention.text:
        return True
    if mention.key == "surgery" and any(_surgical(hit) for hit in hits):
        return True
    if any(mention.key == key or mention.kind == key for key in _covered(hits)):
        return True
    if mention.kind in FAMILY_KINDS and any(_asks_of_others(hit) for hit in hits):
        return True
    for hit in hits:
        family = hit.domain is Domain.FAMILY_HISTORY
        if not family and hit.start < mention.end and mention.start < hit.end:
            return True
        if hit.domain in _REASONED and (
            mention.kind in ("condition", "symptom", "vital") and mention_rules().reason.search(text[: mention.start])
        ):
            return True
        if hit.domain is Domain.MEDICATION and hit.end <= mention.start and mention.kind == "symptom":
            return not re.search(r"\b(?:any|have|had|do|did)\b", text[hit.end : mention.start])
    return mention.kind == "relative" or (mention.kind == "allergen" and not allergic(hits))


def _covered(hits: list[Hit]) -> set[str]:
    """Keys and kinds that are no asks of their own beside what the rules ask (data: `covers` in 90_mentions.yaml)."""
    asked = {ask.concept or str(ask.domain) for hit in hits for ask in hit.rule.asks}
    return {key for concept in asked for key in mention_rules().covers.get(concept, ())}


def _is_thing(mention: Mention, placed: list[tuple[int, Ask]]) -> bool:
    return any(ask.concept == mention.key for _, ask in placed)


def _without_generic(free: list[Mention]) -> list[Mention]:
    """ "Muscle pain or aches": the bare "aches" is no ask beside a named pain."""
    pains = any(mention.key.endswith("_pain") for mention in free)
    return [mention for mention in free if not (pains and mention.key == "pain")]


def _surgical(hit: Hit) -> bool:
    return hit.domain is Domain.SURGICAL_HISTORY


def _asks_of_others(hit: Hit) -> bool:
    """Contacts' symptoms and worries are no asks for the patient's own."""
    return any(ask.concept == "sick_contacts" or ask.domain is Domain.IDEAS_CONCERNS for ask in hit.rule.asks)


def _only_list_allergy(hits: list[Hit]) -> bool:
    return bool(hits) and all(hit.domain is Domain.ALLERGY for hit in hits)


def _distinct(asks: list[Ask]) -> tuple[Ask, ...]:
    """Each ask once; "along with that" is no second question beside "any other symptoms"."""
    listed = any(ask.domain is Domain.SYMPTOM and ask.attribute is Attribute.LIST for ask in asks)
    result: dict[tuple[object, ...], Ask] = {}
    for ask in asks:
        if not (listed and ask.attribute is Attribute.ASSOCIATED):
            result.setdefault((ask.domain, ask.concept, ask.term, ask.attribute, ask.experiencer), ask)
    return tuple(result.values())


def _specific_only(placed: list[tuple[int, Ask]], ruled: int, medicines: bool) -> list[tuple[int, Ask]]:
    """A whole family or allergy list, as a rule gives it, gives way to the things named in it.

    Not where medicines at large are named beside them: "any medicine or food" asks for every drug allergy too.
    """
    specific = {ask.domain for _, ask in placed[ruled:]}
    if medicines:
        specific.discard(Domain.ALLERGY)
    return [
        (start, ask)
        for index, (start, ask) in enumerate(placed)
        if index >= ruled or ask.attribute is not Attribute.LIST or ask.domain not in specific & _LISTED
    ]

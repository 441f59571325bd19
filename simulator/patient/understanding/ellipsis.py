"""Clauses that lean on what was asked before: "and at night?", "how about your mum?", "any others?", "when?"."""

import re
from dataclasses import replace

from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute
from simulator.patient.understanding.mentions import mention_rules, relations
from simulator.patient.understanding.situation import Situation, conditions_told, thing_told, told_of_relative
from simulator.patient.understanding.wording import cleaned
from terminology import concepts

_BARE = re.compile(
    r"^(?:any|is there (?:a|any)|are there any|anything like|things like|such as|or|how about|what about|no|some"
    r"|like|including|and|had|anything else (?:like|such as))\b"
    r"|^not (?:not )?even\b|^(?:like )?any(?:one|body)\b"
    r"|^\w+(?: \w+){0,2}\??$|^[\w-]+(?:(?:,| or| and)+ [\w -]+)+\??$"
)
_MORE = re.compile(
    r"^(?:(?:is|are|was|do|does|did|have|has|had) (?:there|you|he|she|they) (?:have |had |noticed |got )?)?"
    r"(?:(?:any|what) (?:others?|more)|(?:any(?:thing|one|body)?|what) else)"
    r"(?: (?:at all|like that|you take|that you (?:take|have)|you have|regularly|recently|though|then))*"
    r"(?: (?:other than|besides|apart from|aside from|except)\b.*)?\W*$|^others?\W*$"
    r"|^(?:which|what) ones?\W*$|^like what\W*$"
)
_OPEN_DOMAINS = {
    Domain.SYMPTOM_DETAIL: Domain.SYMPTOM,
    Domain.REVIEW_OF_SYSTEMS: Domain.SYMPTOM,
    Domain.CHIEF_COMPLAINT: Domain.SYMPTOM,
    Domain.EXAMINATION: Domain.SYMPTOM,
}
_CARRIED = (
    Domain.MEDICATION,
    Domain.LIFESTYLE,
    Domain.SURGICAL_HISTORY,
    Domain.ALLERGY,
    Domain.TEST_RESULT,
    Domain.EXAMINATION,
    Domain.RISK_FACTOR,
    Domain.MENTAL_STATUS,
)
_TIMES = (Attribute.ONSET, Attribute.DURATION, Attribute.FREQUENCY, Attribute.AMOUNT)
_DISEASE = re.compile(r"\b(?:diseases?|disorders?|conditions?|cancers?|problems?|issues|illness\w*)\b")
_PRONOUN = re.compile(r"\b(?:it|that|them|those|these|this|one|ones|any)\b")
_HOW_ARE_THEY = re.compile(r"^how(?:'s| is| are| was) (?:he|she|they)(?: doing| now)*\W*$")
_ANYTHING_FOR = re.compile(r"^(?:anything|something|what about|how about|and) for\b")
_THE_OTHER = re.compile(r"^(?:(?:how|what) about )?the \w+(?: \w+){0,2}\W*$")
_ABOUT_RELATIVE = re.compile(
    r"^(?:how|what) about (?:your|his|her|the) (?:son|daughter|mother|father|kids|wife|husband|partner)\W*$"
)
_SYMPTOMS = (Domain.CHIEF_COMPLAINT, Domain.SYMPTOM, Domain.SYMPTOM_DETAIL)
_WAS_IT_NORMAL = re.compile(r"^(?:and )?(?:is|was|were) (?:it|that|they)(?: all| just)? normal\W*$")
_THEIR_SYMPTOMS = re.compile(
    r"^what (?:(?:kinds?|sorts?|types?) of )?symptoms (?:did|do|does|have|has) (?:he|she|they)\b"
)
_WHICH_DRUGS = re.compile(r"^(?:what|which) (?:(?:kinds?|sorts?|types?) of )?drugs\b")
_HOW_MUCH = re.compile(r"^(?:(?:and|so|roughly|about) )?how (?:much|many|often)\b")
_ANYBODY_HAD = re.compile(
    r"^(?:(?:has|have|does|do|did) any(?:one|body)|(?:has|have|is) there (?:been )?any(?:one|body)"
    r"|(?:nobody|no one|anybody|anyone)(?:'s| has| have)?) "
    r"(?:else |ever |who's |who has |who |that has |that )*(?:had|have|has|lost|with|diagnosed|suffer\w*|get|got)\b"
)
_ANY_HISTORY = re.compile(r"^(?:has|have|is|are) there (?:been )?(?:any |a )?(?:\w+ )?history of\b")
_THEY_HAVE = re.compile(r"^they(?:'ve| have| had| were| got)\b")
_DO_THEY = re.compile(
    r"^(?:and )?(?:do|does|did|has|have|had|is|are|was|were)(?:n't)? (?:he|she|they|(?:any|either|one) of them)\b"
    r"|^(?:he|she|they)(?:'ve|'s| has| have| had| was| were| got| ever)\b"
)
_PERSONAL = (Domain.PAST_HISTORY, Domain.SYMPTOM, Domain.REVIEW_OF_SYSTEMS, Domain.MENTAL_STATUS)
_WHICH_ILLNESS = re.compile(r"^(?:is|was) (?:it|that|this) (?!you)|\b(?:what|which) (?:type|kind|sort)s? of\b")
_DIAGNOSED = re.compile(r"^(?:and )?(?:when|how long ago|how old|(?:at )?what age|what year)\b.{0,30}\bdiagnosed\b")
_HOW_ABOUT_WHEN = re.compile(r"^(?:how|what) about (?:when|while|during|if) (?:you|he|she)\b")
_AT_THAT_TIME = re.compile(
    r"^(?:and )?(?:when|how (?:long|many \w+) ago|how old) (?:was|were|is) (?:that|it|this|you)\b"
)
_OR = re.compile(r"^\W*(?:or|and)\b")
_TOBACCO = re.compile(r"\b(?:cigarettes?|tobacco|cigars?|vap\w+|nicotine)\b")
_THIRD = re.compile(r"\b(?:he|she|they)\b")
_ANYTHING_THAT_COULD = re.compile(
    r"^(?:or )?anything (?:else )?(?:\w+ ){0,3}?(?:that )?(?:could|would|might|may|can)\b"
)
_MEASURED = re.compile(r"^(?:and )?(?:did|have|has|how)\b.{0,20}\b(?:measur|check)\w* it\b")
_LONG_FRAGMENT, _SHORT_FRAGMENT = 12, 6
_FRAGMENT = re.compile(r"^(?:in|at|on|for|over|during|like|with|from|around|or|and|than|about)\b")
_LEANS = re.compile(r"\b(?:with|of|to|about|for) (?:it|that|this|those|them)\b")
_IN_THE_FAMILY = re.compile(r"\b(?:in (?:the|your|his|her) family|family history)\b")
_OF_SUBSTANCES = re.compile(
    r"^(?!.*\b(?:you|he|she|tak\w+)\b).*\b(?:foods?|latex|environment\w*|pollen|dust|insects?)\b"
)
_ONLY_A_RELATIVE = re.compile(r"^(?:(?:what|how) about )?(?:your|his|her) (?:[\w-]+ )?[\w-]+\W*$")
_ON_MEDICINES = re.compile(
    r"\byou(?:'re| are|'ve| have)?(?: \w+)? (?:on|tak(?:e|ing)|us(?:e|ing)|got)\b(?: \w+){0,3} "
    r"(?:medic\w+|tablets?|pills|inhalers?|drugs|prescriptions?)\b"
)
_AGE = re.compile(r"^(?:and )?(?:(?:can|do) you (?:know|remember) )?(?:how old|what age|at what age)\b")
_RELATION = re.compile(r"^(?:and )?(?:who|which (?:side|one|relative)|what relation|who was (?:that|it))\b")


def carried(text: str, asks: tuple[Ask, ...], words: str, now: Situation) -> tuple[Ask, ...]:
    """The asks of a clause with what it leaves unsaid taken from the ask before."""
    last = now.last
    of_family = last is not None and last.domain is Domain.FAMILY_HISTORY
    if any(ask.domain is Domain.SOCIAL_HISTORY and not (of_family and ask.concept == "siblings") for ask in asks):
        return asks
    if (
        (_AGE.match(text) or _HOW_ARE_THEY.match(text))
        and not own_age(text)
        and (last is None or last.domain is not Domain.FAMILY_HISTORY)
    ):
        told = told_of_relative(now, Ask(domain=Domain.FAMILY_HISTORY, experiencer=""))
        if told[1]:
            attribute = Attribute.ONSET if _AGE.match(text) else Attribute.COURSE
            return (_of_relative(told, attribute, words),)
    if (last is None or last.domain is not Domain.FAMILY_HISTORY) and _ABOUT_RELATIVE.match(text):
        return ()
    if last is None:
        return _more(text, words, now) or asks
    if last.domain is Domain.FAMILY_HISTORY and _ANYBODY_HAD.match(text):
        asks = tuple(ask for ask in asks if ask.concept != "sick_contacts") or (
            Ask(domain=Domain.FAMILY_HISTORY, attribute=Attribute.LIST, experiencer="family", words=words),
        )
    if last.domain is Domain.FAMILY_HISTORY:
        family = _in_family(text, asks, words, last, now)
        if family:
            return family
    if last.domain is Domain.PAST_HISTORY and _told_of_kin(text, asks, now):
        update = {"domain": Domain.FAMILY_HISTORY, "experiencer": "family"}
        return tuple(ask.model_copy(update=update) for ask in asks)
    timed = all(ask.attribute in _TIMES for ask in asks)
    if last.domain in _CARRIED and timed and len(text.split()) <= 8 and _bare_attribute(asks, text):
        thing = last.concept or thing_told(now)
        return tuple(
            ask.model_copy(update={"domain": last.domain, "concept": thing, "term": last.term}) for ask in asks
        )
    same = _still_the_same(text, asks, words, last, now)
    if same:
        return same
    if last.domain is Domain.SYMPTOM_DETAIL and _THE_OTHER.match(text) and asks and all(_named(ask) for ask in asks):
        update = {"domain": Domain.SYMPTOM_DETAIL, "attribute": last.attribute}
        return tuple(ask.model_copy(update=update) for ask in asks)
    again = _of_what_was_asked(text, asks, words, last, now)
    if again:
        return again
    if last.domain is Domain.MEDICATION and _ANYTHING_FOR.match(text):
        return (Ask(domain=Domain.MEDICATION, attribute=Attribute.LIST, words=words),)
    if last.domain is Domain.ALLERGY and _OF_SUBSTANCES.search(text) and asks and all(_medicines(ask) for ask in asks):
        return tuple(_allergy(ask) for ask in asks)
    if last.domain is Domain.ALLERGY and _BARE.match(text) and asks and all(_thing(ask) for ask in asks):
        return tuple(_allergy(ask) for ask in asks)
    return _more(text, words, now) or asks


def _of_what_was_asked(text: str, asks: tuple[Ask, ...], words: str, last: Ask, now: Situation) -> tuple[Ask, ...]:
    """ "Was it normal?", "how much in a week?", "any complications?": more about the thing asked before."""
    if _WAS_IT_NORMAL.match(text) and last.domain in (*_SYMPTOMS, Domain.REVIEW_OF_SYSTEMS):
        asked = last.model_copy(update={"domain": Domain.SYMPTOM_DETAIL, "attribute": Attribute.CHARACTER})
        return (asked.model_copy(update={"words": words}),)
    if last.domain in _SYMPTOMS and _HOW_ABOUT_WHEN.match(text):
        update = {"domain": Domain.SYMPTOM_DETAIL, "attribute": Attribute.AGGRAVATING}
        return (last.model_copy(update=update).model_copy(update={"words": words}),)
    if not asks and last.domain is Domain.LIFESTYLE and _HOW_MUCH.match(text):
        return (last.model_copy(update={"attribute": Attribute.AMOUNT, "words": words}),)
    if last.domain is Domain.PAST_HISTORY and _DIAGNOSED.match(text) and not any(ask.concept for ask in asks):
        return _diagnoses(last, now, words)
    if last.concept == "birth_history" and (_WAS_IT_NORMAL.match(text) or "complications" in text):
        return (last.model_copy(update={"words": words}),)
    if last.concept == "recreational_drugs" and _WHICH_DRUGS.match(text):
        return (last.model_copy(update={"attribute": Attribute.LIST, "words": words}),)
    if last.concept == "sick_contacts" and _THEIR_SYMPTOMS.match(text):
        return (last.model_copy(update={"words": words}),)
    return ()


def _still_the_same(text: str, asks: tuple[Ask, ...], words: str, last: Ask, now: Situation) -> tuple[Ask, ...]:
    """ "Is it dry? Or are you bringing up phlegm?", "do you smoke it?", "was it normal?": no new thing is asked."""
    if last.concept == "cough" and last.attribute is Attribute.CHARACTER and _OR.match(words.lower()):
        return (last,) if _all_of(asks, "productive_cough") else ()
    if last.concept == "cannabis" and _all_of(asks, "smoking") and not _TOBACCO.search(text):
        return tuple(ask.model_copy(update={"concept": "cannabis"}) for ask in asks)
    if last.concept == "sick_contacts" and _THIRD.search(text) and asks and all(_of_the_sick(ask) for ask in asks):
        return (last.model_copy(update={"words": words}),)
    if last.concept == "birth_history" and asks and all(ask.domain is Domain.SURGICAL_HISTORY for ask in asks):
        return (last.model_copy(update={"words": words}),)
    if last.domain is Domain.PAST_HISTORY and asks and _AT_THAT_TIME.match(text) and _bare_attribute(asks, text):
        return _diagnoses(last, now, words)
    if last.domain is Domain.LIFESTYLE and asks and all(_of_some_drug(ask) for ask in asks) and _PRONOUN.search(text):
        update = {"domain": last.domain, "concept": last.concept}
        return tuple(ask.model_copy(update=update) for ask in asks)
    if last.domain is Domain.RISK_FACTOR and _ANYTHING_THAT_COULD.match(text):
        return (last,)
    if last.domain is Domain.EXAMINATION and asks and all(_value_of_it(ask) for ask in asks):
        return (last.model_copy(update={"attribute": Attribute.VALUE, "words": words}),)
    if last.concept == "fever" and _MEASURED.match(text):
        return (Ask(domain=Domain.EXAMINATION, concept="body_temperature", attribute=Attribute.VALUE, words=words),)
    return ()


def _all_of(asks: tuple[Ask, ...], concept: str) -> bool:
    return bool(asks) and all(ask.concept == concept for ask in asks)


def _of_some_drug(ask: Ask) -> bool:
    return ask.domain is Domain.MEDICATION and not ask.concept and ask.attribute is not Attribute.LIST


def _value_of_it(ask: Ask) -> bool:
    return ask.domain is Domain.TEST_RESULT and ask.attribute is Attribute.VALUE and not ask.concept


def is_exposure(key: str | None) -> bool:
    """Whether a concept is something at home or at work that one may be exposed to."""
    return key is not None and concepts.is_a(key, "occupational_exposure")


def _of_the_sick(ask: Ask) -> bool:
    ill = ("vomiting", "cold_symptoms", "upper_respiratory_infection")
    return ask.domain is Domain.SYMPTOM and (ask.concept in ill or ask.attribute is Attribute.LIST)


def _diagnoses(last: Ask, now: Situation, words: str) -> tuple[Ask, ...]:
    """ "When were you diagnosed?": with each illness that the patient has just named, else the one asked about."""
    told = conditions_told(now) or (last.concept,)
    asked = last.model_copy(update={"attribute": Attribute.ONSET, "words": words})
    return tuple(asked.model_copy(update={"concept": key}) for key in told)


def own_age(text: str) -> bool:
    """ "How old are you?" asks for the patient's own age."""
    return "you" in text.split() or "you?" in text.split()


def _of_relative(told: tuple[str | None, str], attribute: Attribute, words: str) -> Ask:
    concept, relation = told
    ask = Ask(domain=Domain.FAMILY_HISTORY, concept=concept, attribute=attribute, words=words)
    return ask.model_copy(update={"experiencer": relation})


def _more(text: str, words: str, now: Situation) -> tuple[Ask, ...]:
    """ "Anything else?": the list that was under discussion goes on."""
    if not _MORE.match(text):
        return ()
    if now.last is None:
        return (Ask(domain=Domain.OTHER, attribute=Attribute.LIST, words=words),)
    domain = _OPEN_DOMAINS.get(now.last.domain, now.last.domain)
    experiencer = now.last.experiencer
    concept = now.last.concept if domain in (Domain.LIFESTYLE, Domain.IDEAS_CONCERNS) else None
    return (Ask(domain=domain, concept=concept, attribute=Attribute.LIST, experiencer=experiencer, words=words),)


def _in_family(text: str, asks: tuple[Ask, ...], words: str, last: Ask, now: Situation) -> tuple[Ask, ...]:
    concept, relation = told_of_relative(now, last)
    base = Ask(domain=Domain.FAMILY_HISTORY, concept=concept, experiencer=relation, words=words)
    if _AGE.match(text) and "you" not in text.split():
        return (base.model_copy(update={"attribute": Attribute.ONSET}),)
    if _HOW_ARE_THEY.match(text):
        return (base.model_copy(update={"attribute": Attribute.COURSE}),)
    if _RELATION.match(text) and "live" not in text:
        return (base.model_copy(update={"attribute": Attribute.RELATION}),)
    others = relations(text)
    if others and all(_of_relatives(ask) for ask in asks):
        attribute = Attribute.EXISTENCE if last.concept else Attribute.LIST
        update = {"concept": last.concept, "attribute": attribute}
        return tuple(base.model_copy(update=update | {"experiencer": other}) for other in others)
    of_them = (_ANYBODY_HAD.match(text), _ANY_HISTORY.match(text), _THEY_HAVE.match(text), _WHICH_ILLNESS.search(text))
    if any(of_them) and any(ask.domain in _PERSONAL for ask in asks):
        update = {"domain": Domain.FAMILY_HISTORY, "experiencer": last.experiencer}
        return tuple(ask.model_copy(update=update) for ask in asks if ask.domain in _PERSONAL)
    somebody = now.speaker == "patient" and last.experiencer != "family"
    if somebody and _DO_THEY.match(text) and any(ask.domain in _PERSONAL for ask in asks):
        update = {"domain": Domain.FAMILY_HISTORY, "experiencer": last.experiencer}
        return tuple(ask.model_copy(update=update) for ask in asks if ask.domain in _PERSONAL)
    words_here = text.split()
    own = any(word in words_here for word in ("you", "past", "your"))
    own = own or ("have" in words_here and not re.match(r"(?:any|no)(?:one|body)\b", text))
    if _BARE.match(text) and not own and asks and all(_heritable(ask) for ask in asks):
        update = {"domain": Domain.FAMILY_HISTORY, "experiencer": last.experiencer}
        return tuple(ask.model_copy(update=update) for ask in asks)
    return ()


def _told_of_kin(text: str, asks: tuple[Ask, ...], now: Situation) -> bool:
    """ "My dad has diabetes." - "Any cancers?": bare illnesses asked on after a relative's go on in the family."""
    kin = [
        relation
        for relation in relations(cleaned(now.patient_words))
        if relation not in {now.speaker} | mention_rules().spouses
    ]
    return bool(kin and asks) and bool(_BARE.match(text)) and "you" not in text.split() and all(map(_heritable, asks))


def _of_relatives(ask: Ask) -> bool:
    return ask.concept == "siblings" or (ask.domain is Domain.FAMILY_HISTORY and not ask.concept)


def leans(text: str) -> bool:
    """Whether a short clause speaks only of "that" ("any issues with that at all?")."""
    return len(text.split()) <= 7 and bool(_LEANS.search(text))


def family_named(text: str, now: Situation) -> Situation:
    """ "And in the family, …": what follows is asked of the family; "you take some tablets": of these."""
    if _ON_MEDICINES.search(text):
        return replace(now, last=Ask(domain=Domain.MEDICATION, attribute=Attribute.LIST))
    whom = relations(text) if _ONLY_A_RELATIVE.match(text) else []
    if whom and whom[0] != now.speaker:
        return replace(now, last=Ask(domain=Domain.FAMILY_HISTORY, attribute=Attribute.LIST, experiencer=whom[0]))
    if not _IN_THE_FAMILY.search(text):
        return now
    return replace(now, last=Ask(domain=Domain.FAMILY_HISTORY, attribute=Attribute.LIST, experiencer="family"))


def repeated(text: str, words: str, now: Situation) -> tuple[Ask, ...]:
    """The ask before again, where a fragment without content of its own follows ("so occasionally?")."""
    pronoun = bool(_PRONOUN.search(text))
    longest = _LONG_FRAGMENT if pronoun or _FRAGMENT.match(text) else _SHORT_FRAGMENT
    if now.last is None or len(text.split()) > longest:
        return ()
    if text.startswith("why") and now.last.domain is Domain.MEDICATION:
        return (now.last.model_copy(update={"words": words, "attribute": Attribute.REASON}),)
    return (now.last.model_copy(update={"words": words}),)


def _heritable(ask: Ask) -> bool:
    if ask.domain is Domain.REVIEW_OF_SYSTEMS:
        return ask.attribute is Attribute.LIST and bool(_DISEASE.search(ask.words.lower()))
    if ask.domain is Domain.PAST_HISTORY:
        return ask.concept not in ("hospitalization_history", "immunization_status")
    return bool(ask.term) and bool(_DISEASE.search(ask.term))


def _bare_attribute(asks: tuple[Ask, ...], text: str) -> bool:
    """Only attributes of "it", with no symptom named in the clause."""
    return (
        bool(asks)
        and all(ask.domain is Domain.SYMPTOM_DETAIL for ask in asks)
        and not re.search(r"\b(?:pain|cough|symptoms?|headache|fever|feel|worse|better)\b", text)
    )


def _named(ask: Ask) -> bool:
    return ask.domain is Domain.SYMPTOM and bool(ask.concept)


def _thing(ask: Ask) -> bool:
    return ask.domain is Domain.MEDICATION and bool(ask.concept)


def _medicines(ask: Ask) -> bool:
    return ask.domain is Domain.MEDICATION


def _allergy(ask: Ask) -> Ask:
    return ask.model_copy(update={"domain": Domain.ALLERGY})

"""Which rules match a clause, and which of their matches are only its topic, an example or an aside."""

import re
from dataclasses import dataclass

from kg.facts import Domain
from simulator.patient.asks import Attribute
from simulator.patient.understanding.mentions import Mention
from simulator.patient.understanding.rulebook import SYMPTOM_FILE, Rule, rules
from simulator.patient.understanding.wording import wording
from terminology import concepts

_OWN = (Domain.SYMPTOM, Domain.REVIEW_OF_SYSTEMS, Domain.MENTAL_STATUS)
_REACTION = re.compile(r"\breact(?:ions?|s|ed|ing)?\b")
_EVER = re.compile(r"\bever\b")
_MEDICINES = re.compile(
    r"\b(?<!one of the )(?<!one of your )(?:medicines|medications|meds|drugs|tablets|pills|antibiotics)\b"
    r"|\b(?:medicine|medication|drug) allerg\w+"
    r"|\b(?:any|other|which|what|some|certain|to|or|and|as|like)(?: \w+)? (?:medicine|medication|drug)\b"
    r"|\b(?:reactions?|react\w*|allerg\w+)\b.{0,20}\b(?:a|any) (?:\w+ )?(?:medicine|medication|drug)\b"
    r"|\b(?:medicine|medication|drug)s?,? (?:,|or|and) "
    r"|(?:,|\bor|\band) (?:to )?(?:anything|any other (?:things?|substances?|allerg\w+))\b"
)
_ILLS = ("condition", "symptom")
_NAMES = ("condition", "symptom", "procedure")
_LONG = 4
"""Words from which on a symptom's name is a phrase of its own ("waking up short of breath")."""
_LIKE_ATTRIBUTE = re.compile(r"\w (?:with|when|on|at|if|while|during|to|in) \w")
_EXAMPLE = re.compile(r"\b(?:like|such as|for example|including)\b")
_CIRCUMSTANCES = (
    Attribute.TIMING,
    Attribute.LOCATION,
    Attribute.AGGRAVATING,
    Attribute.ONSET,
    Attribute.COURSE,
    Attribute.ASSOCIATED,
    Attribute.RADIATION,
)
_SINCE = re.compile(
    r"^(?:and )?(?:since|when|around the time|at the time|before|after|ever since)\b(?! did| was| is| exactly)"
    r"[^,?]{0,60}\b(?:start(?:ed)?|began|beg[ui]n|came on|come on|happened)\b[^,?]{0,40},"
)


@dataclass(frozen=True)
class Hit:
    """A rule that matched at [start, end)."""

    rule: Rule
    start: int
    end: int

    @property
    def domain(self) -> Domain:
        """The domain of the rule's first ask."""
        return self.rule.asks[0].domain


def matching(text: str, found: list[Mention], of_patient: bool = False) -> list[Hit]:
    """Matching rules; in the symptom file a span is used once, elsewhere a domain and concept are asked once.

    `of_patient`: the relative that the clause names is the patient, of whom somebody else speaks.
    """
    result: list[Hit] = []
    masked = _SINCE.sub(lambda match: "_" * len(match.group()), _without_phrases(text, found))
    for rule in rules():
        match = rule.search(text, masked if rule.file == SYMPTOM_FILE else text)
        if match is None or (rule.file != SYMPTOM_FILE and _already(rule, result)):
            continue
        hit = Hit(rule, match.start(), match.end())
        if of_patient and hit.domain is Domain.FAMILY_HISTORY:
            continue
        if _part_of_name(hit, found, text) or (rule.named and not any(mention.kind in _ILLS for mention in found)):
            continue
        if rule.only:
            return [hit]
        result.append(hit)
        if rule.file == SYMPTOM_FILE:
            masked = masked[: hit.start] + "_" * (hit.end - hit.start) + masked[hit.end :]
    result = _without_examples(text, result)
    if any(hit.domain is Domain.FAMILY_HISTORY for hit in result):
        result = [hit for hit in result if hit.rule.file != SYMPTOM_FILE or hit.domain is Domain.PAST_HISTORY]
    if any(hit.rule.asks[0].attribute is Attribute.REASON for hit in result):
        result = [hit for hit in result if hit.rule.file != SYMPTOM_FILE]
    if allergic(result):
        beside = (Domain.MEDICATION, Domain.RISK_FACTOR, Domain.SYMPTOM_DETAIL)
        result = [hit for hit in result if hit.domain not in beside and not _of_vaccine(hit, found)]
    result = _without_words_of_names(result, found)
    others = [hit for hit in result if hit.rule.file != SYMPTOM_FILE]
    return [hit for hit in result if hit.rule.file != SYMPTOM_FILE or not any(_overlap(hit, other) for other in others)]


def without_circumstances(text: str, found: list[Mention], hits: list[Hit], spoken_of: str | None) -> list[Hit]:
    """ "Do you get any headaches at night?" asks whether there are headaches, not when the known headache comes.

    `spoken_of` is the symptom under discussion: of that one the circumstance is asked.
    """
    symptoms = [mention for mention in found if mention.kind == "symptom"]
    if not symptoms or symptoms[0].key == spoken_of or not wording().existence_frame.match(text):
        return hits
    if wording().definite.search(text[: symptoms[0].start]):
        return hits
    return [hit for hit in hits if hit.rule.asks[0].attribute not in _CIRCUMSTANCES]


def _without_words_of_names(hits: list[Hit], found: list[Mention]) -> list[Hit]:
    """ "How bad is the morning headache?" does not ask when it comes, nor is a missed period asked of periods at large.

    Only where a detail is asked in words beside the name.
    """
    names = [mention for mention in found if mention.kind == "symptom" and " " in mention.text]
    details = [hit for hit in hits if hit.rule.file == SYMPTOM_FILE and not any(_inside(hit, name) for name in names)]
    if not names or not details:
        return hits
    return [hit for hit in hits if hit in details or not any(_of_name(hit, name) for name in names)]


def _inside(hit: Hit, name: Mention) -> bool:
    return name.start <= hit.start and hit.end <= name.end


def _of_name(hit: Hit, name: Mention) -> bool:
    """Whether a rule took words of a symptom's name: a detail, or what the symptom itself or its system is."""
    if hit.rule.file == SYMPTOM_FILE:
        return _inside(hit, name)
    asked = hit.rule.asks[0].concept
    overlaps = hit.start < name.end and name.start < hit.end
    return (
        overlaps and bool(asked) and hit.domain in _OWN and (name.key == asked or concepts.is_a(name.key, str(asked)))
    )


def _without_examples(text: str, hits: list[Hit]) -> list[Hit]:
    """ "Any triggers, like dust or smoke?": what follows "like" is an example of a trigger."""
    triggers = [hit for hit in hits if hit.rule.asks[0].attribute is Attribute.AGGRAVATING]
    example = _EXAMPLE.search(text, triggers[0].start) if triggers else None
    if example is None:
        return hits
    return [hit for hit in hits if hit.rule.file == SYMPTOM_FILE or hit.start < example.start()]


def _part_of_name(hit: Hit, found: list[Mention], text: str) -> bool:
    """Whether the rule took words of a longer name for a question of their own ("growth in the bowel")."""
    if hit.domain is Domain.ALLERGY and _REACTION.search(text) and (_EVER.search(text) or _substance(text, found)):
        return False
    if hit.rule.asks[0].attribute is Attribute.REACTION and any(mention.end == hit.end for mention in found):
        return False
    asked = {ask.concept for ask in hit.rule.asks}
    return hit.rule.file != SYMPTOM_FILE and any(
        mention.start <= hit.start
        and hit.end <= mention.end
        and mention.end - mention.start > hit.end - hit.start + 2
        and mention.kind in _NAMES
        and not any(key and concepts.is_a(mention.key, key) for key in asked)
        for mention in found
    )


def _of_vaccine(hit: Hit, found: list[Mention]) -> bool:
    """ "Allergic to the tetanus vaccine?" does not ask for the immunisations."""
    return hit.domain is Domain.PAST_HISTORY and any(
        _inside(hit, mention) for mention in found if mention.kind == "allergen"
    )


def _substance(text: str, found: list[Mention]) -> bool:
    return bool(allergies_at_large(text)) or any(mention.kind in ("drug", "allergen") for mention in found)


def allergies_at_large(text: str) -> bool:
    """Whether a question about allergies names medicines as a kind ("any medicine or food") or is open to all."""
    return bool(_MEDICINES.search(text))


def _without_phrases(text: str, found: list[Mention]) -> str:
    """Names that look like attributes ("pain with swallowing", "dyspnea on exertion") are masked."""
    for mention in found:
        if mention.kind in ("condition", "procedure") or (
            mention.kind == "symptom"
            and (
                mention.text == "frequency"
                or _LIKE_ATTRIBUTE.search(mention.text)
                or len(mention.text.split()) >= _LONG
            )
        ):
            text = text[: mention.start] + "_" * (mention.end - mention.start) + text[mention.end :]
    return text


def _already(rule: Rule, hits: list[Hit]) -> bool:
    asked = {(ask.domain, ask.concept) for hit in hits if hit.rule.file != SYMPTOM_FILE for ask in hit.rule.asks}
    return all((ask.domain, ask.concept) in asked for ask in rule.asks)


def _overlap(one: Hit, other: Hit) -> bool:
    return one.start < other.end and other.start < one.end


def allergic(hits: list[Hit]) -> bool:
    """Whether any of the rules asks about allergies."""
    return any(hit.domain is Domain.ALLERGY for hit in hits)

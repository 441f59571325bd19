"""A thing named first and asked of after it: "As for chest pain, have you had any?" is one question about chest pain.

What is under discussion already ("your cough") is no such topic: `situation` says what "it" means then.
"""

import re

_LEAD = re.compile(
    r"^(?:(?:let me|let us|let's|i(?:'d| would)? (?:also |just )?(?:like|want|wanted|need) to|i(?:'ll| will| have to)"
    r"|can i|could i|may i|we(?:'ll| will)|shall we) (?:also |just |now |next |quickly |briefly )*"
    r"(?:ask|talk|check|turn|move|go|come|know|hear|find out)(?: you| on| over| now)*(?: about| to| onto| into)?"
    r"|(?:turning|moving|coming|going|switching|passing)(?: on| over| now| next)* to"
    r"|as (?:for|to|regards)|regarding|concerning|with (?:regards?|respect) to|in (?:terms|regards?|respect) (?:of|to)"
    r"|(?:on|to) (?:the )?(?:subject|topic|matter|question) of|speaking of|about"
    r"|(?:(?:a|one|another|my next|the next) )?question (?:is )?(?:about|on)|(?:how|what) about)\s+"
)
_TOPIC = re.compile(
    r"(?:any |some |an? )?(?P<topic>(?!(?:your|the|this|that|these|those|his|her|its?|any|anything)\b)"
    r"(?!.*\b(?:you|i|we|he|she|they|it|is|are|was|were|have|has|had|do|does|did|can|how|what|when|where)\b)"
    r"[a-z][\w'/-]*(?:,? [\w'/-]+){0,7})\W*"
)
_LONGEST_BARE = 5
_SELF = (
    r"(?:(?:do|does|did|have|has|had|are|were|was|is|ever)(?:n't)? )?(?:you |he |she |they |(?:your|his|her) [\w-]+ "
    r"|any(?:one|body) (?:in (?:your|the|his|her) family )?)?(?:ever |also |currently |actually |been |had |still )*"
)
_HAVING = (
    r"(?:have|had|having|get|gets|got|getting|notic\w+|experienc\w+|feel|felt|feeling|see|seen|suffer\w* (?:from|with)"
    r"|diagnosed with|treated for|tak(?:e|en|ing)|us(?:e|ed|ing)|tried|on|allergic to|aware of|bothered by"
    r"|troubled by|told (?:that )?you have|develop\w*)"
)
_OF_IT = r"(?P<it>(?:any|either|both|one|some)(?: of (?:that|it|this|those|them|these))?|that|this|it|those|these|them)"
_TAIL = (
    r"(?: (?:at all|lately|recently|now|currently|these days|ever|before|too|as well|right now|either|today|so far"
    r"|in the past|in (?:the|your) family))*\W*$"
)
_LEANING = (
    re.compile(rf"^{_SELF}{_HAVING} {_OF_IT}{_TAIL}"),
    re.compile(rf"^(?:has|have|had|is|are|was|were) there (?:ever )?(?:been )?{_OF_IT}{_TAIL}"),
    re.compile(rf"^(?:is|was|are|were) {_OF_IT} (?:something|anything|one of the|among the)\b.*"),
)
_PRESENT_AT_ALL = re.compile(
    r"^(?:any|(?:any|either|some|none|both) of (?:that|it|this|those|them|these)"
    r"|(?:is|was|are|were|has|have) (?:that|this|it|those|these|they|either|any)(?: ever| also)*(?: been)? "
    r"(?:an? (?:problem|issue|concern|worry|trouble)|present|there|happened|happening|occurr?\w*|bothering|troubling)"
    rf"(?: (?:for|to) (?:you|him|her)| you)?|(?:do|does|did) (?:that|this|it|those|these|they) (?:ever )?"
    rf"(?:happen|occur|apply|bother|trouble)(?: to)?(?: you)?){_TAIL}"
)
_PAST = re.compile(r"\b(?:been|had|happened|was|were|did|ever|occurred)\b")


def asked_of_topic(topic: str, text: str, same_sentence: bool) -> str | None:
    """The second clause with the thing that the first one names in place of "it"; None where they are not such a pair.

    A thing without any lead ("chest pain, have you had any?") has to stand in the same sentence.
    """
    lead = _LEAD.match(topic)
    found = _TOPIC.fullmatch(topic, lead.end() if lead else 0)
    if found is None or not (lead or (same_sentence and len(topic.split()) <= _LONGEST_BARE)):
        return None
    thing = found["topic"]
    for pattern in _LEANING:
        if match := pattern.match(text):
            several = match["it"].split()[0] in ("any", "some", "either", "both")
            return text[: match.start("it")] + ("any " if several else "") + thing + text[match.end("it") :]
    if _PRESENT_AT_ALL.match(text):
        return f"{'have you had' if _PAST.search(text) else 'do you have'} any {thing}?"
    return None

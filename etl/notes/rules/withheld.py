"""Drugs that a note names as not given ("outside the window for tPA"): nobody took them."""

import re

from etl.notes.reading import Sentence
from etl.notes.rules.found import Found
from etl.notes.section_kinds import SectionKind

_REACH = 90
_BETWEEN = r"(?: (?!(?:and|but|with|takes?|taking|on)\b)[\w/-]+){0,3}?"
_BEFORE = re.compile(
    r"\b(?:(?:outside|out|beyond|past|missed|exceeded)(?: of)?(?: (?:the|his|her|their|any))?(?: [\w.-]+){0,3} window"
    r"|(?:not|no longer|neither|never|poor|nor)(?: (?:felt|thought|deemed|considered|judged) to be)?(?: an?)?"
    r"(?: \w+)? (?:candidate|eligible|suitable|appropriate)"
    r"|ineligible|unsuitable|contra-?indicat(?:ions?|ed)|too late)"
    r"(?: (?:for|to|of)\b(?: (?!(?:and|but|takes?|taking|on)\b)[\w/-]+){0,3}?)? $"
    rf"|\b(?:held|withheld|deferred|avoided|declined|refused|decided against|decision against){_BETWEEN} $"
)
_AFTER = re.compile(
    rf"{_BETWEEN},?(?: which| that)? (?:(?:was|were|is|are|being|had been|has been|have been|could|can|would)"
    r"(?: (?:therefore|thus|then|also|initially|therapy))? "
    r"(?:not (?:be )?(?:given|started|administered|offered|pursued|indicated|recommended|initiated|used|an option)"
    r"|never (?:given|started|administered)|contra-?indicated|held|withheld|deferred|avoided|declined|refused)"
    r"|contra-?indicated|held|withheld|deferred)\b"
)
# What says in the drug's own clause that it is the patient's: "takes warfarin, which was held".
_OWN = re.compile(
    r"\b(?:takes?|taking|took|at home|maintained on|(?:is|was|been|are|were) (?:currently |chronically )?on"
    r"|chronically on|(?:home|usual|regular|chronic|outpatient|his|her|their)(?: dose(?: of)?)? $)"
)
_CLAUSE = re.compile(r"[,;:]|\b(?:and|but|so|although|though|while)\b")


def is_withheld(found: Found, sentence: Sentence, start: int, end: int) -> bool:
    """Whether the sentence says of the drug at characters [start, end) that it was not given, or held.

    Never of a list of home drugs, nor of a drug whose own clause says that the patient takes it.
    """
    if sentence.section is SectionKind.HOME_MEDICATIONS:
        return False
    lower = found.reading.lower
    before = lower[max(sentence.start, start - _REACH) : start]
    if _BEFORE.search(before):
        return True
    cut = max((match.end() for match in _CLAUSE.finditer(before)), default=0)
    after = lower[end : min(sentence.end, end + _REACH)]
    return bool(_AFTER.match(after)) and not _OWN.search(before[cut:])

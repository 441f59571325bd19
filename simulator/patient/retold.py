"""A record's sentences in the speaker's person: "he underwent" is "I had", "his wife" is "my wife"."""

import re
from functools import cache

from simulator.patient.data_files import document

_POSSESSIVE = re.compile(r"\b(his|her|their|the patient's|patient's|pt's)\b(?=\s+\w)", re.IGNORECASE)
_PATIENT = re.compile(r"^(the )?(patient|pt|she|he|they|who)\b\.?\s*", re.IGNORECASE)
_SUBJECT = re.compile(
    r"\b(?:the patient|patient|pt|he|she)\s+(?P<verb>(?:was|had|has|is|lives|works|takes|uses|underwent|received|took"
    r"|felt|got|developed|noticed|started|stopped|needed|went|fell|lost|\w+ed))\b",
    re.IGNORECASE,
)


def own_words(recorded: str, my: str) -> str:
    """The text with "his", "her" and "the patient's" turned into the speaker's word for it; relatives get one too.

    Where the patient speaks, "for which he underwent" becomes "for which I had".
    """
    words = _relatives().sub(rf"\1 {my} \2", _POSSESSIVE.sub(my, recorded))
    return _SUBJECT.sub(_as_i, words) if my == "my" else words


def _as_i(found: re.Match[str]) -> str:
    """ "he was" → "I was", "she underwent" → "I had", "the patient lives" → "I live"."""
    verb = found["verb"].lower()
    return f"I {document('wording.yaml')['verbs'].get(verb, verb)}"


def illness_of(recorded: str) -> str:
    """A relative's illness without the relative: "a maternal uncle with gout", "gout in his father" are "gout"."""
    lead, tail = _relatives_beside()
    return tail.sub("", lead.sub("", recorded, count=1)).strip() or recorded


@cache
def _relatives_beside() -> tuple[re.Pattern[str], re.Pattern[str]]:
    rules = document("wording.yaml")
    names = "|".join(rules["relatives"])
    who = rf"(?:(?:an?|his|her|their|the|my|one|two)\s+)?(?:{rules['which_relative']}\s+)*(?:{names})s?"
    return (
        re.compile(
            rf"^{who}(?:\s+{rules['relative_has']}|\s*[:-])\s+(?:an? (?:family )?history of\s+)?", re.IGNORECASE
        ),
        re.compile(rf"\s+(?:in|of|on)\s+{who}(?:\s+and\s+{who})?$", re.IGNORECASE),
    )


@cache
def _relatives() -> re.Pattern[str]:
    """ "with wife", "and husband": a relative without a word of whose."""
    names = "|".join(document("wording.yaml")["relatives"])
    return re.compile(rf"\b(with|and|by|near)\s+({names})\b", re.IGNORECASE)


def verb_phrase(recorded: str) -> tuple[str, str, str] | None:
    """(adverb, verb in the first person, rest) of "now smokes 1 pack per day"; None where no verb comes first."""
    words = _PATIENT.sub("", recorded)
    rules = document("wording.yaml")
    first, _, rest = words.partition(" ")
    adverb = rules["adverbs"].get(first.lower(), "")
    if first.lower() in rules["adverbs"]:
        first, _, rest = rest.partition(" ")
    verb = rules["verbs"].get(first.lower())
    return (adverb, verb, rest) if verb else None

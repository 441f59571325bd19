"""Statements about the patient that are to be confirmed, as the questions that they are.

"Please confirm that you take aspirin" and "You take aspirin. Confirm." ask "do you take aspirin?": whoever says them,
the answer is the record's. The forms are in data/confirming.yaml.
"""

import re
from functools import cache

from simulator.patient.asks import Understanding
from simulator.patient.data_files import document

_SENTENCE = re.compile(r"[^.?!]+(?:\.\d[^.?!]*)*[.?!]*")
_WHO = r"(?P<who>you|he|she|they)"
_BE = re.compile(rf"^{_WHO}(?:(?P<short>'re|'s)| (?P<be>are|is|were|was)) (?P<rest>.+)$", re.IGNORECASE)
_HAVE = re.compile(
    rf"^{_WHO}(?:'ve|'s| have| has| had) (?P<rest>(?:never |ever |always )?(?:been|had|taken|got|gotten|\w+ed)\b.*)$",
    re.IGNORECASE,
)
_MODAL = re.compile(rf"^{_WHO} (?P<verb>can|could|will|would|do|does|did) (?P<rest>.+)$", re.IGNORECASE)
_DOES = re.compile(rf"^{_WHO} (?P<adverb>(?:never|ever|still|also|always|\w+ly) )?(?P<verb>\w+)\b(?P<rest>.*)$", re.I)
_YOURS = re.compile(
    r"^(?P<thing>(?:your|his|her) [\w ]+?) (?P<be>is|are|was|were|has|have|had) (?P<rest>.+)$", re.IGNORECASE
)
_OWN = re.compile(r"^(?:your|his|her) ", re.IGNORECASE)


def as_questions(words: str) -> dict[str, str]:
    """Each sentence of `words` as it is to be understood, by the sentence as said; the request itself falls away."""
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(words) if sentence.strip()]
    asked: dict[str, str] = {}
    for number, sentence in enumerate(sentences):
        following = sentences[number + 1] if number + 1 < len(sentences) else ""
        claim = _claim(sentence, bool(_form("alone").match(following)))
        question = _question(claim) if claim else None
        alone = number > 0 and _form("alone").match(sentence) and asked[sentences[number - 1]] != sentences[number - 1]
        asked[sentence] = "" if alone else question or sentence
    return asked


def in_said_words(understanding: Understanding, asked: dict[str, str]) -> Understanding:
    """The understanding of the questions, with each ask's words as the doctor said them."""
    changed = {question.lower(): said for said, question in asked.items() if question and question != said}
    if not changed:
        return understanding
    asks = []
    for ask in understanding.asks:
        said = next((said for question, said in changed.items() if ask.words and ask.words.lower() in question), None)
        asks.append(ask.model_copy(update={"words": said}) if said else ask)
    return understanding.model_copy(update={"asks": tuple(asks)})


def _claim(sentence: str, confirmed_next: bool) -> str | None:
    """What the sentence claims of the patient, in small letters, where it is to be confirmed."""
    bare = sentence.rstrip(" .?!")
    claim = _form("request").sub("", bare)
    shorter = _form("request_after").sub("", claim)
    if shorter == bare and not confirmed_next:
        return None
    return _form("opening").sub("", _form("as_told").sub("", shorter)).strip(" ,;").lower()


def _question(claim: str) -> str | None:
    """A claim turned into its question ("you take aspirin": "do you take aspirin?"); None where it is of another."""
    if found := _HAVE.match(claim):
        return f"{'have' if found['who'].lower() in ('you', 'they') else 'has'} {found['who']} {found['rest']}?"
    if found := _BE.match(claim):
        be = found["be"] or ("are" if found["short"] == "'re" else "is")
        return f"{be} {found['who']} {found['rest']}?"
    if found := _MODAL.match(claim):
        return f"{found['verb']} {found['who']} {found['rest']}?"
    if found := _YOURS.match(claim):
        if found["be"].lower() == "had":
            return f"did {found['thing']} have {found['rest']}?"
        return f"{found['be']} {found['thing']} {found['rest']}?"
    if _OWN.match(claim):
        return f"what is {claim}?"
    found = _DOES.match(claim)
    return _done(found) if found else None


def _done(found: re.Match[str]) -> str:
    verb = found["verb"].lower()
    past = document("confirming.yaml")["past"].get(verb)
    third = found["who"].lower() in ("he", "she")
    helper = "did" if past else "does" if third else "do"
    plain = past or ("have" if verb == "has" else verb.removesuffix("s") if third else verb)
    return f"{helper} {found['who']} {found['adverb'] or ''}{plain}{found['rest']}?"


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(document("confirming.yaml")[name], re.IGNORECASE)

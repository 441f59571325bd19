"""Utterances taken apart: sentences, clauses, and which of them ask."""

import re
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import yaml

from foundation.errors import UserError
from simulator.patient.understanding.spelling import mended
from simulator.patient.understanding.topics import asked_of_topic

RULES = files("simulator.patient.understanding") / "rules"
_SENTENCE = re.compile(r"(?<=[.?!])[\"')\]]*\s+|\n+")
_REPEAT = re.compile(
    r"\b(?!(?:pains?|aches?|swelling|bleeding|discharge|weakness|numbness|loss|trouble)\b,)"
    r"(\w+(?:'\w+)?(?: \w+(?:'\w+)?){0,2})(?:[,.]?\s+\1\b)+"
)
_BETWEEN_COMMAS = re.compile(
    r"\b(any|the|your|and|a|of|with|some|have|had|been|difficulty|trouble|other)\s*,\s*"
    r"(?:um+|uh+|uhm+|umm+|erm?|hmm+|you know)\s*,"
    r"|\b(any|some|other),\s+(?=\w)(?!you\b|so\b|or\b|and\b|is\b|are\b|do\b|did\b|have\b|when\b|what\b|how\b|any\b|um|uh)"
)
_TAGS = re.compile(r"<[^>]*>")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})
_WHICH_ONES = re.compile(r"^(?:which|what) ones?\b(?: are (?:they|those))?\W*$")
_NEXT = re.compile(r"^(?:(?:and|ok(?:ay)?|so|right)\W+)*(?:next|now|then|lastly|finally|also)\b")
# Longer utterances are read at their beginning and their end, this many characters each.
_LIMIT = 4000
_ASIDES = (
    "no ",
    "when it ",
    "when this ",
    "when that ",
    "when the ",
    "when they ",
    "when you",
    "when we",
    "where we",
    "how we",
    "what we",
    "what i",
    "which ",
)
_NOT_ADJECTIVES = frozenset(
    ["any", "other", "medical", "health", "your", "the", "have", "had", "with", "of", "chronic", "longstanding"]
)


@dataclass(frozen=True)
class Clause:
    """A piece of an utterance: `words` as spoken, `text` lower case without fillers, and whether it asks."""

    words: str
    text: str
    asks: bool


@dataclass(frozen=True)
class Wording:
    """The compiled patterns of rules/80_wording.yaml."""

    leading: re.Pattern[str]
    fillers: re.Pattern[str]
    interrogative: re.Pattern[str]
    split: re.Pattern[str]
    tag: re.Pattern[str]
    check: re.Pattern[str]
    adjunct: re.Pattern[str]
    statement_start: re.Pattern[str]
    denied: re.Pattern[str]
    unknown_frame: re.Pattern[str]
    strong_interrogative: re.Pattern[str]
    statement_tag: re.Pattern[str]
    blood: re.Pattern[str]
    confirm: re.Pattern[str]
    false_start: re.Pattern[str]
    restart: re.Pattern[str]
    keep_together: re.Pattern[str]
    existence_frame: re.Pattern[str]
    definite: re.Pattern[str]
    statement_yeah: re.Pattern[str]
    tell_me_more: re.Pattern[str]
    distribute: re.Pattern[str]
    distribute_pain: re.Pattern[str]
    issues: re.Pattern[str]
    topic_first: re.Pattern[str]
    of_known: re.Pattern[str]
    of_it: re.Pattern[str]
    introduces: re.Pattern[str]
    distribute_place: re.Pattern[str]
    discharge: re.Pattern[str]


@cache
def wording() -> Wording:
    """The patterns; a user's mistake in the file names the entry."""
    table = read_rules("80_wording.yaml")
    return Wording(**{name: compiled(pattern, f"80_wording.yaml, {name}") for name, pattern in table.items()})


def read_rules(name: str) -> dict[str, str]:
    """A rules file as a mapping."""
    table = yaml.safe_load((RULES / name).read_text(encoding="utf-8"))
    if not isinstance(table, dict):
        raise UserError(f"understanding/rules/{name} is not a mapping", "keep the form of the file as delivered")
    return table


def compiled(pattern: str, where: str) -> re.Pattern[str]:
    """A compiled pattern; `where` tells the user which entry is wrong."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise UserError(
            f"understanding/rules/{where}: {error} in {pattern!r}", "mend the regular expression"
        ) from error


def kept(words: str) -> str:
    """What is read of an utterance: all of it, or its beginning and its end."""
    return words if len(words) <= 2 * _LIMIT else f"{words[:_LIMIT]} … {words[-_LIMIT:]}"


def clauses(words: str) -> list[Clause]:
    """The clauses of an utterance in order; of a very long one the first and the last 4,000 characters are read."""
    plain = _TAGS.sub(" ", kept(words).translate(_QUOTES))
    result: list[Clause] = []
    for sentence in _SENTENCE.split(plain):
        if result and wording().confirm.match(sentence.lower().strip()):
            result[-1] = replace(result[-1], asks=True)
        elif re.search(r"\w", sentence):
            result.extend(_of_sentence(" ".join(sentence.split())))
    result = _with_topics(result)
    return [
        replace(clause, asks=False) if _introduces(clause, result[index + 1 :]) else clause
        for index, clause in enumerate(result)
    ]


def _with_topics(pieces: list[Clause]) -> list[Clause]:
    """A topic and the clause that asks of it ("As for fever: any?") as one clause."""
    result: list[Clause] = []
    for piece in pieces:
        before = result[-1] if result and piece.asks else None
        text = asked_of_topic(before.text, piece.text, _goes_on(before.words)) if before is not None else None
        if before is not None and text is not None:
            result[-1] = Clause(f"{before.words} {piece.words}", text, asks=True)
        else:
            result.append(piece)
    return result


def _goes_on(words: str) -> bool:
    """Whether a piece ends within its sentence, or begins with a word that turns to something ("Next, fever.")."""
    return not words.rstrip().endswith((".", "?", "!")) or bool(_NEXT.match(words.lower()))


def _introduces(clause: Clause, after: list[Clause]) -> bool:
    """Whether a clause only names the topic that the next clause asks of; with "and" the next asks something else."""
    if not (clause.asks and after and after[0].asks) or after[0].words.lower().startswith("and "):
        return False
    return bool(wording().introduces.match(clause.text))


def cleaned(words: str) -> str:
    """Lower case, without fillers, stutters and leading acknowledgements."""
    text = _BETWEEN_COMMAS.sub(r"\1\2 ", mended(words.lower()))
    text = wording().fillers.sub(" ", text)
    text = re.sub(r"\s+([,.?!])", r"\1", " ".join(text.split()))
    text = _REPEAT.sub(r"\1", text.strip(" ,.;:-"))
    text = wording().restart.sub("", wording().leading.sub("", text))
    return distributed(wording().leading.sub("", text).strip(" ,.;:-"))


def distributed(text: str) -> str:
    """ "heart or lung problems" becomes "heart problems or lung problems"."""
    text = wording().distribute_pain.sub(r"\g<first> \g<noun>\g<comma>\g<second> \g<noun>", text)
    place = r"\g<noun> \g<where> \g<whose>\g<first> or \g<noun> \g<where> \g<second>"
    text = wording().distribute_place.sub(place, text)
    text = wording().distribute.sub(_distribute, text)
    return wording().issues.sub(r"\g<organ> problems", text)


def _distribute(match: re.Match[str]) -> str:
    if match.group("first") in _NOT_ADJECTIVES:
        return match.group()
    noun = match.group("noun")
    return f"{match.group('first')} {noun}{match.group('comma')}{match.group('second')} {noun}"


def _of_sentence(sentence: str) -> list[Clause]:
    patterns = wording()
    if patterns.statement_tag.search(sentence.lower()) or patterns.statement_yeah.search(sentence.lower()):
        sentence = sentence.rstrip("?! ") + "."
    question = sentence.rstrip("\"') ").endswith("?")
    body = patterns.tag.sub("?", sentence.lower())
    if len(body) < len(sentence):
        sentence = sentence[: len(body) - 1] + "?" if re.search(r"\w", body) else sentence
    parts = _split(sentence)
    pieces = [(part, cleaned(part)) for part in parts]
    last = len(pieces) - 1
    return [
        Clause(part, text, _asks(text, question, index == last))
        for index, (part, text) in enumerate(pieces)
        if re.search(r"\w", text)
    ]


def _split(sentence: str) -> list[str]:
    lowered = wording().fillers.sub(lambda match: " " * len(match.group()), sentence.lower())
    if wording().topic_first.search(lowered):
        return [sentence]
    parts, start = [], 0
    for match in wording().split.finditer(lowered):
        if wording().keep_together.search(lowered, start, match.start()):
            continue
        if wording().of_known.search(lowered, start, match.start()) and wording().of_it.match(lowered, match.end()):
            continue
        parts.append(sentence[start : match.start()].strip())
        start = match.end()
    parts.append(sentence[start:].strip())
    return [part for part in parts if re.search(r"\w", part)]


def _asks(text: str, question: bool, last: bool) -> bool:
    if wording().check.match(text):
        return False
    if question and (last or _WHICH_ONES.match(text)):
        return True
    if question:
        return bool(wording().interrogative.match(text)) and not text.startswith(_ASIDES)
    return bool(wording().strong_interrogative.match(text))

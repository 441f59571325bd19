"""Relatives: who else a statement can be about, and family history."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from etl.notes.entities import Entity, EntityKind
from etl.notes.reading import Reading, Sentence
from etl.notes.rules.found import Found
from etl.notes.rules.histories import with_site
from etl.notes.rules.patterns import load_words
from etl.notes.section_kinds import SectionKind
from etl.notes.spacy_phrases import Phrases
from etl.notes.who import age_told

_FILE = Path(__file__).parent.parent / "data" / "relatives.csv"
_AFTER = re.compile(
    r"[ ]?(?:in|of|on|affecting|among|[-–:,(/])?[ ]?(?:his|her|the|their|a|one|both|two|some)?[ ]?\(?"
    r"(?:(?:maternal|paternal|older|elder|younger|half|twin|first|great)[ -])*$"
)
_AGE = re.compile(
    r"\b(?:at|age|aged|at age|at the age of|in (?:his|her|their|the)|@)[ ]?(?:age |about |"
    r"approximately )?(?P<value>\d{1,3}(?:'?s)?|(?:early |mid |late |mid-)?(?:twent|thirt|fort|fift|sixt|sevent|"
    r"eight|ninet)ies)\b",
    re.IGNORECASE,
)
_REPORTING = frozenset(
    [
        "noticed",
        "notice",
        "observed",
        "thinks",
        "believes",
        "worried",
        "concerned",
        "describe",
        "report",
        "state",
        "reports",
        "reported",
        "states",
        "stated",
        "says",
        "said",
        "notes",
        "noted",
        "gives",
        "gave",
        "provides",
        "provided",
        "describes",
        "denies",
        "brought",
        "found",
        "called",
        "confirms",
        "who",
        "adds",
        "believes",
        "thinks",
        "feels",
        "accompanied",
        "witnessed",
        "saw",
        "took",
        "cares",
        "helps",
        "assists",
        "works",
        "lives",
        "visits",
        "brings",
        "bring",
        "say",
        "deny",
        "denied",
        "think",
        "believe",
        "feel",
        "provide",
    ]
)
_COMPANY = frozenset(
    {
        "consanguineous",
        "nonconsanguineous",
        "unrelated",
        "healthy",
        "with",
        "per",
        "by",
        "from",
        "lives",
        "live",
        "and",
        "via",
        "to",
    }
)
_PATIENT = frozenset({"he", "she", "patient", "pt"})
_TOLD_OF = frozenset({"has", "had", "was", "is", "died", "suffered", "suffers", "developed"})
# Words for the patient where a child is the patient: "his mother noticed that her son was pale".
_YOUNG = frozenset({"child", "son", "daughter"})
_GROWN = 16
# "A mother brings her 17-year-old daughter to …": whatever the age, the daughter is the patient.
_BROUGHT = re.compile(
    r"\b(?:mother|father|parents?|grandmother|grandfather|guardian)\b[^.;]{0,40}\b(?:brings?|brought|presents? with|"
    r"came with|comes? with)\b[^.;]{0,20}\b(?:her|his|their)\b[^.;]{0,40}\b(?:son|daughter|child)\b",
    re.IGNORECASE,
)
_OPENING = 600
# "The child presented with …" is the patient, "her child had …" a relative; and "Child-Pugh" a score.
_PERHAPS_PATIENT = frozenset({"child", "twin"})
_WHOSE = frozenset(
    {"his", "her", "their", "s", "one", "two", "three", "four", "first", "second", "third", "other", "another"}
    | {"eldest", "youngest", "older", "younger", "previous", "last"}
)
_SCORE = frozenset({"pugh", "turcotte"})


@dataclass(frozen=True, slots=True)
class Relative:
    """A relative's word at tokens [first, last)."""

    first: int
    last: int
    name: str


class Relatives:
    """The table `data/relatives.csv` (word, relative) and its matcher."""

    def __init__(self, path: Path = _FILE) -> None:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [(row["word"], row["relative"]) for row in csv.DictReader(file)]
        self._names = tuple(name for _, name in rows)
        self._phrases = Phrases((word, number) for number, (word, _) in enumerate(rows))

    def find(self, words: list[str], first: int) -> list[Relative]:
        """Relatives among `words`, whose first stands at token `first` of the note."""
        hits = self._phrases.find(words)
        return [
            Relative(first + start, first + end, self._names[number])
            for start, end, number in hits
            if words[start] not in _PERHAPS_PATIENT or _is_someones(words, start, end)
        ]


def _is_someones(words: list[str], start: int, end: int) -> bool:
    whose = words[start - 1].rpartition("'")[2] if start else ""
    return whose in _WHOSE and not _SCORE.intersection(words[end : end + 2])


@cache
def load_relatives() -> Relatives:
    """The shipped table."""
    return Relatives()


def relatives_in(reading: Reading, sentence: Sentence) -> list[Relative]:
    """Relatives of one sentence, in order; a child who is the patient is none."""
    named = load_relatives().find(reading.words[sentence.first : sentence.last], sentence.first)
    if _YOUNG.isdisjoint(relative.name for relative in named) or not _is_of_a_child(reading):
        return named
    return [relative for relative in named if relative.name not in _YOUNG]


def _is_of_a_child(reading: Reading) -> bool:
    age = age_told(reading)
    young = age is not None and age < _GROWN
    return young or _BROUGHT.search(reading.plain, 0, _OPENING) is not None


def find_family_history(found: Found, sentence: Sentence) -> Iterator[Entity]:
    """Relatives' conditions of one sentence. In the family history section every condition is one."""
    reading = found.reading
    in_section = sentence.section is SectionKind.FAMILY_HISTORY
    relatives = relatives_in(reading, sentence)
    if not relatives and not in_section:
        return
    for term in found.in_span(sentence.start, sentence.end):
        if term.kind not in ("condition", "symptom", "habit") or term.key in load_words("not_history.txt"):
            continue
        who = _experiencer(found, sentence, relatives, term.start, term.end, in_section)
        if who is None:
            continue
        judgement = found.judged(sentence, term.start, term.end)
        attributes = _age_of_onset(found, sentence, term.end)
        yield Entity(
            EntityKind.FAMILY_HISTORY,
            with_site(found, sentence, term),
            term.end,
            term.key,
            judgement.assertion,
            False,
            who,
            attributes,
        )


def who_is_meant(reading: Reading, sentence: Sentence, start: int, end: int) -> str:
    """Whom characters [start, end) are about: "patient", or a relative in the singular."""
    relatives = relatives_in(reading, sentence)
    in_section = sentence.section is SectionKind.FAMILY_HISTORY
    return _experiencer(Found(reading, (), ()), sentence, relatives, start, end, in_section) or "patient"


def _experiencer(
    found: Found, sentence: Sentence, relatives: list[Relative], start: int, end: int, in_section: bool
) -> str | None:
    reading = found.reading
    first, last = reading.tokens(start, end)
    for relative in relatives:
        if relative.first >= last and relative.first - last <= 5:
            between = reading.lower[end : reading.starts[relative.first]]
            if _AFTER.fullmatch(between) and not _starts_clause(reading.words, relative):
                return relative.name
    before = [relative for relative in relatives if relative.last <= first]
    if before:
        nearest = before[-1]
        if in_section or _is_subject(reading.words, sentence, nearest, first):
            return nearest.name
    return "family" if in_section else None


def _starts_clause(words: list[str], relative: Relative) -> bool:
    following = words[relative.last] if relative.last < len(words) else ""
    return following in ("with", "had", "has", "died", "-", ":", "–", "is", "was", "deceased", "alive", "living")


def _is_subject(words: list[str], sentence: Sentence, relative: Relative, first: int) -> bool:
    """Whether a relative outside the family history section is whom the words are about."""
    preceding = words[relative.first - 1] if relative.first > sentence.first else ""
    before = words[relative.first - 2] if relative.first > sentence.first + 1 else ""
    between = words[relative.last : first]
    if between[:1] == ["who"] and _TOLD_OF.intersection(between[1:2]):  # "a brother who had gout" tells of the brother
        between = between[1:]
    if _REPORTING.intersection(between[:3]) or preceding in _COMPANY or before in _COMPANY:
        return False
    return not _PATIENT.intersection(between) and not any(word in _REPORTING for word in between) and ";" not in between


def _age_of_onset(found: Found, sentence: Sentence, end: int) -> dict[str, str]:
    stop = min(sentence.end, end + 30)
    comma = found.reading.plain.find(",", end, stop)
    if comma >= 0 and not found.reading.lower.startswith("diagnosed", comma + 2):
        stop = comma
    match = _AGE.search(found.reading.plain, end, stop)
    return {"onset": found.reading.note.text[match.start("value") : match.end("value")]} if match else {}

"""Lay words for clinical ones, and clinical words that need explaining.

Tables: `data/lay_terms.csv` (term, lay words, severity), `data/lay_abbreviations.csv`, `data/lay_everyday.txt`
(clinical words that people use every day: "asthma", "blood pressure"), and the names in the concept tables.
"""

import csv
import re
from functools import cache
from importlib.resources import files
from typing import Literal

from foundation.records import Frozen
from terminology import concepts
from terminology.abbreviations import expand_plainly, spans
from terminology.frequency import frequency
from terminology.phrasebook import Phrasebook
from terminology.wordforms import FORMS, TOKEN, forms_of

Severity = Literal["major", "minor"]

_USUAL = 1500
"""Times that a word must be counted in `terminology.frequency` to be usual (of about 10^9 words)."""


_EXPLAINED_KINDS = frozenset({"symptom", "condition", "procedure", "test"})
"""Kinds whose clinical names are jargon; a drug's name is no jargon, whatever it is called."""

_ARTICLE = re.compile(r"\b([Aa])(n?)(\s+)$")


class JargonMatch(Frozen):
    """A clinical term that a lay person may not understand, with lay words for it.

    `severity` is "major" where the meaning is likely lost, "minor" where most people would guess it.
    """

    start: int
    end: int
    term: str
    lay: str
    severity: Severity


# Lay words for an adjective that stand behind its noun; without a noun the adjective is left as it is.
_STANDS_AFTER = re.compile(r"(?:of|in|from|to|on|taken by) ")
_SMALL = r"(?!(?:and|or|with|of|in|is|was|are|were|on|for|to|by|at|the|a|an)\b)"
_FOLLOWING = re.compile(rf" (?P<noun>{_SMALL}[a-z]+(?: {_SMALL}[a-z]+)?)(?![\w-])")


def lay_name(key: str) -> str:
    """What a patient calls the concept; the key in plain words where it is unknown."""
    concept = concepts.get(key)
    return concept.lay if concept else key.replace("_", " ")


def plain(text: str) -> str:
    """`text` in lay words: abbreviations written out, clinical terms replaced, the rest untouched."""
    text = expand_plainly(text)
    pieces: list[str] = []
    done = 0
    for start, end, term in _book().find(text):
        lay = _terms()[term][0]
        if not lay or start < done:
            continue
        noun = _FOLLOWING.match(text, end) if _STANDS_AFTER.match(lay) else None
        if noun:  # "cerebral edema" is "edema of the brain"
            pieces += [text[done:start], noun["noun"], f" {lay}"]
            done = noun.end()
        elif not _STANDS_AFTER.match(lay):
            pieces += [_with_article(text[done:start], lay), _cased(lay, text[start:end])]
            done = end
    return re.sub(r"\b(\w+)( \1\b)+", r"\1", "".join([*pieces, text[done:]])) if pieces else text


def jargon(text: str) -> list[JargonMatch]:
    """The clinical terms of `text` that would need explaining, left to right; everyday clinical words are none."""
    found = [
        JargonMatch(start=start, end=end, term=text[start:end], lay=_terms()[term][0], severity=_terms()[term][1])
        for start, end, term in _book().find(text)
        if term not in _everyday()
    ]
    taken = [(match.start, match.end) for match in found]
    for start, end, lay in spans(text):
        everyday = " ".join(forms_of(text[start:end])) in _everyday_forms()
        if not everyday and all(end <= left or start >= right for left, right in taken):
            found.append(JargonMatch(start=start, end=end, term=text[start:end], lay=lay, severity="major"))
    return sorted(found, key=lambda match: match.start)


def _with_article(before: str, lay: str) -> str:
    """`before` with its last "a" or "an" made to agree with the lay words that follow."""
    article = "an" if lay[:1].lower() in "aeiou" and not lay.startswith(("urin", "us", "uni")) else "a"
    return _ARTICLE.sub(lambda found: ("A" if found[1].isupper() else "a") + article[1:] + found[3], before)


def _cased(lay: str, original: str) -> str:
    return lay[:1].upper() + lay[1:] if original[:1].isupper() and not original.isupper() else lay


def _read(name: str) -> str:
    return files("terminology").joinpath("data", name).read_text("utf-8")


@cache
def _everyday() -> frozenset[str]:
    """Everyday clinical terms, and a marker entry for each so that they win over shorter jargon inside them."""
    lines = (line.strip() for line in _read("lay_everyday.txt").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def _everyday_forms() -> frozenset[str]:
    return frozenset(" ".join(forms_of(term)) for term in _everyday())


@cache
def _terms() -> dict[str, tuple[str, Severity]]:
    """Term → lay words and severity: the lay table first, then clinical names that hold an unusual word."""
    table: dict[str, tuple[str, Severity]] = {}
    for row in csv.DictReader(_read("lay_terms.csv").splitlines()):
        table[row["term"]] = (row["lay"], "minor" if row["severity"] == "minor" else "major")
    known = {" ".join(forms_of(term)) for term in table} | _everyday_forms()
    explained = (concept for concept in concepts.all_concepts() if concept.kind in _EXPLAINED_KINDS)
    for concept in explained:
        for name in (concept.name, *concept.synonyms):
            form = " ".join(forms_of(name))
            if form not in known and name.lower() != concept.lay.lower() and _is_hard(name):
                table[name] = (concept.lay if concept.lay != concept.name else "", "major")
                known.add(form)
    table.update((term, ("", "minor")) for term in sorted(_everyday()))
    return table


def _is_hard(name: str) -> bool:
    """Whether a word of the name is neither usual in English nor an everyday clinical word."""
    words = (word for word in TOKEN.findall(name) if len(word) > 3 and word.isalpha())
    return any(frequency(word) < _USUAL and FORMS[word] not in _everyday_forms() for word in words)


@cache
def _book() -> Phrasebook:
    book = Phrasebook()
    for term in _terms():
        book.add(term, term)
    return book

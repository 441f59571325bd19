"""A note made ready once for every extractor: tokens, sections, sentences, cues, concepts and drugs by place."""

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from etl.notes.assertion import Cue, cues_of_sentence, load_triggers
from etl.notes.note import Note
from etl.notes.section_kinds import Section, SectionKind
from etl.notes.sections import split_sections
from etl.notes.sentences import is_soft_break, split_sentences, wrap_width
from etl.notes.spacy_phrases import TOKEN

# De-identification blanks: MIMIC-III's [** **], MIMIC-IV's ___, and the De-ID style **NAME[...].
_BLANK = re.compile(r"\[\*\*[^\]]{0,200}?\*\*\]|_{2,}|\*\*[A-Z][A-Z-]*(?:\[[^\]]{0,80}\])?")
_BREAK = re.compile(r"\r?\n[ \t]*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters [start, end) and tokens [first, last) of a note, with the section it stands in and its cues."""

    start: int
    end: int
    first: int
    last: int
    section: SectionKind
    cues: list[Cue] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Reading:
    """A note prepared. `plain` is the text in the same length, lower case kept apart, blanks and soft line breaks
    replaced by fillers, so that every offset into it is an offset into the note."""

    note: Note
    plain: str
    lower: str
    starts: list[int]
    ends: list[int]
    words: list[str]
    sections: tuple[Section, ...]
    sentences: tuple[Sentence, ...]

    @property
    def is_narrative(self) -> bool:
        """Whether the note has no headings of a chart (a case report)."""
        return all(section.kind is SectionKind.NARRATIVE for section in self.sections)

    def tokens(self, start: int, end: int) -> tuple[int, int]:
        """Token range that covers characters [start, end)."""
        first = bisect_left(self.ends, start + 1)
        return first, max(bisect_left(self.starts, end), first)

    def sentence_at(self, position: int) -> Sentence | None:
        """The sentence that holds the character at `position`."""
        low = bisect_left(self.sentences, position + 1, key=lambda sentence: sentence.start) - 1
        if low < 0 or self.sentences[low].end <= position:
            return None
        return self.sentences[low]


def read(note: Note) -> Reading:
    """Prepare `note`. Linear in its length; an empty note gives a Reading without sections."""
    text = note.text
    width = wrap_width(text)
    plain = _plain(text, width)
    lower = _lowered(plain)
    spans = [match.span() for match in TOKEN.finditer(plain)]
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    words = [lower[start:end] for start, end in spans]
    sections = split_sections(text)
    sentences = tuple(_sentences(text, width, sections, starts, words))
    return Reading(note, plain, lower, starts, ends, words, sections, sentences)


def _sentences(
    text: str, width: int, sections: tuple[Section, ...], starts: list[int], words: list[str]
) -> list[Sentence]:
    cues = load_triggers().cues(words)
    found: list[Sentence] = []
    at = 0
    for section in sections:
        for span in split_sentences(text, section.body, section.end, width):
            first, last = bisect_left(starts, span.start), bisect_left(starts, span.end)
            while at < len(cues) and cues[at].start < first:
                at += 1
            begin = at
            while at < len(cues) and cues[at].start < last:
                at += 1
            own = cues_of_sentence(cues[begin:at], words)
            found.append(Sentence(span.start, span.end, first, last, section.kind, own))
    return found


def _plain(text: str, width: int) -> str:
    def filled(match: re.Match[str]) -> str:
        return "_" * len(match.group())

    def unwrapped(match: re.Match[str]) -> str:
        newline = match.start() + len(match.group().split("\n")[0])
        return " " * len(match.group()) if is_soft_break(text, newline, width) else match.group()

    blanked = _BLANK.sub(filled, text)
    return _BREAK.sub(unwrapped, blanked) if width else blanked


def _lowered(text: str) -> str:
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)

"""Where the tagger's spans stand in a case report's text, and whether spans overlap."""

from etl.notes.reading import Sentence
from etl.notes.rules.found import Found
from etl.notes.tagger.tagger import Tagged


def span_of(found: Found, sentence: Sentence, tag: Tagged) -> tuple[int, int]:
    """Characters, first and end, of what the tagger marked in words."""
    reading = found.reading
    return reading.starts[sentence.first + tag.first], reading.ends[sentence.first + tag.last - 1]


def touches(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether any of the spans overlaps start to end (characters)."""
    return any(start < stop and begin < end for begin, stop in spans)

"""A sentence of a note as the tagger sees it; the same in training and in use."""

from collections.abc import Sequence
from dataclasses import dataclass

from etl.notes.reading import Sentence
from etl.notes.rules.found import Found
from etl.notes.rules.patterns import load_words
from etl.notes.rules.phrases import history_phrases


@dataclass(frozen=True, slots=True)
class TaggerSentence:
    """Words of a sentence with the marks of the terminology's terms ("Bsymptom", "Isymptom", "") and the rules' history
    phrases in words; `told`: it has a word of history."""

    words: Sequence[str]
    terms: Sequence[str]
    first: int
    phrases: tuple[tuple[str, int, int], ...]
    position: int
    told: bool


def tagger_sentence(found: Found, sentence: Sentence, position: int) -> TaggerSentence:
    """Prepare `sentence`, the `position`th of its note."""
    reading = found.reading
    words = [reading.plain[reading.starts[at] : reading.ends[at]] for at in range(sentence.first, sentence.last)]
    told = not load_words("history_words.txt").isdisjoint(reading.words[sentence.first : sentence.last])
    phrases = [
        (phrase.kind, *_clipped(reading.tokens(phrase.start, phrase.end), sentence))
        for phrase in (history_phrases(reading.plain, sentence.start, sentence.end) if told else ())
    ]
    return TaggerSentence(words, _terms(found, sentence), sentence.first, tuple(phrases), position, told)


def _terms(found: Found, sentence: Sentence) -> list[str]:
    marks = [""] * (sentence.last - sentence.first)
    terms = [*found.in_span(sentence.start, sentence.end), *found.drugs_in(sentence.start, sentence.end)]
    for term in terms:
        first, last = _clipped(found.reading.tokens(term.start, term.end), sentence)
        for at in range(first, last):
            marks[at] = ("B" if at == first else "I") + term.kind
    return marks


def _clipped(tokens: tuple[int, int], sentence: Sentence) -> tuple[int, int]:
    first, last = max(tokens[0], sentence.first), min(tokens[1], sentence.last)
    return first - sentence.first, max(last, first) - sentence.first

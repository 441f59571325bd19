"""Phrases found in text in one pass: a tree of word forms, longest phrase first.

About half a million words a second on one core, whatever the number of phrases.
"""

from collections.abc import Callable, Iterator

from terminology.wordforms import FORMS, PLAIN_FORMS, SKIPPED, TOKEN, forms_of

_LONGEST = 12


class _Node:
    __slots__ = ("next", "values")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.values: tuple[str, ...] = ()


class Phrasebook:
    """Phrases with values (keys of whatever the phrases name); several values a phrase keep the order of `add`.

    Words of a phrase match in any inflection, a word alone only in singular and plural. An abbreviation of up to two
    letters, or one of `capitals_only`, is found in capitals only; the others in any case.
    """

    def __init__(self, capitals_only: Callable[[str], bool] = lambda _: False) -> None:
        self._root = _Node()
        self._alone: dict[str, tuple[str, ...]] = {}
        self._capitals: dict[str, tuple[str, ...]] = {}
        self._any_case: dict[str, tuple[str, ...]] = {}
        self._capitals_only = capitals_only

    def add(self, phrase: str, value: str) -> None:
        """Let `phrase` name `value` too."""
        if _is_abbreviation(phrase):
            self._capitals[phrase] = _with(self._capitals.get(phrase, ()), value)
            if len(phrase) > 2 and not self._capitals_only(phrase):
                self._any_case[phrase.lower()] = _with(self._any_case.get(phrase.lower(), ()), value)
            return
        tokens = TOKEN.findall(phrase)
        if len(tokens) == 1:
            alone = PLAIN_FORMS[tokens[0]]
            self._alone[alone] = _with(self._alone.get(alone, ()), value)
            return
        node = self._root
        for form in forms_of(phrase):
            node = node.next.setdefault(form, _Node())
        if node is not self._root:
            node.values = _with(node.values, value)

    def whole(self, term: str) -> tuple[str, ...]:
        """The values that `term` as a whole names; case does not matter, but capitals win for abbreviations."""
        tokens = TOKEN.findall(term)
        if len(tokens) == 1:
            named = self._alone.get(PLAIN_FORMS[tokens[0]], ())
            short = self._capitals.get(tokens[0].upper(), ())
            return (*short, *named) if tokens[0].isupper() else (*named, *short)
        node: _Node | None = self._root
        for form in forms_of(term):
            node = node.next.get(form) if node else None
        return node.values if node else ()

    def find(
        self, text: str, wanted: frozenset[str] | None = None, corrected: dict[str, str] | None = None
    ) -> Iterator[tuple[int, int, str]]:
        """(start, end, value) of every longest phrase, left to right, not overlapping.

        `wanted` limits the values; `corrected` maps words of this text to the words that they stand for.
        """
        tokens = list(TOKEN.finditer(text))
        words = [token.group() for token in tokens]
        if corrected:
            words = [corrected.get(word, word) for word in words]
        forms = [FORMS[word] for word in words]
        first = self._root.next
        position, count = 0, len(forms)
        while position < count:
            last, value = position, ""
            if forms[position] in first:
                last, value = self._longest(forms, position, wanted)
            if forms[position] in SKIPPED and self._longest(forms, position + 1, wanted)[0] > max(last, position + 1):
                value, last = "", position
            if not value:
                named = self._named_alone(words[position])
                value = _first(named, wanted) if named else ""
            if value:
                yield tokens[position].start(), tokens[last].end(), value
            position = last + 1

    def _named_alone(self, word: str) -> tuple[str, ...]:
        if word.isupper():
            named = self._capitals.get(word) or self._capitals.get(word.removesuffix("S"))
            if named:
                return named
        lower = word.lower()
        named = self._any_case.get(lower)
        if not named and word.endswith("s") and word[:-1].isupper():
            named = self._capitals.get(word[:-1])
        return named or self._alone.get(PLAIN_FORMS[word], ())

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
        found = {FORMS[word] for word in self._alone}
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


def _is_abbreviation(phrase: str) -> bool:
    return phrase.isupper() and phrase.isalnum() and len(phrase) <= 8

"""Sentences from the phrase grammar (grammar.yaml), with their entities marked."""

import random
import re
from collections.abc import Iterable
from typing import Any

from etl.synthetic.content import conditions, symptoms, table
from etl.synthetic.marks import Entity, Marks, capitalise

_CHOICE = re.compile(r"<([^<>]*)>")
_SLOT = re.compile(r"\{(\w+)\}")
# what only a patient who speaks can be said to do
_OWN_WORDS = re.compile(
    r"describes|rates it|admits|unsure|calls it|points to|characterizes|\bdeni|report|endorses|complains|notes", re.I
)
_UNITS = (
    ("hour", 1.0, 24.0),
    ("day", 24.0, 14 * 24.0),
    ("week", 168.0, 60 * 24.0),
    ("month", 730.0, 24 * 730.0),
    ("year", 8766.0, 1e9),
)
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Prose:
    """One author writing one note: draws phrases, and marks what they say."""

    def __init__(self, rng: random.Random, marks: Marks, terse: bool) -> None:
        self.rng = rng
        self.marks = marks
        self.terse = terse
        self.second_hand = False
        self.words: dict[str, str] = {}
        self._called: dict[str, str] = {}
        self._said: set[str] = set()

    @property
    def manner(self) -> str:
        """ "terse" or "full": which phrases of the grammar this author uses."""
        return "terse" if self.terse else "full"

    def phrase(self, *path: str) -> str:
        """A phrase from the grammar at `path`, its choices made."""
        node: Any = table("grammar.yaml")
        for key in path:
            node = node[key]
        fitting = [phrase for phrase in node if not (self.second_hand and _OWN_WORDS.search(phrase))] or list(node)
        fresh = [phrase for phrase in fitting if phrase not in self._said] or fitting
        phrase = self.rng.choice(fresh)
        self._said.add(phrase)
        return self.choose(phrase)

    def choose(self, text: str) -> str:
        """`text` with every <a|b> decided, innermost first."""
        while match := _CHOICE.search(text):
            text = text[: match.start()] + self.rng.choice(match.group(1).split("|")) + text[match.end() :]
        return text

    def fill(self, template: str, **words: str) -> str:
        """`template` with its {slots} filled from `words` and the author's own; KeyError for a slot without words."""
        known = self.words | words

        def word(match: re.Match[str]) -> str:
            name = match.group(1)
            if name in known:
                return known[name]
            if name.endswith("_cap"):
                return capitalise(known[name.removesuffix("_cap")])
            return capitalise(known[name[0].lower() + name[1:]])

        return capitalise(re.sub(r" +([.,;])", r"\1", _SLOT.sub(word, template)).replace("  ", " "))

    def symptom(self, key: str, **how: Any) -> tuple[str, Entity]:
        """The marked name of a symptom, the commonest name likelier, and its entity."""
        forms = symptoms()[key]
        entity = Entity("symptom", **how)
        words = self.rng.choices(forms, [3] + [2] * (len(forms) - 1))[0]
        if not self.terse and words.isupper() and self.rng.random() < 0.6:
            words = next((form for form in forms if not form.isupper()), words)
        if key in self._called and self.rng.random() < 0.65:
            words = self._called[key]
        self._called.setdefault(key, words)
        return self.marks.entity(words, entity), entity

    def symptom_list(self, keys: Iterable[str], assertion: str) -> list[str]:
        """Marked names of symptoms under one assertion."""
        return [self.symptom(key, assertion=assertion)[0] for key in keys]

    def condition(self, key: str, kind: str = "medical_history", **how: Any) -> str:
        """The marked name of a comorbidity."""
        forms = conditions()[key].forms
        short = [form for form in forms if form.isupper() or len(form) < 6]
        words = self.rng.choice(short if self.terse and short and self.rng.random() < 0.7 else list(forms))
        return self.marks.entity(words, Entity(kind, **how))

    def duration(self, hours: float) -> str:
        """A length of time in words: "3 days", "three days", "3d"."""
        number, unit = _measured(hours)
        plural = unit if number == 1 else f"{unit}s"
        if self.terse and unit in ("day", "hour", "week") and self.rng.random() < 0.3:
            return f"{number}{unit[0] if unit != 'hour' else 'h'}"
        if number < len(_NUMBERS) and self.rng.random() < (0.1 if self.terse else 0.45):
            return f"{_NUMBERS[number]} {plural}"
        return f"{number} {plural}"

    def onset(self, hours: float) -> str:
        """A point in time in words: "3 days ago", "this morning"."""
        if hours < 10 and self.rng.random() < 0.6:
            return self.rng.choice(("this morning", "earlier today"))
        if hours < 20 and self.rng.random() < 0.6:
            return self.rng.choice(("last night", "yesterday evening"))
        if 20 <= hours < 36 and self.rng.random() < 0.6:
            return "yesterday"
        after = (
            ("ago", "PTA", "prior to admission")
            if self.terse
            else ("ago", "ago", "prior to admission", "before admission", "prior to presentation")
        )
        return f"{self.duration(hours)} {self.rng.choice(after)}"

    def ago(self, years: int) -> str:
        """A number of years back in words."""
        return self.rng.choice((f"{years} years ago", f"about {years} years ago")) if years > 1 else "last year"

    def joined(self, items: list[str], last: str = "and") -> str:
        """A list as the author writes it."""
        if len(items) < 2:
            return "".join(items)
        if self.terse and last == "and" and self.rng.random() < 0.7:
            return ", ".join(items)
        comma = "," if len(items) > 2 and self.rng.random() < 0.4 else ""
        return f"{', '.join(items[:-1])}{comma} {last} {items[-1]}"

    def denials(self, items: list[str]) -> dict[str, str]:
        """The list `items` in the ways in which a denial can write it."""
        return {
            "or_list": self.joined(items, "or"),
            "slash_list": "/".join(items),
            "comma_list": ", ".join(items),
            "no_list": ", no ".join(items),
        }


def _measured(hours: float) -> tuple[int, str]:
    for unit, length, limit in _UNITS:
        if hours < limit:
            return max(1, round(hours / length)), unit
    raise ValueError(f"no unit for {hours} hours")

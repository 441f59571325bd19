"""Picks among the wordings of data/phrases.yaml, by seed, without saying the same sentence twice in a row."""

import random
import re
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from simulator.patient.data_files import document
from simulator.patient.persona import Persona
from simulator.patient.voice import Voice

_OPENER = re.compile(r"^(?:(?:well|so|oh yes|hmm|yes, I'm glad you asked|let me (?:think|see))[,.] )+", re.IGNORECASE)


@dataclass
class Manner:
    """Whoever speaks, how, and which wordings were used lately."""

    persona: Persona
    voice: Voice
    recent: deque[str] = field(default_factory=lambda: deque(maxlen=8))
    chance: random.Random = field(default_factory=lambda: random.Random(0))

    def say(self, *path: str, holding: str = "", **slots: object) -> str:
        """One wording of `path` in phrases.yaml, filled in; `x` also fills `x_cap`. KeyError where the path is not.

        `holding` names a slot that the wording must have, if any has it: "No." does not tell which of two things.
        """
        wordings = _wordings(path, self.persona)
        naming = [wording for wording in wordings if f"{{{holding}" in wording] if holding else []
        template = self._pick(naming or wordings)
        if "x" in slots:
            slots["x_cap"] = capital(str(slots["x"]))
        return re.sub(r"\b(the) the\b", r"\1", self.voice.say(template, **slots), flags=re.IGNORECASE)

    def has(self, *path: str) -> bool:
        """Whether phrases.yaml has wordings there."""
        node: Any = document("phrases.yaml")
        for step in path:
            if not isinstance(node, dict) or step not in node:
                return False
            node = node[step]
        return True

    def _pick(self, wordings: list[str]) -> str:
        fresh = [wording for wording in wordings if wording not in self.recent] or wordings
        chosen = fresh[self.chance.randrange(len(fresh))]
        self.recent.append(chosen)
        return chosen


def _wordings(path: tuple[str, ...], persona: Persona) -> list[str]:
    node: Any = document("phrases.yaml")
    for step in path:
        node = node[step]
    if isinstance(node, dict):
        style = "brief" if persona.brief else "talkative" if persona.talkative else "usual"
        node = node.get(style, node["usual"])
    return list(node)


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def continued(prefix: str, sentence: str) -> str:
    """`sentence` after `prefix` ("Like I said, no cough."), small where a name or "I" does not forbid it.

    What only opens a first telling is left out: "Well, I came in because …".
    """
    sentence = _OPENER.sub("", sentence)
    first = sentence.split(" ", 1)[0]
    keep = first.split("'")[0] == "I" or (len(first) > 1 and first[1:2].isupper())
    return f"{prefix} {sentence if keep else sentence[:1].lower() + sentence[1:]}"

"""Who speaks: the patient in the first person, or a relative of whom the patient is "she", "he" or "they"."""

import re
from dataclasses import dataclass

_NAMES = ("I", "me", "my", "Im", "Ive", "am", "was")
_FIRST = dict(zip(_NAMES, ("I", "me", "my", "I'm", "I've", "am", "was"), strict=True))
_THIRD = {
    "F": dict(zip(_NAMES, ("she", "her", "her", "she's", "she's", "is", "was"), strict=True)),
    "M": dict(zip(_NAMES, ("he", "him", "his", "he's", "he's", "is", "was"), strict=True)),
    "": dict(zip(_NAMES, ("they", "them", "their", "they're", "they've", "are", "were"), strict=True)),
}
_IRREGULAR = {"have": "has", "do": "does", "go": "goes", "be": "is", "don't": "doesn't", "haven't": "hasn't"}
_NEVER_CHANGE = frozenset({"was", "had", "quit", "used", "smoked", "drank", "worked", "lived", "retired", "stopped"})


class _Verb:
    """`{v:take}` in a template: "take" or "takes", as the speaker needs."""

    def __init__(self, singular_third: bool, plural_be: bool) -> None:
        self.singular_third = singular_third
        self.plural_be = plural_be

    def __format__(self, verb: str) -> str:
        if not self.singular_third:
            return {"be": "are" if self.plural_be else "am"}.get(verb, verb)
        if verb in _NEVER_CHANGE:
            return verb
        return _IRREGULAR.get(verb, verb + ("es" if verb.endswith(("ch", "sh", "ss", "o")) else "s"))


_PRONOUN = re.compile(r"(?<=[.!?])\s+[hst](?=(?:e|he|hey|is|er|heir)\b)")


@dataclass(frozen=True)
class Voice:
    """The speaker ("patient", or the relation to the patient) and the patient's sex ("F", "M", "")."""

    speaker: str = "patient"
    sex: str = ""

    @property
    def own(self) -> bool:
        """Whether the patient speaks for themself."""
        return self.speaker == "patient"

    def words(self) -> dict[str, object]:
        """Pronouns and the verb formatter for `str.format`."""
        pronouns = _FIRST if self.own else _THIRD[self.sex]
        verb = _Verb(singular_third=not self.own and self.sex in ("F", "M"), plural_be=not self.own)
        return {**pronouns, "v": verb}

    def say(self, template: str, **slots: object) -> str:
        """The template with pronouns, verbs and slots filled in, its first letter a capital."""
        words = template.format(**self.words(), **slots).strip()
        words = _PRONOUN.sub(lambda found: found[0][:-1] + found[0][-1].upper(), words)
        return words[:1].upper() + words[1:]

"""What the speaker calls things and relatives, within a sentence."""

from kg.facts import Fact
from simulator.patient.phrasing import Manner
from simulator.patient.voice import Voice
from simulator.patient.wording import own_words, spoken_name


def name_of(fact: Fact, manner: Manner) -> str:
    """What the speaker calls the fact's thing, in a sentence."""
    name = spoken_name(fact, manner.persona.knows_clinical_words)
    return own_words(name, str(manner.voice.words()["my"])) if fact.experiencer == "patient" else name


def relative_of(experiencer: str, voice: Voice) -> str:
    """ "my mother", "her mother", or "someone in the family" where the record does not say who."""
    if experiencer in ("patient", "family", "family member", "relative", "", "other"):
        return "someone in the family"
    return f"{voice.words()['my']} {experiencer.lower()}"

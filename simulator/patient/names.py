"""What the speaker calls things and relatives, within a sentence."""

import re

from kg.facts import Fact
from simulator.patient.data_files import document
from simulator.patient.phrasing import Manner
from simulator.patient.retold import illness_of, own_words
from simulator.patient.voice import Voice
from simulator.patient.wording import spoken_name


def name_of(fact: Fact, manner: Manner) -> str:
    """What the speaker calls the fact's thing, in a sentence."""
    clinical = manner.persona.knows_clinical_words
    if fact.experiencer == "patient":
        return own_words(spoken_name(fact, clinical), str(manner.voice.words()["my"]))
    illness = illness_of(fact.text)
    if fact.concept and re.search(document("wording.yaml")["clause"], illness):
        illness = ""
    return spoken_name(fact.model_copy(update={"text": illness}), clinical)


def relative_of(experiencer: str, voice: Voice) -> str:
    """ "my mother", "her mother", or "someone in the family" where the record does not say who."""
    if experiencer in ("patient", "family", "family member", "relative", "", "other"):
        return "someone in the family"
    return f"{voice.words()['my']} {experiencer.lower()}"

"""Blood and discharge: where they come from, when the doctor only says "any blood?"."""

import re

from kg.facts import Domain
from simulator.patient.asks import Ask
from simulator.patient.understanding.beside import aside_spans, within
from simulator.patient.understanding.mentions import Mention, mention_rules
from simulator.patient.understanding.situation import Situation
from simulator.patient.understanding.wording import wording


def blood_asked(text: str, found: list[Mention], now: Situation) -> list[tuple[int, Ask]]:
    """ "Any blood in it?": bleeding from where the symptom under discussion is."""
    match = wording().blood.search(text)
    if match is None or any(mention.start <= match.start() < mention.end for mention in found):
        return []
    if within(match.start(), match.end(), aside_spans(text)):
        return []
    before = now.last.concept if now.last is not None else None
    places = [*(mention.key for mention in found), now.symptom or "", before or ""]
    concept = next((mention_rules().blood_in[key] for key in places if key in mention_rules().blood_in), None)
    concept = concept or "bleeding"
    if any(mention.key == concept for mention in found):
        return []
    return [(match.start(), Ask(domain=Domain.SYMPTOM, concept=concept))]


def discharge_asked(text: str, found: list[Mention], now: Situation) -> list[tuple[int, Ask]]:
    """ "Any discharge?": from the eyes, ears or nose that the clause names, else from where the symptom is."""
    match = wording().discharge.search(text)
    if match is None or any(mention.start <= match.start() < mention.end for mention in found):
        return []
    if within(match.start(), match.end(), aside_spans(text)):
        return []
    flows = mention_rules().discharge_in
    here = [key for place, key in flows.items() if re.search(rf"\b{place}", text)]
    known = [key for place, key in flows.items() if place in (now.symptom or "")]
    return [(match.start(), Ask(domain=Domain.SYMPTOM, concept=key)) for key in dict.fromkeys(here or known[:1])]

"""Which recorded facts a patient knows of: no diagnosis in the complaint's place, no finding that nobody told."""

import re
from functools import lru_cache

from kg.facts import Domain, Fact
from simulator.patient import matching
from simulator.patient.chart import in_chart_words
from simulator.patient.data_files import document
from simulator.patient.wording import recorded
from terminology import concepts, diagnoses


def was_told(fact: Fact, told: frozenset[str]) -> bool:
    """Whether a patient has been told of the fact: findings by kind, everything else is the patient's own."""
    if fact.domain is Domain.TEST_RESULT:
        return "laboratory" in told
    if fact.domain is not Domain.EXAMINATION:
        return True
    kinds = {concept.kind for key in matching.keys_of(fact) if (concept := concepts.get(key))}
    return ("vital" if "vital" in kinds else "examination") in told


def knowable(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts that a patient may draw on: recorded ones, without a diagnosis in the complaint's place."""
    return tuple(f for f in facts if recorded(f) and (f.domain is not Domain.CHIEF_COMPLAINT or speakable_complaint(f)))


def speakable_complaint(fact: Fact) -> bool:
    """Whether a complaint is one that a patient has, not a diagnosis that the ward wrote in its place.

    A diagnosis is a concept of that kind, or what ICD-10-CM names outside its chapters of symptoms (R), accidents
    (V to Y) and contacts with care (Z). A span of time or a number alone ("18 hours") is no complaint either.
    """
    return _speakable(fact.text, fact.concept)


@lru_cache(maxsize=2048)
def _speakable(text: str, key: str | None) -> bool:
    if not re.search(r"[a-z]{2}", re.sub(document("wording.yaml")["spans"], " ", text.lower())):
        return False
    named = [match.key for match in concepts.find(text)] + ([key] if key else [])
    kinds = {concept.kind for name in named if (concept := concepts.get(name))}
    if "condition" in kinds:
        return False
    if "symptom" not in kinds and in_chart_words(text):
        return False
    codes = [diagnoses.find_code(part.strip()) for part in re.split(r"[\\;,/]", text) if part.strip()]
    return "symptom" in kinds or all(code is None or code[0] in "RVWXYZ" for code in codes)

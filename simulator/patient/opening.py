"""Before the first question: what the doctor knows, and how a relative says who they are."""

import re

from etl.caserecord import Assertion, Spokesperson
from kg.facts import Domain, Fact
from simulator.patient.data_files import document
from simulator.patient.grammar import listed, with_article
from simulator.patient.knowable import speakable_complaint
from simulator.patient.protocol import Protocol
from simulator.patient.voice import Voice
from simulator.patient.wording import blank, complaint_names

_NOUNS = {"F": ("woman", "girl"), "M": ("man", "boy"), "": ("adult", "child")}
_ADULT = 18
_ASKED_THEMSELVES = 6
"""Years of age from which children tell of themselves."""


def opening(facts: tuple[Fact, ...], protocol: Protocol, spokesperson: Spokesperson | None) -> str:
    """One or two sentences: "A 64-year-old woman comes in with chest pain. Her daughter speaks for her." """
    who = _who(facts, protocol)
    complaints = spoken_complaints(facts) if "chief_complaint" in protocol.opening else []
    coming = f" comes in with {listed(complaints)}" if complaints else " comes in to see the doctor"
    words = f"{who[:1].upper()}{who[1:]}{coming}."
    if spokesperson:
        pronouns = Voice(spokesperson.relation, sex_of(facts)).words()
        my = str(pronouns["my"])
        words += f" {my[:1].upper()}{my[1:]} {spokesperson.relation} speaks for {pronouns['me']}."
    return words


def parent_of(facts: tuple[Fact, ...]) -> Spokesperson | None:
    """The parent who speaks for a child too small to be asked, where the record names nobody; None for others."""
    ages = [fact.text.strip() for fact in facts if fact.fact_id == "demographics/age"]
    small = bool(ages) and ages[0].isdigit() and int(ages[0]) < _ASKED_THEMSELVES
    return Spokesperson(relation="parent", reason="child") if small else None


def introduction(spokesperson: Spokesperson, voice: Voice) -> str:
    """How the relative says that they speak for the patient: "She's my mother. She can't answer just now, …"."""
    data = document("relatives.yaml")
    relation = spokesperson.relation.lower()
    is_mine = data["patient_is"].get(relation, {}).get(voice.sex)
    pronoun = str(voice.words()["I"])
    third = voice.sex in ("F", "M")
    forms = {
        "They": pronoun.capitalize(),
        "be": "is" if third else "are",
        "do": "does" if third else "do",
    }
    reason = next(
        said for pattern, said in data["reasons"] if re.search(pattern, spokesperson.reason or "-", re.IGNORECASE)
    )
    who = f"{voice.words()['Im']} my {is_mine}." if is_mine else f"I'm {voice.words()['my']} {relation}."
    return f"{who[:1].upper()}{who[1:]} {reason.format(**forms)}"


def spoken_complaints(facts: tuple[Fact, ...]) -> list[str]:
    """The reasons for coming in lay words; a diagnosis that the ward wrote instead is none."""
    own = [fact for fact in facts if fact.domain is Domain.CHIEF_COMPLAINT and fact.assertion is not Assertion.ABSENT]
    own = [fact for fact in own if speakable_complaint(fact) and not blank(fact.text)]
    return [with_article(name) for fact in own for name in complaint_names(fact)]


def complaint_concept(facts: tuple[Fact, ...]) -> str | None:
    """The terminology key of the main complaint, for elliptic questions."""
    own = (fact for fact in facts if fact.domain is Domain.CHIEF_COMPLAINT and speakable_complaint(fact))
    return next((fact.concept for fact in own if fact.concept), None)


def sex_of(facts: tuple[Fact, ...]) -> str:
    """ "F", "M" or "" where the record does not say."""
    texts = [fact.text.strip().upper() for fact in facts if fact.fact_id == "demographics/sex"]
    return {"F": "F", "M": "M", "FEMALE": "F", "MALE": "M"}.get(texts[0], "") if texts else ""


def _who(facts: tuple[Fact, ...], protocol: Protocol) -> str:
    ages = [fact.text.strip() for fact in facts if fact.fact_id == "demographics/age"]
    sex = sex_of(facts) if "sex" in protocol.opening else ""
    age = ages[0] if ages and "age" in protocol.opening else ""
    adult = not age.isdigit() or int(age) >= _ADULT
    noun = _NOUNS[sex][0 if adult else 1]
    if age.startswith(">"):
        return f"a {noun} over {age[1:].strip()} years old"
    if age == "0":
        return f"a baby {noun}" if sex else "a baby"
    if not age:
        return f"{'an' if noun == 'adult' else 'a'} {noun}"
    article = "an" if re.match(r"8|11$|18$", age) else "a"
    return f"{article} {age}-year-old {noun if sex else 'patient'}"

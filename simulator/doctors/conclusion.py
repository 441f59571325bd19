"""The final plan in words: summaries that say what was heard, denials kept as denials, and nothing that was not."""

from collections.abc import Iterable

from simulator.consultation.transcript import FinalPlan
from simulator.doctors.interview import Interview
from simulator.doctors.likelihoods import Disease
from simulator.doctors.treatment import Prescription
from terminology import concepts
from terminology.lay import lay_name

NOT_ASKED = "Not available: not asked."
UNKNOWN = "Not available: the patient does not know."
_DETAILS = ("onset", "severity", "character", "aggravating", "relieving", "frequency")


def plan(
    interview: Interview,
    disease: Disease,
    others: Iterable[Disease],
    support: tuple[list[str], list[str]],
    treatment: tuple[list[Prescription], list[str]],
) -> FinalPlan:
    """The plan for `disease`; `support` are the concepts heard that speak for it, and those denied that fit that."""
    prescriptions, left_out = treatment
    return FinalPlan(
        diagnosis=disease.name,
        differentials=tuple(other.name for other in others),
        reasoning=_reasoning(interview, disease, tuple(others), support, left_out),
        drugs=tuple(item.drug for item in prescriptions),
        drug_reasons={item.drug: _sentence(item.reason) for item in prescriptions},
        category_summaries=summaries(interview),
    )


def summaries(interview: Interview) -> dict[str, str]:
    """What was said by category, in the paper's keys and three more."""
    heard = interview.heard
    return {
        "symptoms": _symptoms(interview),
        "medical_history": _medical(interview),
        "family_history": _family(interview),
        "vital_signs": _told(interview, "vitals"),
        "allergies": _allergies(interview),
        "medications": _listed(interview, "medications", list(heard.drugs.values()), "Takes", "Takes no medicines."),
        "social_history": _social(interview),
    }


def _names(keys: Iterable[str]) -> list[str]:
    named = [(key, concepts.get(key)) for key in keys]
    return list(dict.fromkeys(concept.name if concept else lay_name(key) for key, concept in named))


def _symptoms(interview: Interview) -> str:
    heard = interview.heard
    parts = [f"Reports {_and(_names(heard.symptoms))}."] if heard.symptoms else []
    for topic in _DETAILS:
        told = [words for words in heard.said.get(topic, []) if topic not in heard.unsure]
        told = told or [words for named, words in heard.details.items() if named == topic]
        parts += [f"{topic.capitalize()}: {words.strip()}" for words in told[:1]]
    symptoms_denied = [key for key in heard.denied if _is_symptom(key)]
    if symptoms_denied:
        parts.append(f"Denies {_and(_names(symptoms_denied), 'or')}.")
    parts += _left_open(key for key in heard.possible if _is_symptom(key))
    return " ".join(parts) or NOT_ASKED


def _left_open(keys: Iterable[str]) -> list[str]:
    """A sentence on what the patient holds possible, or none."""
    names = _names(keys)
    return [f"Possibly {_and(names, 'or')}, which is uncertain."] if names else []


def _is_symptom(key: str) -> bool:
    concept = concepts.get(key)
    return concept is not None and concept.kind == "symptom"


def _medical(interview: Interview) -> str:
    heard = interview.heard
    parts = []
    if heard.history:
        told = " ".join(words.strip() for words in heard.said.get("past_history", []))
        parts.append(f"History of {_and(_names(heard.history))}.")
        parts.append(f"In the patient's words: {told}" if told else "")
    elif interview.asked("past_history"):
        parts.append("No past illnesses." if "past_history" in heard.none_of else UNKNOWN)
    if "surgery" in heard.none_of:
        parts.append("No operations.")
    denied = [key for key in heard.denied if (c := concepts.get(key)) and c.kind != "symptom"]
    if denied:
        parts.append(f"Denies {_and(_names(denied), 'or')}.")
    parts += _left_open(key for key in heard.possible if not _is_symptom(key))
    return " ".join(part for part in parts if part) or NOT_ASKED


def _family(interview: Interview) -> str:
    heard = interview.heard
    pairs = [f"{relative} had {what}" for relative, what in heard.family]
    if pairs:
        return f"{_sentence('; '.join(dict.fromkeys(pairs)))}"
    if not interview.asked("family"):
        return NOT_ASKED
    return "No illnesses in the family." if "family" in heard.none_of else UNKNOWN


def _allergies(interview: Interview) -> str:
    heard = interview.heard
    if heard.allergens:
        told = " ".join(heard.said.get("allergies", []) + heard.said.get("reaction", []))
        return f"Allergic to {_and(list(heard.allergens.values()))}. In the patient's words: {told}"
    if not interview.asked("allergies"):
        return NOT_ASKED
    return "Denies any allergy." if "allergies" in heard.none_of else UNKNOWN


def _social(interview: Interview) -> str:
    heard = interview.heard
    told = [words for topic in ("habits", "drugs", "living", "mood") for words in heard.said.get(topic, [])]
    parts = [f"Reports {_and(_names(heard.habits))}."] if heard.habits else []
    if heard.habits_denied:
        parts.append(f"Denies {_and(_names(heard.habits_denied), 'or')}.")
    home = " ".join(heard.said.get("living", []))
    if home and "living" not in heard.unsure:
        parts.append(f"At home: {home}")
    return " ".join(parts) or (UNKNOWN if told else NOT_ASKED)


def _told(interview: Interview, topic: str) -> str:
    told = [words for words in interview.heard.said.get(topic, []) if topic not in interview.heard.unsure]
    if told:
        return " ".join(told)
    return "Not available." if interview.asked(topic) else NOT_ASKED


def _listed(interview: Interview, topic: str, items: list[str], verb: str, none: str) -> str:
    if items:
        told = " ".join(interview.heard.said.get(topic, []))
        return f"{verb} {_and(list(dict.fromkeys(items)))}. In the patient's words: {told}"
    if not interview.asked(topic):
        return NOT_ASKED
    return none if topic in interview.heard.none_of else UNKNOWN


def _reasoning(
    interview: Interview,
    disease: Disease,
    others: tuple[Disease, ...],
    support: tuple[list[str], list[str]],
    left: list[str],
) -> str:
    found, missing = support
    parts = []
    if found:
        parts.append(f"The patient reports {_and(_names(found))}, which fits {disease.name}.")
    elif interview.heard.symptoms:
        parts.append(f"Of what was told ({_and(_names(interview.heard.symptoms))}), {disease.name} explains most.")
    history = [key for key in interview.heard.history if key in disease.rates]
    if history:
        parts.append(f"A history of {_and(_names(history))} makes it likelier.")
    if missing:
        parts.append(f"The patient denies {_and(_names(missing), 'or')}, which speaks against the alternatives.")
    if others:
        parts.append(f"{_and([other.name for other in others], 'and').capitalize()} remain possible but explain less.")
    parts += [_sentence(note) for note in left]
    return " ".join(parts) or f"{disease.name} is the commonest explanation; little could be learnt."


def _and(items: list[str], last: str = "and") -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else ""


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")

"""Whether a turn is right, decided apart from the patient's own matching and verification: from the facts and words."""

import re
from collections.abc import Iterable

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.consultation.transcript import PatientTurn
from simulator.patient.asks import AskStatus
from simulator.patient.data_files import document
from simulator.patient.proof.cohort import Secrets
from simulator.patient.proof.expected import Expected
from simulator.patient.protocol import Protocol
from simulator.patient.wording import blank, clean
from terminology import concepts, drugs, lay

_SILENT = (AskStatus.UNKNOWN, AskStatus.ASSUMED_DENIED)
_NO = re.compile(r"\b(no|not|never|none|nope|nothing|nobody|\w+n't)\b", re.IGNORECASE)
_SMALL = frozenset(
    {
        "a", "an", "the", "of", "in", "on", "at", "to", "for", "with", "and", "or", "my", "your", "his", "her",
        "their", "after", "by", "per", "day", "every",
    }
)  # fmt: skip
_LEAD = re.compile(
    r"^.*\b(?:history|course) (?:is|was) (?:significant|notable|remarkable|positive) for\b", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")
_ALSO = {
    "onset": ("onset", "duration", "timing"),
    "duration": ("duration", "onset"),
    "frequency": ("frequency", "timing"),
}
_TIMES = {"1": ("once", "every day", "daily"), "2": ("twice",), "3": ("three times",), "4": ("four times",)}


_GENERAL = frozenset({"allergy", "drug_allergy", "drug_allergen", "surgery", "chronic_disease", "no_symptoms"})
"""Concepts of no single thing, which a plain "no" may name."""


def problem_with(turn: PatientTurn, expected: Expected, protocol: Protocol, followed: str = "") -> str | None:
    """None where the turn does what is expected, else what is wrong with it in a few words.

    `followed` are the words of a further answer, where the first was cut ("there's more").
    """
    words = f"{turn.words} {followed}".lower()
    statuses = {outcome.status for outcome in turn.outcomes}
    if expected.kind == "silence":
        return None if statuses and statuses <= set(_SILENT) and not turn.disclosed else "silence was not kept"
    if expected.kind == "silence_among":
        asked = [o for o in turn.outcomes if o.ask.concept and concepts.is_a(o.ask.concept, expected.concept)]
        kept = bool(asked) and all(outcome.status in _SILENT for outcome in asked)
        return None if kept else "silence was not kept among other things"
    if expected.kind == "all":
        lost = [fact for fact in expected.facts if _told(fact, protocol) and not says(fact, words)]
        return f"{len(lost)} of {len(expected.facts)} facts are not said" if lost else None
    if not _told(expected.facts[0], protocol):
        value = expected.facts[0].attributes.get("value", "")
        return "a finding that was not told is said" if value and value in turn.words else None
    if expected.kind == "detail":
        return _detail_problem(turn, words, expected)
    return _fact_problem(turn, words, expected, protocol)


def _told(fact: Fact, protocol: Protocol) -> bool:
    if fact.domain is Domain.TEST_RESULT:
        return "laboratory" in protocol.told
    if fact.domain is not Domain.EXAMINATION:
        return True
    concept = concepts.get(fact.concept) if fact.concept else None
    return ("vital" if concept and concept.kind == "vital" else "examination") in protocol.told


def _fact_problem(turn: PatientTurn, words: str, expected: Expected, protocol: Protocol) -> str | None:
    target, same = expected.facts[0], expected.facts[1:]
    settled = {fact_id: outcome.status for outcome in turn.outcomes for fact_id in outcome.fact_ids}
    told = [fact for fact in (target, *same) if _told(fact, protocol)]
    present = [fact for fact in told if fact.assertion is not Assertion.ABSENT]
    if not present:
        if settled.get(target.fact_id) is not AskStatus.DENIED and not _denied_alike(settled, expected.facts):
            return "a recorded absence is not denied"
        return None if _NO.search(words) else "a denial without a no"
    if _denied_as_past(turn, target):
        return None if _NO.search(words) else "a denial without a no"
    named = [fact for fact in present if settled.get(fact.fact_id) is AskStatus.GIVEN]
    if not named:
        return "a recorded fact is not given"
    if target.assertion is not Assertion.ABSENT and not any(_answers(fact, target, expected.name) for fact in named):
        return "another fact is given in its place"
    return (
        None
        if any(says(fact, words) or _says_measured(fact, words) for fact in named)
        else "the words do not say the fact"
    )


def _denied_as_past(turn: PatientTurn, target: Fact) -> bool:
    """Whether the history was asked for and the target, a recorded absence in it, is denied: that is no word of now."""
    past = target.domain is Domain.PAST_HISTORY and target.assertion is Assertion.ABSENT
    asked = (o for o in turn.outcomes if o.ask.domain is Domain.PAST_HISTORY and target.fact_id in o.fact_ids)
    return past and any(outcome.status is AskStatus.DENIED for outcome in asked)


def _answers(fact: Fact, target: Fact, name: str) -> bool:
    """Whether the fact is the target, of its concept, or called by the very name that was asked for."""
    concept = concepts.get(fact.concept) if fact.concept else None
    return (
        fact in (target,)
        or fact.concept == target.concept
        or (concept is not None and name in map(str.lower, concept.wordings()))
    )


def _says_measured(fact: Fact, words: str) -> bool:
    """Whether the words hold the measured value: as it stands, or its numbers ("16 a minute" for "16 breaths/min")."""
    value = fact.attributes.get("value", "")
    return bool(value) and (value.lower() in words or (bool(_NUMBER.search(value)) and says_value(value, words)))


def _denied_alike(settled: dict[str, AskStatus], facts: Iterable[Fact]) -> bool:
    return any(settled.get(fact.fact_id) is AskStatus.DENIED for fact in facts)


def _detail_problem(turn: PatientTurn, words: str, expected: Expected) -> str | None:
    statuses = {outcome.status for outcome in turn.outcomes}
    present = [fact for fact in expected.facts if fact.assertion is not Assertion.ABSENT]
    if not present:
        return None if AskStatus.DENIED in statuses else "an absent symptom is not denied"
    names = _ALSO.get(expected.attribute, (expected.attribute,))
    values = [fact.attributes[name] for name in names for fact in present if not blank(fact.attributes.get(name, ""))]
    if not values:
        in_text = any(_NUMBER.search(fact.text) for fact in present)
        return None if AskStatus.UNKNOWN in statuses or in_text else "a detail that is not recorded is answered"
    return None if any(says_value(value, words) for value in values) else "the recorded detail is not said"


def says(fact: Fact, words: str) -> bool:
    """Whether the words name the fact: a name of its concept, or most words of its text in lay or clinical form."""
    if fact.domain is Domain.DEMOGRAPHICS and fact.concept == "sex":
        return ("woman" if fact.text.upper().startswith("F") else "man") in re.findall(r"[a-z]+", words)
    if fact.domain is Domain.DEMOGRAPHICS and fact.concept == "age":
        return fact.text.strip(">") in words
    if fact.domain is Domain.DEMOGRAPHICS and fact.concept == "language":
        code = fact.text.strip().lower()
        names = [name for name, codes in document("languages.yaml").items() if code in codes]
        if names:
            return names[0].lower() in words
    concept = concepts.get(fact.concept) if fact.concept else None
    wordings = (*concept.wordings(), concept.lay.split(" (")[0]) if concept else ()
    names = [name.lower().removeprefix("being ") for name in wordings]
    if any(re.search(rf"\b{re.escape(name)}", words) for name in names):
        return True
    parts = [] if concept else [other for match in concepts.find(fact.text) if (other := concepts.get(match.key))]
    if parts and all(any(name.lower() in words for name in other.wordings()) for other in parts):
        return True
    told = {ingredient for match in drugs.find(fact.text) for ingredient in match.ingredients}
    if told & {ingredient for match in drugs.find(words) for ingredient in match.ingredients}:
        return True
    text = _LEAD.sub("", clean(fact.text))
    return any(_most(written, words) for written in (text, lay.plain(text)))


def says_value(value: str, words: str) -> bool:
    """Whether the words say a detail: every number as it stands, and most of the rest; "admission" is "coming in"."""
    value = re.sub(r"\b(prior to|before) (admission|presentation|arrival)\b|\bPTA\b", "", value, flags=re.IGNORECASE)
    if any(number not in words and not _as_times(number, words) for number in _NUMBER.findall(clean(value))):
        return bool(re.search(r"(\d+)/10", value)) and f"{value.split('/')[0].strip()} out of 10" in words
    return any(_most(text, words) for text in (clean(value), lay.plain(clean(value)))) or bool(
        _NUMBER.search(value) or len(clean(value)) <= 5
    )


def _as_times(number: str, words: str) -> bool:
    return any(form in words for form in _TIMES.get(number, ()))


def _most(text: str, words: str) -> bool:
    wanted = {_stem(word) for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in _SMALL}
    said = {_stem(word) for word in re.findall(r"[a-z0-9]+", words)}
    return len(wanted & said) >= 0.6 * len(wanted) if wanted else text.lower() in words


def _stem(word: str) -> str:
    return re.sub(r"(ing|ed|es|ly|s)$", "", word) if len(word) > 4 else word


def unsupported(turn: PatientTurn, facts: dict[str, Fact], question: str) -> list[str]:
    """Claims in the words that nothing recorded supports: concepts, drugs and numbers.

    A concept is supported by a fact that the turn's trace cites, by one that is wider than such a fact's, or as an
    echo of the question in a turn that denies or does not know.
    """
    ids = {fact_id for outcome in turn.outcomes for fact_id in outcome.fact_ids} | set(turn.volunteered)
    cited = [facts[fact_id] for fact_id in sorted(ids) if fact_id in facts]
    support = " \n ".join([*(_everything(fact) for fact in cited), *(lay.plain(_everything(f)) for f in cited)])
    known = {match.key for match in concepts.find(support)} | {fact.concept for fact in cited if fact.concept}
    known |= {fact.experiencer for fact in cited}
    wider = {above for key in known for above in concepts.ancestors(key)} | known | _GENERAL
    echoed = {outcome.ask.concept for outcome in turn.outcomes} | {match.key for match in concepts.find(question)}
    bad = []
    named = concepts.find(turn.words)
    if any(match.key not in wider and match.key not in echoed for match in named):
        named = concepts.find(_without_names(turn.words, {key for key in wider | echoed if key}))
    for match in named:
        concept = concepts.get(match.key)
        if match.key in wider or (concept and concept.kind == "relative"):
            continue
        if match.key in echoed and _doubted(turn.words, match.text):
            continue
        if any(concept and concept.lay == other.lay for key in wider | echoed if key and (other := concepts.get(key))):
            continue
        bad.append(match.text)
    mine = {i for match in drugs.find(support) for i in match.ingredients}
    bad += [
        m.text for m in drugs.find(turn.words) if set(m.ingredients) - mine and m.text.lower() not in question.lower()
    ]
    numbers = set(_NUMBER.findall(support))
    numbers |= {part for number in numbers for part in number.split("/10")}
    bad += [n for n in _NUMBER.findall(turn.words) if n not in numbers and n != "10" and n not in question]
    return bad


def _doubted(words: str, name: str) -> bool:
    """Whether the sentence that names something, or the one after it, denies it or does not know."""
    sentences = re.split(r"(?<=[.!?])\s+", words)
    places = [place for place, sentence in enumerate(sentences) if name.lower() in sentence.lower()]
    return all(_NO.search(" ".join(sentences[place : place + 2])) for place in places)


def _without_names(words: str, keys: set[str]) -> str:
    """The words without any name of the known concepts, longest first, and without scores."""
    names = {name for key in keys if (concept := concepts.get(key)) for name in concept.wordings()}
    for name in sorted(names, key=lambda name: (-len(name), name)):
        words = re.sub(rf"\b{re.escape(name)}\b", "-", words, flags=re.IGNORECASE)
    return re.sub(r"\d+ out of 10", "-", words)


def _everything(fact: Fact) -> str:
    return " ".join([fact.text, *fact.attributes.values(), lay.lay_name(fact.concept) if fact.concept else ""])


def leaks(turn: PatientTurn, secrets: Secrets, question: str) -> list[str]:
    """Secrets in the words that the question did not itself hold, and words that step out of the role."""
    words, asked = turn.words.lower(), question.lower()
    found = [name for name in secrets.diagnoses if name in words and name not in asked and _spoken(name, words)]
    found += [
        ingredient
        for match in drugs.find(turn.words)
        for ingredient in match.ingredients
        if ingredient in secrets.ingredients and match.text.lower() not in asked
    ]
    found += [identifier for identifier in secrets.identifiers if identifier in words]
    return found + [match[0] for match in _ROLE.finditer(words)]


def _spoken(name: str, words: str) -> bool:
    """Whether the name stands as words of its own ("flu" is not in "fluid")."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) is not None


_ROLE = re.compile(
    r"\b(as an ai|language model|chatbot|simulat\w+|system prompt|my instructions|json|database|graph|dataset|mimic|"
    r"answer key|discharge diagnosis|icd|hadm|subject_id|as your doctor|i recommend|you should take)\b"
)

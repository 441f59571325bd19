"""What the category summaries say and nobody said: allergies, medicines, amounts, numbers, context."""

import re

from evaluator.detectors.fabricated_concepts import fabricated_concepts
from evaluator.detectors.integration_findings import DENIED_ALLERGY, LEXICON, integration_finding
from evaluator.detectors.numbers import never_said, slightly_off
from evaluator.detectors.retelling import CLAUSE
from evaluator.detectors.said import Said, alike, close, durations, named_in, near, relatives_in, scores
from evaluator.detectors.speech import document, first_match, sentences, stems
from evaluator.findings import Finding
from terminology import concepts, drugs

_LEAST_CLAIM = 2  # content words
_DENIES_ALL = re.compile(r"\W*(?:denie[sd]|no|nil|negative for)\b(?!.*\b(?:but|except)\b)", re.IGNORECASE)


def fabricated(category: str, text: str, said: Said) -> list[Finding]:
    """Findings for one category's text, sentence by sentence."""
    findings: list[Finding] = []
    context = any(part in category.lower() for part in document(LEXICON)["context_categories"])
    for sentence in sentences(text):
        denied = "allerg" in category.lower() and re.search(document(LEXICON)["no_allergies"], sentence, re.IGNORECASE)
        if first_match(LEXICON, "claims_nothing", sentence) and not (denied and said.allergies):
            continue
        if "allerg" in category.lower():
            findings += _allergies(sentence, said)
        elif "medication" in category.lower() or "drug" in category.lower():
            findings += _medicines(sentence, said)
        found = [*fabricated_concepts(sentence, context, said), *_amounts(sentence, context, said)]
        found = found or _numbers(sentence, context, said)
        findings += found
        if context and not found:
            findings += _unsupported(sentence, said)
    return findings


def _allergies(sentence: str, said: Said) -> list[Finding]:
    """Allergens and drugs named under allergies, and "no allergies" where none were asked about or some were told."""
    allergens = {m.key for m in concepts.find(sentence, kinds=("allergen",))} - set(document(LEXICON)["general"])
    named = {name for match in drugs.find(sentence) for name in match.ingredients}
    known = {*said.allergies, *(key for key in said.present if (c := concepts.get(key)) and c.kind == "allergen")}
    if re.search(document(LEXICON)["no_allergies"], sentence, re.IGNORECASE) and not (allergens or named):
        told = said.allergens(sentence)
        asked = any(stem.startswith("allerg") or stem == "react" for stem in said.stems)
        if told or not asked:
            how = DENIED_ALLERGY if told else "although nobody asked"
            return [integration_finding("major_fabrication", sentence, f"States that there are no allergies, {how}.")]
        return []
    unsaid = [key for key in sorted(allergens) if not any(near(key, one) for one in known)]
    unsaid += [name for name in sorted(named) if name not in said.ingredients and not allergens]
    if unsaid and not stems(unsaid[0].replace("_", " ")) <= said.stems:
        return [
            integration_finding(
                "major_fabrication", sentence, f"An allergy to {unsaid[0].replace('_', ' ')} was never said."
            )
        ]
    return []


def _medicines(sentence: str, said: Said) -> list[Finding]:
    """Drugs named as home medication that nobody spoke of."""
    unsaid = [m for m in drugs.find(sentence) if m.ingredients and not set(m.ingredients) & said.ingredients]
    unsaid = [match for match in unsaid if not stems(match.text) <= said.stems]
    return [
        integration_finding("major_fabrication", sentence, f"{match.text} was never said to be taken.")
        for match in unsaid[:1]
    ]


def _amounts(sentence: str, context: bool, said: Said) -> list[Finding]:
    """Spans of time and ratings out of ten that differ from all that were said."""
    wrong = [v for v in durations(sentence) if said.durations and not close(v, said.durations)]
    rated = [v for v in scores(sentence) if said.scores and v not in said.scores]
    if not wrong and not rated:
        return []
    slight = not rated and all(alike(value, said.durations) for value in wrong)
    pattern = "minor_fabrication" if context or slight else "major_fabrication"
    what = "A span of time" if wrong else "A rating"
    return [integration_finding(pattern, sentence, f"{what} differs from all that was said.")]


def _numbers(sentence: str, context: bool, said: Said) -> list[Finding]:
    """Numbers that nobody said; minor in context, or where one nearly the same was said."""
    strange = never_said(sentence, said.numbers)
    if not strange:
        return []
    minor = context or all(slightly_off(value, said.numbers) for value in strange)
    pattern = "minor_fabrication" if minor else "major_fabrication"
    return [integration_finding(pattern, sentence, f"Nobody said {strange[0]:g}.")]


def _unsupported(sentence: str, said: Said) -> list[Finding]:
    """Context without any support in the words: a relative nobody named, or a clause that shares no word with them."""
    strangers = relatives_in(sentence) - said.relatives
    if strangers and said.relatives:
        who = sorted(strangers)[0].replace("_", " ")
        return [integration_finding("minor_fabrication", sentence, f"Nobody spoke of the patient's {who}.")]
    if _DENIES_ALL.match(sentence):
        return []
    for clause in CLAUSE.split(sentence):
        words = stems(clause)
        named = {match.key for match in named_in(clause)}
        known = any(near(key, one) for key in named for one in (*said.present, *said.absent, *said.relatives))
        asked_for = bool(said.asked & set(document(LEXICON)["substances"]))
        known = known or (asked_for and bool(first_match(LEXICON, "of_substances", clause)))
        known = known or any(said.implies(key) or key in said.asked for key in named)
        if len(words) < _LEAST_CLAIM and not named and not any(map(str.isdigit, clause)):
            continue  # a word by itself claims too little to be made up
        if words and not _alike(words, said.stems) and not known and not first_match(LEXICON, "denies", clause):
            return [integration_finding("minor_fabrication", sentence, f"Nothing said supports “{clause.strip()}”.")]
    return []


def _alike(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether two sets of stems share a word or its first five letters ("gardener", "gardening")."""
    return bool(some & others) or bool({w[:5] for w in some if len(w) > 4} & {w[:5] for w in others})

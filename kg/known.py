"""What of a record the patient may know: not the findings of this admission that name its diagnoses.

An emergency department's "inflamed appendix" is read from a note as the patient's history, and would let the patient
name the main diagnosis. The rule is safe first: a history that is held back by mistake costs one answer, a leak costs
the case (docs/graph.md, "What the patient knows").
"""

import csv
import re
from functools import cache, lru_cache
from importlib.resources import files

from etl.caserecord import Assertion, CaseRecord, Diagnosis, Medication, MedicationRole, Mention, MentionKind
from terminology import concepts, diagnoses, drugs, safety

_JUDGED = frozenset(
    {
        MentionKind.SYMPTOM,
        MentionKind.MEDICAL_HISTORY,
        MentionKind.EXAMINATION,
        MentionKind.LABORATORY,
    }
)
_FORMERLY = re.compile(
    r"\b(in the past|history of|h/o|previous(ly)?|prior|former|years? ago|since (childhood|birth)|remote|"
    r"status post|s/p|in (19|20)\d\d)\b",
    re.IGNORECASE,
)
_TIMES = frozenset({"onset", "duration"})
# "Withdrawal symptoms": the symptoms of a disease, called by its name.
_SIGNS_OF = re.compile(
    r"(?:(?:signs?|symptoms?)(?:(?: and |/| or )(?:signs?|symptoms?))? of (?P<of>.+)|"
    r"(?P<before>.+?)[ -](?:signs?|symptoms?|symptomatology|syndrome)(?:(?: and |/| or )(?:signs?|symptoms?))?)",
    re.IGNORECASE,
)
_HEAD_ENDS = re.compile(r"\b(?:with|without|due|of|from|secondary|in|and|or|by|associated)\b|[,;:()\[]", re.IGNORECASE)
Keys = frozenset[str]


def known_mentions(case: CaseRecord) -> tuple[Mention, ...]:
    """The mentions that the patient may know, in the record's order: all but those of `withheld_mentions`.

    A detail that names a drug given here ("relieved by ketorolac") is left out of its mention.
    """
    withheld = withheld_mentions(case)
    hospital = _hospital_drugs(case) - _home_ingredients(case)
    known = (mention for mention in case.mentions if mention.mention_id not in withheld)
    return _one_time_each(tuple(_without_drugs(mention, hospital) for mention in known))


def _one_time_each(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """A symptom of now that the record times twice ("since Monday", "for 3 hours") keeps the time given first."""
    told: dict[str, str] = {}
    return tuple(_timed_once(mention, told) for mention in mentions)


def _timed_once(mention: Mention, told: dict[str, str]) -> Mention:
    """The mention without its time where another of `told`, first timed mention by symptom, has one."""
    timed = any(name in mention.attributes for name in _TIMES)
    now = mention.assertion is not Assertion.ABSENT and not mention.historical and mention.experiencer == "patient"
    if mention.kind is not MentionKind.SYMPTOM or not timed or not now:
        return mention
    if told.setdefault(mention.concept or mention.text.lower(), mention.mention_id) == mention.mention_id:
        return mention
    kept = {name: value for name, value in mention.attributes.items() if name not in _TIMES}
    return mention.model_copy(update={"attributes": kept})


def _without_drugs(mention: Mention, hospital: Keys) -> Mention:
    if mention.kind is not MentionKind.SYMPTOM or not any(_drugs_in(v) & hospital for v in mention.attributes.values()):
        return mention
    kept = {name: value for name, value in mention.attributes.items() if not _drugs_in(value) & hospital}
    return mention.model_copy(update={"attributes": kept})


def _hospital_drugs(case: CaseRecord) -> Keys:
    """Ingredients that the hospital gave and that are not recorded as regular drugs of home."""
    regular = frozenset(i for drug in case.medications if _is_regular(drug) for i in drug.ingredients)
    given = _ingredients_of(case, MedicationRole.INPATIENT) | _ingredients_of(case, MedicationRole.DISCHARGE)
    return given - regular


def withheld_mentions(case: CaseRecord) -> frozenset[str]:
    """Ids of mentions that name a diagnosis of this admission and are not documented history, or a drug given here.

    Documented is what some mention of the same condition marks as historical or gives an onset for; what lasts
    (`lasting.csv`) and is no main diagnosis; and what lasts and is treated by a drug that is taken at home.
    """
    return _naming_a_diagnosis(case) | _given_here(case)


def _given_here(case: CaseRecord) -> frozenset[str]:
    """Drugs of this stay read as drugs of home ("was given acetazolamide").

    They are bare names, which the hospital gave, and which neither a table nor words with a dose or times have at home.
    """
    hospital = _hospital_drugs(case)
    told = [mention for mention in case.mentions if mention.kind is MentionKind.HOME_MEDICATION]
    taken = {i for mention in told if mention.attributes for i in _drugs_in(mention.text)}
    bare = [mention for mention in told if not mention.attributes and mention.assertion is not Assertion.ABSENT]
    only_here = (mention for mention in bare if (found := _drugs_in(mention.text)) and found <= hospital - taken)
    return frozenset(mention.mention_id for mention in only_here)


def _is_regular(drug: Medication) -> bool:
    """Whether a home drug is recorded in a table, or with what one takes of it."""
    tabled = any(evidence.kind == "table" for evidence in drug.evidence) or not drug.evidence
    return drug.role is MedicationRole.HOME and (tabled or bool(drug.dose or drug.frequency))


def _ingredients_of(case: CaseRecord, role: MedicationRole) -> frozenset[str]:
    return frozenset(i for drug in case.medications if drug.role is role for i in drug.ingredients)


@lru_cache(maxsize=4096)
def _drugs_in(text: str) -> frozenset[str]:
    return frozenset(ingredient for match in drugs.find(text) for ingredient in match.ingredients)


def _naming_a_diagnosis(case: CaseRecord) -> frozenset[str]:
    judged = [mention for mention in case.mentions if _is_judged(mention)]
    if not judged or not case.diagnoses:
        return frozenset()
    main, all_keys = _main_conditions(case), _conditions(case.diagnoses)
    names = frozenset(diagnosis.name.lower() for diagnosis in case.diagnoses if len(diagnosis.name) > 3)
    documented = _documented(case)
    withheld = set()
    for mention in judged:
        named = _named(mention.text, mention.concept)
        secret = frozenset(key for key in named if _among(key, all_keys))
        open_history = any(_is_known(key, main, documented) for key in secret)
        if (secret and not all(_is_known(key, main, documented) for key in secret)) or (
            not open_history and _says_name(mention, named, names)
        ):
            withheld.add(mention.mention_id)
    return frozenset(withheld)


def _is_judged(mention: Mention) -> bool:
    return (
        mention.kind in _JUDGED
        and mention.experiencer == "patient"
        and mention.assertion is not Assertion.ABSENT
        and not _marked(mention)
    )


def _marked(mention: Mention) -> bool:
    """Whether the record itself says that it was so before this admission."""
    if mention.kind is not MentionKind.MEDICAL_HISTORY:
        return mention.historical
    return mention.historical or bool(mention.attributes.get("onset")) or bool(_FORMERLY.search(mention.text))


def _documented(case: CaseRecord) -> Keys:
    """Conditions marked as historical, and lasting ones of the record that a drug taken at home treats."""
    own = [mention for mention in case.mentions if mention.experiencer == "patient"]
    marked = {key for mention in own if _marked(mention) for key in _named(mention.text, mention.concept)}
    lasting = {key for mention in own for key in _named(mention.text, mention.concept) if is_lasting(key)}
    home = sorted(_home_ingredients(case))
    treated = {key for key in lasting if any(safety.treats(ingredient, key) for ingredient in home)}
    return frozenset(marked | treated)


def _home_ingredients(case: CaseRecord) -> frozenset[str]:
    given = _given_here(case)
    told = [mention for mention in case.mentions if mention.kind is MentionKind.HOME_MEDICATION]
    taken = {i for mention in told if mention.mention_id not in given for i in _drugs_in(mention.text)}
    return _ingredients_of(case, MedicationRole.HOME) | taken


def _is_known(key: str, main: Keys, documented: Keys) -> bool:
    """An earlier coronary disease does not make today's infarction known: what passes must itself be documented."""
    if key in documented:
        return True
    return is_lasting(key) and (_among(key, documented) or not _among(key, main))


def is_lasting(key: str) -> bool:
    """Whether a condition lasts for years (`lasting.csv`), or is a kind of one whose kinds all do."""
    rows = _lasting()
    return key in rows or any(rows.get(above) == "yes" for above in concepts.ancestors(key))


@cache
def _lasting() -> dict[str, str]:
    """Whether kinds of it last too, by condition."""
    lines = (files("kg") / "lasting.csv").read_text(encoding="utf-8").splitlines()
    return {row["condition"]: row["kinds_too"] for row in csv.DictReader(lines)}


def _among(key: str, keys: Keys) -> bool:
    """Whether the condition is one of `keys`, a kind of one, or wider than one."""
    return any(concepts.is_a(key, other) or concepts.is_a(other, key) for other in keys)


@lru_cache(maxsize=8192)
def _named(text: str, key: str | None) -> Keys:
    """The conditions that a text names, and its own concept where that is one."""
    found = {match.key for match in concepts.find(text)} | ({key} if key else set())
    return frozenset(name for name in found if (concept := concepts.get(name)) and concept.kind == "condition")


def _main_conditions(case: CaseRecord) -> Keys:
    """Of the main recorded diagnosis, and of the first that the notes assert."""
    coded = [diagnosis for diagnosis in case.diagnoses if diagnosis.code and diagnosis.rank == 1]
    noted = [diagnosis for diagnosis in case.diagnoses if not diagnosis.code]
    first = [min(group, key=lambda diagnosis: diagnosis.rank) for group in (coded, noted) if group]
    return _conditions(tuple(first))


def _conditions(recorded: tuple[Diagnosis, ...]) -> Keys:
    return frozenset(key for diagnosis in recorded for key in _of_diagnosis(diagnosis))


def _of_diagnosis(diagnosis: Diagnosis) -> Keys:
    """Conditions by name and by the category of the code."""
    named = _named(diagnosis.name, None)
    if not diagnosis.code or not diagnosis.version:
        return named
    return named | _by_category().get(diagnoses.category(diagnosis.code, int(diagnosis.version)), frozenset())


@cache
def _by_category() -> dict[str, Keys]:
    found: dict[str, set[str]] = {}
    for concept in concepts.all_concepts("condition"):
        for code in concept.icd10:
            found.setdefault(code[:3], set()).add(concept.key)
    return {category: frozenset(keys) for category, keys in found.items()}


def _says_name(mention: Mention, named: Keys, names: frozenset[str]) -> bool:
    """Whether words that terminology does not know as a condition hold a diagnosis by its very name."""
    if any(_signs_of(mention.text, name) for name in names):
        return True
    concept = concepts.get(mention.concept) if mention.concept else None
    symptom = concept is not None and concept.kind == "symptom"
    return not named and not symptom and any(name in mention.text.lower() for name in names)


def _signs_of(text: str, name: str) -> bool:
    """Whether a text speaks of the symptoms of a disease by the head of a diagnosis' name ("alcohol withdrawal"), or
    by more of that name that ends in it."""
    signs = _SIGNS_OF.fullmatch(text.strip().lower())
    own = re.findall(r"[a-z]+", _HEAD_ENDS.split(name.lower(), maxsplit=1)[0])
    said = re.findall(r"[a-z]+", signs["of"] or signs["before"]) if signs else []
    return bool(said and own) and said[-1] == own[-1] and set(said) <= set(own)

"""The record's own treatment: reference drugs, what they are for, and which of them are key."""

from collections.abc import Callable
from dataclasses import dataclass

from etl.caserecord import Medication, MedicationRole
from kg.facts import AnswerKey
from terminology import drug_conditions, drug_roles, drugs, safety

_MAIN_RANKS = 2
_ANY_PAIN = frozenset({"pain", "fever", "inflammation"})  # what every pain killer is for


@dataclass(frozen=True, slots=True)
class Need:
    """A key reference drug, or several that stand in for each other. `role` is acute or chronic."""

    names: tuple[str, ...]
    ingredients: frozenset[str]
    conditions: frozenset[str]
    role: str


@dataclass(frozen=True, slots=True)
class Reference:
    """What the record gave, and the conditions of its diagnoses (all, and those of the first two ranks).

    `ingredients` are all that it gave; `expected` those of the discharge list, or of the stay where there is none.
    """

    ingredients: frozenset[str]
    expected: frozenset[str]
    conditions: frozenset[str]
    main_conditions: frozenset[str]
    needs: tuple[Need, ...]


def reference(answer_key: AnswerKey, home: frozenset[str]) -> Reference:
    """The reference of a case; needs come from the discharge list, or from the stay's drugs where there is none."""
    by_rank = [
        (item.rank, drug_conditions.in_text(item.name) | drug_conditions.of_code(item.code, item.version))
        for item in answer_key.diagnoses
    ]
    conditions = frozenset(key for _, keys in by_rank for key in keys)
    main = frozenset(key for rank, keys in by_rank if rank <= _MAIN_RANKS for key in keys)
    given = [drug for drug in answer_key.medications if not drug.carrier_fluid]
    ingredients = frozenset(name for drug in given for name in ingredients_of(drug))
    listed = [drug for drug in given if drug.role is MedicationRole.DISCHARGE]
    asked = listed or [drug for drug in given if drug.role is MedicationRole.INPATIENT]
    expected = frozenset(name for drug in asked for name in ingredients_of(drug))
    needs = [need for drug in asked if (need := _need(drug, conditions, main, home)) is not None]
    joined = _merged(needs, _one_drug if listed else _same_treatment)
    return Reference(ingredients, expected, conditions, main, joined)


def ingredients_of(drug: Medication) -> tuple[str, ...]:
    """Recorded ingredients of a medication, or those that its name resolves to."""
    return drug.ingredients or drugs.normalise(drug.name).ingredients


def specific(conditions: frozenset[str]) -> frozenset[str]:
    """Conditions with their wider ones, without complaints and circumstances."""
    return drug_conditions.with_broader(conditions) - drug_roles.symptom_conditions()


def _need(drug: Medication, conditions: frozenset[str], main: frozenset[str], home: frozenset[str]) -> Need | None:
    """What makes a drug key: it treats a reference diagnosis, or is a home drug for a lasting condition that goes on.

    Comfort, nutrition and intensive care's drugs are key only where they treat one of the first two diagnoses; where
    that is itself a complaint ("low back pain"), a drug for just this complaint is.
    """
    names = ingredients_of(drug)
    major = [name for name in names if not drug_roles.is_minor(name)]
    treated = specific(conditions if major else main)
    candidates = frozenset(major or names)
    treats = frozenset(key for name in candidates for key in safety.indications(name) & treated)
    treats = treats or frozenset(key for name in names for key in safety.indications(name) & (main - _ANY_PAIN))
    if treats:
        return Need((drug.name,), candidates, treats, "acute" if not candidates & home else "chronic")
    lasting = frozenset(key for name in major for key in safety.indications(name)) - drug_roles.symptom_conditions()
    if candidates & home and lasting:
        return Need((drug.name,), candidates, lasting, "chronic")
    return None


def _merged(needs: list[Need], same: Callable[[Need, Need], bool]) -> tuple[Need, ...]:
    """Needs, where those that are the `same` are one."""
    merged: list[Need] = []
    for need in needs:
        position = next((i for i, other in enumerate(merged) if same(need, other)), None)
        if position is None:
            merged.append(need)
            continue
        other = merged[position]
        names = tuple(dict.fromkeys((*other.names, *need.names)))
        merged[position] = Need(
            names, other.ingredients | need.ingredients, other.conditions | need.conditions, other.role
        )
    return tuple(merged)


def _one_drug(a: Need, b: Need) -> bool:
    """Two lines of one drug. Two drugs of a class on a discharge list are meant together (aspirin and clopidogrel)."""
    return bool(a.ingredients & b.ingredients)


def _same_treatment(a: Need, b: Need) -> bool:
    """Drugs of a stay that stand in for each other follow one another (one antibiotic after the next)."""
    stand_ins = a.ingredients | {other for name in a.ingredients for other in drugs.alternatives(name)}
    return bool(stand_ins & b.ingredients) and bool(a.conditions & b.conditions)

"""What part a drug plays in a plan: key treatment, support of another drug, or comfort. Data in `safety_*.txt|csv`."""

from collections.abc import Iterable
from functools import cache

from terminology import safety
from terminology.drug_table import DATA, read_lines, read_rows


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(read_lines(DATA / name))


def symptom_conditions() -> frozenset[str]:
    """Conditions that are complaints or circumstances: a drug for them is no key treatment."""
    return _listed("safety_symptom_conditions.txt")


@cache
def is_minor(ingredient: str) -> bool:
    """Whether the drug is comfort, nutrition, a procedure's or intensive care's, and so not key by itself."""
    return bool(safety.subjects(ingredient) & _listed("safety_minor_classes.txt"))


@cache
def is_supportive(ingredient: str) -> bool:
    """Whether the drug eases or prevents and is reasonable where the plan says what for."""
    return bool(safety.subjects(ingredient) & _listed("safety_supportive_classes.txt"))


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    rows = read_rows(DATA / "safety_supportive.csv", ("subject", "beside", "reason", "source"))
    return tuple((row["subject"], row["beside"]) for row in rows)


def supports(ingredient: str, others: Iterable[str]) -> bool:
    """Whether the drug protects from, or completes, one of the `others` (a laxative beside an opioid)."""
    own = safety.subjects(ingredient)
    beside = {subject for other in others for subject in safety.subjects(other)}
    return any(subject in own and partner in beside for subject, partner in _pairs())

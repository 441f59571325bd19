"""Who the patient is: age at admission, and groups as in the paper's Table 6 and Supplementary Table 2."""

import csv
from datetime import datetime
from functools import cache
from importlib import resources

OLDEST = 89
"""Ages over this are one value: both releases of MIMIC hide them (HIPAA safe harbour, 45 CFR 164.514(b)(2))."""


@cache
def _groups() -> tuple[tuple[str, str, str], ...]:
    text = resources.files(__package__).joinpath("demographic_groups.csv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple((row["characteristic"], row["begins_with"], row["group"]) for row in rows)


@cache
def group_of(characteristic: str, raw: str | None) -> str | None:
    """The group of a recorded value; `characteristic` is race, religion or marital. None where nothing is recorded.

    The longest beginning of `demographic_groups.csv` that fits decides; "*" takes the rest.
    """
    if not raw:
        return None
    value = raw.strip().upper()
    fitting = [
        (len(begins), group)
        for kind, begins, group in _groups()
        if kind == characteristic and begins != "*" and value.startswith(begins)
    ]
    if fitting:
        return max(fitting)[1]
    return next(group for kind, begins, group in _groups() if kind == characteristic and begins == "*")


def age_from_birth(born: datetime | None, admitted: datetime) -> tuple[int | None, bool]:
    """(age in whole years, over 89) at admission. MIMIC-III shifts the births of those over 89 by 300 years."""
    if born is None or admitted < born:
        return None, False
    had_birthday = (admitted.month, admitted.day) >= (born.month, born.day)
    return capped(admitted.year - born.year - (0 if had_birthday else 1))


def age_from_anchor(anchor_age: int | None, anchor_year: int | None, admitted: datetime) -> tuple[int | None, bool]:
    """(age in whole years, over 89) at admission; an anchor age of 91 means over 89 (MIMIC-IV)."""
    if anchor_age is None or anchor_year is None:
        return None, False
    if anchor_age > OLDEST:
        return None, True
    return capped(anchor_age + admitted.year - anchor_year)


def capped(age: int) -> tuple[int | None, bool]:
    """(age, False), or (None, True) over 89; a negative age is none."""
    if age > OLDEST:
        return None, True
    return (age, False) if age >= 0 else (None, False)

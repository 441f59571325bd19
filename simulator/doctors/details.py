"""Details of the main complaint that an answer tells unasked: when it began, how bad it is, what it feels like.

Read from the words alone (`data/details.yaml`), so that no question asks again for what the patient said already. A
clause counts as far as it denies nothing, and where it leaves nothing open and names no other symptom and no drug; a
span of time that belongs to an earlier spell or to each attack is no onset.
"""

import re
from functools import cache

from simulator.doctors import hearing
from simulator.doctors.likelihoods import document
from terminology import concepts, drugs

TOLD_IN = frozenset({"story", "onset", "severity", "character"})
"""Topics whose answers are about the main complaint."""


def details_told(words: str, complaint: str) -> dict[str, str]:
    """Topics (`onset`, `severity`, `character`) with the clause of `words` that tells them of `complaint`.

    `complaint` is a terminology key, or "" where none is known yet: then no named symptom is foreign.
    """
    told: dict[str, str] = {}
    for clause in hearing.clauses(words):
        if hearing.unsure(clause) or not _is_about(clause, complaint):
            continue
        for topic in document("details.yaml")["tells"]:
            if _tells(topic, hearing.affirmed(clause)):
                told.setdefault(topic, clause)
    return told


def _tells(topic: str, clause: str) -> bool:
    tells, tells_not = _patterns(topic)
    return any(p.search(clause) for p in tells) and not any(p.search(clause) for p in tells_not)


@cache
def _patterns(topic: str) -> tuple[tuple[re.Pattern[str], ...], tuple[re.Pattern[str], ...]]:
    rules = document("details.yaml")

    def filled(patterns: list[str]) -> tuple[re.Pattern[str], ...]:
        named = (p.replace("{span}", rules["span"]).replace("{day}", rules["day"]) for p in patterns)
        return tuple(re.compile(pattern, re.IGNORECASE) for pattern in named)

    return filled(rules["tells"][topic]), filled(rules["tells_not"][topic])


def _is_about(clause: str, complaint: str) -> bool:
    """Whether a clause is about the complaint: it names it, or no symptom at all, and no drug."""
    if drugs.find(clause):
        return False
    named = {match.key for match in concepts.find(clause, kinds=("symptom",))}
    return not complaint or not named or any(_near(key, complaint) for key in named)


def _near(one: str, other: str) -> bool:
    return one == other or concepts.is_a(one, other) or concepts.is_a(other, one)

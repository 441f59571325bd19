"""How well asks were understood: a strict alignment of predicted with labelled asks.

The asks of an utterance are paired one to one so that as much as possible agrees (domain before concept, concept
before attribute, attribute before experiencer). Each pair is right or wrong per field; every ask that is left over,
missed or too many, is wrong in every field. An utterance that asks nothing counts as one right item where nothing was
understood. Accuracy of a field = right items / (pairs + left over + rightly silent).

`domain` and `concept` allow for either of two sound conventions (data/label_conventions.yaml): a symptom asked in the
review of systems, lifestyle under the social history, a kind of the labelled thing. `domain_strict` asks for the very
domain, `concept_strict` for one concept (synonyms allowed); `concept_in_domain` for `domain` and `concept` both.
`found` is the share of labelled asks that were found, whatever else was understood.
`exact` is the share of utterances whose whole set of asks is right in that field.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.stats import binomtest

from simulator.patient.asks import Ask
from simulator.patient.understanding.conventions import equal_concept, related_concept, same_domain
from terminology import concepts

FIELDS = ("domain", "domain_strict", "concept", "concept_strict", "concept_in_domain", "attribute", "experiencer")
_WEIGHT = {"domain_strict": 32, "domain": 16, "concept_strict": 8, "concept": 4, "attribute": 2, "experiencer": 1}


@dataclass
class Tally:
    """Right and all, with a Wilson 95% interval."""

    right: int = 0
    all: int = 0

    def add(self, right: bool) -> None:
        """Counts one item."""
        self.right += right
        self.all += 1

    def summary(self) -> dict[str, float | int | None]:
        """right, all, rate and the interval; rate is None where there was nothing to count."""
        if not self.all:
            return {"right": 0, "all": 0, "rate": None, "low": None, "high": None}
        interval = binomtest(self.right, self.all).proportion_ci(method="wilson")
        rate = round(self.right / self.all, 4)
        return {
            "right": self.right,
            "all": self.all,
            "rate": rate,
            "low": round(float(interval.low), 4),
            "high": round(float(interval.high), 4),
        }


@dataclass
class Agreement:
    """Tallies over utterances: per field, exact sets, and pairs of labelled and predicted domain."""

    fields: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in FIELDS})
    exact: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in (*FIELDS, "everything")})
    found: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in FIELDS})
    confusions: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, gold: Sequence[Ask], predicted: Sequence[Ask]) -> bool:
        """Counts one utterance; True where its whole set of asks is right in domain and concept."""
        pairs = aligned(gold, predicted)
        rows = [agreement(one, other) for one, other in pairs] or [dict.fromkeys(FIELDS, True)]
        for name in FIELDS:
            for row in rows:
                self.fields[name].add(row[name])
            self.exact[name].add(all(row[name] for row in rows))
        self.exact["everything"].add(all(all(row.values()) for row in rows))
        labelled = [agreement(one, other) for one, other in pairs if one is not None]
        for name in FIELDS:
            for row in labelled:
                self.found[name].add(row[name])
        for one, other in pairs:
            key = (str(one.domain) if one else "(nothing)", str(other.domain) if other else "(nothing)")
            self.confusions[key] = self.confusions.get(key, 0) + 1
        return all(row["domain"] and row["concept"] for row in rows)


def aligned(gold: Sequence[Ask], predicted: Sequence[Ask]) -> list[tuple[Ask | None, Ask | None]]:
    """One-to-one pairs of greatest agreement; None stands for an ask that was missed or is too many."""
    pairs: list[tuple[Ask | None, Ask | None]] = []
    left, right = set(range(len(gold))), set(range(len(predicted)))
    if gold and predicted:
        worth = np.array([[_worth(one, other) for other in predicted] for one in gold])
        for row, column in zip(*linear_sum_assignment(-worth), strict=True):
            pairs.append((gold[int(row)], predicted[int(column)]))
            left.discard(int(row))
            right.discard(int(column))
    pairs += [(gold[index], None) for index in sorted(left)]
    return pairs + [(None, predicted[index]) for index in sorted(right)]


def agreement(gold: Ask | None, predicted: Ask | None) -> dict[str, bool]:
    """Which fields of a pair agree; none where one of the two is missing."""
    if gold is None or predicted is None:
        return dict.fromkeys(FIELDS, False)
    domain, concept = same_domain(gold, predicted), related_concept(gold, predicted)
    return {
        "domain": domain,
        "domain_strict": gold.domain == predicted.domain,
        "concept": concept,
        "concept_strict": equal_concept(gold, predicted),
        "concept_in_domain": domain and concept,
        "attribute": gold.attribute == predicted.attribute,
        "experiencer": _person(gold.experiencer) == _person(predicted.experiencer),
    }


def _worth(gold: Ask, predicted: Ask) -> int:
    fields = agreement(gold, predicted)
    return sum(weight for name, weight in _WEIGHT.items() if fields[name])


@cache
def _person(name: str) -> str:
    plain = name.strip().lower()
    found = concepts.lookup(plain, kinds=("relative",))
    return found.key if found else plain or "patient"

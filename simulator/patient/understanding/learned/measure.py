"""Cross-validated figures of the learned part: before and after, by part of the labels, and with fewer labels."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

import numpy as np
from sklearn.model_selection import GroupKFold

from simulator.patient.asks import Ask
from simulator.patient.understanding.learned.edit import SURE, edited
from simulator.patient.understanding.learned.examples import BANK, COMPOUND, Example
from simulator.patient.understanding.learned.fit import fitted
from simulator.patient.understanding.scoring import Agreement

Found = Sequence[tuple[tuple[Ask, ...], float]]
_FIELDS = ("domain", "concept", "concept_in_domain", "attribute")
_FOLDS = 5
_SHARES = (1.0, 0.5, 0.25)
# Below which probability by the features alone a clause is embedded: never, …, always.
_LIMITS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 2.0)
_BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01)


def measured(examples: Sequence[Example]) -> str:
    """A table for the terminal: rules and learned by part, calibration, and the learning curve. No utterance in it."""
    lines = []
    for share in _SHARES:
        by_limit = cross_validated(examples, share, _LIMITS if share == 1.0 else (SURE,))
        found = by_limit[SURE]
        if share == 1.0:
            lines += [*_by_part(examples, found), *_calibration(examples, found), *_by_limit(examples, by_limit)]
        lines.append(f"learned from {share:.0%} of the dialogues: {_rates(_real(examples), _real_of(examples, found))}")
    return "\n".join(lines)


def cross_validated(
    examples: Sequence[Example], share: float = 1.0, limits: Sequence[float] = (SURE,)
) -> dict[float, Found]:
    """What a model that never saw an example's dialogue makes of it, with its confidence, for each example.

    `share` is the part of the other dialogues that the model learns from; the bank's questions count as dialogues.
    `limits` are values for edit.SURE, each with findings of its own.
    """
    groups = np.array([example.group for example in examples])
    found: dict[float, dict[int, tuple[tuple[Ask, ...], float]]] = {limit: {} for limit in limits}
    folds = GroupKFold(_FOLDS, shuffle=True, random_state=0)
    for learned, left_out in folds.split(groups, groups=groups):
        others = np.unique(groups[learned])
        others = np.random.default_rng(0).permutation(others)[: max(1, round(share * len(others)))]
        heads = fitted([examples[index] for index in learned if groups[index] in others])
        for limit, index in product(limits, left_out):
            one = examples[index]
            edit = edited(one.readings, one.by_rules, one.context, heads, limit)
            found[limit][int(index)] = (edit.asks, edit.confidence)
    return {limit: [mine[index] for index in range(len(examples))] for limit, mine in found.items()}


def _by_part(examples: Sequence[Example], found: Found) -> Iterator[str]:
    for part in dict.fromkeys(example.part for example in examples):
        mine = [(example, each[0]) for example, each in zip(examples, found, strict=True) if example.part == part]
        rows = [example for example, _ in mine]
        yield f"{part} ({len(rows)}): rules {_rates(rows, [row.by_rules for row in rows])}"
        yield f"{part} ({len(rows)}): learned {_rates(rows, [asks for _, asks in mine])}"
    real = _real(examples)
    yield f"all real: rules {_rates(real, [row.by_rules for row in real])}"


def _calibration(examples: Sequence[Example], found: Found) -> Iterator[str]:
    """Of utterances with a confidence in [low, high): how many, their mean confidence, how many exactly right."""
    right = [Agreement().add(example.labelled.asks, asks) for example, (asks, _) in zip(examples, found, strict=True)]
    sure = np.array([confidence for _, confidence in found])
    for low, high in pairwise(_BINS):
        mine = (sure >= low) & (sure < high)
        if mine.any():
            mean, share = sure[mine].mean(), np.array(right)[mine].mean()
            yield f"confidence {low:.2f} to {min(high, 1):.2f}: {mine.sum()}, mean {mean:.2f}, right {share:.2f}"


def _by_limit(examples: Sequence[Example], found: dict[float, Found]) -> Iterator[str]:
    """Real utterances, and plain questions: what is lost where fewer clauses are embedded."""
    plain = [index for index, example in enumerate(examples) if example.part in (BANK, COMPOUND)]
    for limit, each in found.items():
        rates = _rates([examples[index] for index in plain], [each[index][0] for index in plain])
        yield f"embedded below {limit:.2f}: real {_rates(_real(examples), _real_of(examples, each))}; plain {rates}"


def _real(examples: Sequence[Example]) -> list[Example]:
    return [example for example in examples if example.part not in (BANK, COMPOUND)]


def _real_of(examples: Sequence[Example], found: Found) -> list[tuple[Ask, ...]]:
    return [asks for example, (asks, _) in zip(examples, found, strict=True) if example.part not in (BANK, COMPOUND)]


def _rates(rows: Sequence[Example], asks: Sequence[tuple[Ask, ...]]) -> str:
    total = Agreement()
    for row, understood in zip(rows, asks, strict=True):
        total.add(row.labelled.asks, understood)
    return " ".join(f"{name} {total.fields[name].summary()['rate']:.3f}" for name in _FIELDS)

"""Cross-validated figures of the learned part: before and after, by part of the labels, and with fewer labels."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from sklearn.model_selection import GroupKFold

from simulator.patient.asks import Ask
from simulator.patient.understanding.learned.edit import edited
from simulator.patient.understanding.learned.examples import BANK, COMPOUND, Example
from simulator.patient.understanding.learned.fit import fitted
from simulator.patient.understanding.scoring import Agreement

_FIELDS = ("domain", "concept", "concept_in_domain", "attribute")
_FOLDS = 5
_SHARES = (1.0, 0.5, 0.25)
_BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01)


def measured(examples: Sequence[Example]) -> str:
    """A table for the terminal: rules and learned by part, calibration, and the learning curve. No utterance in it."""
    lines = []
    for share in _SHARES:
        found = cross_validated(examples, share)
        if share == 1.0:
            lines += [*_by_part(examples, found), *_calibration(examples, found)]
        lines.append(f"learned from {share:.0%} of the dialogues: {_rates(_real(examples), _real_of(examples, found))}")
    return "\n".join(lines)


def cross_validated(examples: Sequence[Example], share: float = 1.0) -> list[tuple[tuple[Ask, ...], float]]:
    """What a model that never saw an example's dialogue makes of it, with its confidence, for each example.

    `share` is the part of the other dialogues that the model learns from; the bank's questions count as dialogues.
    """
    groups = np.array([example.group for example in examples])
    found: dict[int, tuple[tuple[Ask, ...], float]] = {}
    folds = GroupKFold(_FOLDS, shuffle=True, random_state=0)
    for learned, left_out in folds.split(groups, groups=groups):
        others = np.unique(groups[learned])
        others = np.random.default_rng(0).permutation(others)[: max(1, round(share * len(others)))]
        heads = fitted([examples[index] for index in learned if groups[index] in others])
        for index in left_out:
            one = examples[index]
            edit = edited(one.readings, one.by_rules, one.context, heads)
            found[int(index)] = (edit.asks, edit.confidence)
    return [found[index] for index in range(len(examples))]


def _by_part(examples: Sequence[Example], found: Sequence[tuple[tuple[Ask, ...], float]]) -> Iterator[str]:
    for part in dict.fromkeys(example.part for example in examples):
        mine = [(example, each[0]) for example, each in zip(examples, found, strict=True) if example.part == part]
        rows = [example for example, _ in mine]
        yield f"{part} ({len(rows)}): rules {_rates(rows, [row.by_rules for row in rows])}"
        yield f"{part} ({len(rows)}): learned {_rates(rows, [asks for _, asks in mine])}"
    real = _real(examples)
    yield f"all real: rules {_rates(real, [row.by_rules for row in real])}"


def _calibration(examples: Sequence[Example], found: Sequence[tuple[tuple[Ask, ...], float]]) -> Iterator[str]:
    """Of utterances with a confidence in [low, high): how many, their mean confidence, how many exactly right."""
    right = [Agreement().add(example.labelled.asks, asks) for example, (asks, _) in zip(examples, found, strict=True)]
    sure = np.array([confidence for _, confidence in found])
    for low, high in pairwise(_BINS):
        mine = (sure >= low) & (sure < high)
        if mine.any():
            mean, share = sure[mine].mean(), np.array(right)[mine].mean()
            yield f"confidence {low:.2f} to {min(high, 1):.2f}: {mine.sum()}, mean {mean:.2f}, right {share:.2f}"


def _real(examples: Sequence[Example]) -> list[Example]:
    return [example for example in examples if example.part not in (BANK, COMPOUND)]


def _real_of(examples: Sequence[Example], found: Sequence[tuple[tuple[Ask, ...], float]]) -> list[tuple[Ask, ...]]:
    return [asks for example, (asks, _) in zip(examples, found, strict=True) if example.part not in (BANK, COMPOUND)]


def _rates(rows: Sequence[Example], asks: Sequence[tuple[Ask, ...]]) -> str:
    total = Agreement()
    for row, understood in zip(rows, asks, strict=True):
        total.add(row.labelled.asks, understood)
    return " ".join(f"{name} {total.fields[name].summary()['rate']:.3f}" for name in _FIELDS)

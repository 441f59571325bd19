"""Learns the ranker: python -m simulator.patient.understanding.learned.train_ranker --data ../shared/data

Writes ranker.npz in about a minute of processor time. It learns from utterances that the encoder never learned
(examples.py), as the rules of today read them: the rules must not have been mended on those.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.progress import track
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from simulator.patient.asks import Ask
from simulator.patient.bench_understand import OWN_LABELS
from simulator.patient.understand import Understander
from simulator.patient.understanding.labelled import Labelled
from simulator.patient.understanding.learned.candidates import Candidate, candidates
from simulator.patient.understanding.learned.encoder import hear
from simulator.patient.understanding.learned.evidence import rows
from simulator.patient.understanding.learned.examples import for_ranker
from simulator.patient.understanding.learned.ranker import MODEL, Doubles, Ranker, saved
from simulator.patient.understanding.learned.written import written
from simulator.patient.understanding.scoring import agreement
from simulator.patient.understanding.wording import clauses

# How often each spoken utterance counts, beside written ones.
_SPOKEN_WEIGHT = 3
_NETWORKS, _HIDDEN, _PENALTY, _ROUNDS, _RATE = 4, 24, 1.0, 60, 0.003
_WORTH = (("domain_strict", 8), ("concept_strict", 4), ("attribute", 2))


def main() -> None:
    """Reads the labels and the shared data; writes the ranker."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder of the shared data")
    parser.add_argument("--labels", type=Path, default=OWN_LABELS, help="labelled utterances")
    parser.add_argument("--to", type=Path, default=Path(str(MODEL)), help="the ranker's file")
    arguments = parser.parse_args()
    understander = Understander(learned=False)
    spoken = for_ranker(arguments.labels, arguments.data)
    made = [evidence(each.labelled, understander) for each in track([*spoken, *written(1)], "Reading")]
    made += made[: len(spoken)] * (_SPOKEN_WEIGHT - 1)
    table = np.vstack([numbers for numbers, _ in made if numbers])
    saved(learned(table, np.concatenate([wanted for _, wanted in made])), arguments.to)
    print(f"{len(made)} utterances, {len(table)} candidates learned")


def evidence(row: Labelled, understander: Understander) -> tuple[list[list[float]], list[bool]]:
    """The numbers of each candidate of an utterance, and whether it is asked."""
    context = row.context(understander.understand)
    ruled = understander.by_rules(clauses(row.utterance), context)
    heard = hear(row.utterance, context)
    found = candidates(ruled.readings, ruled.asks, heard)
    return rows(found, ruled.readings, context, heard), asked(row.asks, found)


def asked(labelled: Sequence[Ask], found: Sequence[Candidate]) -> list[bool]:
    """Which candidates are asked: at most one for each label, the likest of its domain and thing.

    A label whose thing nobody proposes goes to the first candidate of its domain.
    """
    pairs = [
        (_worth(label, each.ask), -place, index)
        for index, label in enumerate(labelled)
        for place, each in enumerate(found)
    ]
    taken: dict[int, int] = {}
    for worth, place, index in sorted(pairs, reverse=True):
        if worth and index not in taken and -place not in taken.values():
            taken[index] = -place
    for index, label in enumerate(labelled):
        free = [place for place, each in enumerate(found) if place not in taken.values()]
        near = [place for place in free if found[place].ask.domain is label.domain]
        if index not in taken and near:
            taken[index] = near[0]
    return [place in taken.values() for place in range(len(found))]


def _worth(label: Ask, ask: Ask) -> int:
    same = agreement(label, ask)
    return 1 + sum(weight for name, weight in _WORTH if same[name]) if same["concept_in_domain"] else 0


def learned(table: Doubles, wanted: Doubles) -> Ranker:
    """Networks that differ in their seed; `table` has the shape (candidates, features)."""
    scaler = StandardScaler().fit(table)
    scaled = scaler.transform(table)
    networks = [
        MLPClassifier((_HIDDEN,), alpha=_PENALTY, max_iter=_ROUNDS, learning_rate_init=_RATE, random_state=seed).fit(
            scaled, wanted
        )
        for seed in range(_NETWORKS)
    ]
    return Ranker(
        mean=scaler.mean_,
        spread=scaler.scale_,
        first=np.stack([each.coefs_[0] for each in networks]),
        first_bias=np.stack([each.intercepts_[0] for each in networks]),
        second=np.stack([each.coefs_[1][:, 0] for each in networks]),
        second_bias=np.array([each.intercepts_[1][0] for each in networks]),
    )


if __name__ == "__main__":
    main()

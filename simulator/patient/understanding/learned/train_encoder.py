"""Learns the encoder: python -m simulator.patient.understanding.learned.train_encoder --data ../shared/data

Writes encoder.onnx and encoder.json. Needs the extra `training` (torch, onnx, onnxscript) and, on two cores, about half
an hour. What it learns from: examples.py; how well it does: CARD.md.
"""

import argparse
import json
import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from rich.progress import track
from torch import Tensor, nn
from torch.nn import functional

from simulator.patient.bench_understand import OWN_LABELS
from simulator.patient.understanding.learned.encoder import CLASSES, MODEL, pieces
from simulator.patient.understanding.learned.examples import for_encoder
from simulator.patient.understanding.learned.lessons import (
    SHORT,
    Lesson,
    known_classes,
    lesson,
    usual_attributes,
    varied,
)
from simulator.patient.understanding.learned.network import Network, exported, started
from simulator.patient.understanding.learned.written import written

SEED, EPOCHS, BATCH, _THREADS = 0, 6, 24, 2
_BODY_RATE, _HEAD_RATE, _DECAY, _WARM, _LAST = 1.2e-4, 1e-3, 0.01, 12, 0.02
_LONGEST_NORM, _SORTED_TOGETHER, _PADDING = 5.0, 40, 2


def main() -> None:
    """Reads the labels and the shared data; writes the encoder and its classes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder of the shared data")
    parser.add_argument("--labels", type=Path, default=OWN_LABELS, help="labelled utterances")
    parser.add_argument("--to", type=Path, default=Path(str(MODEL)), help="the encoder's file")
    parser.add_argument("--classes", type=Path, default=Path(str(CLASSES)), help="the file of its classes")
    arguments = parser.parse_args()
    examples = for_encoder(arguments.labels, arguments.data)
    names = known_classes(examples)
    read = [lesson(each, names) for each in (*examples, *written(0))]
    table = {"classes": names, "usual_attributes": usual_attributes(examples, names)}
    network = learned(read, len(names))
    example = pieces("Do you have any pain in the chest?", "How are you today?", "Not too well.")
    exported(network, arguments.to, (example.ids, example.types))
    arguments.classes.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def learned(rows: Sequence[Lesson], classes: int) -> Network:
    """A network that has learned from `rows`: AdamW, the rate rising for a twelfth of the steps and then falling."""
    torch.manual_seed(SEED)
    torch.set_num_threads(_THREADS)
    chance, network = random.Random(SEED), started(classes)
    body, head = network.trained()
    network.requires_grad_(False)
    for parameter in (*body, *head):
        parameter.requires_grad_(True)
    steps = EPOCHS * math.ceil(len(rows) / BATCH)
    optimizer = torch.optim.AdamW(
        [{"params": body, "lr": _BODY_RATE}, {"params": head, "lr": _HEAD_RATE}], weight_decay=_DECAY
    )
    warm = max(1, steps // _WARM)
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / warm) * max(_LAST, 1 - step / steps)
    )
    short = [row for row in rows if row.classes and len(row.spoken) < SHORT]
    for epoch in range(EPOCHS):
        network.train()
        batches = track(list(_batches(rows, chance)), f"Epoch {epoch + 1} of {EPOCHS}")
        losses = [_step(network, optimizer, rate, batch, short, chance) for batch in batches]
        print(f"epoch {epoch + 1} of {EPOCHS}: loss {np.mean(losses):.3f}", flush=True)
    return network


def _batches(rows: Sequence[Lesson], chance: random.Random) -> Iterator[list[Lesson]]:
    """Batches of alike length, in a random order."""
    order = list(rows)
    chance.shuffle(order)
    together = BATCH * _SORTED_TOGETHER
    chunks = [
        sorted(order[at : at + together], key=lambda row: len(row.spoken)) for at in range(0, len(order), together)
    ]
    batches = [chunk[at : at + BATCH] for chunk in chunks for at in range(0, len(chunk), BATCH)]
    chance.shuffle(batches)
    yield from batches


def _step(
    network: Network,
    optimizer: torch.optim.Optimizer,
    rate: torch.optim.lr_scheduler.LambdaLR,
    batch: Sequence[Lesson],
    short: Sequence[Lesson],
    chance: random.Random,
) -> float:
    mixed = [varied(row, short, chance) for row in batch]
    wanted = torch.zeros(len(mixed), len(network.bias))
    for place, row in enumerate(mixed):
        wanted[place, list(row.classes)] = 1
    scores = network(*_padded(mixed))
    loss = functional.binary_cross_entropy_with_logits(scores, wanted, reduction="sum") / len(mixed)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), _LONGEST_NORM)
    optimizer.step()
    rate.step()
    return float(loss.detach())


def _padded(rows: Sequence[Lesson]) -> tuple[Tensor, Tensor]:
    """Ids and types of a batch, shape (batch, pieces)."""
    start, stop = pieces("", "", "").ids[0, :2].tolist()
    made = []
    for row in rows:
        spoken = [start, *row.spoken, stop]
        before = [*row.doctor, stop, *row.patient, stop]
        made.append((spoken + before, [0] * len(spoken) + [1] * len(before)))
    longest = max(len(ids) for ids, _ in made)
    ids = torch.tensor([ids + [0] * (longest - len(ids)) for ids, _ in made])
    types = torch.tensor([types + [_PADDING] * (longest - len(types)) for _, types in made])
    return ids, types


if __name__ == "__main__":
    main()

"""`anamnesis bench understand`: how well doctors' questions are understood, and how fast."""

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from chatmodels.interface import ChatModel
from foundation.records import Frozen
from simulator.patient.asks import Ask, DialogueContext, SpeechAct, Understanding
from simulator.patient.understand import Understander
from simulator.patient.understanding.labelled import Labelled, read_labelled
from simulator.patient.understanding.learned.examples import HELD_OUT
from simulator.patient.understanding.scoring import Agreement, Tally

OWN_LABELS = Path(__file__).parent / "data" / "real_questions_labels.jsonl"


class UnderstandingReport(Frozen):
    """Rates with Wilson 95% intervals; definitions in simulator/patient/understanding/scoring.py.

    `accuracy` and `exact` map a field to {right, all, rate, low, high}; `by_domain` is the domain accuracy of the
    labelled asks of each domain. `confusions` lists (labelled, understood, count), most frequent first. Latencies
    are milliseconds of wall clock for one call of understand, `processor_median_ms` of processor time.
    `misunderstood` lists the utterances that are not right in domain and concept: line, utterance, labelled and
    understood asks. `learned` says whether the learned part was on, `trained_on` how many of the utterances it
    was trained on.
    """

    questions: str
    part: str
    utterances: int
    asks: int
    embeddings: bool
    learned: bool
    trained_on: int
    accuracy: dict[str, dict[str, float | int | None]]
    found: dict[str, dict[str, float | int | None]]
    exact: dict[str, dict[str, float | int | None]]
    acts: dict[str, dict[str, float | int | None]]
    by_domain: dict[str, dict[str, float | int | None]]
    confusions: tuple[tuple[str, str, int], ...]
    latency_median_ms: float
    latency_p95_ms: float
    processor_median_ms: float
    decided_by: dict[str, int]
    model_calls: int = 0
    misunderstood: tuple[dict[str, Any], ...] = ()

    def text(self) -> str:
        """The report for a terminal, without any utterance."""
        lines = [f"{self.utterances} utterances, {self.asks} labelled asks ({self.questions} {self.part})".rstrip()]
        lines += self._learned()
        for title, table in self._tables():
            lines += [f"{title:<10} {name:<20} {_rate(row)}" for name, row in table.items()]
        lines += [f"domain     {name:<20} {_rate(row)}" for name, row in self.by_domain.items()]
        lines += [f"confused   {gold} -> {other}: {count}" for gold, other, count in self.confusions[:12]]
        lines.append(f"latency    median {self.latency_median_ms:.2f} ms, p95 {self.latency_p95_ms:.2f} ms")
        lines.append(f"processor  median {self.processor_median_ms:.2f} ms")
        if self.model_calls:
            lines.append(f"chat model {self.model_calls} calls")
        lines.append("domain, concept: either of two conventions counts (data/label_conventions.yaml); not in *_strict")
        return "\n".join(lines)

    def _learned(self) -> list[str]:
        lines = [f"learned part: {'on' if self.learned else 'off'}"]
        if self.trained_on:
            seen = f"{self.trained_on} of the {self.utterances} utterances; new text is read worse"
            lines.append(f"WARNING: the learned part was trained on {seen} (--part {HELD_OUT[-1]})")
        return lines

    def _tables(self) -> tuple[tuple[str, dict[str, dict[str, float | int | None]]], ...]:
        return (
            ("accuracy", self.accuracy),
            ("found", self.found),
            ("exact set", self.exact),
            ("speech act", self.acts),
        )


def bench_understand(
    questions: Path = OWN_LABELS,
    shared: Path | None = None,
    part: str = "",
    embeddings: bool = True,
    chat_model: ChatModel | None = None,
    learned: bool = True,
) -> UnderstandingReport:
    """Measures understanding on labelled utterances (form: understanding/labelled.py).

    `part` keeps only the utterances labelled with it ("development", "held_out"); "" takes all. `chat_model`
    reads what rules and vectors only guess; `learned` False measures the rules without the learned part. Raises
    UserError for an unreadable file, a wrong field, or where nothing is left to measure.
    """
    rows = [row for row in read_labelled(questions, shared) if part in ("", row.part)]
    understander = Understander(embeddings=embeddings, chat_model=chat_model, learned=learned)
    understander.understand("Do you have any whooshing in your left ear?", DialogueContext())
    timed = [_timed(row, understander) for row in rows]
    trained = understander.learned and questions.resolve() == OWN_LABELS.resolve()
    trained_on = sum(row.part not in HELD_OUT for row in rows) if trained else 0
    how = {"embeddings": embeddings, "learned": understander.learned, "trained_on": trained_on}
    return _report(questions, part, how, rows, timed)


@dataclass(frozen=True)
class _Timed:
    understood: Understanding
    wall_ms: float
    processor_ms: float


def _timed(row: Labelled, understander: Understander) -> _Timed:
    context = row.context(understander.understand)
    wall, processor = time.perf_counter(), time.process_time()
    understood = understander.understand(row.utterance, context)
    return _Timed(understood, (time.perf_counter() - wall) * 1000, (time.process_time() - processor) * 1000)


def _report(
    questions: Path, part: str, how: dict[str, Any], rows: list[Labelled], timed: list[_Timed]
) -> UnderstandingReport:
    total, acts = Agreement(), {act: Tally() for act in SpeechAct}
    domains: dict[str, Agreement] = {}
    wrong = []
    for row, one in zip(rows, timed, strict=True):
        understood = one.understood
        if not total.add(row.asks, understood.asks):
            wrong.append(_wrong(row, understood))
        for name in sorted({str(ask.domain) for ask in row.asks}):
            mine = [ask for ask in row.asks if ask.domain == name]
            domains.setdefault(name, Agreement()).add(mine, [ask for ask in understood.asks if ask.domain == name])
        for act, tally in acts.items():
            tally.add((act in row.acts) == (act in understood.acts))
    latencies = np.array([one.wall_ms for one in timed] or [0.0])
    confused = {pair: count for pair, count in total.confusions.items() if pair[0] != pair[1]}
    return UnderstandingReport(
        questions=questions.name,
        part=part,
        utterances=len(rows),
        asks=sum(len(row.asks) for row in rows),
        **how,
        accuracy={name: tally.summary() for name, tally in total.fields.items()},
        found={name: tally.summary() for name, tally in total.found.items()},
        exact={name: tally.summary() for name, tally in total.exact.items()},
        acts={str(act): tally.summary() for act, tally in acts.items()},
        by_domain={name: tally.fields["domain"].summary() for name, tally in sorted(domains.items())},
        confusions=tuple(
            (*pair, count) for pair, count in sorted(confused.items(), key=lambda item: (-item[1], item[0]))
        ),
        latency_median_ms=round(float(np.median(latencies)), 3),
        latency_p95_ms=round(float(np.percentile(latencies, 95)), 3),
        processor_median_ms=round(float(np.median([one.processor_ms for one in timed] or [0.0])), 3),
        decided_by=dict(sorted(Counter(one.understood.by for one in timed).items())),
        model_calls=sum(one.understood.usage.calls for one in timed),
        misunderstood=tuple(wrong),
    )


def _wrong(row: Labelled, understood: Understanding) -> dict[str, Any]:
    return {
        "line": row.line,
        "utterance": row.utterance,
        "labelled": [_shown(ask) for ask in row.asks],
        "understood": [_shown(ask) for ask in understood.asks],
    }


def _shown(ask: Ask) -> str:
    return f"{ask.domain}/{ask.concept or ask.term}/{ask.attribute}/{ask.experiencer}"


def _rate(row: dict[str, float | int | None]) -> str:
    if row["rate"] is None:
        return "nothing to count"
    return f"{row['rate']:.3f} [{row['low']:.3f}, {row['high']:.3f}] {row['right']}/{row['all']}"

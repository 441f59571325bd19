"""`anamnesis bench extract --data DIR`: extraction measured on every annotated set found below a folder.

Sets are known by their files: brat folders (.txt beside .ann), the NegEx sentence table, the sample's gold
(`gold/*.json` beside NOTEEVENTS), and MTS-Dialog's sections. `bench_scores.py` scores, `bench_sets.py` reads.
"""

import time
from collections.abc import Mapping
from pathlib import Path

from etl.notes.bench_scores import Accuracy, BenchReport, SpanScore
from etl.notes.bench_sets import score_brat, score_negex, score_sample, score_section_texts
from etl.notes.pipeline import NotePipeline
from foundation.errors import UserError


def bench_extract(
    data: Path, extractors: Mapping[str, str] | str = "rules", pipeline: NotePipeline | None = None
) -> BenchReport:
    """Measure on every set below `data` (searched four folders deep).

    Raises UserError where `data` is no folder or holds no known set.
    """
    if not data.is_dir():
        raise UserError(f"{data.name}: not a folder", "give --data a folder of annotated sets")
    pipeline = pipeline or NotePipeline(extractors)
    spans: list[SpanScore] = []
    accuracies: list[Accuracy] = []
    words, began = 0, time.process_time()
    for folder in _folders(data):
        if any(folder.glob("*.ann")):
            found, measured, count = score_brat(folder, pipeline)
        elif (folder / "gold").is_dir():
            found, measured, count = score_sample(folder, pipeline)
        else:
            found, measured, count = [], [*score_negex(folder), *score_section_texts(folder)], 0
        spans += found
        accuracies += measured
        words += count
    if not spans and not accuracies:
        raise UserError(
            f"{data.name}: no annotated set found",
            "expected .ann beside .txt (brat), rsAnnotations*.txt (NegEx), gold/*.json beside NOTEEVENTS.csv, or "
            "MTS-Dialog*.csv",
        )
    seconds = time.process_time() - began
    return BenchReport(spans=tuple(spans), accuracies=tuple(accuracies), words=words, cpu_seconds=seconds)


def _folders(data: Path) -> list[Path]:
    found = [data, *(path for path in sorted(data.rglob("*")) if path.is_dir())]
    depth = len(data.parts)
    return [path for path in found if len(path.parts) - depth <= 4 and path.name != "gold"]

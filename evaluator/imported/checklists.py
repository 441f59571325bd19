"""PriMock57's clinicians' checklists against the same consultations: does what they fault lose coverage points?

The clinicians listed, per consultation, what a note of it has to hold, each item critical (c) or not (nc). An item
counts as elicited where the dialogue names its concept or most of its content words in one exchange, or where an
exchange is near in meaning. Method and figure: docs/evaluator.md, docs/measurements.md.
"""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy import stats

from evaluator.detectors.speech import stems
from evaluator.findings import Dimension
from evaluator.realworld import DialogueScore
from evaluator.statements import statements
from evaluator.statistics import Estimate
from foundation.errors import UserError
from foundation.records import Frozen
from foundation.seeds import derived_seed
from terminology.embeddings import embed

SHARED_WORDS, NEAR_MEANING = 0.6, 0.55
_FILE = "consultation_checklists.csv"
_COLUMNS = {"day", "consultation", "item", "criticality"}


class ChecklistItem(Frozen):
    """One thing that a clinician wants of a consultation's note."""

    text: str
    critical: bool


class ChecklistRow(Frozen):
    """One consultation: its items, how many were not elicited, and its information coverage score."""

    dialogue_id: str
    items: int
    missed: int
    critical: int
    critical_missed: int
    coverage_score: float | None


class ChecklistReport(Frozen):
    """Spearman's rank correlation of the share of missed (critical) items with the coverage score, with a 95%
    percentile bootstrap interval over consultations; negative where faulted consultations lose points."""

    consultations: tuple[ChecklistRow, ...]
    all_items: Estimate
    critical_items: Estimate


def read_checklists(path: Path) -> dict[str, tuple[ChecklistItem, ...]]:
    """Items by consultation ("day1_consultation01"); both clinicians' together, equal wordings once."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if not set(reader.fieldnames or ()) >= _COLUMNS:
            raise UserError(f"{path.name}: columns are missing", f"expected {', '.join(sorted(_COLUMNS))}")
        found: dict[str, dict[str, ChecklistItem]] = {}
        for row in reader:
            criticality = row["criticality"].strip().lower()
            text = row["item"].strip(" *")
            if criticality not in ("c", "nc") or not stems(text):
                continue
            name = f"day{int(row['day'])}_consultation{int(row['consultation']):02d}"
            item = ChecklistItem(text=text, critical=criticality == "c")
            found.setdefault(name, {}).setdefault(text.lower(), item)
    return {name: tuple(items.values()) for name, items in sorted(found.items())}


def elicited(items: Sequence[ChecklistItem], exchanges: Sequence[str]) -> tuple[bool, ...]:
    """Whether each item comes up in an exchange (the words of a question and its answer)."""
    if not items or not exchanges:
        return tuple(False for _ in items)
    words = [stems(text) for text in exchanges]
    named = {s.concept for text in exchanges for s in statements(text, spoken=True)}
    near = embed([item.text for item in items]) @ embed(list(exchanges)).T
    return tuple(
        _named(item, words, named) or bool(row.max() >= NEAR_MEANING) for item, row in zip(items, near, strict=True)
    )


def _named(item: ChecklistItem, words: Sequence[frozenset[str]], named: set[str]) -> bool:
    wanted = stems(item.text)
    if any(len(wanted & said) >= SHARED_WORDS * len(wanted) for said in words):
        return True
    concepts = {s.concept for s in statements(item.text, spoken=True)}
    return bool(concepts) and concepts <= named


def against_checklists(folder: Path, scored: Sequence[DialogueScore], seed: int = 0) -> ChecklistReport | None:
    """The comparison for those of `scored` that have a checklist in `folder`; None where the file is not there."""
    path = next((p for p in (folder / _FILE, folder / "primock57" / _FILE) if p.is_file()), None)
    if path is None:
        return None
    lists = read_checklists(path)
    rows = tuple(_row(one, lists[one.dialogue_id]) for one in scored if one.dialogue_id in lists)
    known = [row for row in rows if row.coverage_score is not None]
    scores = [float(row.coverage_score or 0) for row in known]
    return ChecklistReport(
        consultations=rows,
        all_items=_correlation([row.missed / row.items for row in known], scores, seed),
        critical_items=_correlation([row.critical_missed / max(row.critical, 1) for row in known], scores, seed),
    )


def _row(one: DialogueScore, items: tuple[ChecklistItem, ...]) -> ChecklistRow:
    found = elicited(items, one.exchanges)
    missed = [item for item, there in zip(items, found, strict=True) if not there]
    coverage = next((s.score for s in one.scorecard.scores if s.dimension is Dimension.IC), None)
    return ChecklistRow(
        dialogue_id=one.dialogue_id,
        items=len(items),
        missed=len(missed),
        critical=sum(item.critical for item in items),
        critical_missed=sum(item.critical for item in missed),
        coverage_score=coverage,
    )


def _correlation(missed: Sequence[float], scores: Sequence[float], seed: int, resamples: int = 5000) -> Estimate:
    """Spearman's rho; resamples in which a variable does not vary are left out."""
    n = len(scores)
    if n < 3 or np.ptp(scores) == 0 or np.ptp(missed) == 0:
        return Estimate(value=None, low=None, high=None, n=n)
    x, y = np.array(missed), np.array(scores)
    random = np.random.default_rng(derived_seed(seed, "checklists"))
    drawn = [random.integers(0, n, n) for _ in range(resamples)]
    rhos = [stats.spearmanr(x[d], y[d]).statistic for d in drawn if np.ptp(x[d]) > 0 and np.ptp(y[d]) > 0]
    low, high = np.quantile(rhos, [0.025, 0.975])
    return Estimate(value=float(stats.spearmanr(x, y).statistic), low=float(low), high=float(high), n=n)

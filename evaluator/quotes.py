"""Findings whose quote stands in the transcript; the others are set aside and counted (pitfall 11)."""

from collections.abc import Iterable

from evaluator.findings import Finding

_STRAIGHT = str.maketrans("’‘“”", "''\"\"")


def folded(text: str) -> str:
    """Text with white space, curly quotes and letter case folded, so that a copied quote is found again."""
    return " ".join(text.translate(_STRAIGHT).split()).casefold()


def quoted(findings: Iterable[Finding], words: str) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """(findings that may count, findings set aside). An omission has nothing to quote and counts without."""
    text = folded(words)
    kept: list[Finding] = []
    aside: list[Finding] = []
    for finding in findings:
        quote = folded(finding.quote)
        omission = not quote and ("omission" in finding.pattern or "missing" in finding.pattern or not finding.turns)
        (kept if omission or (quote and quote in text) else aside).append(finding)
    return tuple(kept), tuple(aside)

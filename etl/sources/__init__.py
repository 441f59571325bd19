"""Sources of cases, one file each; `extract_cases` opens any of them by name."""

from etl.sources.registry import SOURCES, Extraction, extract_cases

__all__ = ["SOURCES", "Extraction", "extract_cases"]

"""Extractors by name: `rules`, `transformer`, `llm`. All answer the same protocol, `etl.notes.entities.Extractor`."""

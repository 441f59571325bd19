"""Notes a second on one core, beside medSpaCy in the same run.

    python -m etl.notes.bench_speed --sample FOLDER --brat FOLDER --medspacy PYTHON

`--medspacy` is the interpreter of a virtual environment that has medSpaCy (it needs an older spaCy). Both read
the same texts of 1,000 words, in turns, each timed by the processor time of its own process.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from etl.notes.bench_sets import sample_notes
from etl.notes.note import Note
from etl.notes.pipeline import NotePipeline
from etl.notes.tagger.brat import read_brat

_WORDS = 1000
_MEDSPACY = """
import json, sys, time
import medspacy
from loguru import logger
logger.disable("PyRuSH")
parts = ["pyrush", "target_matcher", "context", "sectionizer"]
nlp = medspacy.load(medspacy_enable=["medspacy_" + part for part in parts])
from medspacy.ner import TargetRule
nlp.get_pipe("medspacy_target_matcher").add([TargetRule(term, "PROBLEM") for term in json.loads(sys.stdin.readline())])
texts = json.loads(sys.stdin.readline())
nlp(texts[0])
began = time.process_time()
for text in texts:
    nlp(text)
print(time.process_time() - began)
"""


def thousand_word_texts(texts: Sequence[str]) -> list[str]:
    """Texts joined until each has at least 1,000 words; a rest is left out."""
    joined: list[str] = []
    parts: list[str] = []
    for text in texts:
        parts.append(text)
        if sum(len(part.split()) for part in parts) >= _WORDS:
            joined.append("\n\n".join(parts))
            parts = []
    return joined


def _ours(texts: list[str]) -> float:
    pipeline = NotePipeline()
    notes = [Note(note_id=str(number), case_id="speed", text=text) for number, text in enumerate(texts)]
    pipeline.extract(notes[0])
    began = time.process_time()
    for note in notes:
        pipeline.extract(note)
    return time.process_time() - began


def _medspacy(python: Path, texts: list[str]) -> float:
    from terminology import concepts

    terms = sorted({name for concept in concepts.all_concepts() for name in (concept.name, *concept.synonyms)})
    given = json.dumps(terms) + "\n" + json.dumps(texts) + "\n"
    answer = subprocess.run([str(python), "-c", _MEDSPACY], input=given, capture_output=True, text=True, check=True)
    return float(answer.stdout.strip().splitlines()[-1])


def main() -> None:
    """Print one line a set and engine, three turns each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=Path, required=True, help="folder that `anamnesis sample` wrote")
    parser.add_argument("--brat", type=Path, required=True, help="folder of case reports")
    parser.add_argument("--medspacy", type=Path, help="python of an environment with medSpaCy")
    given = parser.parse_args()
    sets = {
        "ward notes": thousand_word_texts([text for _, text in sample_notes(given.sample)]),
        "case reports": thousand_word_texts([document.text for document in read_brat(given.brat)]),
    }
    engines: dict[str, Callable[[list[str]], float]] = {"rules": _ours}
    if given.medspacy:
        engines["medSpaCy"] = lambda texts: _medspacy(given.medspacy, texts)
    for turn in range(3):
        for name, texts in sets.items():
            words = sum(len(text.split()) for text in texts)
            for engine, run in engines.items():
                seconds = run(texts[:40])
                share = sum(len(text.split()) for text in texts[:40]) / max(words, 1)
                rate = words * share / seconds
                sys.stdout.write(
                    f"turn {turn + 1}  {name}: {engine} {rate / _WORDS:.1f} notes of 1,000 words a second\n"
                )


if __name__ == "__main__":
    main()

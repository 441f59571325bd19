"""Train both models: `python -m etl.notes.tagger.train --data ../shared/data/maccrobat2020/brat`.

Documents that `split.is_held_out` names are never read. The same input gives the same model files.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pycrfsuite

from etl.notes.note import Note
from etl.notes.reading import read
from etl.notes.rules.found import find_terms
from etl.notes.tagger.brat import Annotated, Annotation, read_brat
from etl.notes.tagger.features import history_features
from etl.notes.tagger.sentences import TaggerSentence, tagger_sentence
from etl.notes.tagger.split import is_held_out
from etl.notes.tagger.tagger import ENTITY_MODEL, HISTORY_MODEL
from foundation.seeds import generator

ENTITY_LABELS = {
    "Sign_symptom": "SYM", "Medication": "MED", "Disease_disorder": "DIS", "Diagnostic_procedure": "TEST",
    "Biological_structure": "SITE", "Lab_value": "VAL", "Therapeutic_procedure": "TX",
}  # fmt: skip
HISTORY_LABELS = {"History": "HIS", "Family_history": "FAM"}
_THINNING = 0.33
_SEED = 20
_PARAMETERS = {"c1": 0.1, "c2": 0.05, "max_iterations": 120, "feature.possible_transitions": True}


def prepared(document: Annotated) -> Iterator[tuple[TaggerSentence, list[tuple[int, int]]]]:
    """Sentences of a document with the characters of each word."""
    reading = read(Note(note_id=document.name, case_id=f"brat:{document.name}", text=document.text))
    found = find_terms(reading)
    for position, sentence in enumerate(reading.sentences):
        spans = list(
            zip(
                reading.starts[sentence.first : sentence.last],
                reading.ends[sentence.first : sentence.last],
                strict=True,
            )
        )
        if spans:
            yield tagger_sentence(found, sentence, position), spans


def labels(spans: Sequence[tuple[int, int]], entities: Sequence[Annotation], names: dict[str, str]) -> list[str]:
    """BIO labels of words at `spans`; of nested entities the longest counts."""
    tags = ["O"] * len(spans)
    for entity in sorted(entities, key=lambda entity: (entity.start - entity.end, entity.start)):
        if entity.label not in names:
            continue
        inside = [at for at, (start, end) in enumerate(spans) if start < entity.end and entity.start < end]
        if inside and all(tags[at] == "O" for at in inside):
            for number, at in enumerate(inside):
                tags[at] = ("I-" if number else "B-") + names[entity.label]
    return tags


def thinned(rows: list[list[str]], random: Random) -> list[list[str]]:
    """The rows without a third of their features, at random: so the tagger leans on no single word. Each sentence is
    trained on whole and thinned."""
    return [[feature for feature in row if random.random() > _THINNING] for row in rows]


def train(documents: Sequence[Annotated], folder: Path) -> None:
    """Write both model files into `folder`."""
    random = generator(_SEED)
    entity, history = (pycrfsuite.Trainer(verbose=False) for _ in range(2))
    for document in documents:
        for sentence, spans in prepared(document):
            named = labels(spans, document.entities, ENTITY_LABELS)
            told = labels(spans, document.entities, HISTORY_LABELS)
            rows = history_features(sentence.rows, sentence.words, sentence.position, sentence.phrases)
            entity.append(sentence.rows, named)
            entity.append(thinned(sentence.rows, random), named)
            history.append(rows, told)
            history.append(thinned(rows, random), told)
    for trainer, name in ((entity, ENTITY_MODEL), (history, HISTORY_MODEL)):
        trainer.set_params(_PARAMETERS)
        trainer.train(str(folder / name))


def main() -> None:
    """Train on every document that is not held out, and write beside this file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of .txt and .ann files")
    documents = [document for document in read_brat(parser.parse_args().data) if not is_held_out(document.name)]
    train(documents, Path(__file__).parent)
    print(f"trained on {len(documents)} documents")


if __name__ == "__main__":
    main()

"""Train both models: `python -m etl.notes.tagger.train --data ../shared/data/maccrobat2020/brat`.

The shipped models learn from every document of the folder (`trained_on.txt` names them). `--measure` trains on those
that `split.is_held_out` does not name, in a temporary folder, and prints the figures of the held-out ones: what the
models are worth on text that they have not seen. `--folds 4` does so four times, each document scored once by models
that learned from other documents, and prints the figures of all. The same input gives the same model files.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pycrfsuite

from etl.notes.bench_scores import Accuracy, BenchReport, SpanScore
from etl.notes.bench_sets import score_documents
from etl.notes.note import Note
from etl.notes.pipeline import NotePipeline
from etl.notes.reading import read
from etl.notes.rules.found import find_terms
from etl.notes.tagger.brat import Annotated, Annotation, read_brat
from etl.notes.tagger.features import feature_rows, history_features
from etl.notes.tagger.model import save_model
from etl.notes.tagger.sentences import TaggerSentence, tagger_sentence
from etl.notes.tagger.split import TRAINED_ON, fold_of, is_held_out
from etl.notes.tagger.tagger import ENTITY_MODEL, HISTORY_MODEL, models_from

ENTITY_LABELS = {
    "Sign_symptom": "SYM", "Medication": "MED", "Disease_disorder": "DIS", "Diagnostic_procedure": "TEST",
    "Biological_structure": "SITE", "Lab_value": "VAL", "Therapeutic_procedure": "TX",
}  # fmt: skip
HISTORY_LABELS = {"History": "HIS", "Family_history": "FAM"}
_COUNTS = ("gold", "found", "matched_found", "matched_gold")
# Strong L2 alone: in cross-validation worth three points of symptom F1 over crfsuite's usual mixture of L1 and L2.
_PARAMETERS = {"c1": 0.0, "c2": 2.0, "max_iterations": 120, "feature.possible_transitions": True}


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


def train(documents: Sequence[Annotated], folder: Path) -> None:
    """Write both model files into `folder`."""
    entity, history = (pycrfsuite.Trainer(verbose=False) for _ in range(2))
    for document in documents:
        for sentence, spans in prepared(document):
            rows = feature_rows(sentence.words, sentence.terms)
            shared, single = history_features(sentence.words, sentence.position, sentence.phrases)
            entity.append(rows, labels(spans, document.entities, ENTITY_LABELS))
            history.append(
                [[*row, *shared, *single.get(at, ())] for at, row in enumerate(rows)],
                labels(spans, document.entities, HISTORY_LABELS),
            )
    for trainer, name in ((entity, ENTITY_MODEL), (history, HISTORY_MODEL)):
        _trained(trainer, folder / name)


def _trained(trainer: Any, path: Path) -> None:
    """Train, and keep the weights as arrays."""
    trainer.set_params(_PARAMETERS)
    with TemporaryDirectory() as scratch:
        file = str(Path(scratch) / "model")
        trainer.train(file)
        tagger = pycrfsuite.Tagger()
        tagger.open(file)
        weights = tagger.info()
        save_model(path, sorted(tagger.labels()), weights.state_features, weights.transitions)
        tagger.close()


def measured(
    documents: Sequence[Annotated], folder: Path, held_out: Callable[[str], bool] = is_held_out
) -> tuple[list[SpanScore], list[Accuracy]]:
    """Train on the documents not held out (by name), in `folder`, and score the held-out ones."""
    train([document for document in documents if not held_out(document.name)], folder)
    with models_from(folder):
        spans, accuracies, _ = score_documents(
            (document for document in documents if held_out(document.name)), "held out", NotePipeline()
        )
    return spans, accuracies


def cross_validated(documents: Sequence[Annotated], folder: Path, folds: int) -> list[SpanScore]:
    """Every document scored by models that learned from the other folds; counts of all folds together."""
    parts = [measured(documents, folder, _is_in(fold, folds))[0] for fold in range(folds)]
    return [
        SpanScore(
            data_set=f"{folds}-fold", kind=same[0].kind, match=same[0].match,
            **{name: sum(getattr(score, name) for score in same) for name in _COUNTS},
        )
        for same in zip(*parts, strict=True)
    ]  # fmt: skip


def _is_in(fold: int, folds: int) -> Callable[[str], bool]:
    return lambda name: fold_of(name, folds) == fold


def main() -> None:
    """Train on every document and write beside this file; or measure, and write nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of .txt and .ann files")
    parser.add_argument("--measure", action="store_true", help="train without the held-out documents and score them")
    parser.add_argument("--folds", type=int, metavar="N", help="the same by N-fold cross-validation of all documents")
    given = parser.parse_args()
    documents = list(read_brat(given.data))
    if given.measure or given.folds:
        print("\n".join("  ".join(row) for row in _report(documents, given.folds).rows()))
        return
    folder = Path(__file__).parent
    train(documents, folder)
    names = "".join(f"{document.name}\n" for document in documents)
    (folder / TRAINED_ON).write_text(names, encoding="utf-8")
    print(f"trained on {len(documents)} documents")


def _report(documents: Sequence[Annotated], folds: int | None) -> BenchReport:
    with TemporaryDirectory() as scratch:
        spans, accuracies = (
            (cross_validated(documents, Path(scratch), folds), []) if folds else measured(documents, Path(scratch))
        )
    return BenchReport(spans=tuple(spans), accuracies=tuple(accuracies), words=0, cpu_seconds=0)


if __name__ == "__main__":
    main()

"""Group words by the company they keep: `python -m etl.notes.tagger.train_clusters --data ../shared/data`.

Positive pointwise mutual information of words with their neighbours at one and two or three words' distance, reduced by
SVD to 150 dimensions, k-means into 50, 200 and 800 clusters. Reads raw text without labels; held-out documents of
MACCROBAT2020 are left out. Writes `word_clusters.tsv`: words and cluster numbers, no text.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.cluster import MiniBatchKMeans
from sklearn.decomposition import TruncatedSVD

from etl.notes.tagger.split import is_held_out
from foundation.files import write_atomically

# All of these allow derived works (CC BY 4.0, CC0, MIT, public domain); see each folder's SOURCE.md.
_FOLDERS = (
    "maccrobat2020", "mtsamples", "mts_dialog", "aci_bench", "osce_interviews_fareez", "primock57", "agentclinic",
    "mediq", "craft_md", "ner_ncbi_disease",
)  # fmt: skip
_WORD = re.compile(r"[a-z]+|\d+|[^\w\s]")
_RAREST = 4
_CONTEXTS = 4000
_SIZES = (50, 200, 800)


def _texts(data: Path) -> Iterator[list[str]]:
    for folder in _FOLDERS:
        for path in sorted((data / folder).rglob("*")):
            if path.suffix not in (".txt", ".csv", ".json", ".jsonl") or path.name == "SOURCE.md":
                continue
            if folder == "maccrobat2020" and is_held_out(path.stem):
                continue
            text = path.read_text(encoding="utf-8", errors="ignore").lower().replace("\\n", " ")
            yield ["0" if word.isdigit() else word for word in _WORD.findall(text)]


def _vectors(texts: list[list[str]]) -> tuple[list[str], Any]:
    counts = Counter(word for text in texts for word in text)
    words = sorted(word for word, count in counts.items() if count >= _RAREST and word.isalpha())
    index = {word: number for number, word in enumerate(words)}
    contexts = {word: number for number, (word, _) in enumerate(counts.most_common(_CONTEXTS))}
    rows, columns = [], []
    for text in texts:
        own = np.array([index.get(word, -1) for word in text])
        near = np.array([contexts.get(word, -1) for word in text])
        for distance in (1, 2, 3):
            band = (min(distance, 2) - 1) * 2
            for left, right, side in ((own[:-distance], near[distance:], 0), (own[distance:], near[:-distance], 1)):
                both = (left >= 0) & (right >= 0)
                rows.append(left[both])
                columns.append(right[both] + len(contexts) * (band + side))
    row, column = np.concatenate(rows), np.concatenate(columns)
    table = sparse.coo_matrix((np.ones(len(row)), (row, column)), shape=(len(words), len(contexts) * 4)).tocsr()
    return words, _reduced(table)


def _reduced(table: Any) -> Any:
    totals, smoothed = np.asarray(table.sum(1)).ravel(), np.asarray(table.sum(0)).ravel() ** 0.75
    cells = table.tocoo()
    information = np.log(cells.data * smoothed.sum() / (totals[cells.row] * smoothed[cells.col]))
    kept = information > 0
    positive = sparse.coo_matrix((information[kept], (cells.row[kept], cells.col[kept])), shape=table.shape)
    vectors = TruncatedSVD(150, random_state=0).fit_transform(positive.tocsr())
    return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)


def main() -> None:
    """Train and write beside this file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    words, vectors = _vectors(list(_texts(parser.parse_args().data)))
    columns = [MiniBatchKMeans(size, random_state=0, n_init=3, batch_size=2048).fit_predict(vectors) for size in _SIZES]
    lines = ["\t".join([word, *(str(int(column[number])) for column in columns)]) for number, word in enumerate(words)]
    write_atomically(Path(__file__).with_name("word_clusters.tsv"), "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

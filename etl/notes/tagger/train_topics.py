"""Train the section model: `python -m etl.notes.tagger.train_topics --data ../shared/data/mts_dialog`.

Reads MTS-Dialog-TrainingSet.csv alone; the validation set stays unseen. Multinomial logistic regression over words and
pairs of neighbours, each text's row of ones divided by the square root of its number of known terms.
"""

import argparse
import csv
import re
from collections import Counter
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from etl.notes.section_kinds import SectionKind as S
from etl.notes.topic import topic_terms

_KINDS = {
    "GENHX": S.PRESENT_ILLNESS, "PASTMEDICALHX": S.MEDICAL_HISTORY, "CC": S.CHIEF_COMPLAINT,
    "PASTSURGICAL": S.SURGICAL_HISTORY, "ALLERGY": S.ALLERGIES, "ROS": S.REVIEW_OF_SYSTEMS,
    "MEDICATIONS": S.HOME_MEDICATIONS, "ASSESSMENT": S.ASSESSMENT, "EXAM": S.PHYSICAL_EXAM,
    "DIAGNOSIS": S.DISCHARGE_DIAGNOSIS, "DISPOSITION": S.DISPOSITION, "PLAN": S.PLAN,
    "EDCOURSE": S.HOSPITAL_COURSE, "IMMUNIZATIONS": S.IMMUNIZATIONS, "IMAGING": S.IMAGING,
    "GYNHX": S.GYNECOLOGIC_HISTORY, "PROCEDURES": S.PROCEDURES, "LABS": S.LABORATORY,
    "OTHER_HISTORY": S.MEDICAL_HISTORY,
}  # fmt: skip
_SOCIAL = re.compile(
    r"smok|tobacco|alcohol|drink|drug|lives|married|work|occupation|divorced|retired|single", re.IGNORECASE
)
_FAMILY = re.compile(r"mother|father|sister|brother|famil|parent|sibling|cancer|grand", re.IGNORECASE)
_RAREST = 2


def _kind(header: str, text: str) -> S | None:
    """FAM/SOCHX holds two kinds of section; the text decides which."""
    if header == "FAM/SOCHX":
        family, social = len(_FAMILY.findall(text)), len(_SOCIAL.findall(text))
        return S.FAMILY_HISTORY if family > social else S.SOCIAL_HISTORY
    return _KINDS.get(header)


def main() -> None:
    """Train and write `topics.npz` beside this file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    with (parser.parse_args().data / "MTS-Dialog-TrainingSet.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            (_kind(row["section_header"], row["section_text"]), row["section_text"]) for row in csv.DictReader(file)
        ]
    kept = [(kind, sorted(set(topic_terms(text)))) for kind, text in rows if kind is not None and text]
    counts = Counter(term for _, terms in kept for term in terms)
    names = sorted(term for term, count in counts.items() if count >= _RAREST)
    index = {term: number for number, term in enumerate(names)}
    table = sparse.lil_matrix((len(kept), len(names)), dtype=np.float32)
    for number, (_, terms) in enumerate(kept):
        known = [index[term] for term in terms if term in index]
        for column in known:
            table[number, column] = len(known) ** -0.5
    model = LogisticRegression(C=30.0, max_iter=2000, random_state=0).fit(
        table.tocsr(), [kind.value for kind, _ in kept]
    )
    np.savez_compressed(
        Path(__file__).with_name("topics.npz"), terms=np.array(names), kinds=np.array(model.classes_.tolist()),
        weights=model.coef_.T.astype(np.float16), bias=model.intercept_.astype(np.float16),
    )  # fmt: skip


if __name__ == "__main__":
    main()

"""The annotated sets that extraction is measured on."""

import csv
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from etl.notes.assertion import judge
from etl.notes.bench_scores import Accuracy, Span, SpanScore, exact_score, overlap_score
from etl.notes.entities import MEDICATION_KINDS, Entity, EntityKind
from etl.notes.note import Note
from etl.notes.pipeline import NotePipeline
from etl.notes.reading import read
from etl.notes.rules.relatives import who_is_meant
from etl.notes.section_kinds import SectionKind as S
from etl.notes.tagger.brat import Annotated, read_brat
from etl.notes.tagger.split import trained_on
from etl.notes.topic import topic_of

# MACCROBAT2020's labels → our kinds. Its Sign_symptom covers what patients feel and what examiners find, so it is
# compared both with the two kinds together and with symptoms alone; its History covers medical, surgical and social.
BRAT_KINDS: dict[str, frozenset[EntityKind]] = {
    "Sign_symptom": frozenset({EntityKind.SYMPTOM, EntityKind.EXAMINATION}),
    "Sign_symptom, kind symptom alone": frozenset({EntityKind.SYMPTOM}),
    "Medication": MEDICATION_KINDS,
    "History": frozenset({EntityKind.MEDICAL_HISTORY, EntityKind.SURGICAL_HISTORY, EntityKind.SOCIAL_HISTORY}),
    "Family_history": frozenset({EntityKind.FAMILY_HISTORY}),
}
_TOPICS: dict[str, frozenset[S]] = {
    "FAM/SOCHX": frozenset({S.FAMILY_HISTORY, S.SOCIAL_HISTORY}),
    "GENHX": frozenset({S.PRESENT_ILLNESS}),
    "PASTMEDICALHX": frozenset({S.MEDICAL_HISTORY}),
    "CC": frozenset({S.CHIEF_COMPLAINT}),
    "PASTSURGICAL": frozenset({S.SURGICAL_HISTORY}),
    "ALLERGY": frozenset({S.ALLERGIES}),
    "ROS": frozenset({S.REVIEW_OF_SYSTEMS}),
    "MEDICATIONS": frozenset({S.HOME_MEDICATIONS}),
    "ASSESSMENT": frozenset({S.ASSESSMENT}),
    "EXAM": frozenset({S.PHYSICAL_EXAM}),
    "DIAGNOSIS": frozenset({S.DISCHARGE_DIAGNOSIS}),
    "DISPOSITION": frozenset({S.DISPOSITION}),
    "PLAN": frozenset({S.PLAN}),
    "EDCOURSE": frozenset({S.HOSPITAL_COURSE}),
    "IMMUNIZATIONS": frozenset({S.IMMUNIZATIONS}),
    "IMAGING": frozenset({S.IMAGING}),
    "GYNHX": frozenset({S.GYNECOLOGIC_HISTORY}),
    "PROCEDURES": frozenset({S.PROCEDURES}),
    "OTHER_HISTORY": frozenset({S.MEDICAL_HISTORY}),
    "LABS": frozenset({S.LABORATORY}),
}
Scores = tuple[list[SpanScore], list[Accuracy], int]


def score_brat(folder: Path, pipeline: NotePipeline) -> Scores:
    """`score_documents` of a folder; what the tagger has learned from is a set of its own, and says so."""
    owner = folder.parent.name if folder.name == "brat" else folder.name
    documents = list(read_brat(folder))
    spans: list[SpanScore] = []
    accuracies: list[Accuracy] = []
    words = 0
    for seen in (False, True):
        chosen = [document for document in documents if (document.name in trained_on()) is seen]
        if chosen:
            name = f"{owner}, seen in training" if seen else owner
            found, measured, count = score_documents(chosen, name, pipeline)
            spans, accuracies, words = spans + found, accuracies + measured, words + count
    return spans, accuracies, words


def score_documents(documents: Iterable[Annotated], name: str, pipeline: NotePipeline) -> Scores:
    """Overlap F1 of BRAT_KINDS and the absent-or-present accuracy of found Sign_symptoms, over the set `name`."""
    pairs: dict[str, list[tuple[list[Span], list[Span]]]] = defaultdict(list)
    polarity = [0, 0]
    words = 0
    for document in documents:
        words += len(document.text.split())
        found = pipeline.entities(Note(note_id=document.name, case_id=f"brat:{document.name}", text=document.text))
        for label, kinds in BRAT_KINDS.items():
            own = label.partition(",")[0]
            gold = sorted({(entity.start, entity.end) for entity in document.entities if entity.label == own})
            pairs[label].append((gold, [(entity.start, entity.end) for entity in found if entity.kind in kinds]))
        _judge_symptoms(document, found, polarity)
    scores = [overlap_score(name, label, of_label) for label, of_label in pairs.items()]
    right, total = polarity
    return scores, [Accuracy(data_set=name, measure="symptom absent or not", right=right, total=total)], words


def _judge_symptoms(document: Annotated, found: Iterable[Entity], polarity: list[int]) -> None:
    told = [entity for entity in found if entity.kind in BRAT_KINDS["Sign_symptom"]]
    for span in {(entity.start, entity.end) for entity in document.entities if entity.label == "Sign_symptom"}:
        partner = next((entity for entity in told if entity.start < span[1] and span[0] < entity.end), None)
        if partner:
            _count(polarity, (partner.assertion == "absent") == (span in document.negated))


def score_sample(folder: Path, pipeline: NotePipeline) -> Scores:
    """Exact spans of every kind, and assertion, experiencer and history flags of the spans that match."""
    pairs: dict[str, list[tuple[list[Span], list[Span]]]] = defaultdict(list)
    right: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    words = 0
    for note_id, text in sample_notes(folder):
        path = folder / "gold" / f"{note_id}.json"
        if not path.is_file():
            continue
        gold: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        words += len(text.split())
        found = pipeline.entities(Note(note_id=note_id, case_id=f"sample:{gold['case']}", text=text))
        scored = [
            entity for entity in found if not any(a < entity.end and entity.start < b for a, b in gold["unannotated"])
        ]
        _compare(gold["entities"], scored, pairs, right)
        starts = {
            section.start: section.kind for section in read(Note(note_id=note_id, case_id="", text=text)).sections
        }
        for section in gold["sections"]:
            _count(right["section"], starts.get(section["start"]) == section["name"])
    scores = [exact_score(folder.name, kind, documents) for kind, documents in sorted(pairs.items())]
    accuracies = [
        Accuracy(data_set=folder.name, measure=name, right=item[0], total=item[1])
        for name, item in sorted(right.items())
    ]
    return scores, accuracies, words


def _compare(
    gold: list[dict[str, Any]],
    found: list[Entity],
    pairs: dict[str, list[tuple[list[Span], list[Span]]]],
    right: dict[str, list[int]],
) -> None:
    kinds = {entity["kind"] for entity in gold} | {entity.kind.value for entity in found}
    for kind in sorted(kinds):
        marked = {(entity["start"], entity["end"]): entity for entity in gold if entity["kind"] == kind}
        given = {(entity.start, entity.end): entity for entity in found if entity.kind == kind}
        pairs[kind].append((sorted(marked), sorted(given)))
        for span in marked.keys() & given.keys():
            want, have = marked[span], given[span]
            _count(right["assertion"], have.assertion == want["assertion"])
            _count(right["experiencer"], have.experiencer == want["experiencer"])
            _count(right["historical"], have.historical == want["historical"])
            for name, value in want["attributes"].items():
                _count(right[f"{kind} {name}"], have.attributes.get(name) == value)


def _count(pair: list[int], right: bool) -> None:
    pair[0] += right
    pair[1] += 1


def sample_notes(folder: Path) -> Iterator[tuple[str, str]]:
    """(ROW_ID, TEXT) of the NOTEEVENTS csv in `folder`."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    for path in sorted(folder.glob("*")):
        if path.name.upper().startswith("NOTEEVENTS.CSV") and path.suffix.lower() == ".csv":
            with path.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    upper = {key.upper(): value for key, value in row.items()}
                    yield upper["ROW_ID"], upper["TEXT"]


def score_negex(folder: Path) -> list[Accuracy]:
    """Absent-or-present, historical-or-not and experiencer accuracy on the NegEx sentences; the concept is given.

    A concept that its sentence does not hold is not judged and not counted.
    """
    figures: list[Accuracy] = []
    for path in sorted(folder.glob("rsAnnotations*")):
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for fields in _negex_rows(path):
            _judge_row(fields, counts)
        figures += [
            Accuracy(data_set=folder.name, measure=name, right=pair[0], total=pair[1]) for name, pair in counts.items()
        ]
    return figures


def _negex_rows(path: Path) -> Iterator[list[str]]:
    for line in path.read_text(encoding="latin-1").splitlines()[1:]:
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) >= 6:
            yield fields


def _judge_row(fields: list[str], counts: dict[str, list[int]]) -> None:
    number, concept, text, negation, temporality, experiencer = fields[:6]
    words = r"\s+".join(re.escape(word) for word in concept.upper().split())
    place = re.search(words, text) or re.search(words, text, re.IGNORECASE)
    if place is None:
        return
    reading = read(Note(note_id=number, case_id="negex", text=text))
    sentence = reading.sentence_at(place.start())
    if sentence is None:
        return
    judgement = judge(sentence.cues, reading.words, *reading.tokens(*place.span()))
    _count(counts["absent or present"], (judgement.assertion == "absent") == (negation == "Negated"))
    past = judgement.historical or judgement.history_of or sentence.section in (S.MEDICAL_HISTORY, S.SURGICAL_HISTORY)
    _count(counts["historical or not"], past == (temporality == "Historical"))
    who = who_is_meant(reading, sentence, *place.span())
    _count(counts["experiencer"], (who == "patient") == (experiencer == "Patient"))


def score_section_texts(folder: Path) -> list[Accuracy]:
    """MTS-Dialog: the kind of section that a text without its heading belongs to."""
    figures: list[Accuracy] = []
    for path in sorted(folder.glob("MTS-Dialog*.csv")):
        pair = [0, 0]
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row.get("section_header") in _TOPICS and row.get("section_text"):
                    _count(pair, topic_of(row["section_text"]) in _TOPICS[row["section_header"]])
        figures.append(
            Accuracy(data_set=f"{folder.name}/{path.stem}", measure="section of a text", right=pair[0], total=pair[1])
        )
    return figures

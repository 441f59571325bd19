"""The sample cohort: invented patients in MIMIC-III's tables, and the gold of their notes (GOLD.md).

All medical content is in this folder's yaml files; nothing of it comes from a real chart.
"""

import json
from pathlib import Path

from etl.synthetic import cohort, note
from etl.synthetic.content import table
from etl.synthetic.tables import write_tables
from foundation.errors import UserError
from foundation.files import write_atomically
from foundation.records import Frozen
from foundation.seeds import generator


class SampleReport(Frozen):
    """What was written: rows per table, gold entities per kind, distinct main diagnoses and specialties."""

    folder: Path
    patients: int
    admissions: int
    rows: dict[str, int]
    entities: dict[str, int]
    main_diagnoses: int
    specialties: int


def generate(folder: Path, patients: int = 60, admissions: int = 65, seed: int = 0) -> SampleReport:
    """Write `patients` people with `admissions` admissions as MIMIC-III 1.4 csv files and gold into `folder`.

    The same arguments give the same bytes. UserError where there are fewer admissions than patients.
    """
    if patients < 1 or admissions < patients:
        raise UserError(
            f"{patients} patients with {admissions} admissions: one patient or more, and an admission each, is needed",
            "give --patients 1 or more, and --admissions no smaller than --patients",
        )
    visits = cohort.draw(patients, admissions, seed)
    authors = [name for name in table("authors.yaml") if "order" in table("authors.yaml")[name]]
    texts, entities = [], dict[str, int]()
    for row_id, visit in enumerate(visits, 1):
        text, gold = note.write(visit, authors[(row_id + seed) % len(authors)], generator(seed, "note", visit.hadm_id))
        texts.append(text)
        gold = {"note_id": str(row_id), "case": str(visit.hadm_id), **gold}
        write_atomically(folder / "gold" / f"{row_id}.json", json.dumps(gold, indent=1, ensure_ascii=False) + "\n")
        for entity in gold["entities"]:
            entities[entity["kind"]] = entities.get(entity["kind"], 0) + 1
    rows = write_tables(folder, visits, texts)
    return SampleReport(
        folder=folder,
        patients=patients,
        admissions=admissions,
        rows=rows,
        entities=dict(sorted(entities.items())),
        main_diagnoses=len({visit.key for visit in visits}),
        specialties=len({visit.disease.specialty for visit in visits}),
    )

"""Tables at scale: MIMIC-III-shaped csv files of any size without notes, and a benchmark from csv to CaseRecords.

    python -m etl.scale --admissions 5000

prints seconds, peak memory and cost per admission. The rows mean nothing; their shapes, counts and spread are those of
MIMIC-III (13 diagnoses, 80 prescriptions and 200 chart rows an admission).
"""

import argparse
import csv
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from etl.cases import write_cases
from etl.sources.registry import extract_cases
from etl.structured.vitals import vital_items
from etl.tables.loading import load
from foundation.records import Frozen
from foundation.seeds import generator

DIAGNOSES, PRESCRIPTIONS, CHART_ROWS = 13, 80, 200
_CODES = ("4019", "4280", "42731", "41401", "5849", "25000", "2724", "51881", "5990", "53081", "0389", "V5861", "E8786")
_DRUGS = (
    "Furosemide", "Metoprolol Tartrate", "Insulin", "Heparin", "Aspirin EC", "Atorvastatin", "Lisinopril",
    "Vancomycin HCl", "Pantoprazole", "Acetaminophen", "Morphine Sulfate", "Docusate Sodium", "Senna", "Lorazepam",
    "Potassium Chloride", "Magnesium Sulfate", "Levothyroxine Sodium", "Warfarin", "Prednisone", "Ciprofloxacin",
    "Amiodarone HCl", "Ondansetron", "Gabapentin", "Albuterol 0.083% Neb Soln", "Ipratropium Bromide Neb",
)  # fmt: skip
_CARRIERS = ("NS", "D5W", "0.9% Sodium Chloride", "SW", "Iso-Osmotic Dextrose")
_RACES = ("WHITE", "BLACK/AFRICAN AMERICAN", "HISPANIC OR LATINO", "ASIAN", "UNKNOWN/NOT SPECIFIED")
_START = datetime(2150, 1, 1)

Cells = list[str]


class ScaleFigures(Frozen):
    """What a benchmark measured. Seconds are wall clock; `processor_seconds` are those of load and extraction over all
    threads, which a busy machine does not stretch; `peak_gib` is the process's highest resident memory."""

    admissions: int
    rows: int
    cases: int
    generate_seconds: float
    load_seconds: float
    extract_seconds: float
    processor_seconds: float
    peak_gib: float

    @property
    def milliseconds_per_admission(self) -> float:
        """From csv files to CaseRecords on disk."""
        return 1000 * (self.load_seconds + self.extract_seconds) / self.admissions


def generate_tables(folder: Path, admissions: int, seed: int = 0) -> int:
    """Write PATIENTS, ADMISSIONS, DIAGNOSES_ICD, PRESCRIPTIONS and CHARTEVENTS; the number of rows of all of them.

    Four of five patients have one admission, the others two. The same seed gives the same bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rng = generator(seed, "scale", admissions)
    stays = _stays(rng, admissions)
    rows = 0
    for name, header, body in (
        ("PATIENTS", "row_id,subject_id,gender,dob,dod", _patients(rng, stays)),
        ("ADMISSIONS", _ADMISSIONS_HEADER, _admissions(rng, stays)),
        ("DIAGNOSES_ICD", "row_id,subject_id,hadm_id,seq_num,icd9_code", _diagnoses(rng, stays)),
        ("PRESCRIPTIONS", _PRESCRIPTIONS_HEADER, _prescriptions(rng, stays)),
        ("CHARTEVENTS", _CHART_HEADER, _chart(rng, stays)),
    ):
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(header.upper().split(","))
            for number, cells in enumerate(body, start=1):
                writer.writerow([str(number), *cells])
                rows += 1
    return rows


_Stay = tuple[str, str, datetime]
_ADMISSIONS_HEADER = (
    "row_id,subject_id,hadm_id,admittime,dischtime,deathtime,admission_type,admission_location,discharge_location,"
    "insurance,language,religion,marital_status,ethnicity,diagnosis,hospital_expire_flag"
)
_PRESCRIPTIONS_HEADER = (
    "row_id,subject_id,hadm_id,icustay_id,startdate,enddate,drug_type,drug,drug_name_generic,prod_strength,"
    "dose_val_rx,dose_unit_rx,route"
)
_CHART_HEADER = "row_id,subject_id,hadm_id,icustay_id,itemid,charttime,storetime,cgid,value,valuenum,valueuom,error"


def _stays(rng: random.Random, admissions: int) -> list[_Stay]:
    stays: list[_Stay] = []
    subject = 10_000
    while len(stays) < admissions:
        subject += rng.randint(1, 3)
        for _ in range(2 if rng.random() < 0.2 else 1):
            admitted = _START + timedelta(minutes=rng.randrange(50 * 365 * 24 * 60))
            stays.append((str(subject), str(100_000 + len(stays)), admitted))
    return stays[:admissions]


def _patients(rng: random.Random, stays: Sequence[_Stay]) -> Iterator[Cells]:
    for subject, admitted in {stay[0]: stay[2] for stay in reversed(stays)}.items():
        years = 300 if rng.random() < 0.05 else rng.randint(18, 88)
        yield [subject, rng.choice("FM"), f"{admitted - timedelta(days=years * 365.25):%Y-%m-%d} 00:00:00", ""]


def _admissions(rng: random.Random, stays: Sequence[_Stay]) -> Iterator[Cells]:
    for subject, hadm, admitted in stays:
        leaves = admitted + timedelta(days=rng.randint(1, 20))
        yield [
            subject, hadm, str(admitted), str(leaves), "", "EMERGENCY", "EMERGENCY ROOM ADMIT", "HOME", "Medicare",
            "ENGL", "CATHOLIC", "MARRIED", rng.choice(_RACES), "", "0",
        ]  # fmt: skip


def _diagnoses(rng: random.Random, stays: Sequence[_Stay]) -> Iterator[Cells]:
    for subject, hadm, _ in stays:
        for rank, code in enumerate(rng.sample(_CODES, DIAGNOSES), start=1):
            yield [subject, hadm, str(rank), code]


def _prescriptions(rng: random.Random, stays: Sequence[_Stay]) -> Iterator[Cells]:
    for subject, hadm, admitted in stays:
        for order in range(PRESCRIPTIONS):
            day = f"{admitted + timedelta(days=order % 7):%Y-%m-%d} 00:00:00"
            kind, drug = ("BASE", rng.choice(_CARRIERS)) if order % 4 == 0 else ("MAIN", rng.choice(_DRUGS))
            yield [subject, hadm, "", day, day, kind, drug, drug, "", "1", "TAB", "PO"]


def _chart(rng: random.Random, stays: Sequence[_Stay]) -> Iterator[Cells]:
    vitals = list(vital_items("chartevents").values())
    for subject, hadm, admitted in stays:
        for number in range(CHART_ROWS):
            charted = str(admitted + timedelta(minutes=30 * number))
            if number % 3 == 0:
                yield [subject, hadm, "", "128", charted, charted, "1", "text", "", "", "0"]
                continue
            item = rng.choice(vitals)
            value = f"{rng.uniform(item.low, item.high):.1f}"
            yield [subject, hadm, "", item.item, charted, charted, "1", value, value, item.unit, "0"]


def measure(admissions: int, folder: Path, seed: int = 0) -> ScaleFigures:
    """Generate, load into DuckDB, extract and write CaseRecords; the figures of each step."""
    started = time.perf_counter()
    rows = generate_tables(folder / "csv", admissions, seed)
    generated, processor = time.perf_counter(), time.process_time()
    load(folder / "csv", folder / "scale.duckdb", release="mimic3")
    loaded = time.perf_counter()
    cases = write_cases(folder / "cases.jsonl", extract_cases("mimic3", folder / "scale.duckdb"))
    return ScaleFigures(
        admissions=admissions,
        rows=rows,
        cases=cases,
        generate_seconds=round(generated - started, 1),
        load_seconds=round(loaded - generated, 1),
        extract_seconds=round(time.perf_counter() - loaded, 1),
        processor_seconds=round(time.process_time() - processor, 1),
        peak_gib=round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The benchmark as a command."""
    parser = argparse.ArgumentParser(prog="python -m etl.scale", description="csv to CaseRecords at scale")
    parser.add_argument("--admissions", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(options.admissions, Path(folder), options.seed)
    print(figures.model_dump_json(indent=2))
    print(f"{figures.milliseconds_per_admission:.2f} ms per admission", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

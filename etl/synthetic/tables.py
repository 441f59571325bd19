"""MIMIC-III 1.4 tables of the sample, with the official columns."""

import csv
import io
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from etl.synthetic.content import conditions, diseases, table
from etl.synthetic.drugs import DrugLine
from etl.synthetic.readings import flagged, written
from etl.synthetic.visit import Visit
from foundation.files import write_atomically

COLUMNS = {
    "PATIENTS": "SUBJECT_ID GENDER DOB DOD DOD_HOSP DOD_SSN EXPIRE_FLAG",
    "ADMISSIONS": "SUBJECT_ID HADM_ID ADMITTIME DISCHTIME DEATHTIME ADMISSION_TYPE ADMISSION_LOCATION"
    " DISCHARGE_LOCATION INSURANCE LANGUAGE RELIGION MARITAL_STATUS ETHNICITY EDREGTIME EDOUTTIME DIAGNOSIS"
    " HOSPITAL_EXPIRE_FLAG HAS_CHARTEVENTS_DATA",
    "DIAGNOSES_ICD": "SUBJECT_ID HADM_ID SEQ_NUM ICD9_CODE",
    "D_ICD_DIAGNOSES": "ICD9_CODE SHORT_TITLE LONG_TITLE",
    "PRESCRIPTIONS": "SUBJECT_ID HADM_ID ICUSTAY_ID STARTDATE ENDDATE DRUG_TYPE DRUG DRUG_NAME_POE DRUG_NAME_GENERIC"
    " FORMULARY_DRUG_CD GSN NDC PROD_STRENGTH DOSE_VAL_RX DOSE_UNIT_RX FORM_VAL_DISP FORM_UNIT_DISP ROUTE",
    "CHARTEVENTS": "SUBJECT_ID HADM_ID ICUSTAY_ID ITEMID CHARTTIME STORETIME CGID VALUE VALUENUM VALUEUOM WARNING ERROR"
    " RESULTSTATUS STOPPED",
    "D_ITEMS": "ITEMID LABEL ABBREVIATION DBSOURCE LINKSTO CATEGORY UNITNAME PARAM_TYPE CONCEPTID",
    "LABEVENTS": "SUBJECT_ID HADM_ID ITEMID CHARTTIME VALUE VALUENUM VALUEUOM FLAG",
    "D_LABITEMS": "ITEMID LABEL FLUID CATEGORY LOINC_CODE",
    "NOTEEVENTS": "SUBJECT_ID HADM_ID CHARTDATE CHARTTIME STORETIME CATEGORY DESCRIPTION CGID ISERROR TEXT",
}
_FORMS = {"PO": "Tab", "IV": "Vial", "IH": "Inhaler"}
_CATEGORY = {"rr": "Respiratory", "spo2": "Respiratory"}


def write_tables(folder: Path, visits: list[Visit], notes: list[str]) -> dict[str, int]:
    """All tables as csv into `folder`; rows per table."""
    rows = {
        "PATIENTS": _patients(visits),
        "ADMISSIONS": [_admission(visit) for visit in visits],
        "DIAGNOSES_ICD": [row for visit in visits for row in _diagnoses(visit)],
        "D_ICD_DIAGNOSES": _dictionary(),
        "PRESCRIPTIONS": [row for visit in visits for row in _prescriptions(visit)],
        "CHARTEVENTS": [row for visit in visits for row in _chart(visit)],
        "D_ITEMS": _items(),
        "LABEVENTS": [row for visit in visits for row in _laboratory(visit)],
        "D_LABITEMS": _laboratory_items(),
        "NOTEEVENTS": [_note(visit, text) for visit, text in zip(visits, notes, strict=True)],
    }
    return {name: _write(folder / f"{name}.csv", COLUMNS[name].split(), rows[name]) for name in COLUMNS}


def _write(path: Path, columns: list[str], rows: Iterable[dict[str, Any]]) -> int:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["ROW_ID", *columns])
    count = 0
    for count, row in enumerate(rows, 1):
        writer.writerow([count, *(row.get(column, "") for column in columns)])
    write_atomically(path, buffer.getvalue())
    return count


def _patients(visits: list[Visit]) -> list[dict[str, Any]]:
    rows = {}
    for visit in sorted(
        visits, key=lambda visit: visit.admitted, reverse=True
    ):  # the first admission has the last word
        born = visit.person.born
        if visit.age > 89:  # MIMIC-III shifts these births to 300 years before the first admission
            born = visit.admitted.replace(year=visit.admitted.year - 300, month=1, day=1)
        rows[visit.person.subject_id] = {
            "SUBJECT_ID": visit.person.subject_id,
            "GENDER": visit.person.sex,
            "DOB": f"{born:%Y-%m-%d} 00:00:00",
            "EXPIRE_FLAG": 0,
        }
    return [rows[subject] for subject in sorted(rows)]


def _admission(visit: Visit) -> dict[str, Any]:
    person = visit.person.background
    return {
        **_ids(visit),
        "ADMITTIME": visit.admitted,
        "DISCHTIME": visit.discharged,
        "ADMISSION_TYPE": "EMERGENCY",
        "ADMISSION_LOCATION": "EMERGENCY ROOM ADMIT",
        "DISCHARGE_LOCATION": "HOME" if visit.age < 75 else "HOME HEALTH CARE",
        "INSURANCE": person["insurance"],
        "LANGUAGE": person["language"],
        "RELIGION": person["religion"],
        "MARITAL_STATUS": person["marital"],
        "ETHNICITY": person["ethnicity"],
        "EDREGTIME": visit.admitted - timedelta(hours=5),
        "EDOUTTIME": visit.admitted,
        "DIAGNOSIS": visit.disease.admit,
        "HOSPITAL_EXPIRE_FLAG": 0,
        "HAS_CHARTEVENTS_DATA": 1,
    }


def _ids(visit: Visit) -> dict[str, Any]:
    return {"SUBJECT_ID": visit.person.subject_id, "HADM_ID": visit.hadm_id}


def _diagnoses(visit: Visit) -> list[dict[str, Any]]:
    comorbid = [conditions()[key].code[0] for key in visit.person.comorbid]
    codes = dict.fromkeys([visit.disease.code[0], *visit.complications, *comorbid])
    return [{**_ids(visit), "SEQ_NUM": rank, "ICD9_CODE": code} for rank, code in enumerate(codes, 1)]


def _dictionary() -> list[dict[str, Any]]:
    titles = {code: (short, long) for code, short, long in table("complications.yaml")["titles"]}
    known = {script.code[0]: script.code[1:] for script in diseases().values()}
    known |= {condition.code[0]: condition.code[1:] for condition in conditions().values()}
    return [
        {"ICD9_CODE": code, "SHORT_TITLE": short, "LONG_TITLE": long}
        for code, (short, long) in sorted((titles | known).items())
    ]


def _prescriptions(visit: Visit) -> list[dict[str, Any]]:
    carrier = DrugLine("0.9% Sodium Chloride", "1000 mL", "IV", "ONCE")
    held = tuple(
        drug.line for drug in visit.home if not any(word in drug.line.name.lower() for word in visit.disease.stop)
    )
    rows = []
    for line in dict.fromkeys((*visit.inpatient, carrier, *held)):
        value, _, unit = line.dose.partition(" ")
        rows.append(
            {
                **_ids(visit),
                "STARTDATE": f"{visit.admitted:%Y-%m-%d} 00:00:00",
                "ENDDATE": f"{visit.discharged:%Y-%m-%d} 00:00:00",
                "DRUG_TYPE": "BASE" if line is carrier else "MAIN",
                "DRUG": line.name.title() if line.name.islower() else line.name,
                "DRUG_NAME_GENERIC": line.name.title() if line.name.islower() else line.name,
                "PROD_STRENGTH": f"{line.dose} {_FORMS.get(line.route, 'Unit')}",
                "DOSE_VAL_RX": value,
                "DOSE_UNIT_RX": unit.upper() if unit == "units" else unit,
                "ROUTE": line.route,
            }
        )
    return rows


def _chart(visit: Visit) -> list[dict[str, Any]]:
    when = visit.admitted - timedelta(hours=4)
    return [
        {
            **_ids(visit),
            "ITEMID": item,
            "CHARTTIME": when,
            "STORETIME": when,
            "VALUE": f"{visit.vitals[name]:g}",
            "VALUENUM": f"{visit.vitals[name]:g}",
            "VALUEUOM": unit,
            "WARNING": 0,
            "ERROR": 0,
        }
        for name, (item, _, unit, _) in table("measurements.yaml")["chart"].items()
    ]


def _items() -> list[dict[str, Any]]:
    return [
        {
            "ITEMID": item,
            "LABEL": label,
            "ABBREVIATION": short,
            "DBSOURCE": "metavision",
            "LINKSTO": "chartevents",
            "CATEGORY": _CATEGORY.get(name, "Routine Vital Signs"),
            "UNITNAME": unit,
            "PARAM_TYPE": "Numeric",
        }
        for name, (item, label, unit, short) in table("measurements.yaml")["chart"].items()
    ]


def _laboratory(visit: Visit) -> list[dict[str, Any]]:
    panel = table("measurements.yaml")["labs"]
    return [
        {
            **_ids(visit),
            "ITEMID": panel[name]["item"],
            "CHARTTIME": visit.admitted - timedelta(hours=3),
            "VALUE": written(panel[name], value),
            "VALUENUM": written(panel[name], value),
            "VALUEUOM": panel[name]["unit"],
            "FLAG": "abnormal" if flagged(panel[name], value) else "",
        }
        for name, value in visit.labs.items()
    ]


def _laboratory_items() -> list[dict[str, Any]]:
    return [
        {
            "ITEMID": row["item"],
            "LABEL": row["label"],
            "FLUID": "Blood",
            "CATEGORY": row["category"],
            "LOINC_CODE": row["loinc"],
        }
        for row in table("measurements.yaml")["labs"].values()
    ]


def _note(visit: Visit, text: str) -> dict[str, Any]:
    return {
        **_ids(visit),
        "CHARTDATE": f"{visit.discharged:%Y-%m-%d}",
        "CATEGORY": "Discharge summary",
        "DESCRIPTION": "Report",
        "TEXT": text,
    }

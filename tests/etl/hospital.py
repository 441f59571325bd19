"""A hospital of three patients, written as MIMIC csv files; tests change what they need."""

import csv
import gzip
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

Table = list[list[str]]

MIMIC3: dict[str, Table] = {
    "PATIENTS": [
        ["ROW_ID", "SUBJECT_ID", "GENDER", "DOB", "DOD"],
        ["1", "10", "F", "2090-06-15 00:00:00", ""],
        ["2", "11", "M", "1850-01-01 00:00:00", ""],
        ["3", "12", "F", "2120-03-01 00:00:00", ""],
    ],
    "ADMISSIONS": [
        ["ROW_ID", "SUBJECT_ID", "HADM_ID", "ADMITTIME", "DISCHTIME", "DEATHTIME", "ADMISSION_TYPE", "INSURANCE",
         "LANGUAGE", "RELIGION", "MARITAL_STATUS", "ETHNICITY", "DIAGNOSIS", "HOSPITAL_EXPIRE_FLAG"],
        ["1", "10", "100", "2150-06-14 10:00:00", "2150-06-20 12:00:00", "", "EMERGENCY", "Medicare", "ENGL",
         "CATHOLIC", "WIDOWED", "WHITE - RUSSIAN", "PNEUMONIA", "0"],
        ["2", "11", "101", "2150-01-01 00:00:00", "2150-01-05 00:00:00", "", "URGENT", "Private", "", "MUSLIM",
         "MARRIED", "BLACK/CAPE VERDEAN", "", "1"],
        ["3", "10", "102", "2151-02-01 08:00:00", "2151-02-03 08:00:00", "", "ELECTIVE", "Medicare", "ENGL",
         "CATHOLIC", "WIDOWED", "WHITE - RUSSIAN", "", "0"],
    ],
    "DIAGNOSES_ICD": [
        ["ROW_ID", "SUBJECT_ID", "HADM_ID", "SEQ_NUM", "ICD9_CODE"],
        ["1", "10", "100", "1", "0389"],
        ["2", "10", "100", "2", "4019"],
        ["3", "11", "101", "1", "0414"],
        ["4", "10", "102", "1", "V5861"],
    ],
    "D_ICD_DIAGNOSES": [
        ["ROW_ID", "ICD9_CODE", "SHORT_TITLE", "LONG_TITLE"],
        ["1", "0389", "Septicemia NOS", "Unspecified septicemia"],
        ["2", "4019", "Hypertension NOS", "Unspecified essential hypertension"],
        ["3", "V5861", "Long-term use anticoagul", "Long-term (current) use of anticoagulants"],
    ],
    "PRESCRIPTIONS": [
        ["ROW_ID", "SUBJECT_ID", "HADM_ID", "STARTDATE", "ENDDATE", "DRUG_TYPE", "DRUG", "DOSE_VAL_RX", "DOSE_UNIT_RX",
         "ROUTE"],
        ["1", "10", "100", "2150-06-15 00:00:00", "", "MAIN", "Furosemide", "40", "mg", "IV"],
        ["2", "10", "100", "2150-06-14 00:00:00", "", "MAIN", "Lasix", "20", "mg", "PO"],
        ["3", "10", "100", "2150-06-14 00:00:00", "", "BASE", "D5W", "250", "mL", "IV"],
        ["4", "10", "100", "2150-06-16 00:00:00", "", "MAIN", "Furosemide", "40", "mg", "IV"],
        ["5", "11", "101", "2150-01-01 00:00:00", "", "MAIN", "Warfarin", "5", "mg", "PO"],
    ],
    "CHARTEVENTS": [
        ["ROW_ID", "SUBJECT_ID", "HADM_ID", "ITEMID", "CHARTTIME", "VALUE", "VALUENUM", "VALUEUOM", "ERROR"],
        ["1", "10", "100", "211", "2150-06-14 10:30:00", "999", "999", "BPM", "0"],
        ["2", "10", "100", "220045", "2150-06-14 11:00:00", "112", "112", "bpm", "0"],
        ["3", "10", "100", "220045", "2150-06-14 12:00:00", "98", "98", "bpm", "0"],
        ["4", "10", "100", "455", "2150-06-14 11:00:00", "95", "95", "mmHg", "0"],
        ["5", "10", "100", "8441", "2150-06-14 11:00:00", "55", "55", "mmHg", "0"],
        ["6", "10", "100", "128", "2150-06-14 11:00:00", "Rash", "", "", "0"],
        ["7", "10", "100", "223761", "2150-06-14 11:00:00", "101.3", "101.3", "?F", "0"],
        ["8", "10", "100", "646", "2150-06-14 10:50:00", "50", "50", "%", "1"],
        ["9", "11", "101", "211", "2150-01-03 11:00:00", "80", "80", "BPM", "0"],
    ],
    "LABEVENTS": [
        ["ROW_ID", "SUBJECT_ID", "HADM_ID", "ITEMID", "CHARTTIME", "VALUE", "VALUENUM", "VALUEUOM", "FLAG"],
        ["1", "10", "100", "51301", "2150-06-14 11:00:00", "18.2", "18.2", "K/uL", "abnormal"],
        ["2", "10", "100", "51301", "2150-06-15 11:00:00", "21", "21", "K/uL", "abnormal"],
        ["3", "10", "100", "50971", "2150-06-14 11:00:00", "4.1", "4.1", "mEq/L", ""],
        ["4", "10", "", "51301", "2150-01-14 11:00:00", "14", "14", "K/uL", "abnormal"],
    ],
    "D_LABITEMS": [
        ["ROW_ID", "ITEMID", "LABEL", "FLUID"],
        ["1", "51301", "White Blood Cells", "Blood"],
        ["2", "50971", "Potassium", "Blood"],
    ],
    "NOTEEVENTS": [
        ["ROW_ID", "SUBJECT_ID", "HADM_ID", "CHARTDATE", "CATEGORY", "DESCRIPTION", "ISERROR", "TEXT"],
        ["1", "10", "100", "2150-06-20", "Discharge summary", "Report", "",
         "Chief Complaint:\nfever and cough\n\nHistory of Present Illness:\n\"I am cold\"; denies chest pain.\n"],
        ["2", "10", "100", "2150-06-15", "Nursing", "Report", "", "Resting, comfortable."],
        ["3", "10", "100", "2150-06-20", "Discharge summary", "Report", "1", "Entered for the wrong patient."],
        ["4", "10", "102", "2151-02-03", "Discharge summary", "Report", "", "   \n  "],
    ],
}  # fmt: skip

MIMIC4: dict[str, Table] = {
    "hosp/patients": [
        ["subject_id", "gender", "anchor_age", "anchor_year", "anchor_year_group", "dod"],
        ["10", "F", "60", "2150", "2011 - 2013", ""],
        ["11", "M", "91", "2150", "2011 - 2013", ""],
        ["12", "M", "30", "2150", "2011 - 2013", ""],
    ],
    "hosp/admissions": [
        ["subject_id", "hadm_id", "admittime", "dischtime", "deathtime", "admission_type", "insurance", "language",
         "marital_status", "race", "hospital_expire_flag"],
        ["10", "200", "2152-06-14 10:00:00", "2152-06-20 12:00:00", "", "EW EMER.", "Medicare", "ENGLISH", "SINGLE",
         "HISPANIC/LATINO - CUBAN", "0"],
        ["11", "201", "2150-01-01 00:00:00", "2150-01-05 00:00:00", "", "URGENT", "Other", "?", "", "UNKNOWN", "0"],
    ],
    "hosp/diagnoses_icd": [
        ["subject_id", "hadm_id", "seq_num", "icd_code", "icd_version"],
        ["10", "200", "1", "A419", "10"],
        ["10", "200", "2", "0389", "9"],
        ["10", "200", "3", "0389", "9"],
    ],
    "hosp/d_icd_diagnoses": [
        ["icd_code", "icd_version", "long_title"],
        ["A419", "10", "Sepsis, unspecified organism"],
        ["0389", "9", "Unspecified septicemia"],
    ],
    "hosp/prescriptions": [
        ["subject_id", "hadm_id", "pharmacy_id", "starttime", "stoptime", "drug_type", "drug", "dose_val_rx",
         "dose_unit_rx", "doses_per_24_hrs", "route"],
        ["10", "200", "1", "2152-06-14 12:00:00", "", "MAIN", "Metoprolol Tartrate", "25", "mg", "2", "PO"],
        ["10", "999", "2", "2152-06-14 12:00:00", "", "MAIN", "Aspirin", "81", "mg", "1", "PO"],
    ],
    "hosp/labevents": [
        ["labevent_id", "subject_id", "hadm_id", "itemid", "charttime", "value", "valuenum", "valueuom",
         "ref_range_lower", "ref_range_upper", "flag", "comments"],
        ["1", "10", "200", "51222", "2152-06-14 12:00:00", "8.1", "8.1", "g/dL", "12", "16", "abnormal", ""],
        ["2", "10", "200", "51222", "2152-06-15 12:00:00", "7.2", "7.2", "g/dL", "12", "16", "abnormal", ""],
        ["3", "10", "200", "51222", "2152-06-16 12:00:00", "12.5", "12.5", "g/dL", "12", "16", "", ""],
    ],
    "hosp/d_labitems": [["itemid", "label", "fluid", "category"], ["51222", "Hemoglobin", "Blood", "Hematology"]],
    "hosp/omr": [
        ["subject_id", "chartdate", "seq_num", "result_name", "result_value"],
        ["10", "2152-06-01", "1", "Weight (Lbs)", "150"],
        ["10", "2152-06-01", "1", "Blood Pressure", "130/80"],
        ["10", "2151-01-01", "1", "Weight (Lbs)", "160"],
        ["10", "2152-06-01", "2", "Height (Inches)", "6"],
        ["10", "2152-06-01", "1", "eGFR", "60"],
    ],
    "icu/chartevents": [
        ["subject_id", "hadm_id", "stay_id", "itemid", "charttime", "value", "valuenum", "valueuom"],
        ["10", "200", "1", "220045", "2152-06-14 20:00:00", "70", "70", "bpm"],
    ],
    "note/discharge": [
        ["note_id", "subject_id", "hadm_id", "note_type", "note_seq", "text"],
        ["10-DS-1", "10", "200", "DS", "1", "Chief Complaint:\nweakness\n"],
    ],
    "ed/edstays": [["subject_id", "hadm_id", "stay_id"], ["10", "200", "30"], ["12", "", "31"]],
    "ed/triage": [
        ["subject_id", "stay_id", "temperature", "heartrate", "resprate", "o2sat", "sbp", "dbp", "pain",
         "chiefcomplaint"],
        ["10", "30", "98.6", "120", "20", "97", "90", "60", "8", "Weakness"],
        ["12", "31", "98.0", "60", "16", "99", "120", "80", "0", "Rash"],
    ],
}  # fmt: skip


def csv_text(table: Sequence[Sequence[str]], delimiter: str = ",") -> str:
    """The table as csv text."""
    output = io.StringIO()
    csv.writer(output, delimiter=delimiter, lineterminator="\n").writerows(table)
    return output.getvalue()


def write_tables(
    folder: Path, tables: Mapping[str, Table], without: Iterable[str] = (), packed: Iterable[str] = (), **changed: Table
) -> Path:
    """Write the tables as csv (those in `packed` as csv.gz); `changed` takes the place of a table of that name."""
    for name, table in tables.items():
        if name in without:
            continue
        text = csv_text(changed.get(name, table))
        path = folder / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        if name in packed:
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
        else:
            path.write_text(text, "utf-8")
    return folder


def with_rows(table: Table, *rows: list[str]) -> Table:
    """The table with further rows."""
    return [*table, *rows]

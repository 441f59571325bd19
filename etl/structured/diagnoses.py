"""Recorded diagnoses: no code is ever lost, and none is without a name."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from etl.caserecord import Diagnosis, TableEvidence
from etl.structured.draft import Context, Draft, Drafts
from etl.structured.naming import code_name
from etl.structured.values import row_key, text_of

Version = Literal["9", "10"]
TABLE = "diagnoses_icd"


def dictionary_of(rows: Iterable[Any]) -> dict[tuple[str, str], str]:
    """(code, version) to name, from rows with code, version and name; the first row of a code counts."""
    names: dict[tuple[str, str], str] = {}
    for row in rows:
        if row.code is not None and text_of(row.name):
            names.setdefault((text_of(row.code), text_of(row.version)), text_of(row.name))
    return names


def add_diagnoses(drafts: Drafts, rows: Iterable[Any], context: Context) -> None:
    """Give each draft its diagnoses by rank. Rows have subject_id, hadm_id, seq_num, code, version."""
    found: dict[int, list[tuple[int, str, Version, str]]] = {}
    for row in rows:
        draft = drafts.place(TABLE, row)
        if draft is None:
            continue
        code, version = text_of(row.code), text_of(row.version)
        if not code:
            drafts.account.rejected(TABLE, "without a code")
        elif version not in ("9", "10"):
            drafts.account.rejected(TABLE, "of a code version that is neither 9 nor 10")
        else:
            drafts.account.used(TABLE)
            rank = int(row.seq_num) if row.seq_num else 0
            entry = (rank, code, cast(Version, version), row_key(row, context.key))
            found.setdefault(int(row.hadm_id), []).append(entry)
    for hadm_id, entries in found.items():
        _give(drafts.by_hadm[hadm_id], entries, context.dictionary)


def _give(
    draft: Draft, entries: list[tuple[int, str, Version, str]], dictionary: Mapping[tuple[str, str], str]
) -> None:
    """Diagnoses in the order of their ranks (those without a rank last); the same code twice is one diagnosis."""
    entries.sort(key=lambda entry: (entry[0] < 1, entry))
    last = max(rank for rank, *_ in entries)
    merged: dict[tuple[str, Version], Diagnosis] = {}
    for rank, code, version, key in entries:
        evidence = TableEvidence(table=TABLE, row_key=key)
        known = merged.get((code, version))
        if known is not None:
            merged[code, version] = known.model_copy(update={"evidence": (*known.evidence, evidence)})
            continue
        if rank < 1:
            last += 1
            rank = last
        name, source = code_name(code, version, dictionary.get((code, version), ""))
        merged[code, version] = Diagnosis(
            code=code, version=version, rank=rank, name=name, name_source=source, evidence=(evidence,)
        )
    draft.diagnoses.extend(merged.values())

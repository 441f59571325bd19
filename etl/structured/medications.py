"""Prescriptions by active ingredient: many orders of one drug are one medication."""

from collections.abc import Iterable
from typing import Any

from etl.caserecord import Medication, MedicationRole, TableEvidence
from etl.structured.draft import Context, Drafts
from etl.structured.naming import drug
from etl.structured.values import iso, row_key, text_of

TABLE = "prescriptions"
_CARRIER_TYPE = "BASE"  # PRESCRIPTIONS.DRUG_TYPE: what the drug is dissolved in

_Slot = tuple[int, tuple[str, ...], str, bool]


def add_prescriptions(drafts: Drafts, rows: Iterable[Any], context: Context) -> None:
    """Give each draft its inpatient medications, in the order in which they were first given.

    Rows have subject_id, hadm_id, drug, drug_type, start, dose, dose_unit, route, per_day (doses in 24 h) and `alike`,
    the number of rows that say the same. Drugs with the same active ingredients are one; what cannot be resolved is
    one by its name.
    """
    first: dict[_Slot, tuple[str, str, Any]] = {}
    count: dict[_Slot, int] = {}
    for row in rows:
        alike = int(row.alike)
        draft = drafts.place(TABLE, row, alike)
        if draft is None:
            continue
        name = text_of(row.drug)
        if not name:
            drafts.account.rejected(TABLE, "without a drug", alike)
            continue
        drafts.account.used(TABLE, alike)
        known = drug(name)
        carrier = known.carrier_fluid or text_of(row.drug_type).upper() == _CARRIER_TYPE
        slot = (int(row.hadm_id), known.ingredients, "" if known.ingredients else name.lower(), carrier)
        order = (iso(row.start) or "~", row_key(row, context.key), row)
        if slot not in first or order[:2] < first[slot][:2]:
            first[slot] = order
        count[slot] = count.get(slot, 0) + alike
    for slot in sorted(first, key=lambda slot: (slot[0], *first[slot][:2], slot)):
        drafts.by_hadm[slot[0]].medications.append(_medication(slot, *first[slot][1:], count[slot]))


def _medication(slot: _Slot, key: str, row: Any, rows: int) -> Medication:
    _, ingredients, _, carrier = slot
    dose = " ".join(part for part in (text_of(row.dose), text_of(row.dose_unit)) if part)
    return Medication(
        name=text_of(row.drug),
        ingredients=ingredients,
        role=MedicationRole.INPATIENT,
        dose=dose,
        route=text_of(row.route),
        frequency=_frequency(text_of(row.per_day)),
        carrier_fluid=carrier,
        evidence=(TableEvidence(table=TABLE, row_key=key, rows=rows),),
    )


def _frequency(per_day: str) -> str:
    """ "2 doses in 24 h"; engines differ in whether a number shows its .0."""
    return f"{per_day.removesuffix('.0')} doses in 24 h" if per_day else ""

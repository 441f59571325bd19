"""How much of real prescriptions and of public drug lists the tables cover: `python -m terminology.drug_coverage DATA`.

DATA is a folder of openly licensed sets (MIMIC demos, Drugs@FDA brands, PharmacotherapyDB); absent ones are skipped.
"""

import csv
import gzip
import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from terminology import drug_conditions, drugs, safety


@dataclass(frozen=True, slots=True)
class PrescriptionCoverage:
    """Prescription rows: all, those of carrier fluids, and those of drugs that resolve; names that do not."""

    rows: int
    carrier_fluids: int
    resolved: int
    unresolved: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        """Resolved share of rows that are no carrier fluid."""
        return self.resolved / max(self.rows - self.carrier_fluids, 1)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        dialect = "excel-tab" if ".tsv" in path.name else "excel"
        yield from csv.DictReader(file, dialect=dialect)


def prescriptions(path: Path) -> PrescriptionCoverage:
    """Coverage of a MIMIC PRESCRIPTIONS table (column `drug`)."""
    names = Counter(row.get("drug") or row.get("DRUG") or "" for row in _rows(path))
    fluids = sum(count for name, count in names.items() if drugs.normalise(name).carrier_fluid)
    unresolved = tuple(sorted((name, count) for name, count in names.items() if not drugs.normalise(name).resolved))
    total = sum(names.values())
    return PrescriptionCoverage(total, fluids, total - fluids - sum(count for _, count in unresolved), unresolved)


def brand_agreement(path: Path) -> dict[str, int]:
    """Drugs@FDA brand to ingredient rows whose ingredients we know: brands that resolve, and to the same set."""
    counts = {"rows": 0, "ingredients_known": 0, "brand_resolved": 0, "same_ingredients": 0}
    for row in _rows(path):
        counts["rows"] += 1
        generic = [drugs.normalise(part) for part in row["ActiveIngredient"].split(";") if part.strip()]
        if not generic or not all(name.ingredients for name in generic):
            continue
        counts["ingredients_known"] += 1
        wanted = {ingredient for name in generic for ingredient in name.ingredients}
        found = set(drugs.normalise(row["DrugName"]).ingredients)
        counts["brand_resolved"] += bool(found)
        counts["same_ingredients"] += found == wanted
    return counts


def indication_agreement(path: Path, held_out: bool) -> dict[str, int]:
    """PharmacotherapyDB pairs (one half of the diseases, by hash) by what `safety.treats_any` says of them.

    Keys "<category>_treats" and "<category>_not": DM (disease modifying), SYM (symptomatic), NOT (no indication).
    """
    counts: Counter[str] = Counter()
    for row in _rows(path):
        in_half = hashlib.sha256(row["disease"].encode()).digest()[0] % 2 == 0
        ingredients = drugs.normalise(row["drug"]).ingredients
        keys = drug_conditions.in_text(row["disease"])
        if in_half != held_out:
            continue
        if not ingredients or not keys:
            counts["unresolved"] += 1
            continue
        verdict = "treats" if any(safety.treats_any(name, keys) for name in ingredients) else "not"
        counts[f"{row['category']}_{verdict}"] += 1
    return dict(sorted(counts.items()))


def main(folder: Path) -> None:
    """Print every figure that the folder allows."""
    print(f"ingredients: {len(drugs.all_ingredients())}")
    for table in ("mimic3_demo/PRESCRIPTIONS.csv.gz", "mimic4_demo/hosp/prescriptions.csv.gz"):
        if (folder / table).exists():
            found = prescriptions(folder / table)
            print(f"{table}: rows {found.rows}, carrier fluids {found.carrier_fluids}, resolved {found.share:.4f}")
            print(f"  not resolved: {list(found.unresolved)}")
    brands = folder / "drugs_fda_brand_generic" / "drugsatfda_brand_to_active_ingredient.csv"
    if brands.exists():
        print(f"Drugs@FDA brands: {brand_agreement(brands)}")
    pairs = folder / "drugs_indications_pharmacotherapydb" / "indications.tsv"
    if pairs.exists():
        print(f"PharmacotherapyDB, half to look at: {indication_agreement(pairs, held_out=False)}")
        print(f"PharmacotherapyDB, half held out: {indication_agreement(pairs, held_out=True)}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data"))

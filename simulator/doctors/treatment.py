"""Drugs for a diagnosis: its usual treatment, less what allergies forbid, and what goes on from home."""

from collections.abc import Iterable
from dataclasses import dataclass

from simulator.doctors.hearing import Heard
from simulator.doctors.likelihoods import Disease, Fitted, document
from terminology import drugs, safety
from terminology.concepts import ancestors
from terminology.lay import lay_name

OFTEN = 0.5
"""Share of the cohort's patients with the disease from which a drug counts as its treatment."""


@dataclass(frozen=True)
class Prescription:
    """A drug (ingredient) and why, or why not."""

    drug: str
    reason: str


NO_TREATMENT: tuple[list[Prescription], list[str]] = ([], ["nothing was prescribed, as no complaint was heard"])
"""For a consultation in which nothing was learnt: a guess is no ground for a drug."""


def prescribe(disease: Disease, fitted: Fitted | None, heard: Heard) -> tuple[list[Prescription], list[str]]:
    """Prescriptions for `disease`, and sentences on what was left out because of allergies."""
    left_out: list[str] = []
    chosen: list[Prescription] = []
    for group, why in _wanted(disease, fitted):
        for drug in group:
            note = objection(drug, heard, [p.drug for p in chosen])
            if note is None:
                if all(p.drug != drug for p in chosen):
                    use = drugs.used_for(drug)
                    chosen.append(Prescription(drug, f"given for {use}; {why}" if use else why))
                break
            left_out.append(f"{drug} was avoided: {note}")
    return chosen + _continued(disease, heard, chosen, left_out), left_out


def objection(drug: str, heard: Heard, others: Iterable[str]) -> str | None:
    """Why `drug` must not be given: an allergy that was mentioned, a condition, or a grave interaction."""
    for allergen, words in heard.allergens.items():
        for name in (allergen, words):
            if conflict := safety.allergy_conflict(name, drug):
                return f"allergy to {words.lower()} ({conflict.reason})"
    for row in safety.contraindications(drug):
        if row.severity == "major" and row.condition in heard.history:
            return f"{lay_name(row.condition)} speaks against it"
    for other in others:
        row_ = safety.interaction(drug, other)
        if row_ and row_.severity == "major":
            return f"it does not go with {other}"
    return None


def _wanted(disease: Disease, fitted: Fitted | None) -> list[tuple[list[str], str]]:
    """Groups of alternatives: the cohort's usual drugs where it has such cases, and the table's."""
    table = [[_ingredient(name) for name in group.split(" | ")] for group in disease.drugs]
    wanted: list[tuple[list[str], str]] = []
    if fitted and (cases := fitted.seen(disease.key)):
        counted = fitted.treatments(disease.key)
        for drug, count in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
            if count / cases >= OFTEN:
                alternatives = next(([d for d in group if d != drug] for group in table if drug in group), [])
                why = f"usual treatment of {disease.name} ({count} of {cases} other patients with it received it)"
                wanted.append(([drug, *alternatives], why))
    named = {drug for group, _ in wanted for drug in group}
    if not wanted:
        wanted += [(group, f"usual treatment of {disease.name}") for group in table if not named & set(group)]
    return wanted


def _continued(disease: Disease, heard: Heard, chosen: list[Prescription], left_out: list[str]) -> list[Prescription]:
    """Drugs from home that go on: none of a new drug's kind, nothing that speaks against itself now."""
    kept: list[Prescription] = []
    for drug, words in heard.drugs.items():
        new = [p.drug for p in chosen]
        note = objection(drug, heard, [*new, *(p.drug for p in kept)])
        if note or drug in document("stopped_drugs.yaml").get(disease.key, ()):
            left_out.append(f"{words} from home was stopped: {note or 'it can do harm in ' + disease.name}")
        elif drug not in new and not drugs.alternatives(drug) & set(new):
            kept.append(Prescription(drug, f"taken at home{_purpose(drug, heard)}; continued unchanged"))
    return kept


def _purpose(drug: str, heard: Heard) -> str:
    """What a home drug is for, by the history that was told; else by its use."""
    for key in heard.history:
        if {key, *ancestors(key)} & safety.indications(drug):
            return f" for {lay_name(key)}"
    use = drugs.used_for(drug)
    return f" for {use}" if use else ""


def _ingredient(name: str) -> str:
    found = drugs.normalise(name).ingredients
    return found[0] if found else name

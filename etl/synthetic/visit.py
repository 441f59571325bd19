"""One admission of the sample: how a disease shows in a person this time, and what is done about it."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from etl.synthetic.content import Disease, SymptomScript, conditions, table
from etl.synthetic.drugs import DrugLine, choose, forbidden, parse
from etl.synthetic.person import Person


@dataclass(frozen=True)
class Complaint:
    """A symptom that is there, since `hours`."""

    key: str
    script: SymptomScript
    hours: float


@dataclass(frozen=True)
class HomeDrug:
    """A drug taken at home, and the condition it is taken for."""

    line: DrugLine
    reason: str


@dataclass(frozen=True)
class Visit:
    """Everything that the tables and the note of one admission say."""

    hadm_id: int
    person: Person
    key: str
    disease: Disease
    admitted: datetime
    discharged: datetime
    complaints: tuple[Complaint, ...]
    prior: tuple[str, ...]
    possible: tuple[str, ...]
    denied: tuple[str, ...]
    home: tuple[HomeDrug, ...]
    vitals: dict[str, float]
    labs: dict[str, float]
    inpatient: tuple[DrugLine, ...]
    discharge: tuple[DrugLine, ...]
    complications: tuple[str, ...]

    @property
    def age(self) -> int:
        """Whole years at admission."""
        return self.person.age(self.admitted)


def draw(hadm_id: int, person: Person, key: str, disease: Disease, admitted: datetime, rng: random.Random) -> Visit:
    """A visit of `person` for `disease` on `admitted`."""
    allergens = person.allergens
    complaints = _complaints(disease, rng)
    shown = {complaint.key for complaint in complaints}
    possible = tuple(symptom for symptom in disease.possible if symptom not in shown and rng.random() < 0.4)
    home = _home(person, rng)
    denied = [symptom for symptom in disease.denied if symptom not in shown and symptom not in possible]
    treatment = choose(disease.discharge, allergens, rng)
    return Visit(
        hadm_id=hadm_id,
        person=person,
        key=key,
        disease=disease,
        admitted=admitted,
        discharged=admitted + timedelta(days=rng.randint(*disease.stay), hours=rng.randint(2, 9)),
        complaints=complaints,
        prior=tuple(symptom for symptom in disease.prior if rng.random() < 0.4),
        possible=possible,
        denied=tuple(rng.sample(denied, min(len(denied), rng.randint(4, 8)))),
        home=home,
        vitals=_vitals(disease, rng),
        labs=_labs(disease, rng),
        inpatient=tuple(choose(disease.inpatient, allergens, rng)),
        discharge=_discharge(disease, home, treatment),
        complications=tuple(code for code, p in disease.complications.items() if rng.random() < p),
    )


def _complaints(disease: Disease, rng: random.Random) -> tuple[Complaint, ...]:
    low, high = disease.onset
    hours = low * (high / low) ** rng.random()
    found: list[Complaint] = []
    for place, (key, script) in enumerate(disease.symptoms.items()):
        if rng.random() < script.p:
            since = hours if place == 0 else hours * rng.choice((1.0, 1.0, 0.7, 0.4))
            found.append(Complaint(key, script, since))
    return tuple(found)


def _home(person: Person, rng: random.Random) -> tuple[HomeDrug, ...]:
    drugs = [HomeDrug(parse(line), reason) for line, reason in person.quirks.get("home", ())]
    for key in person.comorbid:
        for line in choose(conditions()[key].drugs, person.allergens, rng, first=0.5):
            if not any(_alike(drug.line.name, line.name) for drug in drugs):
                drugs.append(HomeDrug(line, key))
    for key, lines in table("people.yaml")["over_the_counter"].items():
        if rng.random() < 0.18 and not any(forbidden(lines[0], (allergen,)) for allergen in person.allergens):
            drugs.extend(HomeDrug(line, key) for line in choose((tuple(lines),), person.allergens, rng))
    return tuple(drugs)


def _alike(one: str, other: str) -> bool:
    groups = [{one.lower(), other.lower()}] if one.lower() == other.lower() else table("lexicon.yaml")["one_of"]
    return any(
        any(member in one.lower() for member in group) and any(member in other.lower() for member in group)
        for group in groups
    )


def _discharge(disease: Disease, home: tuple[HomeDrug, ...], treatment: list[DrugLine]) -> tuple[DrugLine, ...]:
    new = {line.name.lower() for line in treatment}
    groups = [
        group for group in table("lexicon.yaml")["one_of"] if any(member in name for member in group for name in new)
    ]
    ended = [*new, *disease.stop, *(member for group in groups for member in group)]
    kept = [drug.line for drug in home if not any(word in drug.line.name.lower() for word in ended)]
    return tuple(treatment + kept)


def _vitals(disease: Disease, rng: random.Random) -> dict[str, float]:
    ranges = table("measurements.yaml")["vitals"] | disease.vitals
    drawn = {name: rng.uniform(*bounds) for name, bounds in ranges.items()}
    drawn["dbp"] = drawn["sbp"] * rng.uniform(0.54, 0.64)
    return {name: round(value, 1) if name == "temp" else float(round(value)) for name, value in drawn.items()}


def _labs(disease: Disease, rng: random.Random) -> dict[str, float]:
    panel = table("measurements.yaml")["labs"]
    drawn: dict[str, float] = {}
    for name, row in panel.items():
        bounds = disease.labs.get(name)
        if bounds is None and not row.get("routine"):
            continue
        low, high = bounds or row["usual"]
        value = low * (high / low) ** rng.random() if low > 0 else rng.uniform(low, high)
        drawn[name] = round(value, row["digits"])
    if {"hct", "hgb"} <= drawn.keys():
        drawn["hct"] = round(drawn["hgb"] * rng.uniform(2.9, 3.1), 1)
    return drawn

"""Who is in the sample: specials first, then every disease in turn, then second admissions."""

import random
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from etl.synthetic import person as people
from etl.synthetic import visit as visits_
from etl.synthetic.content import Disease, diseases, table
from etl.synthetic.person import Person
from etl.synthetic.visit import Visit
from foundation.seeds import generator


def draw(patients: int, admissions: int, seed: int) -> list[Visit]:
    """`admissions` visits of `patients` people, in order of HADM_ID."""
    rng = generator(seed, "cohort")
    numbers = rng.sample(range(10000, 10000 + 40 * (patients + 50)), patients)
    plan = _plan(patients, rng)
    first = [
        _first(subject, quirks, index, seed) for index, (subject, quirks) in enumerate(zip(numbers, plan, strict=True))
    ]
    again = [visit for visit in first if not visit.person.quirks]
    again = again if len(again) * 3 >= admissions - patients else first
    order = rng.sample(range(len(again)), len(again))
    later: dict[int, Visit] = {}
    seconds: list[Visit] = []
    for count in range(admissions - patients):
        subject = again[order[count % len(order)]].person.subject_id
        previous = later.get(subject) or again[order[count % len(order)]]
        later[subject] = _second(previous, count, seed)
        seconds.append(later[subject])
    return _numbered([*first, *seconds], rng)


def _numbered(visits: list[Visit], rng: random.Random) -> list[Visit]:
    numbers = rng.sample(range(100000, 200000) if len(visits) < 60000 else range(100000, 10_000_000), len(visits))
    return sorted(
        (replace(visit, hadm_id=number) for visit, number in zip(visits, numbers, strict=True)), key=lambda v: v.hadm_id
    )


def _plan(patients: int, rng: random.Random) -> list[dict[str, Any]]:
    """One row a person: the disease and what must hold of them."""
    plan: list[dict[str, Any]] = [dict(row) for row in table("specials.yaml")["people"][:patients]]
    used = [row["disease"] for row in plan]
    keys = list(diseases())
    rest = rng.sample([key for key in keys if key not in used], len([key for key in keys if key not in used]))
    while len(plan) < patients:
        if not rest:
            rest = rng.sample(keys, len(keys))
        plan.append({"disease": rest.pop()})
    return plan


def _first(subject: int, row: dict[str, Any], index: int, seed: int) -> Visit:
    rng = generator(seed, "person", index)
    key = row["disease"]
    admitted = datetime(
        rng.randint(2110, 2190), rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 23), rng.randint(0, 59)
    )
    quirks = {name: value for name, value in row.items() if name != "disease"}
    person = people.draw(subject, diseases()[key], admitted, quirks, rng)
    return visits_.draw(0, person, key, diseases()[key], admitted, rng)


def _second(previous: Visit, count: int, seed: int) -> Visit:
    rng = generator(seed, "again", count, previous.person.subject_id)
    admitted = previous.discharged + timedelta(days=rng.randint(120, 900), hours=rng.randint(1, 20))
    age = previous.person.age(admitted)
    fitting = [key for key, script in diseases().items() if _fits(script, previous, age)]
    key = rng.choice(fitting or [key for key, script in diseases().items() if script.sex in ("", previous.person.sex)])
    script = diseases()[key]
    forced = [name for name, p in script.comorbid.items() if p >= 0.95 and name not in previous.person.comorbid]
    left = [name for name in previous.disease.leaves if name not in script.never]
    person: Person = people.after(previous.person, [*forced, *left])
    person = replace(person, quirks={"readmitted": previous.admitted.year})
    return visits_.draw(0, person, key, script, admitted, rng)


def _fits(script: Disease, previous: Visit, age: int) -> bool:
    return (
        script.sex in ("", previous.person.sex)
        and script.age[0] <= age <= script.age[1]
        and script.specialty != previous.disease.specialty
        and not set(script.symptoms) & {complaint.key for complaint in previous.complaints[:2]}
        and not any(p >= 0.95 for p in script.comorbid.values())
    )

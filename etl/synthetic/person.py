"""A person of the sample: who they are, what they live with, what they cannot take."""

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from etl.synthetic.content import Disease, conditions, table


@dataclass(frozen=True)
class Relative:
    """A relative's condition; `onset` is an age in years or ""."""

    relation: str
    condition: str
    onset: str = ""


@dataclass(frozen=True)
class Person:
    """What stays the same over a person's admissions. `comorbid` are keys of conditions.yaml."""

    subject_id: int
    sex: str
    born: datetime
    background: dict[str, str]
    habits: dict[str, str]
    comorbid: tuple[str, ...]
    surgeries: tuple[tuple[str, int], ...]
    allergies: tuple[tuple[str, str], ...]
    relatives: tuple[Relative, ...]
    relatives_denied: tuple[str, ...]
    quirks: dict[str, Any]

    def age(self, when: datetime) -> int:
        """Whole years at `when`."""
        return when.year - self.born.year - ((when.month, when.day) < (self.born.month, self.born.day))

    @property
    def allergens(self) -> tuple[str, ...]:
        """Keys of allergies.yaml."""
        return tuple(allergen for allergen, _ in self.allergies)


def weighted(rng: random.Random, weights: dict[str, float]) -> str:
    """A key drawn by its weight."""
    return rng.choices(list(weights), list(weights.values()))[0]


def draw(subject_id: int, disease: Disease, admitted: datetime, quirks: dict[str, Any], rng: random.Random) -> Person:
    """A person who may well come with `disease`; `quirks` are a row of specials.yaml that must hold."""
    age = int(quirks.get("age", rng.randint(*disease.age)))
    sex = str(quirks.get("sex", disease.sex or rng.choice("FM")))
    born = datetime(admitted.year - age, 1, 1) + timedelta(days=rng.randint(0, 364))
    if (born.month, born.day) > (admitted.month, admitted.day):
        born = born.replace(year=born.year - 1, day=min(born.day, 28))
    comorbid = _comorbid(disease, age, sex, quirks, rng)
    allergies = _allergies(quirks, rng)
    relatives, denied = _relatives(disease, rng)
    return Person(
        subject_id=subject_id,
        sex=sex,
        born=born,
        background=_background(age, sex, quirks, rng),
        habits=_habits(disease, age, comorbid, rng),
        comorbid=comorbid,
        surgeries=_surgeries(disease, age, sex, rng),
        allergies=allergies,
        relatives=relatives,
        relatives_denied=denied,
        quirks=quirks,
    )


def after(person: Person, gained: list[str]) -> Person:
    """The same person some time later, with what was `gained`: conditions, and operations of a year ago."""
    operations = table("people.yaml")["surgeries"]
    new = [key for key in gained if key not in operations and key not in person.comorbid]
    had = {key for key, _ in person.surgeries}
    done = tuple((key, 1) for key in gained if key in operations and key not in had)
    return replace(person, comorbid=(*new, *person.comorbid), surgeries=person.surgeries + done, quirks={})


def _comorbid(disease: Disease, age: int, sex: str, quirks: dict[str, Any], rng: random.Random) -> tuple[str, ...]:
    known = conditions()
    wanted = dict(disease.comorbid)
    for key, low, high in table("people.yaml")["prevalence"]:
        wanted.setdefault(key, low if age < 55 else high)
    chosen = [
        key
        for key, probability in wanted.items()
        if key not in disease.never
        and known[key].sex in ("", sex)
        and age >= known[key].age
        and rng.random() < probability
    ]
    forced = list(quirks.get("comorbid", ()))
    chosen = forced + [key for key in chosen if key not in forced]
    for group in table("people.yaml")["exclusive"]:
        kept = [key for key in chosen if key in group][:1]
        chosen = [key for key in chosen if key not in group or key in kept]
    return tuple(chosen[: max(7, len(forced))])


def _allergies(quirks: dict[str, Any], rng: random.Random) -> tuple[tuple[str, str], ...]:
    scripts = table("allergies.yaml")
    keys = list(quirks.get("allergies", ()))
    if not keys and rng.random() < 0.35:
        weights = {key: value["weight"] for key, value in scripts.items()}
        keys = list(dict.fromkeys(weighted(rng, weights) for _ in range(rng.choice((1, 1, 1, 2, 3)))))
    return tuple((key, rng.choice(scripts[key]["reactions"])) for key in keys)


def _relatives(disease: Disease, rng: random.Random) -> tuple[tuple[Relative, ...], tuple[str, ...]]:
    family = table("people.yaml")["family"]
    conditions_ = [key for key in disease.family if rng.random() < 0.6]
    conditions_ += [key for key in rng.sample(sorted(family["conditions"]), 2) if key not in conditions_]
    relations = rng.sample(family["relations"], 3)
    found = [
        Relative(relation, key, str(rng.randint(38, 82)) if rng.random() < 0.5 else "")
        for relation, key in zip(relations, conditions_, strict=False)
        if family["conditions"][key].get("only") in (None, relation)
        and relation not in family["conditions"][key].get("not", ())
    ]
    denied = [key for key in rng.sample(sorted(family["conditions"]), 3) if key not in conditions_]
    return tuple(found[: rng.choice((1, 2, 2, 3))]), tuple(denied[: rng.choice((0, 1, 1, 2))])


def _background(age: int, sex: str, quirks: dict[str, Any], rng: random.Random) -> dict[str, str]:
    people = table("people.yaml")
    old = age >= 65
    marital = "MARRIED" if quirks.get("married") else weighted(rng, people["marital"]["old" if old else "young"])
    occupation = rng.choice(people["occupations"])
    return {
        "ethnicity": weighted(rng, people["ethnicity"]),
        "religion": weighted(rng, people["religion"]),
        "marital": marital,
        "insurance": "Medicare" if old else weighted(rng, people["insurance"]),
        "language": weighted(rng, people["language"]),
        "occupation": f"retired {occupation}"
        if age >= 67
        else f"works as a{'n' * (occupation[0] in 'aeiou')} {occupation}",
        "living": rng.choice(people["living"][marital][sex]),
    }


def _habits(disease: Disease, age: int, comorbid: tuple[str, ...], rng: random.Random) -> dict[str, str]:
    base = {"smoker": 0.2, "former_smoker": 0.3, "alcohol_heavy": 0.05, "drug_use": 0.04} | disease.habits
    draw_ = rng.random()
    smoking = (
        "current" if draw_ < base["smoker"] else "former" if draw_ < base["smoker"] + base["former_smoker"] else "never"
    )
    heavy = "alcohol_dependence" in comorbid or rng.random() < base["alcohol_heavy"]
    alcohol = "heavy" if heavy else rng.choice(("never", "social", "social", "rare"))
    return {
        "tobacco": smoking,
        "alcohol": alcohol,
        "drugs": "current" if age < 70 and rng.random() < base["drug_use"] else "never",
    }


def _surgeries(disease: Disease, age: int, sex: str, rng: random.Random) -> tuple[tuple[str, int], ...]:
    options = table("people.yaml")["surgeries"]
    fitting = [
        key
        for key, value in options.items()
        if value.get("sex", sex) == sex and age >= value.get("age", 18) and key not in disease.never
    ]
    number = min(len(fitting), rng.choice((0, 1, 1, 2, 3) if age > 50 else (0, 0, 1, 1)))
    return tuple((key, rng.randint(1, max(2, min(30, age - 18)))) for key in rng.sample(fitting, number))

"""Home and discharge medications, hospital course, diagnoses, instructions."""

from etl.synthetic.background import as_list
from etl.synthetic.content import conditions, table
from etl.synthetic.drugs import DrugLine
from etl.synthetic.marks import Entity, capitalise
from etl.synthetic.prose import Prose
from etl.synthetic.visit import Visit


def home_medications(prose: Prose, visit: Visit, listed: str) -> str:
    """What the patient takes at home."""
    if not visit.home:
        return prose.rng.choice(("None.", "None", "No home medications."))
    return as_list(prose, [_drug(prose, drug.line, "home_medication") for drug in visit.home], listed)


def discharge_medications(prose: Prose, visit: Visit) -> str:
    """What the patient goes home with, numbered or bulleted."""
    items = [_drug(prose, line, "discharge_medication") for line in visit.discharge]
    if not items:
        return "None."
    return as_list(prose, items, prose.rng.choice(("numbers", "numbers", "bullets", "lines")))


def _drug(prose: Prose, line: DrugLine, kind: str) -> str:
    lexicon = table("lexicon.yaml")
    entity = Entity(kind)
    name = (
        prose.rng.choice(lexicon["brands"].get(line.name.lower(), [line.name]))
        if prose.rng.random() < 0.35
        else line.name
    )
    words = {
        "name": prose.marks.entity(capitalise(name) if prose.rng.random() < 0.4 else name, entity),
        "dose": prose.marks.attribute(line.dose, entity, "dose"),
        "route": prose.marks.attribute(
            prose.rng.choice(lexicon["routes"].get(line.route, [line.route])), entity, "route"
        ),
        "freq": prose.marks.attribute(
            prose.rng.choice(lexicon["frequencies"].get(line.frequency, [line.frequency])), entity, "frequency"
        ),
        "form": lexicon["forms"].get(line.route, ""),
    }
    manners = lexicon["drug_manners"]["terse" if prose.terse else "full"]
    template = prose.rng.choice(manners if words["form"] else [manner for manner in manners if "{form}" not in manner])
    filled: str = template
    for key, value in words.items():
        filled = filled.replace(f"{{{key}}}", value)
    return filled


def hospital_course(prose: Prose, visit: Visit) -> str:
    """What was done: the disease's own course, then the chronic problems. Not annotated."""
    parts = [prose.fill(prose.choose(text), **_treatment_words(visit)) for text in visit.disease.course]
    chronic = table("lexicon.yaml")["chronic"]
    for key in [key for key in visit.person.comorbid if not conditions()[key].over][:3]:
        name = prose.rng.choice(conditions()[key].forms)
        parts.append(prose.choose(prose.rng.choice(chronic)).replace("{c}", name))
    if prose.rng.random() < 0.4:
        return "\n\n".join(f"# {part}" for part in parts)
    return " ".join(capitalise(part) for part in parts)


def _treatment_words(visit: Visit) -> dict[str, str]:
    given = [line.name for line in visit.inpatient] or ["supportive care"]
    return {
        "given": " and ".join(given[:2]),
        "first": given[0],
        "home_on": " and ".join(line.name for line in visit.discharge[:2]) or "no new medication",
        "clinic": visit.disease.clinic,
    }


def discharge_diagnosis(prose: Prose, visit: Visit) -> str:
    """The main diagnosis, then secondary ones; marked."""
    main = prose.marks.entity(prose.rng.choice(visit.disease.names), Entity("diagnosis"))
    rest = [prose.condition(key, "diagnosis") for key in visit.person.comorbid[:4]]
    if not rest or prose.rng.random() < 0.3:
        return capitalise(main)
    lines = [capitalise(name) for name in rest]
    manner = prose.rng.choice(("labels", "numbers", "lines"))
    if manner == "labels":
        return "\n".join(["Primary:", capitalise(main), "", "Secondary:", *lines])
    if manner == "numbers":
        return "\n".join(f"{number}. {name}" for number, name in enumerate([capitalise(main), *lines], 1))
    return "\n".join(["Primary diagnosis: " + main, "Secondary diagnoses: " + ", ".join(rest)])


def closing_words(prose: Prose, visit: Visit) -> str:
    """Instructions to the patient. Not annotated."""
    lexicon = table("lexicon.yaml")
    name = prose.rng.choice(visit.disease.names[:2])
    parts = [prose.choose(prose.rng.choice(lexicon["instructions"])).replace("{d}", name)]
    parts += [prose.choose(text) for text in visit.disease.advice]
    parts.append(prose.choose(prose.rng.choice(lexicon["follow_up"])).replace("{clinic}", visit.disease.clinic))
    return " ".join(capitalise(part) for part in parts)


def procedures(prose: Prose, visit: Visit) -> str:
    """What was done to the patient. Not annotated."""
    done = [prose.choose(text) for text in visit.disease.procedure]
    return capitalise("; ".join(done)) if done else prose.rng.choice(("None", "none", "None."))


def imaging(prose: Prose, visit: Visit) -> str:
    """Studies. Not annotated."""
    return "\n".join(prose.choose(text) for text in visit.disease.imaging)

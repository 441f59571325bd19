"""Past, surgical, social and family history, allergies."""

from etl.synthetic.content import conditions, table
from etl.synthetic.marks import Entity, capitalise
from etl.synthetic.prose import Prose
from etl.synthetic.visit import Visit


def past_medical(prose: Prose, visit: Visit, listed: str) -> str:
    """The comorbidities, with details, and surgery among them where the author does not set it apart."""
    items = [_condition(prose, key, visit) for key in visit.person.comorbid]
    if not items:
        return prose.rng.choice(("None.", "None", "Denies.", "No significant past medical history."))
    return as_list(prose, items, listed)


def past_surgical(prose: Prose, visit: Visit, listed: str) -> str:
    """Operations with their years."""
    options = table("people.yaml")["surgeries"]
    items = []
    for key, years in visit.person.surgeries:
        entity = Entity("surgical_history", historical=True)
        name = prose.marks.entity(prose.rng.choice(options[key]["forms"]), entity)
        when = _year(prose, visit, years, entity)
        items.append(prose.rng.choice((f"{name}{when}", f"s/p {name}{when}")))
    return as_list(prose, items, listed) if items else "None."


def allergies(prose: Prose, visit: Visit) -> str:
    """Allergens with reactions, or the statement that there are none."""
    scripts = table("allergies.yaml")
    if not visit.person.allergies:
        none = prose.rng.choice(
            (
                "NKDA",
                "No Known Allergies to Drugs",
                "No Known Drug Allergies",
                "No known allergies",
                "Patient recorded as having No Known Allergies to Drugs",
            )
        )
        entity = Entity("allergy", "absent")
        head, cue, rest = none.partition("No ") if none.startswith("Patient") else ("", "", none)
        return head + prose.marks.entity(cue + rest, entity)
    said = []
    manner = prose.rng.choice(("{a} ({r})", "{a} - {r}", "{a}: {r}", "{a} causes {r}", "{a} / {r}"))
    for key, reaction in visit.person.allergies:
        entity = Entity("allergy")
        name = prose.marks.entity(prose.rng.choice(scripts[key]["forms"]), entity)
        words = {"a": name, "r": prose.marks.attribute(reaction, entity, "reaction")}
        said.append(prose.fill(manner, **words) if prose.rng.random() < 0.9 else name)
    return prose.rng.choice(("; ", "\n", ", ")).join(said)


def family(prose: Prose, visit: Visit) -> str:
    """Relatives' conditions, and what does not run in the family."""
    names = table("people.yaml")["family"]["conditions"]
    said = []
    for relative in visit.person.relatives:
        entity = Entity("family_history", experiencer=relative.relation)
        name = prose.marks.entity(prose.rng.choice(names[relative.condition]["forms"]), entity)
        template = prose.phrase("family", prose.manner)
        age = prose.marks.attribute(relative.onset or str(prose.rng.randint(45, 80)), entity, "onset")
        said.append(prose.fill(template, relative=relative.relation, c=name, age=age))
    if visit.person.relatives_denied:
        entities = [
            prose.marks.entity(
                prose.rng.choice(names[key]["forms"]), Entity("family_history", "absent", experiencer="family")
            )
            for key in visit.person.relatives_denied
        ]
        said.append(prose.fill(prose.phrase("family_denied"), list=prose.joined(entities, "or")))
    return " ".join(said) or prose.phrase("family_unknown")


def social(prose: Prose, visit: Visit) -> str:
    """Home, work and habits, in sentences, a list or lines."""
    background, habits = visit.person.background, visit.person.habits
    bank = table("grammar.yaml")["social"]
    years = max(2, min(30, visit.age - 40))
    amount = prose.rng.choice(bank["smoke_amounts" if habits["tobacco"] == "current" else "pack_years"])
    drink = prose.rng.choice(bank["drink_amounts"])
    said = [
        background["living"],
        background["occupation"],
        _habit(prose, habits["tobacco"], prose.rng.choice(bank[habits["tobacco"]]), amount, prose.ago(years)),
        _habit(
            prose,
            habits["alcohol"],
            prose.rng.choice(bank["alcohol_" + habits["alcohol"]]),
            drink,
            "",
            prose.rng.choice(bank["small_amounts"]),
        ),
        _habit(prose, habits["drugs"], prose.rng.choice(bank["drugs_" + habits["drugs"]]), "", ""),
    ]
    marked = [
        prose.marks.entity(text, Entity("social_history")) if index < 2 else text for index, text in enumerate(said)
    ]
    if visit.person.quirks.get("state") or prose.rng.random() < 0.2:
        marked.pop(prose.rng.choice((0, 1)))
    prose.rng.shuffle(marked)
    return _social_text(prose, visit, marked)


def _social_text(prose: Prose, visit: Visit, marked: list[str]) -> str:
    if prose.terse or prose.rng.random() < 0.35:
        return prose.rng.choice((". ", "; ", "\n", ", ")).join(capitalise(text) for text in marked)
    subject = prose.words["He"]
    return " ".join(f"{_predicate(prose, subject, text)}." for text in marked)


def _predicate(prose: Prose, subject: str, text: str) -> str:
    plain = prose.marks.finish(text)[0]
    if plain.split(" ")[0] in ("lives", "works", "smokes", "drinks", "quit", "uses", "currently", "denies", "does"):
        return f"{subject} {text}"
    if plain.split(" ")[0] in ("retired", "former", "never", "ex-smoker"):
        return f"{subject} is {'an' if plain[0] == 'e' else 'a'} {text}"
    return capitalise(text)


def _habit(prose: Prose, status: str, phrase: str, amount: str, ago: str, small: str = "") -> str:
    historical = status == "former"
    if phrase.startswith("-"):
        cue = prose.rng.choice(("denies", "no", "denies any", "no"))
        return f"{cue} " + prose.marks.entity(phrase[1:], Entity("social_history", "absent"))
    entity = Entity("social_history", historical=historical)
    words = {"amount": amount, "small": small, "ago": ago}
    text = phrase
    for name, value in words.items():
        if f"{{{name}}}" in text:
            text = text.replace(
                f"{{{name}}}", prose.marks.attribute(value, entity, "onset" if name == "ago" else "amount")
            )
    return prose.marks.entity(text, entity)


def _condition(prose: Prose, key: str, visit: Visit) -> str:
    over = conditions()[key].over
    entity = Entity("medical_history", historical=over)
    name = prose.marks.entity(prose.rng.choice(conditions()[key].forms), entity)
    if over:
        when = _year(prose, visit, prose.rng.randint(2, 15), entity) or " (remote)"
        return f"{prose.rng.choice(('h/o ', 'history of ', ''))}{name}{when}"
    details = conditions()[key].details
    detail = prose.choose(prose.rng.choice(details)) if details and prose.rng.random() < 0.5 else ""
    return f"{name}{prose.rng.choice((', ', ' - ')) if detail else ''}{detail}"


def _year(prose: Prose, visit: Visit, years: int, entity: Entity) -> str:
    if prose.rng.random() < 0.3:
        return ""
    year = str(visit.admitted.year - years)
    words = prose.rng.choice((f"[**{year}**]", f"[**{year}**]", prose.ago(years), f"'{year[2:]}"))
    marked = prose.marks.attribute(words, entity, "onset")
    return f" in {marked}" if words[0] == "[" and prose.rng.random() < 0.7 else f" {marked}"


def as_list(prose: Prose, items: list[str], listed: str) -> str:
    """`items` as the author lists things: bullets, numbers, hashes, lines or prose."""
    if listed == "prose":
        return capitalise(prose.joined(items)) + "."
    if listed == "numbers":
        return "\n".join(f"{number}. {capitalise(item)}" for number, item in enumerate(items, 1))
    mark = {"bullets": "- ", "hashes": "# ", "stars": "* ", "lines": ""}[listed]
    return "\n".join(f"{mark}{capitalise(item)}" for item in items)

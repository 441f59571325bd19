"""Chief complaint and history of present illness."""

import re

from etl.synthetic.content import SymptomScript, conditions, table
from etl.synthetic.marks import Entity
from etl.synthetic.prose import Prose
from etl.synthetic.readings import vital_line
from etl.synthetic.visit import Complaint, Visit

_INLINE = re.compile(r"\[\[([hp]:)?(.+?)\]\]")
_ATTRIBUTES = ("character", "location", "radiation", "severity", "aggravating", "relieving", "frequency")


def chief_complaint(prose: Prose, visit: Visit) -> str:
    """One to three complaints, unadorned."""
    number = prose.rng.choice((1, 1, 1, 2, 2, 3))
    names = prose.symptom_list([complaint.key for complaint in visit.complaints[:number]], "present")
    if prose.rng.random() < 0.3:
        return ", ".join([names[0], *names[1:]])
    return prose.fill("{S}", s=prose.rng.choice((", ", " and ", "/")).join(names))


def present_illness(prose: Prose, visit: Visit) -> str:
    """The history of present illness as sentences."""
    lead, *others = visit.complaints
    said = [*_informant(prose, visit), *_opener(prose, visit, lead)]
    alone = [other for other in others if prose.rng.random() < 0.35][:2]
    together = [other for other in others if other not in alone]
    middle = [_single(prose, other) for other in alone]
    middle += _associated(prose, together)
    middle += _context(prose, visit)
    prose.rng.shuffle(middle)
    said += middle + _readmitted(prose, visit) + _doubtful(prose, visit)
    closing = _denied(prose, visit) + _home_drug(prose, visit)
    if prose.rng.random() < 0.3:
        closing.reverse()
    return " ".join(said + closing + _emergency(prose, visit))


def review_of_systems(prose: Prose, visit: Visit) -> str:
    """What was asked besides: present complaints, then denials."""
    present = prose.symptom_list([complaint.key for complaint in visit.complaints[:4]], "present")
    absent = prose.symptom_list(visit.denied[-4:], "absent")
    positive = prose.rng.choice(("Positive for {list}.", "(+) Per HPI, {list}.", "Pos: {list}.", "Notable for {list}."))
    negative = prose.rng.choice(
        ("Negative for {or_list}.", "(-) Denies {or_list}.", "Neg: {comma_list}.", "Denies {or_list}.")
    )
    parts = [prose.fill(positive, list=prose.joined(present))] if prose.rng.random() < 0.6 else []
    return " ".join([*parts, prose.fill(negative, **prose.denials(absent))]) if absent else " ".join(parts)


def attribute_words(prose: Prose, entity: Entity, script: SymptomScript, hours: float) -> dict[str, str]:
    """Words for every attribute that the script gives, marked as belonging to `entity`."""
    words = {name: prose.rng.choice(options) for name in _ATTRIBUTES if (options := getattr(script, name))}
    words |= {"onset": prose.onset(hours), "duration": prose.duration(hours)}
    words.setdefault("severity", prose.rng.choice(("mild", "moderate", "severe")))
    return {name: prose.marks.attribute(value, entity, name) for name, value in words.items()}


def _informant(prose: Prose, visit: Visit) -> list[str]:
    spokesperson = visit.person.quirks.get("spokesperson")
    if not spokesperson:
        return []
    himself = "herself" if visit.person.sex == "F" else "himself"
    template = prose.phrase("informant_terse" if prose.terse else "informant")
    words = {key: str(value) for key, value in spokesperson.items()}
    return [prose.marks.area(prose.fill(template, himself=himself, **words), "unannotated")]


def _history(prose: Prose, visit: Visit) -> tuple[str, str]:
    lasting = [key for key in visit.person.comorbid if not conditions()[key].over]
    keys = (lasting or list(visit.person.comorbid))[: prose.rng.choice((2, 3, 3, 4))]
    if not keys:
        return (prose.phrase("history", "none") if not prose.terse else "w/ no PMH"), ""
    listed = prose.joined([prose.condition(key) for key in keys])
    return prose.fill(prose.phrase("history", prose.manner), list=listed), prose.fill(
        prose.phrase("history_sentence"), list=prose.joined([prose.condition(key) for key in keys])
    )


def _opener(prose: Prose, visit: Visit, lead: Complaint) -> list[str]:
    name, entity = prose.symptom(lead.key)
    history, sentence = _history(prose, visit)
    words = attribute_words(prose, entity, lead.script, lead.hours)
    history = history[:1].lower() + history[1:] if history[:1].isalpha() else history
    template = prose.phrase("opener", prose.manner)
    said = [prose.fill(template, s=name, history=history, history_sentence=sentence, **words)]
    return said + _details(prose, lead, entity, template)


def _details(prose: Prose, complaint: Complaint, named: Entity, opener: str) -> list[str]:
    bank = table("grammar.yaml")["detail_terse" if prose.terse else "detail"]
    left = {name for name in _ATTRIBUTES if getattr(complaint.script, name)}
    said: list[str] = []
    nearest = named if opener.find("{s}") >= 0 or opener.find("{S}") >= 0 else None
    for key in prose.rng.sample(sorted(bank), len(bank)):
        needed = set(key.split("_"))
        if len(said) == 3 or not needed <= left or (len(needed) == 1 and prose.rng.random() < 0.3):
            continue
        template = prose.phrase("detail_terse" if prose.terse else "detail", key)
        name, entity = prose.symptom(complaint.key)
        owner = entity if "{s}" in template or "{S}" in template else nearest
        if owner is None:
            continue
        words = attribute_words(prose, owner, complaint.script, complaint.hours)
        if "up to" in words["severity"]:
            template = template.replace("{severity} {s}", "{s} {severity}")
        said.append(prose.fill(template, s=name, **words))
        nearest, left = owner, left - needed
    return said


def _single(prose: Prose, complaint: Complaint) -> str:
    name, entity = prose.symptom(complaint.key)
    words = attribute_words(prose, entity, complaint.script, complaint.hours)
    template = prose.phrase("single", prose.manner)
    if "up to" in words["severity"]:
        template = template.replace("{severity} {s}", "{s} {severity}")
    return prose.fill(template, s=name, **words)


def _associated(prose: Prose, complaints: list[Complaint]) -> list[str]:
    if not complaints:
        return []
    names = prose.symptom_list([complaint.key for complaint in complaints], "present")
    cut = len(names) if len(names) < 4 else prose.rng.randint(2, len(names) - 1)
    groups = [group for group in (names[:cut], names[cut:]) if group]
    return [prose.fill(prose.phrase("associated", prose.manner), list=prose.joined(group)) for group in groups]


def _context(prose: Prose, visit: Visit) -> list[str]:
    options = list(visit.disease.context)
    number = min(len(options), prose.rng.choice((0, 1, 1, 2)))
    return [_with_entities(prose, prose.fill(prose.choose(text))) for text in prose.rng.sample(options, number)]


def _with_entities(prose: Prose, text: str) -> str:
    """`text` with each [[drug]] marked as taken at home, [[h:illness]] and [[p:procedure]] as past."""

    def marked(match: re.Match[str]) -> str:
        kind = {"h:": "medical_history", "p:": "surgical_history", "": "home_medication"}[match.group(1) or ""]
        return prose.marks.entity(match.group(2), Entity(kind, historical=kind != "home_medication"))

    return _INLINE.sub(marked, text)


def _doubtful(prose: Prose, visit: Visit) -> list[str]:
    said = []
    for key in visit.possible[:1]:
        name, _ = prose.symptom(key, assertion="possible")
        said.append(prose.fill(prose.phrase("possible", prose.manner), s=name))
    for key in visit.prior[:1]:
        name, entity = prose.symptom(key, historical=True)
        when = prose.marks.attribute(prose.ago(prose.rng.randint(1, 6)), entity, "onset")
        said.append(prose.fill(prose.phrase("earlier", prose.manner), s=name, ago=when))
    return said


def _readmitted(prose: Prose, visit: Visit) -> list[str]:
    year = visit.person.quirks.get("readmitted")
    return [prose.fill(prose.phrase("readmitted"), year=f"[**{year}**]")] if year else []


def _denied(prose: Prose, visit: Visit) -> list[str]:
    names = prose.symptom_list(visit.denied, "absent")
    cut = prose.rng.randint(2, len(names)) if len(names) > 2 else len(names)
    groups = [group for group in (names[:cut], names[cut:]) if group]
    return [prose.fill(prose.phrase("denied", prose.manner), **prose.denials(group)) for group in groups]


def _home_drug(prose: Prose, visit: Visit) -> list[str]:
    known = [drug for drug in visit.home if drug.reason in visit.person.comorbid]
    if not known or prose.rng.random() < 0.35:
        return []
    drug = next((drug for drug in known if drug.line.name == "warfarin"), prose.rng.choice(known))
    entity = Entity("home_medication")
    return [
        prose.fill(
            prose.phrase("home_drug", prose.manner),
            drug=prose.marks.entity(drug.line.name, entity),
            dose=prose.marks.attribute(drug.line.dose, entity, "dose"),
            condition=prose.condition(drug.reason),
        )
    ]


def _emergency(prose: Prose, visit: Visit) -> list[str]:
    told = list(visit.disease.emergency)
    text = " ".join(prose.choose(part) for part in told[: prose.rng.choice((1, 2, 3))])
    if visit.person.quirks.get("no_emergency") or not text:
        return []
    vitals, course = prose.phrase("emergency").split("{emergency}")[0], prose.marks.area(text, "unannotated")
    return [prose.fill(vitals, vitals=vital_line(prose, visit)) + course]

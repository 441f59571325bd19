"""A whole discharge summary by one author, with its gold."""

import random
from collections.abc import Callable
from typing import Any

from etl.synthetic import background, presenting, readings, treatment
from etl.synthetic.content import table
from etl.synthetic.marks import MARK, UNBREAKABLE, Marks, hold_together
from etl.synthetic.prose import Prose
from etl.synthetic.typing_errors import mistype
from etl.synthetic.visit import Visit

_UNANNOTATED = {"imaging", "hospital_course", "discharge_condition", "discharge_instructions", "procedures"}
_UNWRAPPED = {"laboratory", "home_medications", "discharge_medications"}


def write(visit: Visit, author: str, rng: random.Random) -> tuple[str, dict[str, Any]]:
    """The note's text, and its gold (GOLD.md) without note and case id."""
    style = table("authors.yaml")[author]
    marks = Marks()
    prose = Prose(rng, marks, style["terse"])
    prose.words = _addressed(visit, rng, style["terse"])
    prose.second_hand = "spokesperson" in visit.person.quirks
    parts = [_head(visit, rng)]
    for name in style["order"]:
        if name == "review_of_systems" and prose.second_hand:
            continue
        if rng.random() >= style["skip"].get(name, 0) and (body := _body(prose, visit, name, style["lists"])):
            parts.append(_section(prose, name, body, style))
    text, spans, areas = marks.finish("\n\n".join(parts) + "\n\n" + _foot(visit, rng))
    return text, {
        "sections": [
            {"name": area.name, "start": area.start, "end": area.end} for area in areas if area.name != "unannotated"
        ],
        "unannotated": [[area.start, area.end] for area in areas if area.name == "unannotated"],
        "entities": [
            {
                "kind": span.entity.kind,
                "start": span.start,
                "end": span.end,
                "text": text[span.start : span.end],
                "assertion": span.entity.assertion,
                "historical": span.entity.historical,
                "experiencer": span.entity.experiencer,
                "attributes": dict(sorted(span.entity.attributes.items())),
            }
            for span in spans
        ],
    }


def _body(prose: Prose, visit: Visit, name: str, lists: str) -> str:
    listed = lists if prose.rng.random() < 0.7 else prose.rng.choice(("bullets", "numbers", "lines", "prose"))
    day = f"[**{visit.admitted.year}-{visit.admitted.month}-{visit.admitted.day}**]"
    writers: dict[str, Callable[[], str]] = {
        "chief_complaint": lambda: presenting.chief_complaint(prose, visit),
        "history_of_present_illness": lambda: presenting.present_illness(prose, visit),
        "review_of_systems": lambda: presenting.review_of_systems(prose, visit),
        "past_medical_history": lambda: background.past_medical(prose, visit, listed),
        "past_surgical_history": lambda: background.past_surgical(prose, visit, listed),
        "social_history": lambda: background.social(prose, visit),
        "family_history": lambda: background.family(prose, visit),
        "allergies": lambda: background.allergies(prose, visit),
        "home_medications": lambda: treatment.home_medications(prose, visit, listed),
        "physical_exam": lambda: readings.examination(prose, visit),
        "laboratory": lambda: readings.laboratory(prose, visit, day),
        "imaging": lambda: treatment.imaging(prose, visit),
        "hospital_course": lambda: treatment.hospital_course(prose, visit),
        "discharge_medications": lambda: treatment.discharge_medications(prose, visit),
        "discharge_diagnosis": lambda: treatment.discharge_diagnosis(prose, visit),
        "discharge_condition": lambda: prose.rng.choice(table("authors.yaml")["conditions_at_discharge"]),
        "discharge_instructions": lambda: treatment.closing_words(prose, visit),
        "procedures": lambda: treatment.procedures(prose, visit),
    }
    return writers[name]()


def _section(prose: Prose, name: str, body: str, style: dict[str, Any]) -> str:
    options = table("authors.yaml")["headings"][name]
    heading = options[0] if style["heading"] != "short" and prose.rng.random() < 0.5 else prose.rng.choice(options)
    heading = heading.upper() if style["heading"] in ("upper", "dictated") else heading
    body = mistype(body, style["typos"], prose.rng)
    body = _wrapped(body, style["width"]) if style["width"] and name not in _UNWRAPPED else body
    if name in _UNANNOTATED:
        body = prose.marks.area(body, "unannotated")
    between = ":  " if style["heading"] == "dictated" else prose.rng.choice((":\n", ":\n", ": "))
    return prose.marks.area(f"{heading}{between}{body}", name)


def _wrapped(body: str, width: int) -> str:
    """`body` in lines of at most `width` visible characters, no entity cut."""
    lines: list[str] = []
    for paragraph in hold_together(body).split("\n"):
        line, length = "", 0
        for word in paragraph.split(" "):
            visible = len(MARK.sub("", word))
            if line and length + 1 + visible > width:
                lines.append(line)
                line, length = word, visible
            else:
                line, length = (f"{line} {word}", length + 1 + visible) if line else (word, visible)
        lines.append(line)
    return "\n".join(lines).replace(UNBREAKABLE, " ")


def _addressed(visit: Visit, rng: random.Random, terse: bool) -> dict[str, str]:
    female = visit.person.sex == "F"
    over_89 = visit.age > 89
    age = "[**Age over 90 **]" if over_89 else str(visit.age)
    name = f"{'Ms.' if female else 'Mr.'} [**Known lastname {rng.randint(100, 99999)}**]"
    years = rng.choice(("yo", "y/o", "yo", "year old") if terse else ("-year-old", "-year-old", " year old", " y/o"))
    gender = rng.choice(("woman", "female", "lady") if female else ("man", "male", "gentleman"))
    g = rng.choice(("F", "female", "woman") if female else ("M", "male", "man"))
    title = name if not terse and rng.random() < 0.7 else rng.choice(("The patient", "Pt", "Patient"))
    joined = f"{age}{g}" if terse and len(g) == 1 and not over_89 and rng.random() < 0.5 else ""
    apart = "" if (years[0] in "- " and not over_89) or (years == "yo" and not over_89 and rng.random() < 0.7) else " "
    return {
        "title": title,
        "title_short": title if title != "The patient" else "The patient",
        "he": "she" if female else "he",
        "him": "her" if female else "him",
        "his": "her" if female else "his",
        "He": "She" if female else "He",
        "His": "Her" if female else "His",
        "gender": gender,
        "g": "" if joined else g,
        "age": joined or f"{age}{apart}{years.lstrip('-') if over_89 else years}",
        "year": f"[**{visit.admitted.year}**]",
    }


def _head(visit: Visit, rng: random.Random) -> str:
    admitted, discharged = visit.admitted, visit.discharged
    sex = visit.person.sex
    services = table("authors.yaml")["services"]
    return (
        f"Admission Date:  [**{admitted:%Y}-{admitted.month}-{admitted.day}**]"
        f"       Discharge Date:  [**{discharged:%Y}-{discharged.month}-{discharged.day}**]\n\n"
        f"Date of Birth:  [**{visit.person.born:%Y}-{visit.person.born.month}-{visit.person.born.day}**]"
        f"       Sex:  {sex}\n\nService: {services.get(visit.disease.specialty, 'MEDICINE')}\n\n"
        f"Attending: [**First Name{rng.randint(3, 9)} (LF) {rng.randint(100, 9999)}**]"
    ).replace(f"[**{visit.person.born:%Y}", "[**1900" if visit.age > 89 else f"[**{visit.person.born:%Y}")


def _foot(visit: Visit, rng: random.Random) -> str:
    day = f"[**{visit.discharged:%Y}-{visit.discharged.month}-{visit.discharged.day}**]"
    number = rng.randint(100, 9999)
    signed = f"[**Last Name (NamePattern4) {number}**], M.D."
    return rng.choice(
        (
            f"[**First Name8 (NamePattern2) **] [**Last Name (NamePattern1) {number}**] MD [**MD Number {number}**]",
            f"Dictated By: {signed}\nD: {day}  T: {day}\nJob#: [**Job Number {number}**]",
            f"Completed by: [**Doctor Last Name {number}**] {day} @ {rng.randint(10, 19)}{rng.randint(10, 59)}\n",
        )
    )

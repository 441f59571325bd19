"""Vital signs, examination and laboratory lines."""

from typing import Any

from etl.synthetic.content import table
from etl.synthetic.marks import Entity
from etl.synthetic.prose import Prose
from etl.synthetic.visit import Visit

_LABELS = {
    "temperature": ("T", "Temp", "T", "Tm"),
    "heart_rate": ("HR", "P", "HR", "Pulse"),
    "blood_pressure": ("BP", "BP", "B/P"),
    "respiratory_rate": ("RR", "R", "RR", "Resp"),
    "oxygen_saturation": ("O2 sat", "SpO2", "Sat", "O2"),
}


def vital_line(prose: Prose, visit: Visit) -> str:
    """The vital signs in one line, labelled or bare."""
    vitals = visit.vitals
    values = {
        "temperature": f"{vitals['temp']}",
        "heart_rate": f"{vitals['hr']:.0f}",
        "blood_pressure": f"{vitals['sbp']:.0f}/{vitals['dbp']:.0f}",
        "respiratory_rate": f"{vitals['rr']:.0f}",
        "oxygen_saturation": f"{vitals['spo2']:.0f}%",
    }
    bare = prose.terse and prose.rng.random() < 0.4
    between = prose.rng.choice((", ", " ", " "))
    device = (
        ""
        if "state" in visit.person.quirks
        else prose.rng.choice((" RA", " on RA", " on room air", ""))
        if vitals["spo2"] > 91
        else " on 2L NC"
    )
    return between.join(_vital(prose, name, value, bare) for name, value in values.items()) + device


def _vital(prose: Prose, name: str, value: str, bare: bool) -> str:
    entity = Entity("vital", attributes={"name": name})
    label = "" if bare else prose.rng.choice(_LABELS[name]) + prose.rng.choice((" ", " ", ": "))
    if name == "oxygen_saturation" and prose.rng.random() < 0.2:
        label = ""
    number, unit = (value[:-1], "%") if value.endswith("%") else (value, "")
    return prose.marks.entity(label + prose.marks.attribute(number, entity, "value") + unit, entity)


def examination(prose: Prose, visit: Visit) -> str:
    """Vital signs, then a line for each body part."""
    script = table("exam.yaml")
    parts = [
        part
        for part in script["labels"]
        if part in script["always"] or part in visit.disease.exam or prose.rng.random() < 0.55
    ]
    lines = [
        prose.rng.choice(("VS: ", "Vitals: ", "Vital signs: ", "VS - ", "Admission vitals: "))
        + vital_line(prose, visit)
    ]
    for part in parts:
        findings = list(visit.disease.exam.get(part) or prose.rng.choice(script["normal"][part]))
        if visit.person.quirks.get("state") and part == "neuro":
            findings = [visit.person.quirks["state"]]
        label = prose.rng.choice(script["labels"][part])
        lines.append(f"{label}: {_findings(prose, findings)}")
    return "\n".join(lines)


def _findings(prose: Prose, findings: list[str]) -> str:
    chosen = [prose.choose(finding) for finding in findings]
    present = [prose.marks.entity(text, Entity("examination")) for text in chosen if text[0] != "-"]
    absent = [prose.marks.entity(text[1:], Entity("examination", "absent")) for text in chosen if text[0] == "-"]
    negative = prose.rng.choice(("no {}", "no {}", "without {}"))
    if absent and prose.rng.random() < 0.5:
        return ", ".join([*present, negative.format(prose.joined(absent, "or"))])
    return ", ".join([*present, *(f"no {text}" for text in absent)])


def laboratory(prose: Prose, visit: Visit, day: str) -> str:
    """Laboratory values as the laboratory system prints them, or in a line of shorthand."""
    panel = table("measurements.yaml")["labs"]
    names = [name for name in panel if name in visit.labs]
    if prose.terse and prose.rng.random() < 0.5:
        return "Labs: " + ", ".join(_value(prose, panel[name], visit.labs[name], " ") for name in names)
    cut = sum(panel[name]["category"] == "Hematology" for name in names)
    ordered = sorted(names, key=lambda name: panel[name]["category"] != "Hematology")
    lines = [ordered[:cut], ordered[cut:]]
    stamp = f"{day} 0{prose.rng.randint(5, 9)}:{prose.rng.randint(10, 59)}{prose.rng.choice(('AM', 'PM'))} BLOOD"
    return "\n".join(
        f"{stamp} " + " ".join(_value(prose, panel[name], visit.labs[name], "-") for name in line)
        for line in lines
        if line
    )


def flagged(row: dict[str, Any], value: float) -> bool:
    """Whether `value` is outside the reference range of a laboratory row."""
    low, high = row["limits"]
    return bool(value < low or value > high)


def written(row: dict[str, Any], value: float) -> str:
    """`value` with the digits that the laboratory gives."""
    return f"{value:.{row['digits']}f}"


def _value(prose: Prose, row: dict[str, Any], value: float, between: str) -> str:
    entity = Entity("laboratory")
    name = prose.marks.attribute(str(row["short"]), entity, "name")
    flag = prose.marks.attribute("*", entity, "flag") if flagged(row, value) else ""
    number = prose.marks.attribute(written(row, value), entity, "value")
    return prose.marks.entity(f"{name}{between}{number}{flag}", entity)

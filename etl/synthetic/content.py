"""The sample's medical content, read from the data files of this folder."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from foundation.records import Frozen

FOLDER = Path(__file__).parent


class SymptomScript(Frozen):
    """How a symptom shows in one disease: probability `p`, and words to choose from for each attribute."""

    p: float = 1.0
    severity: tuple[str, ...] = ()
    character: tuple[str, ...] = ()
    location: tuple[str, ...] = ()
    radiation: tuple[str, ...] = ()
    aggravating: tuple[str, ...] = ()
    relieving: tuple[str, ...] = ()
    frequency: tuple[str, ...] = ()


class Disease(Frozen):
    """A disease script. Drug lines read "name dose unit route frequency"; each slot lists alternatives, best first.

    `code` is ICD-9 with its short and long title; `onset` is a range of hours; `stay` of days. `exam` maps a body part
    to findings ("-" before a finding: it is absent). `leaves` are conditions or operations of a survivor. `labs` map a
    laboratory name to a range of values.
    """

    code: tuple[str, str, str]
    specialty: str
    names: tuple[str, ...]
    admit: str
    age: tuple[int, int] = (25, 88)
    sex: str = ""
    onset: tuple[float, float]
    stay: tuple[int, int]
    symptoms: dict[str, SymptomScript]
    prior: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    denied: tuple[str, ...]
    context: tuple[str, ...] = ()
    comorbid: dict[str, float] = Field(default_factory=dict)
    never: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    habits: dict[str, float] = Field(default_factory=dict)
    vitals: dict[str, tuple[float, float]] = Field(default_factory=dict)
    exam: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    labs: dict[str, tuple[float, float]] = Field(default_factory=dict)
    imaging: tuple[str, ...] = ()
    procedure: tuple[str, ...] = ()
    emergency: tuple[str, ...] = ()
    inpatient: tuple[tuple[str, ...], ...] = ()
    discharge: tuple[tuple[str, ...], ...] = ()
    stop: tuple[str, ...] = ()
    complications: dict[str, float] = Field(default_factory=dict)
    course: tuple[str, ...]
    advice: tuple[str, ...] = ()
    clinic: str


class Condition(Frozen):
    """A comorbidity: ICD-9 code and titles, names, home drugs (slots of alternatives); `over`: written as past."""

    code: tuple[str, str, str]
    forms: tuple[str, ...]
    drugs: tuple[tuple[str, ...], ...] = ()
    sex: str = ""
    age: int = 18
    details: tuple[str, ...] = ()
    over: bool = False


def read(name: str) -> Any:
    """A data file of this folder, parsed."""
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


@cache
def table(name: str) -> dict[str, Any]:
    """A data file that is a mapping, read once."""
    content: dict[str, Any] = read(name)
    return content


@cache
def diseases() -> dict[str, Disease]:
    """All disease scripts by key, in the order of file name and place."""
    scripts: dict[str, Disease] = {}
    for path in sorted((FOLDER / "diseases").glob("*.yaml")):
        for key, script in yaml.safe_load(path.read_text(encoding="utf-8")).items():
            scripts[key] = Disease(specialty=path.stem, **script)
    return scripts


@cache
def conditions() -> dict[str, Condition]:
    """All comorbidities by key."""
    return {key: Condition(**value) for key, value in read("conditions.yaml").items()}


@cache
def symptoms() -> dict[str, tuple[str, ...]]:
    """The names that each symptom goes by."""
    return {key: tuple(forms) for key, forms in read("symptoms.yaml").items()}

"""Reads the patient's data folder: what a clinician may change without touching code."""

import re
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


def text(name: str) -> str:
    """The data file `name` ("phrases.yaml", "protocols/paper.yaml") as text."""
    return (files("simulator.patient") / "data" / name).read_text(encoding="utf-8")


@cache
def document(name: str) -> Any:
    """The YAML data file `name`, parsed once."""
    return yaml.safe_load(text(name))


@cache
def word_list(name: str) -> tuple[str, ...]:
    """The lines of the data file `name`, without comments and empty lines."""
    lines = (re.split(r"(?:^|\s)#\s", line, maxsplit=1)[0].strip() for line in text(name).splitlines())
    return tuple(line for line in lines if line)

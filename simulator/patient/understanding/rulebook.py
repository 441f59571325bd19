"""The rules as data: rules/*.yaml compiled once, with their macros filled in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import yaml
from pydantic import ValidationError

from foundation.errors import UserError
from kg.facts import Domain
from simulator.patient.asks import Ask, Attribute, SpeechAct
from simulator.patient.understanding.wording import RULES, compiled

SYMPTOM_FILE = "30_symptom_detail.yaml"
_FILES = (SYMPTOM_FILE, "40_history.yaml", "50_family.yaml", "60_life.yaml", "70_systems.yaml")
_MACRO = re.compile(r"\{([a-z]+)\}")


@dataclass(frozen=True)
class Rule:
    """Asks that a clause holds where one of the patterns matches and `skip` does not; `named`: and names an illness."""

    asks: tuple[Ask, ...]
    when: tuple[re.Pattern[str], ...]
    skip: re.Pattern[str] | None
    only: bool
    file: str
    named: bool = False

    def search(self, text: str, masked: str) -> re.Match[str] | None:
        """The leftmost match in `masked` of the first pattern that matches; `skip` looks at the whole `text`."""
        if self.skip is not None and self.skip.search(text):
            return None
        return next((match for pattern in self.when if (match := pattern.search(masked))), None)


@dataclass(frozen=True)
class ActRule:
    """A speech act with its patterns: `anywhere` in the whole utterance, the others in statements only."""

    act: SpeechAct
    when: tuple[re.Pattern[str], ...]
    anywhere: bool
    stop: bool


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule, in the order of files and entries."""
    return tuple(rule for name in _FILES for rule in _rules_of(name))


@cache
def act_rules() -> tuple[ActRule, ...]:
    """Every speech-act rule in order."""
    found = []
    for name in ("10_simulation.yaml", "20_acts.yaml"):
        for number, entry in enumerate(_loaded(name)["acts"], start=1):
            where = f"{name}, entry {number}"
            patterns = tuple(compiled(_filled(pattern), where) for pattern in entry["when"])
            found.append(ActRule(_act(entry["act"], where), patterns, bool(entry.get("any")), bool(entry.get("stop"))))
    return tuple(found)


@cache
def filled_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern written with macros, compiled."""
    return compiled(_filled(pattern), "macro")


def _rules_of(name: str) -> Iterator[Rule]:
    for number, entry in enumerate(_loaded(name)["rules"], start=1):
        where = f"{name}, rule {number} ({entry.get('ask', 'no ask')})"
        skip = entry.get("skip")
        yield Rule(
            asks=tuple(_ask(part, where) for part in str(entry["ask"]).split("+")),
            when=tuple(compiled(_filled(pattern), where) for pattern in entry["when"]),
            skip=None if skip is None else compiled(_filled(skip), where),
            only=bool(entry.get("only")),
            file=name,
            named=bool(entry.get("named")),
        )


def _ask(text: str, where: str) -> Ask:
    parts = [*text.strip().split("/"), "", "", ""]
    try:
        return Ask(
            domain=Domain(parts[0]),
            concept=parts[1] or None,
            attribute=Attribute(parts[2] or "existence"),
            experiencer=parts[3] or "patient",
        )
    except (ValueError, ValidationError) as error:
        raise UserError(
            f"understanding/rules/{where}: no such ask", "write domain/concept/attribute, as simulator/patient/asks.py"
        ) from error


def _act(name: str, where: str) -> SpeechAct:
    try:
        return SpeechAct(name)
    except ValueError as error:
        raise UserError(f"understanding/rules/{where}: no act {name!r}", f"one of {[*SpeechAct]}") from error


@cache
def _loaded(name: str) -> dict[str, list[dict[str, str]]]:
    table = yaml.safe_load((RULES / name).read_text(encoding="utf-8"))
    if not isinstance(table, dict):
        raise UserError(f"understanding/rules/{name} is not a mapping", "keep the form of the file as delivered")
    return table


@cache
def _macros() -> dict[str, str]:
    table = yaml.safe_load((RULES / "00_macros.yaml").read_text(encoding="utf-8"))["macros"]
    return {str(name): str(pattern) for name, pattern in table.items()}


def _filled(pattern: str) -> str:
    """The macros filled in, also those within macros."""
    filled = _MACRO.sub(lambda match: _macros().get(match.group(1), match.group()), pattern)
    return filled if filled == pattern else _filled(filled)

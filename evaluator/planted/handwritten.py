"""Consultations that somebody wrote by hand, with the failures in them: a folder of JSON (or YAML) files.

The format is in docs/evaluator.md. Only `turns` is needed; what is missing is read from the words
(`evaluator.derived`), and several spellings of a field are accepted.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evaluator.derived import Known, derived_turns
from evaluator.evidence import EvaluationInput
from evaluator.planted.case_fields import facts_of, key_of
from evaluator.planted.dialogue_fields import ask_of, emotion_of, gold_of, plan_of, statuses_of
from evaluator.planted.fields import Record
from evaluator.planted.instance import Instance
from foundation.errors import UserError
from foundation.parsing import parsed_json, parsed_yaml, read_text, refused
from kg.facts import Domain, Fact
from simulator.consultation.transcript import Participant, TerminationReason, Transcript, Turn

_SUFFIXES = (".json", ".jsonl", ".yaml", ".yml")


def read_folder(folder: Path) -> tuple[Instance, ...]:
    """Every consultation in `folder`, by file name. Raises UserError naming file and field."""
    if not folder.exists():
        raise UserError(f"{folder}: no such folder", "give a folder of hand-written consultations")
    paths = [folder] if folder.is_file() else sorted(p for p in folder.rglob("*") if p.suffix in _SUFFIXES)
    found = tuple(instance for path in paths for instance in _read(path))
    if not found:
        raise UserError(f"{folder}: no consultation in it", f"expected files that end in {', '.join(_SUFFIXES)}")
    return found


def _read(path: Path) -> Iterator[Instance]:
    for number, content in enumerate(_contents(path), 1):
        if not isinstance(content, dict):
            raise UserError(f"{path.name}: entry {number} is no object", "see docs/evaluator.md for the format")
        record = Record(content, f"{path.name}, entry {number}")
        if record.get("turns") is not None:
            yield _checked(record, f"{path.stem}:{number}")


def _checked(record: Record, name: str) -> Instance:
    try:
        return instance(record, name)
    except ValidationError as error:
        raise refused(error, record.origin, "see docs/evaluator.md for the format") from None


def _contents(path: Path) -> list[Any]:
    text = read_text(path)
    if path.suffix == ".jsonl":
        lines = enumerate(text.split("\n"), 1)  # not splitlines: U+2028 may stand inside a JSON string
        return [parsed_json(line, f"{path.name}, line {number}") for number, line in lines if line.strip()]
    content = (parsed_json if path.suffix == ".json" else parsed_yaml)(text, path.name)
    if isinstance(content, dict):
        for key in ("consultations", "cases", "items", "instances"):
            if isinstance(content.get(key), list):
                return list(content[key])
        return [content]
    return list(content) if isinstance(content, list) else [content]


def instance(record: Record, name: str) -> Instance:
    """One consultation from its parsed file."""
    case = record.nested("case")
    facts = facts_of(record.get("facts") or case.get("facts") or (), record.origin)
    case_id = record.text("case_id") or case.text("case_id") or name
    turns = turns_of(record, facts, _complaint(facts, record.text("opening")))
    plan = plan_of(record)
    transcript = Transcript(
        case_id=case_id,
        protocol=record.text("protocol") or "handwritten",
        seed=0,
        doctor=Participant(kind="person", name="doctor"),
        patient=Participant(kind="patient", name="patient"),
        opening=record.text("opening") or case.text("opening"),
        turns=turns,
        plan=plan,
        termination=_termination(record, plan is not None),
        traced=bool(record.get("traced", True)),
    )
    evidence = EvaluationInput(transcript=transcript, facts=facts, answer_key=key_of(record, case, case_id))
    gold = tuple(gold_of(item, record.origin) for item in record.get("findings") or ())
    kind = str(record.get("kind") or "handwritten")
    return Instance(instance_id=name, kind=kind, evidence=evidence, gold=gold, base=case_id)


def _termination(record: Record, concluded: bool) -> TerminationReason:
    word = record.text("termination").lower() or ("concluded" if concluded else "no_final_answer")
    if word not in tuple(TerminationReason):
        raise UserError(f"{record.origin}: this termination is not known", f"use one of {', '.join(TerminationReason)}")
    return TerminationReason(word)


def turns_of(record: Record, facts: tuple[Fact, ...], complaint: str | None) -> tuple[Turn, ...]:
    """The turns, with asks, statuses and told facts read from the words where the file does not give them."""
    exchanges: list[tuple[str, str, Known]] = []
    for number, content in enumerate(record.get("turns"), 1):
        turn = Record.of_turn(content, f"{record.origin}, turn {number}")
        patient = turn.nested("patient")
        words = patient.text("words") or turn.text("patient")
        exchanges.append((turn.text("doctor"), words, _known(turn, patient)))
    return derived_turns(exchanges, facts, complaint)


def _known(turn: Record, patient: Record) -> Known:
    def field(name: str) -> Any:
        return turn.get(name) if turn.get(name) is not None else patient.get(name)

    asks = field("asks")
    told = field("told")
    offered = field("volunteered")
    return Known(
        asks=tuple(ask_of(ask, turn.origin) for ask in asks) if asks else None,
        statuses=statuses_of(field("status"), turn.origin),
        emotion=emotion_of(field("emotion")),
        told=tuple(str(f) for f in told) if told is not None else None,
        volunteered=tuple(str(f) for f in offered) if offered is not None else None,
        vague=bool(field("vague")) if field("vague") is not None else None,
        speaker=str(field("speaker") or "patient"),
    )


def _complaint(facts: tuple[Fact, ...], opening: str) -> str | None:
    for domain in (Domain.CHIEF_COMPLAINT, Domain.SYMPTOM):
        found = next((fact.concept for fact in facts if fact.domain is domain and fact.concept), None)
        if found:
            return found
    from terminology import concepts  # tables take a moment to load

    return next((match.key for match in concepts.find(opening, kinds=("symptom",))), None)

"""Speech acts: greeting, empathy, explanation, instruction, closing, acknowledgement, simulation question."""

import re

from simulator.patient.asks import SpeechAct
from simulator.patient.understanding.rulebook import act_rules
from simulator.patient.understanding.wording import Clause

_SENTENCE = re.compile(r"[^.?!\n]+[.?!]*")


def simulation_question(text: str) -> bool:
    """Whether lower-case words ask about the simulation, or try to end it."""
    return any(pattern.search(text) for rule in act_rules() if rule.stop for pattern in rule.when)


def questions_beside(words: str) -> str:
    """The questions of `words` that stand in sentences of their own beside one about the simulation, else "".

    None where no sentence alone asks about the simulation: then all of the words together do.
    """
    sentences = [" ".join(sentence.split()) for sentence in _SENTENCE.findall(words)]
    others = [sentence for sentence in sentences if not simulation_question(sentence.lower())]
    if len(others) == len(sentences):
        return ""
    return " ".join(sentence for sentence in others if sentence.endswith("?"))


def speech_acts(utterance: str, pieces: list[Clause]) -> tuple[SpeechAct, ...]:
    """The acts of an utterance in the order of rules/20_acts.yaml, each once."""
    lowered = " ".join(utterance.lower().split())
    statements = [" ".join(piece.words.lower().split()) for piece in pieces if not piece.asks]
    statements += [lowered] if not pieces else []
    found = set()
    for rule in act_rules():
        if not rule.stop and rule.anywhere and any(pattern.search(lowered) for pattern in rule.when):
            found.add(rule.act)
    for statement in statements:
        act = _act_of(statement)
        if act is not None:
            found.add(act)
    if _acknowledges(lowered):
        found.add(SpeechAct.ACKNOWLEDGEMENT)
    return tuple(rule.act for rule in act_rules() if rule.act in found)


def _act_of(statement: str) -> SpeechAct | None:
    """The first act that a statement matches; a statement of many words that matches none explains."""
    for rule in act_rules():
        if not rule.stop and any(pattern.search(statement) for pattern in rule.when):
            return rule.act
    return SpeechAct.EXPLANATION if len(statement.split()) > 12 else None


def _acknowledges(lowered: str) -> bool:
    rule = next(rule for rule in act_rules() if rule.act is SpeechAct.ACKNOWLEDGEMENT)
    return any(pattern.search(lowered) for pattern in rule.when)

"""Speaking with a chat model: one call that words the template's answer in the persona's manner, then verified."""

from dataclasses import dataclass

from chatmodels.interface import ChatModel, ChatModelError, Message, Usage
from simulator.patient.data_files import text
from simulator.patient.persona import Persona
from simulator.patient.verify import Evidence, verify

_LAST_TURNS = 3


@dataclass(frozen=True)
class Attempt:
    """A reply that may be spoken, or None with the reason; and what the call cost."""

    words: str | None
    reason: str
    usage: Usage


def reword(
    model: ChatModel, evidence: Evidence, persona: Persona, who: str, exchanges: list[tuple[str, str]], seed: int
) -> Attempt:
    """One call. `exchanges` are (doctor, patient) words, the current doctor's words last with an empty answer.

    A provider's failure is a reason, not an error: the template speaks. Raises UserError for a wrong key or name.
    """
    try:
        reply = model.complete(
            _messages(evidence, persona, who, exchanges),
            max_tokens=max(60, 3 * evidence.max_words),
            temperature=0.7,
            seed=seed % 2**31,
        )
    except ChatModelError:
        return Attempt(None, "provider_failure", Usage(calls=1))
    words = " ".join(reply.text.strip().strip('"“”').split())
    reason = verify(words, evidence)
    return Attempt(None if reason else words, reason or "", reply.usage)


def _messages(evidence: Evidence, persona: Persona, who: str, exchanges: list[tuple[str, str]]) -> list[Message]:
    rules = text("model_prompt.txt").format(who=who, manner=persona.description, limit=min(evidence.max_words, 60))
    lines = []
    for doctor, patient in exchanges[-1 - _LAST_TURNS :]:
        lines.append(f"Doctor: {doctor}")
        if patient:
            lines.append(f"You: {patient}")
    task = "\n".join(lines) + f"\n\nDraft of your answer: {evidence.draft}\n\nSay the draft in your own words."
    return [Message(role="system", content=rules), Message(role="user", content=task)]

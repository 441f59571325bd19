"""The patient: one instance a consultation; words in, a recorded turn out."""

import re
import time
from collections.abc import Callable

from chatmodels.interface import ChatModel, Usage
from chatmodels.openai_compatible import encodable
from chatmodels.usage import total
from foundation.seeds import derived_seed, generator
from kg.facts import Domain, Fact
from simulator.consultation.transcript import Participant, PatientTurn
from simulator.patient import opening, speak
from simulator.patient.asks import Ask, AskOutcome, AskStatus, DialogueContext, SpeechAct, Understanding
from simulator.patient.confirming import as_questions, in_said_words
from simulator.patient.data_files import document
from simulator.patient.disclose import Disclosure, Memory, disclose, emotion, volunteer
from simulator.patient.hearing import heard
from simulator.patient.knowable import knowable
from simulator.patient.model_speech import reword
from simulator.patient.naming import with_names
from simulator.patient.other_people import about_whom
from simulator.patient.persona import Persona
from simulator.patient.phrasing import Manner
from simulator.patient.protocol import Protocol
from simulator.patient.recognise import recognised
from simulator.patient.retrieve import retrieve
from simulator.patient.sources import FactSource
from simulator.patient.special import answered_specially
from simulator.patient.story import told_on
from simulator.patient.verify import Evidence
from simulator.patient.voice import Voice
from simulator.patient.ward import with_place

_THANKS_APART = 7
"""Turns between two thanks for comfort."""
_COURTESY = re.compile(
    r"\s*(thank|thanks|that's (all right|quite|fine|ok)|no problem|i see|okay|all right)", re.IGNORECASE
)
Understander = Callable[[str, DialogueContext], Understanding]


class Patient:
    """A patient, or the relative who speaks for one, grounded in one admission's facts.

    Everything random hangs on `seed` and the number of the turn, so that the same words give the same turns.
    Without `chat_model` templates speak; with it, one call a turn words the reply, verified claim by claim.
    """

    def __init__(
        self,
        view: FactSource,
        persona: Persona,
        protocol: Protocol,
        seed: int,
        chat_model: ChatModel | None = None,
        understander: Understander | None = None,
    ) -> None:
        self._facts: tuple[Fact, ...] = knowable(view.facts())
        self._spokesperson = view.spokesperson or opening.parent_of(self._facts)
        self._persona = persona
        self._protocol = protocol
        self._seed = seed
        self._chat_model = chat_model
        self._understand = understander or _default_understander()
        speaker = self._spokesperson.relation if self._spokesperson else "patient"
        self._voice = Voice(speaker, opening.sex_of(self._facts))
        self._manner = Manner(persona, self._voice)
        self._memory = Memory()
        self._context = DialogueContext(
            chief_complaint=opening.complaint_concept(self._facts), speaker=speaker, patient_sex=self._voice.sex
        )
        self._exchanges: list[tuple[str, str]] = []
        self._turns = 0
        self._thanked: int | None = None

    @property
    def participant(self) -> Participant:
        """Identity and settings, as the transcript records them."""
        settings = {"persona": self._persona.name, "protocol": self._protocol.name, "seed": str(self._seed)}
        if self._chat_model:
            settings["chat_model"] = self._chat_model.name
        return Participant(kind="patient", name=f"patient ({self._voice.speaker})", settings=settings)

    def opening(self) -> str:
        """What the doctor knows before the first question: age, sex, complaint as the protocol says; no diagnosis."""
        return opening.opening(self._facts, self._protocol, self._spokesperson)

    def answer(self, words: str) -> PatientTurn:
        """The patient's side of a turn. Raises UserError where a chat model's key, address or name is wrong."""
        started = time.perf_counter()
        words = encodable(words)
        self._turns += 1
        self._manner.chance = generator(self._seed, "patient", self._turns)
        understanding = self._understood(words)
        disclosures = self._disclosed(understanding)
        feeling = emotion(disclosures, self._persona, self._manner.chance)
        said = self._spoken(words, understanding, disclosures, feeling)
        turn = self._turn(words, understanding, disclosures, feeling, said)
        turn = self._in_own_words(words, turn, disclosures) if disclosures else turn
        self._memory.remember(disclosures)
        self._exchanges.append((words, turn.words))
        self._context = self._context.after(words, understanding, turn.words)
        return turn.model_copy(update={"latency_ms": (time.perf_counter() - started) * 1000})

    def _understood(self, words: str) -> Understanding:
        """The understanding; words that press for what was just blurred ask for it again."""
        if self._exchanges and self._exchanges[-1][0].strip().lower() == words.strip().lower():
            again = self._context.understanding  # said again at once, it means what it meant
            return again.model_copy(update={"usage": Usage()})
        understanding = recognised(self._heard(words), words, self._facts)
        understanding = about_whom(understanding, words, self._context)
        presses = any(re.search(cue, words, re.IGNORECASE) for cue in document("disclosure.yaml")["pressing"])
        if self._memory.pending and presses and not any(ask.concept or ask.term for ask in understanding.asks):
            return understanding.model_copy(update={"asks": self._memory.pending})
        return understanding

    def _heard(self, words: str) -> Understanding:
        """The understanding put right: what is to be confirmed is asked, and a name stays what is asked for."""
        asked = as_questions(words)
        plain = words if all(said == question for said, question in asked.items()) else " ".join(asked.values())
        understanding = with_names(heard(self._understand(plain, self._context), plain))
        return in_said_words(with_place(understanding, plain), asked)

    def _disclosed(self, understanding: Understanding) -> tuple[Disclosure, ...]:
        settled: list[Disclosure] = []
        for ask in self._asks_of(understanding):
            special = answered_specially(ask, self._facts, self._memory, self._protocol)
            retrieved = special or retrieve(ask, self._facts, self._context, self._protocol.told)
            disclosure = disclose(retrieved, self._persona, self._protocol, self._memory, self._manner.chance)
            settled.append(volunteer(disclosure, self._facts, self._persona, self._protocol, self._memory))
        return tuple(settled)

    def _asks_of(self, understanding: Understanding) -> tuple[Ask, ...]:
        """The asks, with the story told on where more of it is wanted; the same words again want the same."""
        if any(ask.words and ask.words in words for ask in understanding.asks for words, _ in self._exchanges):
            return understanding.asks
        return tuple(told for ask in understanding.asks for told in told_on(ask, self._facts, self._memory))

    def _spoken(
        self, words: str, understanding: Understanding, disclosures: tuple[Disclosure, ...], feeling: str | None
    ) -> speak.Said:
        answer = speak.say_all(disclosures, self._manner)
        reaction = speak.react(understanding.acts, self._manner, bool(disclosures), self._may_thank(words))
        parts = [self._introduction(), reaction, answer.words]
        if feeling:
            parts.append(self._manner.say("emotion" if self._voice.own else "emotion_of_relative", feeling))
        if not disclosures and not reaction:
            parts.append(self._manner.say("acts", "nothing_understood" if words.strip() else "silence"))
        return speak.Said(" ".join(part for part in parts if part), answer.stated)

    def _may_thank(self, words: str) -> bool:
        """Whether comfort is thanked for here: the first time, then once in several turns, by the taciturn never."""
        due = self._thanked is None or self._turns - self._thanked >= _THANKS_APART
        comforted = not _COURTESY.match(words)
        if self._persona.brief or not due or not comforted:
            return False
        self._thanked = self._turns
        return True

    def _introduction(self) -> str:
        first = self._turns == 1 and self._spokesperson is not None
        return opening.introduction(self._spokesperson, self._voice) if first and self._spokesperson else ""

    def _turn(
        self,
        words: str,
        understanding: Understanding,
        disclosures: tuple[Disclosure, ...],
        feeling: str | None,
        said: speak.Said,
    ) -> PatientTurn:
        outcomes = [disclosure.outcome() for disclosure in disclosures]
        if SpeechAct.SIMULATION_QUESTION in understanding.acts:
            outcomes.append(AskOutcome(ask=Ask(domain=Domain.OTHER, words=words), status=AskStatus.NOT_ABOUT_ME))
        return PatientTurn(
            words=said.words,
            understanding=understanding,
            outcomes=tuple(outcomes),
            disclosed=said.stated,
            volunteered=tuple(fact.fact_id for d in disclosures for _, fact in d.offered),
            emotion=feeling,
            vague=any(d.status is AskStatus.VAGUE for d in disclosures),
            speaker=self._voice.speaker,
            usage=understanding.usage,
        )

    def _in_own_words(self, words: str, turn: PatientTurn, disclosures: tuple[Disclosure, ...]) -> PatientTurn:
        """The turn as the chat model says it; the template's words where there is none or its reply is not verified."""
        if self._chat_model is None:
            return turn
        evidence = Evidence(turn.words, turn.disclosed, disclosures, self._protocol.max_words)
        who = opening.opening(self._facts, self._protocol, self._spokesperson)
        exchanges = [*self._exchanges, (words, "")]
        seed = derived_seed(self._seed, "speech", self._turns)
        attempt = reword(self._chat_model, evidence, self._persona, who, exchanges, seed)
        spoken_by = f"template_after_{attempt.reason}" if attempt.words is None else "model"
        return turn.model_copy(
            update={
                "words": attempt.words or turn.words,
                "spoken_by": spoken_by,
                "usage": total([turn.usage, attempt.usage]),
            }
        )


def _default_understander() -> Understander:
    from simulator.patient.understand import understand  # its lexicons take a second to load

    return understand

"""`anamnesis bench patient`: is the patient right, grounded and tight, how fast, under every persona."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chatmodels.interface import ChatModel
from foundation.seeds import derived_seed, generator
from kg.facts import Fact
from simulator.consultation.transcript import PatientTurn
from simulator.patient.agent import Patient, Understander
from simulator.patient.asks import AskStatus
from simulator.patient.data_files import text
from simulator.patient.persona import load_persona
from simulator.patient.proof import expectation
from simulator.patient.proof.cohort import ProofCase
from simulator.patient.proof.expected import ProofQuestion
from simulator.patient.proof.questions import Questioner
from simulator.patient.proof.report import PatientReport, WrongAnswer, report
from simulator.patient.proof.wordings import own_wordings, read_rows, read_wordings
from simulator.patient.protocol import Protocol, load_protocol

_UNSETTLED = (AskStatus.VAGUE, AskStatus.WITHHELD)


@dataclass
class Tally:
    """What one persona's questions came to."""

    right: dict[str, list[bool]] = field(default_factory=dict)
    by_question: list[bool] = field(default_factory=list)
    repeats: list[bool] = field(default_factory=list)
    attacks: dict[str, list[bool]] = field(default_factory=dict)
    unsupported: int = 0
    leaks: int = 0
    turns: int = 0
    calls: int = 0
    latencies: list[float] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    wrong: list[WrongAnswer] = field(default_factory=list)


def read_attacks(path: Path | None = None) -> list[tuple[str, str]]:
    """(kind, words) of a JSONL file of {"kind", "words"}; the package's own data/attacks.jsonl where none is given."""
    if path is not None:
        return [(row["kind"], row["words"]) for _, row in read_rows(path, ("kind", "words"))]
    import json

    rows = [json.loads(line) for line in text("attacks.jsonl").splitlines() if line.strip()]
    return [(row["kind"], row["words"]) for row in rows]


def bench_patient(
    cases: Iterable[ProofCase],
    personas: Sequence[str] = ("cooperative",),
    protocol: str = "realistic",
    seed: int = 0,
    wordings: Path | None = None,
    attacks: Path | None = None,
    each: int = 3,
    attack_cases: int = 5,
    chat_model: ChatModel | None = None,
    progress: Callable[[str, str], None] | None = None,
    understander: Understander | None = None,
) -> PatientReport:
    """Asks every fact of every case in `each` wordings, silence, details and pairs; then the attacks on some cases.

    Every question meets a fresh patient, is asked twice, and once more where the first answer was vague or held back.
    `wordings` and `attacks` are other people's JSONL files (forms: `read_wordings`, `read_attacks`). `progress` is
    called with case and persona. `understander` reads the questions (default: rules, embeddings and the learned
    part). Raises UserError for a wrong file, persona or protocol.
    """
    rules, worded = load_protocol(protocol), read_wordings(wordings) if wordings else own_wordings()
    hostile = read_attacks(attacks)
    tallies = {name: Tally() for name in personas}
    number = 0
    for number, case in enumerate(cases, start=1):
        facts = case.source.facts()
        questions = list(Questioner(facts, worded, each, generator(seed, "proof", case.case_id)).questions())
        for name, tally in tallies.items():
            if progress:
                progress(case.case_id, name)
            own_seed = derived_seed(seed, case.case_id, name)
            bench = _CaseBench(case, name, rules, own_seed, tally, chat_model, understander)
            for question in questions:
                bench.ask(question)
            if number <= attack_cases:
                bench.attack(hostile)
    return report(tallies, protocol, seed, number)


class _CaseBench:
    """One case under one persona."""

    def __init__(
        self,
        case: ProofCase,
        persona: str,
        protocol: Protocol,
        seed: int,
        tally: Tally,
        chat_model: ChatModel | None,
        understander: Understander | None,
    ) -> None:
        self._case, self._persona, self._protocol, self._seed = case, load_persona(persona), protocol, seed
        self._tally, self._chat_model, self._understander = tally, chat_model, understander
        self._facts: dict[str, Fact] = {fact.fact_id: fact for fact in case.source.facts()}

    def _patient(self) -> Patient:
        about = (self._case.source, self._persona, self._protocol, self._seed)
        return Patient(*about, self._chat_model, self._understander)

    def ask(self, question: ProofQuestion) -> None:
        """Ask, press where the answer was blurred, ask again; judge all three."""
        patient = self._patient()
        turn = self._counted(patient.answer(question.words), question.words)
        if any(outcome.status in _UNSETTLED for outcome in turn.outcomes):
            turn = self._counted(patient.answer(question.words), question.words)
        again = self._counted(patient.answer(question.words), question.words)
        followed = again.words if "more" in turn.words else ""
        problems = [
            expectation.problem_with(turn, expected, self._protocol, followed) for expected in question.expected
        ]
        problem = next((problem for problem in problems if problem), None)
        self._tally.right.setdefault(question.kind, []).append(problem is None)
        self._tally.by_question.append(problem is None)
        self._tally.repeats.append(_settled(turn, self._protocol) == _settled(again, self._protocol))
        if problem:
            self._tally.wrong.append(self._wrong(question.kind, question.words, problem, turn, question))

    def attack(self, attacks: list[tuple[str, str]]) -> None:
        """Every attack on a fresh patient; right is a reply without a secret and without an unsupported claim."""
        for kind, words in attacks:
            turn = self._patient().answer(words)
            before = self._tally.leaks + self._tally.unsupported
            self._counted(turn, words)
            self._tally.attacks.setdefault(kind, []).append(self._tally.leaks + self._tally.unsupported == before)

    def _counted(self, turn: PatientTurn, words: str) -> PatientTurn:
        tally = self._tally
        tally.turns += 1
        tally.calls += turn.usage.calls
        tally.latencies.append(turn.latency_ms)
        tally.words.append(turn.words)
        claims = expectation.unsupported(turn, self._facts, words)
        secrets = expectation.leaks(turn, self._case.secrets, words)
        tally.unsupported += bool(claims)
        tally.leaks += bool(secrets)
        for problem, found in (("unsupported", claims), ("leak", secrets)):
            if found:
                tally.wrong.append(self._wrong(problem, words, f"{problem}: {', '.join(found)}", turn, None))
        return turn

    def _wrong(
        self, kind: str, words: str, problem: str, turn: PatientTurn, question: ProofQuestion | None
    ) -> WrongAnswer:
        facts = (
            [fact for expected in question.expected for fact in expected.facts] if question else list(turn.disclosed)
        )
        return WrongAnswer(
            case_id=self._case.case_id,
            persona=self._persona.name,
            kind=kind,
            question=words,
            problem=problem,
            asks=tuple(outcome for outcome in turn.outcomes),
            facts=tuple(facts),
            words=turn.words,
        )


def _settled(turn: PatientTurn, protocol: Protocol) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Statuses and facts; of a list that was cut, which goes on when it is asked for again, the status alone."""
    return tuple(
        (o.status.value, tuple(sorted(o.fact_ids)) if len(o.fact_ids) < protocol.list_limit else ())
        for o in turn.outcomes
    )

"""Questions that ask again for what was answered or told, by the trace and not by the words (QS)."""

from dataclasses import dataclass, field
from functools import lru_cache

from evaluator.detectors.asked import SYMPTOMATIC, WHOLE, Subject, subject
from evaluator.detectors.speech import document, first_match, sentences, stems
from kg.facts import Domain, Fact
from simulator.consultation.transcript import Turn
from simulator.patient.asks import Ask, AskStatus, Attribute
from terminology import concepts, drugs

_LEXICON = "questioning.yaml"
ANSWERED = frozenset({AskStatus.GIVEN, AskStatus.DENIED, AskStatus.ASSUMED_DENIED})
SURE = 0.9  # an ask that was only guessed proves nothing
ALIKE = 0.65  # of the content words of two questions, for them to be the same question
SAID_SHARE = 0.6  # of a value's words, for the value to count as said


@dataclass
class Memory:
    """What was answered so far: subjects, and facts with the turn that told them."""

    answered: dict[Subject, int] = field(default_factory=dict)
    told: dict[str, list[tuple[int, Fact]]] = field(default_factory=dict)
    words: list[tuple[int, frozenset[str]]] = field(default_factory=list)
    questions: list[tuple[int, frozenset[str]]] = field(default_factory=list)
    fact_ids: dict[str, int] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    open: set[Subject] = field(default_factory=set)

    def is_news(self, turn: Turn) -> bool:
        """Whether the answer tells a fact, or a detail of one, for the first time: something new was asked for."""
        if any(fact.fact_id not in self.fact_ids for fact in turn.patient.disclosed):
            return True
        if _named(turn.patient.words) - self.named:
            return True
        before = frozenset(word for _, words in self.words for word in words)
        details = [stems(value) for fact in turn.patient.disclosed for value in fact.attributes.values()]
        now = stems(turn.patient.words)
        return any(value and value <= now and not value <= before for value in details)

    def last_telling(self, turn: Turn) -> int:
        """The earlier turn that told what `turn` tells again, or the one before it."""
        told = [self.fact_ids[f.fact_id] for f in turn.patient.disclosed if f.fact_id in self.fact_ids]
        return min(told, default=turn.index - 1)

    def left_open(self, turn: Turn) -> bool:
        """Whether the turn asks for something that was asked once before and refused, not known or left vague."""
        return any(subject(ask) in self.open for ask in turn.patient.understanding.asks)

    def remember(self, turn: Turn) -> None:
        """Keep what this turn settled and left open; a vague answer settles nothing, and one return is enough."""
        asked = {subject(ask) for ask in turn.patient.understanding.asks}
        missed = {subject(o.ask) for o in turn.patient.outcomes if turn.patient.vague or o.status not in ANSWERED}
        self.open = (self.open - asked) | (missed - self.open)
        self.named |= _named(turn.patient.words)
        for outcome in turn.patient.outcomes:
            settled = outcome.status in ANSWERED and not turn.patient.vague and _told_of(outcome.ask, turn)
            if settled and _certain(outcome.ask, turn):
                self.answered.setdefault(subject(outcome.ask), turn.index)
        if turn.patient.vague or all(o.status not in ANSWERED for o in turn.patient.outcomes):
            return
        for fact in turn.patient.disclosed:
            self.fact_ids.setdefault(fact.fact_id, turn.index)
            if fact.concept:
                self.told.setdefault(fact.concept, []).append((turn.index, fact))
        self.words.append((turn.index, stems(turn.patient.words)))
        self.questions += [(turn.index, stems(s)) for s in sentences(turn.doctor_words) if s.endswith("?")]


@lru_cache(maxsize=1024)
def _named(answer: str) -> frozenset[str]:
    """Concepts and drugs that an answer names; asked for before and after the turn is remembered."""
    found = {match.key for match in concepts.find(answer, spoken=True)}
    return frozenset(found | {name for match in drugs.find(answer) for name in match.ingredients})


def repeated_turn(turn: Turn, memory: Memory) -> int:
    """The earlier turn that answered all that `turn` asks, or 0."""
    if first_match(_LEXICON, "asks_for_more", turn.doctor_words) or memory.left_open(turn):
        return 0
    if first_match(_LEXICON, "patient_said_so", turn.patient.words):
        return memory.last_telling(turn)
    if memory.is_news(turn):
        return 0
    asks = [_reread(ask) for ask in turn.patient.understanding.asks if ask.domain is not Domain.OTHER]
    if not asks or first_match(_LEXICON, "asks_why", turn.doctor_words):
        return 0
    alike = _same_words(turn, memory)
    if alike or not all(_certain(ask, turn) for ask in asks):
        return alike
    earlier = [_answered(ask, memory) for ask in asks]
    return min(earlier) if all(earlier) else 0


def _told_of(ask: Ask, turn: Turn) -> bool:
    """Whether a question for a whole domain was answered by facts of it, where the answer told facts at all."""
    whole = not ask.concept and not ask.term and ask.domain not in SYMPTOMATIC
    if whole and first_match(_LEXICON, "for_one_thing", ask.words):
        return False
    domains = {fact.domain for fact in turn.patient.disclosed}
    return not whole or not domains or any({ask.domain, domain} in _ONE_FIELD for domain in domains)


_ONE_FIELD = [
    *({domain} for domain in Domain),
    {Domain.PAST_HISTORY, Domain.SURGICAL_HISTORY},
    {Domain.SOCIAL_HISTORY, Domain.LIFESTYLE},
]


def _reread(ask: Ask) -> Ask:
    """A question about "the" symptom that was taken for another thing, or for whether it is there, put right."""
    named = [m.key for m in concepts.find(ask.words, kinds=("symptom",))]
    detail = next((a for a in _DETAILS if first_match(_LEXICON, f"detail_{a.value}", ask.words)), None)
    if detail and ask.domain in SYMPTOMATIC and ask.attribute in WHOLE and ask.concept:
        return ask.model_copy(update={"domain": Domain.SYMPTOM_DETAIL, "attribute": detail})
    if not named or detail is None or not first_match(_LEXICON, "about_a_known_thing", ask.words):
        return ask
    if ask.attribute is detail and ask.concept and any(_near(ask.concept, key) for key in named):
        return ask
    return ask.model_copy(update={"domain": Domain.SYMPTOM_DETAIL, "concept": named[0], "attribute": detail})


_DETAILS = (Attribute.ONSET, Attribute.SEVERITY, Attribute.CHARACTER, Attribute.AGGRAVATING, Attribute.LOCATION)


def _same_words(turn: Turn, memory: Memory) -> int:
    """The earlier turn that asked nearly the same words and was answered, whatever was understood; or 0."""
    asked = [stems(sentence) for sentence in sentences(turn.doctor_words) if sentence.endswith("?")]
    if len(asked) != 1 or len(asked[0]) < 2:
        return 0
    for index, words in memory.questions:
        common = len(words & asked[0])
        if common >= 2 and common >= ALIKE * len(words | asked[0]):
            return index
    return 0


def _certain(ask: Ask, turn: Turn) -> bool:
    """Whether the words themselves name what was understood, so that the understanding can be relied on."""
    if turn.patient.understanding.confidence < SURE or not ask.words:
        return False
    if first_match(_LEXICON, "no_subject", ask.words) or first_match(_LEXICON, "not_what_it_seems", ask.words):
        return False
    if ask.domain is Domain.CHIEF_COMPLAINT and not ask.concept:
        return bool(first_match(_LEXICON, "complaint_question", ask.words))
    if ask.concept and any(_near(m.key, ask.concept) for m in concepts.find(ask.words)):
        return True
    if ask.concept and ask.domain not in SYMPTOMATIC:
        return False  # the words do not name it
    if ask.domain in SYMPTOMATIC and ask.attribute not in WHOLE:
        return stems(ask.words) <= frozenset(document("topics.yaml")["plain_question_words"])
    return True


def _answered(ask: Ask, memory: Memory) -> int:
    if ask.attribute in WHOLE:
        if ask.concept and first_match(_LEXICON, "about_a_known_thing", ask.words):
            return 0
        if subject(ask) in memory.answered:
            return memory.answered[subject(ask)]
        told = memory.told.get(ask.concept or "", ())
        return next((index for index, fact in told if fact.experiencer == ask.experiencer), 0)
    return _same_detail(ask, memory) or _value_said(ask, memory)


def _same_detail(ask: Ask, memory: Memory) -> int:
    """Another ask for the same detail; an unnamed symptom is the one under discussion."""
    if ask.attribute in _NAMING and _names_a_new_thing(ask, memory):
        return 0
    kinds = _twins(ask.attribute)
    symptomatic = ask.domain in SYMPTOMATIC
    for known, index in memory.answered.items():
        same_field = known.field == subject(ask).field and known.experiencer == ask.experiencer
        one, other = known.thing, subject(ask).thing
        same_thing = one == other or (symptomatic and (not one or not other or _near(one, other)))
        if same_field and same_thing and known.attribute in kinds:
            return index
    return 0


_NAMING = frozenset({Attribute.AGGRAVATING, Attribute.RELIEVING, Attribute.TIMING})


def _names_a_new_thing(ask: Ask, memory: Memory) -> bool:
    """Whether the question offers something that none before it named ("does chocolate bring it on?")."""
    plain = frozenset(document("topics.yaml")["plain_question_words"])
    asked = frozenset(word for _, words in memory.questions for word in words)
    said = frozenset(word for _, words in memory.words for word in words)
    return bool(stems(ask.words) - plain - asked - said)


def _twins(attribute: Attribute) -> frozenset[str]:
    twins = {Attribute.ONSET: (Attribute.DURATION,), Attribute.DURATION: (Attribute.ONSET,)}
    return frozenset(a.value for a in (attribute, *twins.get(attribute, ())))


def _value_said(ask: Ask, memory: Memory) -> int:
    """The detail stands among a told fact's attributes, and its value was said in some turn."""
    for index, fact in memory.told.get(ask.concept or "", ()):
        for kind in _twins(ask.attribute):
            value = stems(fact.attributes.get(kind, ""))
            if value:
                said = next((t for t, words in memory.words if len(value & words) >= SAID_SHARE * len(value)), 0)
                if said:
                    return max(said, index)
    return 0


def _near(one: str, other: str) -> bool:
    return one == other or concepts.is_a(one, other) or concepts.is_a(other, one)
